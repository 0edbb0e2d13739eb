/**
 * Sets text down a page and on to the next: headings, paragraphs, rows, tables. Everything is collected first and broken into pages at the end, so that
 * what belongs together can stay together. Keeps all within the margins, from the left or, mirrored, from the right. Knows typography, not what is said.
 * Sizes in pt; y grows upwards as in PDF.
 */
import type { FontStyle } from './fonts.ts'
import type { HanVariant } from './itemize.ts'
import { num, type PdfFonts } from './pdf-fonts.ts'
import type { ShapeParagraph } from './shape.ts'
import { shapeParagraphs, type WrappedLine, wrapParagraphs } from './wrap.ts'

export interface PageSize {
  width: number
  height: number
}

export interface TextStyle {
  style: FontStyle
  size: number
  /** DeviceRGB components as the `rg` operator takes them. */
  colour: string
}

export const INK = '0.09 0.1 0.13'
export const MUTED = '0.38 0.41 0.47'
export const ACCENT = '0.05 0.13 0.42'
export const HAIRLINE = '0.82 0.84 0.88'
const FAINT = '0.9 0.91 0.94'

export const MARGIN = 56
/** Kept free above and below the text for running head (from the second page on) and foot, besides the margin. */
const HEAD = 20
const FOOT = 22
export const LEADING = 1.38
/** From the top of a line to its baseline, of the type size; more where marks are stacked higher. */
const ASCENT = 1.07
/** What renderers darken beyond an outline, of the type size. */
const AIR = 0.03
/** Marks stacked higher or deeper than any writing needs take no more room than this, of the type size. */
const HIGHEST = 2.2
const DEEPEST = 1.6

/** Between two columns, pt. */
const GUTTER = 8
/** Between two rows, pt: what keeps readers that look for columns from taking the labels for one. */
const ROW_GAP = 3
/** pt: a row up to this tall stays in one piece, a table row up to the other. */
const SHORT_ROW = 72
const TALL_ROW = 200

const TABLE_HEAD: TextStyle = { style: 'strong', size: 7.5, colour: MUTED }

/** A column of a table: its share of the width is fixed, pt. */
export interface Column {
  title: string
  width: number
}

export interface Cell {
  text: string
  type: TextStyle
  /** Set from the left whatever the page's direction: commands. */
  code?: boolean
}

/** Cells below one another in a column of their own; `x` pt from the side where reading begins. */
export interface BandColumn {
  x: number
  width: number
  cells: Cell[]
}

export interface PageFlow {
  width: number
  addSpace(height: number): void
  addRule(): void
  /** A line across between two things, with air around it; none at the top of a page. */
  addSeparator(): void
  addText(cell: Cell, indent?: number): void
  /** Columns side by side from the same top. */
  addColumns(parts: BandColumn[]): void
  addTable(columns: Column[], rows: Cell[][][]): void
  /** A drawing beside what follows, downwards from its top; gets the left edge of its `room` and that top. Takes no height. */
  drawBeside(x: number, room: number, draw: (left: number, top: number) => string): void
  /** A drawing of its own, `height` tall, over the whole width; gets its left edge and top. */
  addDrawing(height: number, draw: (left: number, top: number) => string): void
  /** What is written inside is not torn from what follows. */
  keepWithNext(write: () => void): void
  /** What is written inside stands on one page where one can hold it; else `again` heads each further page it takes. */
  keepTogether(write: () => void, again?: Cell): void
  /** Operators of each page. */
  layOutPages(): string[][]
}

/** TextStyle of one line at its baseline. */
export function drawLine(book: PdfFonts, line: WrappedLine, type: TextStyle, x: number, baseline: number): string {
  return `${type.colour} rg\n${book.show(line, x, baseline, type.size)}`
}

/** What no page break goes through. Nothing comes between a glued step and the next. */
interface Step {
  height: number
  glued: boolean
  /** What vanishes at the edges of a page: air, and lines between two things. */
  between?: boolean
  draw?: (top: number) => string
}

interface Block {
  steps: Step[]
  keep: boolean
  again: Step[]
}

interface Piece {
  line: WrappedLine
  type: TextStyle
  toRight: boolean
}

interface ParagraphOptions extends LayoutLocale {
  width: number
  shape: ShapeParagraph
  book: PdfFonts
}

/** `mirrored`: reading begins at the right. `han`: whose Han characters they are where a text hasCharacter no others. */
export interface LayoutLocale {
  mirrored: boolean
  han: HanVariant | undefined
}

