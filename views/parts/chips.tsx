/** The filters that are set, each a link that removes it. */
import { Icon } from './icon.tsx'

interface Props {
  label: string
  chips: readonly { text: string /** Of the list without it. */; href: string }[]
  /** For those who read it. */
  remove(text: string): string
  clear: { text: string; href: string }
}

export function Chips({ label, chips, remove, clear }: Props) {
  if (chips.length === 0) return null
  return (
    <ul class="chips" aria-label={label}>
      {chips.map(({ text, href }) => (
        <li key={href}>
          <a class="chip" href={href} title={remove(text)}>
            <span class="unseen">{remove(text)}</span>
            <span aria-hidden="true" dir="auto">
              {text}
            </span>
            <Icon name="x" />
          </a>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <a href={clear.href}>{clear.text}</a>
        </li>
      )}
    </ul>
  )
}
