/** An icon of Lucide, and the mark of Signet: drawn in the page, in the colour of the text. */
import { type ComponentChild, h } from 'preact'
import { type IconName, type Shape, shapesOf } from './icons.ts'

const shapes = new Map<IconName, Shape[]>()

function shapesFor(name: IconName): Shape[] {
  const known = shapes.get(name) ?? shapesOf(name)
  shapes.set(name, known)
  return known
}

interface Props {
  name: IconName
  /** Read out instead of the icon; without it the icon is decoration. */
  label?: string | undefined
  class?: string
}

export function Icon({ name, label, class: className }: Props) {
  const children: ComponentChild[] = shapesFor(name).map(({ tag, attributes }) => h(tag, attributes))
  const shape = { class: className ? `icon ${className}` : 'icon', viewBox: '0 0 24 24' }
  if (label === undefined) {
    return (
      <svg {...shape} aria-hidden="true">
        {children}
      </svg>
    )
  }
  return (
    <svg {...shape} role="img">
      <title>{label}</title>
      {children}
    </svg>
  )
}

/** A ring, pressed into a seal of wax. */
export function Mark({ class: className }: { class?: string }) {
  return (
    <svg class={className ? `mark-sign ${className}` : 'mark-sign'} viewBox="0 0 32 32" aria-hidden="true">
      <circle class="mark-ring" cx="16" cy="16" r="13" />
      <circle class="mark-seal" cx="16" cy="16" r="7" />
    </svg>
  )
}
