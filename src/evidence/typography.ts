/** The text styles of the audit certificate, and the layout of its sections and rows. */
import type { SignatureResources } from '../appearance/signature-appearance.ts'
import type { EvidenceTexts } from '../locales/evidence.ts'
import type { Cell, PageFlow, TextStyle } from '../text/flow.ts'
import type { HanVariant } from '../text/itemize.ts'
import { ACCENT, INK, MUTED } from '../text/page-style.ts'
import type { PdfFonts } from '../text/pdf-fonts.ts'
import type { ShapeParagraph } from '../text/shape.ts'
import { shapeParagraphs, truncateLines, type WrappedLine, wrapParagraphs } from '../text/wrap.ts'
import { LABEL_GAP, LABEL_WIDTH } from './row-layout.ts'
import type { TimeFormatter } from './time.ts'

export const TITLE: TextStyle = { style: 'strong', size: 19, colour: INK }
const SECTION: TextStyle = { style: 'strong', size: 12, colour: ACCENT }
export const NAME: TextStyle = { style: 'strong', size: 10.5, colour: INK }
export const BODY: TextStyle = { style: 'text', size: 9, colour: INK }
export const STRONG: TextStyle = { style: 'strong', size: 9, colour: INK }
export const SUBHEAD: TextStyle = { style: 'strong', size: 8.5, colour: INK }
/** Of what is said of a person. */
export const DETAIL: TextStyle = { style: 'text', size: 8.5, colour: INK }
export const NOTE: TextStyle = { style: 'text', size: 8.5, colour: MUTED }
const LABEL: TextStyle = { style: 'text', size: 9, colour: MUTED }
export const SMALL: TextStyle = { style: 'text', size: 8, colour: INK }
const RECORD_LABEL: TextStyle = { style: 'text', size: 7.5, colour: MUTED }
const RECORD_VALUE: TextStyle = { style: 'text', size: 7.5, colour: INK }
export const SMALL_NOTE: TextStyle = { style: 'text', size: 7.5, colour: MUTED }
/** Of the consent and the legal notes. */
export const FINE: TextStyle = { style: 'text', size: 7, colour: INK }
export const COMMAND: TextStyle = { style: 'text', size: 9, colour: ACCENT }
export const ALARM: TextStyle = { style: 'strong', size: 9, colour: '0.72 0.05 0.08' }

/** Styles of a row's label, and of values without a style of their own. */
interface RowStyles {
  label: TextStyle
  value: TextStyle
}

const ANSWER: RowStyles = { label: LABEL, value: BODY }
export const RECORD: RowStyles = { label: RECORD_LABEL, value: RECORD_VALUE }

/** Width of a column of times in small type, pt. */
export const timeColumn = ({ hasOffsets }: TimeFormatter): number => (hasOffsets ? 152 : 106)

const PAGE_WIDTH = 36

export interface Deps {
  flow: PageFlow
  shape: ShapeParagraph
  fonts: PdfFonts
  xobjects: SignatureResources
  timeFormatter: TimeFormatter
  words: EvidenceTexts
  /** Of the original. */
  pages: readonly number[]
  /** Form of Han characters in texts that do not determine it. */
  han: HanVariant | undefined
}

export type Value = string | Cell | undefined

/** Writes a heading with a rule below, kept with the content that follows. */
export function writeSection(title: string, { flow }: Deps): void {
  flow.addSpace(10)
  flow.keepWithNext(() => {
    flow.addText({ text: title, type: SECTION })
    flow.addSpace(2)
    flow.addRule()
    flow.addSpace(6)
  })
}

/** Writes nothing if there are no values. `page`: at the end of the row. */
export function writeRow({ flow }: Deps, label: string, values: Value[], styles = ANSWER, page?: string): void {
  const cells = values.flatMap(value => (value ? [typeof value === 'string' ? { text: value, type: styles.value } : value] : []))
  if (cells.length === 0) return
  const pageX = flow.width - PAGE_WIDTH
  flow.addColumns([
    { x: 0, width: LABEL_WIDTH - LABEL_GAP, cells: [{ text: label, type: styles.label }] },
    { x: LABEL_WIDTH, width: (page === undefined ? flow.width : pageX - LABEL_GAP) - LABEL_WIDTH, cells },
    ...(page === undefined ? [] : [{ x: pageX, width: PAGE_WIDTH, cells: [{ text: page, type: SMALL_NOTE }] }]),
  ])
}

/** The text on one line, truncated to `maxWidth` pt. */
export function fitLine(text: string, { style, size }: TextStyle, maxWidth: number, { shape, han }: Deps): WrappedLine {
  const lines = wrapParagraphs(shapeParagraphs(shape, text.replace(/\s+/g, ' '), style, { han }), maxWidth / size)
  return truncateLines(shape, lines, style, maxWidth / size, 1)[0]!
}
