/** Views of one page, each with its own address. */
import { Count } from './badge.tsx'

export interface Tab {
  href: string
  text: string
  count?: number | undefined
  isCurrent: boolean
}

/** `label` names the list for screen readers. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map(({ href, text, count, isCurrent }) => (
          <li key={href}>
            <a href={href} {...(isCurrent ? { 'aria-current': 'page' as const } : {})}>
              <span>{text}</span>
              {count !== undefined && <Count value={count} />}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
