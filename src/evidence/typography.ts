/** The type the certificate pages are set in, and what their parts need to write themselves. */

import type { SignatureResources } from '../appearance/signature-appearance.ts'
import type { EvidenceTexts } from '../locales/evidence.ts'
import { ACCENT, type Cell, INK, MUTED, type PageFlow, type TextStyle } from '../text/flow.ts'
import type { HanVariant } from '../text/itemize.ts'
import type { PdfFonts } from '../text/pdf-fonts.ts'
import type { ShapeParagraph } from '../text/shape.ts'
import type { Clock } from './time.ts'

export const TITLE: TextStyle = { style: 'strong', size: 21, colour: ACCENT }
export const SECTION: TextStyle = { style: 'strong', size: 12.5, colour: ACCENT }
export const NAME: TextStyle = { style: 'strong', size: 10.5, colour: INK }
export const BODY: TextStyle = { style: 'text', size: 9, colour: INK }
export const STRONG: TextStyle = { style: 'strong', size: 9, colour: INK }
export const SUBHEAD: TextStyle = { style: 'strong', size: 8.5, colour: MUTED }
export const NOTE: TextStyle = { style: 'text', size: 8.5, colour: MUTED }
export const LABEL: TextStyle = { style: 'text', size: 9, colour: MUTED }
export const SMALL: TextStyle = { style: 'text', size: 8, colour: INK }
export const SMALL_NOTE: TextStyle = { style: 'text', size: 7.5, colour: MUTED }
export const COMMAND: TextStyle = { style: 'text', size: 8, colour: ACCENT }
export const ALARM: TextStyle = { style: 'strong', size: 9, colour: '0.72 0.05 0.08' }

export const LABEL_WIDTH = 118
/** Between label and value, pt. */
const LABEL_GAP = 8

export interface Deps {
  flow: PageFlow
  shape: ShapeParagraph
  book: PdfFonts
  marked: SignatureResources
  clock: Clock
  words: EvidenceTexts
  /** Whose Han characters they are where a text holds no others. */
  han: HanVariant | undefined
}

export type Value = string | Cell | undefined

/** The heading of a part, with a line below; it stays with what follows. */
export function section(title: string, { flow }: Deps): void {
  flow.addSpace(16)
  flow.keepWithNext(() => {
    flow.addText({ text: title, type: SECTION })
    flow.addSpace(3)
    flow.addRule()
    flow.addSpace(7)
  })
}

/**
 * A label and its value, the lines of the value below one another; nothing when there is no value.
 * `room`: of both together, pt.
 */
export function row({ flow }: Deps, label: string, values: Value[], room = flow.width): void {
  const cells = values.flatMap(value =>
    value === undefined ? [] : [typeof value === 'string' ? { text: value, type: BODY } : value],
  )
  if (cells.length === 0) return
  flow.addColumns([
    { x: 0, width: LABEL_WIDTH - LABEL_GAP, cells: [{ text: label, type: LABEL }] },
    { x: LABEL_WIDTH, width: room - LABEL_WIDTH, cells },
  ])
}
