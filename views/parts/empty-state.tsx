/** Shown in place of an empty list: what will come here, and how. */
import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

interface Props {
  icon: IconName
  title: string
  /** A sentence. */
  children?: ComponentChildren
  /** A `LinkButton`. */
  action?: ComponentChildren
  /** With the border of a table. */
  inTable?: boolean
}

export function EmptyState({ inTable, ...props }: Props) {
  if (!inTable) return <Words {...props} />
  return (
    <div class="table">
      <Words {...props} />
    </div>
  )
}

function Words({ icon, title, children, action }: Omit<Props, 'inTable'>) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="empty-title">{title}</p>
      {children && <p class="quiet">{children}</p>}
      {action && <div class="empty-action">{action}</div>}
    </div>
  )
}
