/** Buttons, and links that look like them. As wide as their words. */
import type { ComponentChildren, JSX } from 'preact'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

/** At most one `primary` on a page; `quiet` has no border; `link` looks like a link. */
export type ButtonKind = 'primary' | 'plain' | 'danger' | 'quiet' | 'link'

interface Look {
  kind?: ButtonKind | undefined
  icon?: IconName | undefined
  /** Smaller, for rows of tables and bars of tools. */
  small?: boolean | undefined
  /** Shows the icon alone; the words are read out and shown as the tooltip. */
  iconOnly?: boolean | undefined
  class?: string | undefined
  children: ComponentChildren
}

export function buttonClass({ kind = 'plain', small, iconOnly, class: className }: Omit<Look, 'children'>): string {
  return ['button', kind, small && 'compact', iconOnly && 'icon-only', className].filter(Boolean).join(' ')
}

function Words({ icon, iconOnly, children }: Look) {
  return (
    <>
      {icon && <Icon name={icon} />}
      {iconOnly ? <span class="unseen">{children}</span> : <span>{children}</span>}
    </>
  )
}

type ButtonAttributes = Omit<JSX.IntrinsicElements['button'], 'class' | 'icon' | 'children'>

/** A `button` of type `submit` unless `type` says otherwise. */
export function Button({
  kind,
  icon,
  small,
  iconOnly,
  class: className,
  children,
  type = 'submit',
  ...rest
}: Look & ButtonAttributes) {
  const look = { kind, small, iconOnly, class: className }
  return (
    <button
      type={type}
      class={buttonClass(look)}
      {...(iconOnly && typeof children === 'string' ? { title: children } : {})}
      {...rest}
    >
      <Words icon={icon} {...look}>
        {children}
      </Words>
    </button>
  )
}

type LinkAttributes = Omit<JSX.IntrinsicElements['a'], 'class' | 'icon' | 'children' | 'role' | 'href'> & { href: string }

export function LinkButton({ kind, icon, small, iconOnly, class: className, children, ...rest }: Look & LinkAttributes) {
  const look = { kind, small, iconOnly, class: className }
  return (
    <a class={buttonClass(look)} {...(iconOnly && typeof children === 'string' ? { title: children } : {})} {...rest}>
      <Words icon={icon} {...look}>
        {children}
      </Words>
    </a>
  )
}
