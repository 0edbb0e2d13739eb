/** The frame around the boxes of a selected field of several choices; its grip moves them all. */
import { h, render } from 'preact'
import { Icon } from '../../parts/icon.tsx'
import { element } from '../../signing/browser/element.ts'
import { boxesOf } from './boxes.ts'
import { type EditorField, toPoints } from './model.ts'
import type { PageList } from './pages.ts'

/** Left of the frame where there is so much space, px. */
const GRIP_SPACE_PX = 60

interface Frame {
  key: string
  field: EditorField
  page: number
}

export class ChoiceFrames {
  /** By field and page. Kept while they are shown: a finger may rest on the grip. */
  readonly #elements = new Map<string, HTMLElement>()

  show(fields: readonly EditorField[], pages: PageList, sizes: readonly (readonly [number, number])[]): void {
    const wanted = fields.flatMap(framesOf).filter(({ page }) => pages.shown.has(page))
    const keys = new Set(wanted.map(({ key }) => key))
    for (const [key, frame] of this.#elements) {
      if (keys.has(key)) continue
      frame.remove()
      this.#elements.delete(key)
    }
    for (const { key, field, page } of wanted) {
      const frame = this.#elements.get(key) ?? newFrame(field.id)
      this.#elements.set(key, frame)
      const left = place(frame, field, page)
      const space = toPoints({ x: left, y: 0, width: 0, height: 0 }, sizes[page - 1]!).x * pages.scale
      frame.classList.toggle('at-right', space < GRIP_SPACE_PX)
      const layer = pages.shown.get(page)!.layer
      if (frame.parentElement !== layer) layer.append(frame)
    }
  }
}

function framesOf(field: EditorField): Frame[] {
  if (field.boxes.length === 0) return []
  const pages = new Set(field.boxes.map(({ page }) => page))
  return [...pages].map(page => ({ key: `${field.id} ${page}`, field, page }))
}

function newFrame(id: string): HTMLElement {
  const grip = element('div', { class: 'choices-grip', 'data-id': id })
  render(h(Icon, { name: 'move' }), grip)
  return element('div', { class: 'choices-frame', 'aria-hidden': 'true' }, grip)
}

/** Returns the left edge, percent. */
function place({ style }: HTMLElement, field: EditorField, page: number): number {
  const boxes = boxesOf(field).filter(box => box.page === page)
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))]
  style.left = `${left}%`
  style.top = `${top}%`
  style.width = `${Math.max(...boxes.map(({ x, width }) => x + width)) - left}%`
  style.height = `${Math.max(...boxes.map(({ y, height }) => y + height)) - top}%`
  return left
}
