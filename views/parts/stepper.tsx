/** Where a person is in a task of several pages. Pages that can be opened are links. */
import { Icon } from './icon.tsx'

export interface Step {
  text: string
  /** Absent while the page cannot be opened yet. */
  href?: string | undefined
  state: 'done' | 'current' | 'open'
}

export function Stepper({ label, steps }: { label: string; steps: readonly Step[] }) {
  return (
    <nav class="stepper" aria-label={label}>
      <ol>
        {steps.map(({ text, href, state }, i) => {
          const face = (
            <>
              <span class="stepper-sign" aria-hidden="true">
                {state === 'done' ? <Icon name="check" /> : i + 1}
              </span>
              <span>{text}</span>
            </>
          )
          return (
            <li key={text} class={state}>
              {href === undefined || state === 'current' ? (
                <span {...(state === 'current' ? { 'aria-current': 'step' as const } : {})}>{face}</span>
              ) : (
                <a href={href}>{face}</a>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
