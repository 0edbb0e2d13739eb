/** How much is done: a bar with its numbers in words. */
interface Props {
  value: number
  max: number
  /** Names the bar for screen readers. */
  label: string
  /** Shown beside it, such as "2 of 3". */
  text?: string | undefined
}

export function Progress({ value, max, label, text }: Props) {
  return (
    <span class="progress">
      <progress value={value} max={Math.max(max, 1)} aria-label={label}>
        {text}
      </progress>
      {text !== undefined && <span class="progress-text">{text}</span>}
    </span>
  )
}
