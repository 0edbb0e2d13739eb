/** Tables, and lists of facts. A narrow window stacks the cells of a row (`stack`). */
import { type ComponentChildren, Fragment } from 'preact'

/** The table is as wide as its page; `label` names it where no heading does. */
export function Table({
  label,
  class: own = 'stack',
  children,
}: {
  label?: string
  class?: string
  children: ComponentChildren
}) {
  return (
    <div class="table">
      <table class={own} {...(label === undefined ? {} : { 'aria-label': label })}>
        {children}
      </table>
    </div>
  )
}

/** `actions` names the last column for screen readers only. */
export function TableHead({ columns, actions }: { columns: string[]; actions?: string }) {
  return (
    <thead>
      <tr>
        {columns.map(column => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
        {actions && (
          <th scope="col">
            <span class="unseen">{actions}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

interface CellProps {
  /** The column: shown before the content where a narrow window stacks the cells. */
  label: string
  class?: string | undefined
  children: ComponentChildren
}

export function Cell({ label, class: className, children }: CellProps) {
  return (
    <td class={className} data-label={label}>
      {children}
    </td>
  )
}

export type Fact = [label: string, value: ComponentChildren]

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(([label, value]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
