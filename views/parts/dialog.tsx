/**
 * A question over the page. Without a script it is a part of the page that opens under its button;
 * the script shows it as a modal dialog.
 */
import type { ComponentChildren } from 'preact'
import { type ButtonKind, buttonClass } from './button.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

interface Props {
  /** Unique on the page; `MenuItem({dialog})` and `data-opens` name it. */
  id: string
  title: string
  /** Words of the button that opens it. Without them only others open it. */
  trigger?: string
  kind?: ButtonKind
  icon?: IconName
  small?: boolean
  /** Words of the button that closes it, `texts.frame.close`. */
  close: string
  /** Open when the page arrives, as after an error in its form. */
  isOpen?: boolean
  /** A form, with its buttons in `<DialogActions>`. */
  children: ComponentChildren
}

export function Dialog({ id, title, trigger, kind = 'plain', icon, small, close, isOpen = false, children }: Props) {
  return (
    <details class={trigger === undefined ? 'dialog untriggered' : 'dialog'} id={id} open={isOpen} data-dialog data-close={close}>
      <summary class={buttonClass({ kind, ...(small && { small }) })}>
        {icon && <Icon name={icon} />}
        <span>{trigger ?? title}</span>
      </summary>
      <div class="dialog-body">
        <h2 id={`${id}-title`}>{title}</h2>
        {children}
      </div>
    </details>
  )
}

/** The buttons at the end of a dialog's form, the one that acts first. */
export function DialogActions({ children }: { children: ComponentChildren }) {
  return <div class="dialog-actions">{children}</div>
}
