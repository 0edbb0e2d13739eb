/**
 * Sets text down a page and on to the next: headings, paragraphs, rows of label and value, tables. Breaks between lines, never within one, and keeps
 * everything inside the margins. Knows typography, not what is said. Sizes in pt; y grows upwards as in PDF.
 */
import type { Style } from './faces.ts'
import { type FontBook, num } from './font.ts'
import type { Shape } from './shape.ts'
import { linesOf, paragraphsOf, type SetLine } from './wrap.ts'

export interface Paper {
  width: number
  height: number
}

export interface Type {
  style: Style
  size: number
  /** DeviceRGB components as the `rg` operator takes them. */
  colour: string
}

export const INK = '0.09 0.1 0.13'
export const MUTED = '0.38 0.41 0.47'
export const ACCENT = '0.05 0.13 0.42'
const HAIRLINE = '0.82 0.84 0.88'

export const MARGIN = 56
/** Kept free above and below the text for header and footer, besides the margin. */
const HEAD = 18
const FOOT = 22
const LEADING = 1.38
/** From the top of a line to its baseline, of the type size. */
const ASCENT = 1.07

/** Between two columns, pt. */
const GUTTER = 8
/** Between two rows, pt: what keeps readers that look for columns from taking the labels for one. */
const ROW_GAP = 3

/** pt: a row up to this tall, and the first lines of any other, stay on one page. */
const SHORT_ROW = 72
/** pt: a table row from this height on may be broken. */
const TALL_ROW = 200
const TABLE_HEAD: Type = { style: 'strong', size: 7.5, colour: MUTED }

/** A column of a table: its share of the width is fixed, pt. */
export interface Column {
  title: string
  width: number
}

export interface Cell {
  text: string
  type: Type
}

export interface Flow {
  width: number
  /** Starts a new page unless so much height is left. */
  need(height: number): void
  gap(height: number): void
  rule(): void
  /** A line across with air around it; none at the top of a page. */
  separate(): void
  text(text: string, type: Type, indent?: number): void
  /** Label left, value right of it; the cells of one value stand below one another. */
  row(label: Cell, values: Cell[], labelWidth: number): void
  table(columns: Column[], rows: Cell[][][]): void
  /** A drawing of its own, `height` tall; gets the lower left corner. */
  drawing(height: number, draw: (x: number, y: number) => string): void
  /** Operators of each page so far. */
  pages: string[][]
}

/** Type of one line at its baseline. */
export function setLine(book: FontBook, line: SetLine, type: Type, x: number, baseline: number): string {
  return `${type.colour} rg\n${book.show(line, x, baseline, type.size)}`
}

interface Piece {
  line: SetLine
  type: Type
}

/** Lines standing below one another, `x` from the left margin. */
interface Stack {
  x: number
  room: number
  pieces: Piece[]
}

/** Where the next line goes, and the means to set it. */
interface Sheet {
  y: number
  top: number
  bottom: number
  width: number
  pages: string[][]
  shape: Shape
  book: FontBook
}

/** Begins the first page. */
export function openFlow(paper: Paper, shape: Shape, book: FontBook): Flow {
  const [top, bottom, width] = [paper.height - MARGIN - HEAD, MARGIN + FOOT, paper.width - 2 * MARGIN]
  const sheet: Sheet = { y: top, top, bottom, width, pages: [[]], shape, book }
  return {
    width,
    pages: sheet.pages,
    need: height => need(sheet, height),
    gap: height => gap(sheet, height),
    rule: () => rule(sheet),
    separate() {
      if (sheet.y >= top) return
      gap(sheet, 2)
      rule(sheet)
      gap(sheet, 8)
    },
    text(text, type, indent = 0) {
      setStacks(sheet, [stackOf(sheet, [{ text, type }], indent, width - indent)])
    },
    row: (label, values, labelWidth) => setRow(sheet, label, values, labelWidth),
    table: (columns, rows) => setTable(sheet, columns, rows),
    drawing(height, draw) {
      need(sheet, height)
      sheet.y -= height
      put(sheet, draw(MARGIN, sheet.y))
    },
  }
}

function put(sheet: Sheet, operators: string): void {
  sheet.pages.at(-1)!.push(operators)
}

/** Begins a page unless so much height is left; a page that is still empty has to do. Whether it began one. */
function need(sheet: Sheet, height: number): boolean {
  if (sheet.y - height >= sheet.bottom || sheet.y >= sheet.top) return false
  sheet.pages.push([])
  sheet.y = sheet.top
  return true
}

function gap(sheet: Sheet, height: number): void {
  if (sheet.y < sheet.top) sheet.y = Math.max(sheet.y - height, sheet.bottom)
}

function rule(sheet: Sheet): void {
  put(sheet, `${HAIRLINE} RG 0.6 w ${num(MARGIN)} ${num(sheet.y)} m ${num(MARGIN + sheet.width)} ${num(sheet.y)} l S`)
}

function stackOf({ shape }: Sheet, cells: Cell[], x: number, room: number): Stack {
  const pieces = cells.flatMap(({ text, type }) =>
    linesOf(paragraphsOf(shape, text, type.style), room / type.size).map(line => ({ line, type })),
  )
  return { x, room, pieces }
}

function heightOf({ pieces }: Stack): number {
  return pieces.reduce((sum, { type }) => sum + type.size * LEADING, 0)
}

/** Stacks side by side from the same top downwards, line by line; `onTurn` runs on each page begun on the way. */
function setStacks(sheet: Sheet, stacks: Stack[], onTurn?: () => void): void {
  const count = Math.max(...stacks.map(stack => stack.pieces.length))
  for (let i = 0; i < count; i++) {
    const size = Math.max(...stacks.map(stack => stack.pieces[i]?.type.size ?? 0))
    if (need(sheet, size * LEADING)) onTurn?.()
    for (const { x, room, pieces } of stacks) {
      const piece = pieces[i]
      if (!piece) continue
      const { line, type } = piece
      const start = line.rtl ? x + room - line.width * type.size : x
      put(sheet, setLine(sheet.book, line, type, MARGIN + start, sheet.y - size * ASCENT))
    }
    sheet.y -= size * LEADING
  }
}

function setRow(sheet: Sheet, label: Cell, values: Cell[], labelWidth: number): void {
  const name = stackOf(sheet, [label], 0, labelWidth - GUTTER)
  const value = stackOf(sheet, values, labelWidth, sheet.width - labelWidth)
  // A short row stays in one piece.
  need(sheet, Math.min(Math.max(heightOf(name), heightOf(value)), SHORT_ROW))
  setStacks(sheet, [name, value])
  gap(sheet, ROW_GAP)
}

function setTable(sheet: Sheet, columns: Column[], rows: Cell[][][]): void {
  const lefts = columns.map((_, i) => columns.slice(0, i).reduce((sum, { width }) => sum + width, 0))
  const stacksOf = (cells: Cell[][]) => columns.map(({ width }, i) => stackOf(sheet, cells[i] ?? [], lefts[i]!, width - GUTTER))
  const head = () => {
    setStacks(sheet, stacksOf(columns.map(({ title }) => [{ text: title, type: TABLE_HEAD }])))
    gap(sheet, 2)
    rule(sheet)
    gap(sheet, ROW_GAP)
  }
  need(sheet, SHORT_ROW)
  head()
  for (const cells of rows) {
    const stacks = stacksOf(cells)
    const height = Math.max(...stacks.map(heightOf))
    if (height < TALL_ROW && need(sheet, height)) head()
    setStacks(sheet, stacks, head)
    gap(sheet, ROW_GAP)
  }
}