export function openFlow(paper: PageSize, shape: ShapeParagraph, book: PdfFonts, reading: LayoutLocale): PageFlow {
  const setting: ParagraphOptions = { width: paper.width - 2 * MARGIN, ...reading, shape, book }
  const blocks: Block[] = []
  let open: Block | undefined
  let gluing = false
  const blockFor = (): Block => {
    const last = blocks.at(-1)
    if (open) return open
    if (last && !last.keep && last.again.length === 0) return last
    const block: Block = { steps: [], keep: false, again: [] }
    blocks.push(block)
    return block
  }
  const add = (steps: Step[]) => blockFor().steps.push(...(gluing ? steps.map(step => ({ ...step, glued: true })) : steps))
  const within = (block: Block, write: () => void) => {
    blocks.push(block)
    open = block
    write()
    open = undefined
  }
  return {
    width: setting.width,
    addSpace: height => add([air(height)]),
    addRule: () => add([ruleStep(setting, HAIRLINE, 0.6)]),
    addSeparator: () =>
      add([air(7), { ...ruleStep(setting, HAIRLINE, 0.6), between: true, glued: true }, { ...air(9), glued: true }]),
    addDrawing: (height, draw) => add([{ height, glued: false, draw: top => draw(MARGIN, top) }]),
    addText: (cell, indent = 0) =>
      add(bandSteps(setting, [{ x: indent, width: setting.width - indent, cells: [cell] }], SHORT_ROW)),
    addColumns: parts => add([...bandSteps(setting, parts, SHORT_ROW), air(ROW_GAP)]),
    addTable: (columns, rows) =>
      within({ steps: [], keep: false, again: tableHead(setting, columns) }, () => {
        add(glued(tableHead(setting, columns)))
        for (const cells of rows) add(rowSteps(setting, columns, cells))
      }),
    drawBeside: (x, room, draw) => add([{ height: 0, glued: true, draw: top => draw(leftOf(setting, x, room), top) }]),
    keepWithNext(write) {
      gluing = true
      write()
      gluing = false
    },
    keepTogether: (write, again) => {
      const head = again ? glued([...bandSteps(setting, [{ x: 0, width: setting.width, cells: [again] }], 0), air(4)]) : []
      within({ steps: [], keep: true, again: head }, write)
    },
    layOutPages: () => layOut(joined(blocks), paper.height - MARGIN, paper.height - MARGIN - HEAD, MARGIN + FOOT),
  }
}

function air(height: number): Step {
  return { height, glued: false, between: true }
}

function glued(steps: Step[]): Step[] {
  return steps.map(step => ({ ...step, glued: true }))
}

function ruleStep({ width }: ParagraphOptions, colour: string, pen: number): Step {
  return {
    height: 0,
    glued: false,
    draw: top => `${colour} RG ${pen} w ${num(MARGIN)} ${num(top)} m ${num(MARGIN + width)} ${num(top)} l S`,
  }
}

/** Left edge of a column. */
function leftOf({ width, mirrored }: ParagraphOptions, x: number, room: number): number {
  return MARGIN + (mirrored ? width - x - room : x)
}

/** One line stands where reading the page begins; several stand where reading their own script does. */
function piecesOf({ shape, mirrored, han }: ParagraphOptions, { cells, width: room }: BandColumn): Piece[] {
  return cells.flatMap(({ text, type, code }) => {
    const lines = wrapParagraphs(shapeParagraphs(shape, text, type.style, han), room / type.size)
    return lines.map(line => ({ line, type, toRight: code ? false : lines.length > 1 ? line.rtl : mirrored }))
  })
}

/** Room that neighbours on one line take above and below their common baseline, pt. */
function reachOf(pieces: Piece[]): { above: number; below: number } {
  const highest = pieces.map(({ line, type }) => type.size * Math.max(ASCENT, Math.min(line.ink.above + AIR, HIGHEST)))
  const deepest = pieces.map(({ line, type }) => type.size * Math.max(LEADING - ASCENT, Math.min(line.ink.below + AIR, DEEPEST)))
  return { above: Math.max(0, ...highest), below: Math.max(0, ...deepest) }
}

