/** The type the certificate pages are set in, and what their parts need to write themselves. */

import type { SignatureResources } from '../appearance/signature-appearance.ts'
import type { EvidenceTexts } from '../locales/evidence.ts'
import { ACCENT, type Cell, type Flow, INK, MUTED, type Type } from '../text/flow.ts'
import type { Han } from '../text/itemize.ts'
import type { Shape } from '../text/shape.ts'
import type { FontBook } from '../text/subset.ts'
import type { Clock } from './time.ts'

export const TITLE: Type = { style: 'strong', size: 21, colour: ACCENT }
export const SECTION: Type = { style: 'strong', size: 12.5, colour: ACCENT }
export const NAME: Type = { style: 'strong', size: 10.5, colour: INK }
export const BODY: Type = { style: 'text', size: 9, colour: INK }
export const STRONG: Type = { style: 'strong', size: 9, colour: INK }
export const SUBHEAD: Type = { style: 'strong', size: 8.5, colour: MUTED }
export const NOTE: Type = { style: 'text', size: 8.5, colour: MUTED }
export const LABEL: Type = { style: 'text', size: 9, colour: MUTED }
export const SMALL: Type = { style: 'text', size: 8, colour: INK }
export const SMALL_NOTE: Type = { style: 'text', size: 7.5, colour: MUTED }
export const COMMAND: Type = { style: 'text', size: 8, colour: ACCENT }
export const ALARM: Type = { style: 'strong', size: 9, colour: '0.72 0.05 0.08' }

export const LABEL_WIDTH = 118
/** Between label and value, pt. */
const LABEL_GAP = 8

export interface Deps {
  flow: Flow
  shape: Shape
  book: FontBook
  marked: SignatureResources
  clock: Clock
  words: EvidenceTexts
  /** Whose Han characters they are where a text holds no others. */
  han: Han | undefined
}

export type Value = string | Cell | undefined

/** The heading of a part, with a line below; it stays with what follows. */
export function section(title: string, { flow }: Deps): void {
  flow.gap(16)
  flow.glue(() => {
    flow.text({ text: title, type: SECTION })
    flow.gap(3)
    flow.rule()
    flow.gap(7)
  })
}

/** A label and its value, the lines of the value below one another; nothing when there is no value. `room`: of both together, pt. */
export function row({ flow }: Deps, label: string, values: Value[], room = flow.width): void {
  const cells = values.flatMap(value =>
    value === undefined ? [] : [typeof value === 'string' ? { text: value, type: BODY } : value],
  )
  if (cells.length === 0) return
  flow.band([
    { x: 0, room: LABEL_WIDTH - LABEL_GAP, cells: [{ text: label, type: LABEL }] },
    { x: LABEL_WIDTH, room: room - LABEL_WIDTH, cells },
  ])
}
