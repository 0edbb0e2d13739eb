/** An icon of Lucide, and the mark of Signet: drawn in the page, in the colour of the text. */
import { type ComponentChild, h } from 'preact'
import { MARK_IMPRESSION, MARK_SIDE, MARK_WAX } from '../../src/lib/mark.ts'
import { type IconName, type Shape, shapesOf } from './icons.ts'

const shapes = new Map<IconName, Shape[]>()

function shapesFor(name: IconName): Shape[] {
  const known = shapes.get(name) ?? shapesOf(name)
  shapes.set(name, known)
  return known
}

/** Decoration: what it means is said beside it. */
export function Icon({ name }: { name: IconName }) {
  const children: ComponentChild[] = shapesFor(name).map(({ tag, attributes }) => h(tag, attributes))
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {children}
    </svg>
  )
}

/** The mark of Signet. */
export function Mark({ class: className }: { class?: string }) {
  return (
    <svg class={className ? `mark-sign ${className}` : 'mark-sign'} viewBox={`0 0 ${MARK_SIDE} ${MARK_SIDE}`} aria-hidden="true">
      <path class="mark-wax" d={MARK_WAX} />
      {MARK_IMPRESSION.map(({ width, path }) => (
        <path key={path} class="mark-line" d={path} stroke-width={width} />
      ))}
    </svg>
  )
}