/** Line by line; up to `whole` pt in one piece, else with at least two lines on either side of a break. */
function bandSteps(setting: ParagraphOptions, parts: BandColumn[], whole: number): Step[] {
  const stacks = parts.map(part => ({
    left: leftOf(setting, part.x, part.width),
    room: part.width,
    pieces: piecesOf(setting, part),
  }))
  const count = Math.max(...stacks.map(({ pieces }) => pieces.length))
  const steps = Array.from({ length: count }, (_, i): Step => {
    const { above, below } = reachOf(stacks.flatMap(({ pieces }) => pieces[i] ?? []))
    const draw = (top: number) => {
      const lines = stacks.flatMap(({ left, room, pieces }) => {
        const piece = pieces[i]
        if (!piece) return []
        const x = piece.toRight ? left + room - piece.line.width * piece.type.size : left
        return [drawLine(setting.book, piece.line, piece.type, x, top - above)]
      })
      return lines.join('\n')
    }
    return { height: above + below, glued: i === 0 || i === count - 2, draw }
  })
  const isShort = heightOf(steps) <= whole
  return steps.map((step, i) => ({ ...step, glued: i < count - 1 && (isShort || step.glued) }))
}

function partsOf(columns: Column[], cells: Cell[][]): BandColumn[] {
  let x = 0
  return columns.map(({ width }, i) => {
    const part = { x, width: width - GUTTER, cells: cells[i] ?? [] }
    x += width
    return part
  })
}

function tableHead(setting: ParagraphOptions, columns: Column[]): Step[] {
  const titles = columns.map(({ title }) => [{ text: title, type: TABLE_HEAD }])
  return glued([
    ...bandSteps(setting, partsOf(columns, titles), TALL_ROW),
    air(2),
    ruleStep(setting, HAIRLINE, 0.6),
    air(ROW_GAP),
  ])
}

function rowSteps(setting: ParagraphOptions, columns: Column[], cells: Cell[][]): Step[] {
  const lines = bandSteps(setting, partsOf(columns, cells), TALL_ROW)
  const last = lines.at(-1)!
  return [
    ...lines.slice(0, -1),
    { ...last, glued: true },
    { ...air(ROW_GAP), glued: true },
    ruleStep(setting, FAINT, 0.4),
    air(ROW_GAP),
  ]
}

function heightOf(steps: Step[]): number {
  return steps.reduce((sum, step) => sum + step.height, 0)
}

/** Blocks that end glued become the beginning of the next one. */
function joined(blocks: Block[]): Block[] {
  const result: Block[] = []
  for (const block of blocks) {
    const before = result.at(-1)
    if (before?.steps.at(-1)?.glued) {
      const from = before.steps.findLastIndex(step => !step.glued) + 1
      result.push({ ...block, steps: [...before.steps.splice(from), ...block.steps] })
    } else result.push(block)
  }
  return result.filter(({ steps }) => steps.length > 0)
}

/** Steps that may not be torn apart, in order. */
function chunksOf(steps: Step[]): Step[][] {
  const chunks: Step[][] = [[]]
  for (const step of steps) {
    chunks.at(-1)!.push(step)
    if (!step.glued) chunks.push([])
  }
  return chunks.filter(chunk => chunk.length > 0)
}

function withoutAir(steps: Step[]): Step[] {
  return steps.slice(0, steps.findLastIndex(step => !step.between) + 1)
}

/** Steps to pages; text reaches from `start` on the first page, from `top` on all others, down to `bottom`. */
function layOut(blocks: Block[], start: number, top: number, bottom: number): string[][] {
  const pages: string[][] = [[]]
  let y = start
  /** As high as text can stand on this page: below what is set again. */
  let first = start
  const put = (step: Step) => {
    if (step.draw) pages.at(-1)!.push(step.draw(y))
    y -= step.height
  }
  const turn = (again: Step[]) => {
    pages.push([])
    y = top
    again.forEach(put)
    first = y
  }
  const lacks = (height: number) => height > y - bottom + 0.01
  const place = (step: Step, again: Step[]) => {
    if (step.between && (y >= first || lacks(step.height))) return
    if (lacks(step.height) && y < first) turn(again)
    put(step)
  }
  for (const { steps, keep, again } of blocks) {
    const whole = heightOf(withoutAir(steps))
    if (keep && whole <= top - bottom && lacks(whole) && y < first) turn([])
    // What is set again heads the pages a block goes on to, not the one it begins on.
    chunksOf(steps).forEach((chunk, i) => {
      const height = heightOf(withoutAir(chunk))
      if (height <= first - bottom && lacks(height) && y < first) turn(i === 0 ? [] : again)
      for (const step of chunk) place(step, again)
    })
  }
  return pages
}
