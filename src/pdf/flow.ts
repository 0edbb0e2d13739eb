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

export function openFlow(paper: Paper, shape: Shape, book: FontBook): Flow {
  const width = paper.width - 2 * MARGIN
  const top = paper.height - MARGIN - HEAD
  const bottom = MARGIN + FOOT
  const pages: string[][] = [[]]
  let y = top
  const put = (operators: string) => pages.at(-1)!.push(operators)
  const turn = () => {
    pages.push([])
    y = top
  }
  const need = (height: number) => {
    if (y - height < bottom && y < top) turn()
  }
  const gap = (height: number) => {
    if (y < top) y = Math.max(y - height, bottom)
  }
  const pieces = (cell: Cell, room: number): Piece[] =>
    linesOf(paragraphsOf(shape, cell.text, cell.type.style), room / cell.type.size).map(line => ({ line, type: cell.type }))
  /** Columns of lines side by side, from the same top downwards; `onTurn` runs on each page begun on the way. */
  const sideBySide = (columns: { x: number; room: number; pieces: Piece[] }[], onTurn?: () => void) => {
    const count = Math.max(...columns.map(column => column.pieces.length))
    for (let i = 0; i < count; i++) {
      const present = columns.flatMap(column => {
        const piece = column.pieces[i]
        return piece ? [{ x: column.x, room: column.room, line: piece.line, type: piece.type }] : []
      })
      const size = Math.max(...present.map(({ type }) => type.size))
      if (y - size * LEADING < bottom && y < top) {
        turn()
        onTurn?.()
      }
      for (const { x, room, line, type } of present) {
        const start = line.rtl ? x + room - line.width * type.size : x
        put(setLine(book, line, type, MARGIN + start, y - size * ASCENT))
      }
      y -= size * LEADING
    }
  }
  const rule = () => put(`${HAIRLINE} RG 0.6 w ${num(MARGIN)} ${num(y)} m ${num(paper.width - MARGIN)} ${num(y)} l S`)
  const separate = () => {
    if (y >= top) return
    gap(2)
    rule()
    gap(8)
  }
  const text = (given: string, type: Type, indent = 0) => {
    const room = width - indent
    sideBySide([{ x: indent, room, pieces: pieces({ text: given, type }, room) }])
  }
  const row = (label: Cell, values: Cell[], labelWidth: number) => {
    const room = width - labelWidth
    const value = values.flatMap(cell => pieces(cell, room))
    const name = pieces(label, labelWidth - GUTTER)
    // A short row stays in one piece.
    need(Math.min(Math.max(value.length, name.length), 6) * LEADING * label.type.size)
    sideBySide([
      { x: 0, room: labelWidth - GUTTER, pieces: name },
      { x: labelWidth, room, pieces: value },
    ])
    gap(ROW_GAP)
  }
  const table = (columns: Column[], rows: Cell[][][]) => {
    const heads = columns.map(({ title }) => [{ text: title, type: { style: 'strong' as const, size: 7.5, colour: MUTED } }])
    const line = (cells: Cell[][], onTurn?: () => void) => {
      let x = 0
      const set = columns.map((column, i) => {
        const room = column.width - GUTTER
        const at = x
        x += column.width
        return { x: at, room, pieces: (cells[i] ?? []).flatMap(cell => pieces(cell, room)) }
      })
      const height = Math.max(...set.map(({ pieces }) => pieces.reduce((sum, { type }) => sum + type.size * LEADING, 0)))
      if (onTurn && height < 200 && y - height < bottom && y < top) {
        turn()
        onTurn()
      }
      sideBySide(set, onTurn)
    }
    const head = () => {
      line(heads)
      gap(2)
      rule()
      gap(3)
    }
    need(60)
    head()
    for (const cells of rows) {
      line(cells, head)
      gap(3)
    }
  }
  const drawing = (height: number, draw: (x: number, y: number) => string) => {
    need(height)
    y -= height
    put(draw(MARGIN, y))
  }
  return { width, need, gap, rule, separate, text, row, table, drawing, pages }
}
