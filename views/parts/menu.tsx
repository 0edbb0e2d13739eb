/** A menu behind a button: a popover, which opens and closes without a script. */
import type { ComponentChildren } from 'preact'
import { type ButtonKind, buttonClass } from './button.tsx'
import { Csrf } from './form.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

interface MenuProps {
  /** Unique on the page. */
  id: string
  /** Read out, and shown unless `iconOnly`. */
  label: string
  iconOnly?: boolean
  kind?: ButtonKind
  small?: boolean
  class?: string
  /** In place of the icon or the label, for a button of another shape. */
  face?: ComponentChildren
  /** `MenuItem`s and `MenuRule`s. */
  children: ComponentChildren
}

export function Menu({ id, label, iconOnly = true, kind = 'quiet', small, class: own, face, children }: MenuProps) {
  const look = { kind, ...(small && { small }), ...(iconOnly && !face && { iconOnly }), ...(own && { class: own }) }
  return (
    <>
      <button
        type="button"
        class={face ? own : buttonClass(look)}
        popovertarget={id}
        data-menu
        {...(iconOnly ? { title: label, 'aria-label': label } : {})}
      >
        {face ?? (
          <>
            {iconOnly && <Icon name="ellipsis" />}
            {!iconOnly && <span>{label}</span>}
            {!iconOnly && <Icon name="chevron-down" />}
          </>
        )}
      </button>
      <div id={id} popover class="menu">
        {children}
      </div>
    </>
  )
}

interface ItemProps {
  icon?: IconName
  danger?: boolean
  children: ComponentChildren
  /** A link … */
  href?: string
  download?: string | boolean
  /** … or a form that posts to this address … */
  action?: string
  /** … with these hidden values … */
  values?: Record<string, string>
  /** … or the `id` of the `Dialog` that it opens. */
  dialog?: string
}

export function MenuItem({ icon, danger, children, href, download, action, values = {}, dialog }: ItemProps) {
  const look = danger ? 'menu-item danger' : 'menu-item'
  const face = (
    <>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </>
  )
  if (action !== undefined) {
    return (
      <form method="post" action={action}>
        <Csrf />
        {Object.entries(values).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" class={look}>
          {face}
        </button>
      </form>
    )
  }
  const opens = dialog === undefined ? {} : { 'data-opens': dialog }
  return (
    <a class={look} href={href ?? `#${dialog}`} {...(download === undefined ? {} : { download })} {...opens}>
      {face}
    </a>
  )
}

export function MenuRule() {
  return <hr class="menu-rule" />
}
