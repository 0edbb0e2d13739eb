/** Flows text, columns and tables down pages, from the left or mirrored. In pt; y grows upwards. */
import { ASCENT } from '../core/field/field-size.ts'
import type { FontStyle } from './fonts.ts'
import type { HanVariant } from './itemize.ts'
import { HAIRLINE, MARGIN, MUTED } from './page-style.ts'
import { num, type PdfFonts } from './pdf-fonts.ts'
import { ascentOf, descentOf, type ShapeParagraph } from './shape.ts'
import { shapeParagraphs, type WrappedLine, wrapParagraphs } from './wrap.ts'

export interface PageSize {
  width: number
  height: number
}

export interface TextStyle {
  style: FontStyle
  size: number
  /** DeviceRGB components for the `rg` operator. */
  colour: string
}

const FAINT = '0.9 0.91 0.94'

/** Besides the margins, reserved for the page header (from the second page on) and the footer. */
const HEADER = 20
const FOOTER = 22
/** In units of the font size. */
export const LEADING = 1.38

const GUTTER = 8
/** Between two rows, pt. Without it, readers that detect columns read all labels as one. */
const ROW_GAP = 2.5
/** Rows up to this height are not broken, pt. */
const MAX_UNBROKEN_ROW = 72
const MAX_UNBROKEN_TABLE_ROW = 200

const TABLE_HEAD: TextStyle = { style: 'strong', size: 7.5, colour: MUTED }

export interface Column {
  title: string
  width: number
}

export interface Cell {
  text: string
  type: TextStyle
  /** Words of the page around a name: they keep its direction, whatever the name is written in. */
  isPhrase?: boolean
}

/** Cells below one another; `x` pt from the side where reading begins. */
export interface FlowColumn {
  x: number
  width: number
  cells: Cell[]
}

/** A part of a page that no page break divides. */
interface FlowItem {
  height: number
  /** No page break after it. */
  isGlued: boolean
  /** Space or a separator: dropped at the edges of a page. */
  isSpacing?: boolean
  draw?: (top: number) => string
}

interface Block {
  items: FlowItem[]
  /** On one page, if a page can hold it. */
  isUnbroken: boolean
  /** Repeated on each further page. */
  header: FlowItem[]
  startsPage?: boolean
}

interface PositionedLine {
  line: WrappedLine
  type: TextStyle
  isRightAligned: boolean
}

/** `mirrored`: reading begins at the right. `han`: see `shapeParagraphs`. */
export interface LayoutLocale {
  mirrored: boolean
  han: HanVariant | undefined
}

export function drawLine(book: PdfFonts, line: WrappedLine, type: TextStyle, x: number, baseline: number): string {
  return `${type.colour} rg\n${book.show(line, x, baseline, type.size)}`
}

/** Collects everything first and breaks it into pages at the end. */
export class PageFlow {
  readonly width: number
  readonly #paper: PageSize
  readonly #shape: ShapeParagraph
  readonly #book: PdfFonts
  readonly #locale: LayoutLocale
  readonly #blocks: Block[] = []
  readonly #lines = new Map<string, WrappedLine[]>()
  /** Whether the last block takes more items. */
  #isOpen = false
  #isGluing = false

  constructor(paper: PageSize, shape: ShapeParagraph, book: PdfFonts, locale: LayoutLocale) {
    this.width = paper.width - 2 * MARGIN
    this.#paper = paper
    this.#shape = shape
    this.#book = book
    this.#locale = locale
  }

  addSpace(height: number): void {
    this.#add([space(height)])
  }

  addRule(): void {
    this.#add([this.#rule(HAIRLINE, 0.6)])
  }

  /** A rule with space above and below it; none at the top of a page. */
  addSeparator(above: number, below: number): void {
    const rule = { ...this.#rule(HAIRLINE, 0.6), isSpacing: true, isGlued: true }
    this.#add([space(above), rule, { ...space(below), isGlued: true }])
  }

  addText(cell: Cell, indent = 0): void {
    this.#add(this.#rows([{ x: indent, width: this.width - indent, cells: [cell] }], MAX_UNBROKEN_ROW))
  }

  addColumns(columns: FlowColumn[]): void {
    this.#add([...this.#rows(columns, MAX_UNBROKEN_ROW), space(ROW_GAP)])
  }

  addTable(columns: Column[], rows: Cell[][][]): void {
    const header = this.#tableHeader(columns)
    this.#addBlock({ items: [...header], isUnbroken: false, header }, () => {
      for (const cells of rows) this.#add(this.#tableRow(columns, cells))
    })
  }

  /** A drawing of no height beside the next item; `draw` gets its left edge and top. */
  drawBeside(x: number, width: number, draw: (left: number, top: number) => string): void {
    this.#add([{ height: 0, isGlued: true, draw: top => draw(this.#leftOf(x, width), top) }])
  }

  /** A drawing over the whole width; `draw` gets its left edge and top. */
  addDrawing(height: number, draw: (left: number, top: number) => string): void {
    this.#add([{ height, isGlued: false, draw: top => draw(MARGIN, top) }])
  }

  /** No page break within the items that `write` adds, nor after them. */
  keepWithNext(write: () => void): void {
    this.#isGluing = true
    write()
    this.#isGluing = false
  }

  /** Keeps the items on one page if possible; else `continued` heads each further page. */
  keepTogether(write: () => void, continued?: Cell): void {
    const column = (cell: Cell) => ({ x: 0, width: this.width, cells: [cell] })
    const header = continued ? glue([...this.#rows([column(continued)], 0), space(4)]) : []
    this.#addBlock({ items: [], isUnbroken: true, header }, write)
  }

  /** What follows begins on a new page, unless what there is has filled the first page. */
  endFirstPage(): void {
    if (this.#freeOnFirstPage() >= 0) this.#blocks.push({ items: [], isUnbroken: false, header: [], startsPage: true })
  }

  /** Adds the items at the foot of the first page. False, and none are added, if it is full. */
  addAtFoot(write: () => void): boolean {
    const free = this.#freeOnFirstPage()
    this.#addBlock({ items: [], isUnbroken: true, header: [] }, write)
    const { items } = this.#blocks.pop()!
    const rest = free - heightOf(items)
    if (rest < 0) return false
    this.#blocks.push({ items: [...glue([space(rest)]), ...items], isUnbroken: true, header: [] })
    return true
  }

  /** Adds the items if the first page holds them. False, and none are added, otherwise. */
  addOnFirstPage(write: () => void): boolean {
    const before = this.#blocks.length
    // What is written must not go into a block that stays.
    this.#blocks.push({ items: [], isUnbroken: false, header: [] })
    write()
    if (this.#freeOnFirstPage() >= 0) return true
    this.#blocks.length = before
    return false
  }

  layOutPages(): string[][] {
    const top = this.#paper.height - MARGIN
    return layOut(mergeGlued(this.#blocks), top, top - HEADER, MARGIN + FOOTER)
  }

  /** pt; negative if there are more pages. */
  #freeOnFirstPage(): number {
    return this.#paper.height - 2 * MARGIN - FOOTER - heightOf(this.#blocks.flatMap(({ items }) => items))
  }

  #add(items: FlowItem[]): void {
    let block = this.#blocks.at(-1)
    if (!block || (!this.#isOpen && (block.isUnbroken || block.header.length > 0))) {
      block = { items: [], isUnbroken: false, header: [] }
      this.#blocks.push(block)
    }
    block.items.push(...(this.#isGluing ? glue(items) : items))
  }

  #addBlock(block: Block, write: () => void): void {
    this.#blocks.push(block)
    this.#isOpen = true
    write()
    this.#isOpen = false
  }

  #rule(colour: string, lineWidth: number): FlowItem {
    const [left, right] = [num(MARGIN), num(MARGIN + this.width)]
    return {
      height: 0,
      isGlued: false,
      draw: top => `${colour} RG ${lineWidth} w ${left} ${num(top)} m ${right} ${num(top)} l S`,
    }
  }

  #leftOf(x: number, width: number): number {
    return MARGIN + (this.#locale.mirrored ? this.width - x - width : x)
  }

  /** A single line is aligned by the page's direction, several by that of their own script. */
  #linesOf({ cells, width }: FlowColumn): PositionedLine[] {
    const { mirrored } = this.#locale
    return cells.flatMap(({ text, type, isPhrase }) => {
      const rtl = isPhrase ? mirrored : undefined
      const lines = this.#wrapped(text, type, width, rtl)
      return lines.map(line => ({ line, type, isRightAligned: lines.length > 1 ? line.rtl : mirrored }))
    })
  }

  /** The same words are in many rows, such as those of the events: they are shaped once. */
  #wrapped(text: string, { style, size }: TextStyle, width: number, rtl: boolean | undefined): WrappedLine[] {
    const key = `${style} ${size} ${width} ${rtl} ${text}`
    const known = this.#lines.get(key)
    if (known) return known
    const shaped = shapeParagraphs(this.#shape, text, style, { han: this.#locale.han, rtl })
    const lines = wrapParagraphs(shaped, width / size)
    this.#lines.set(key, lines)
    return lines
  }

  /** Line by line. Higher rows are broken, with at least two lines on both sides. */
  #rows(columns: FlowColumn[], maxUnbroken: number): FlowItem[] {
    const stacks = columns.map(column => ({
      left: this.#leftOf(column.x, column.width),
      width: column.width,
      lines: this.#linesOf(column),
    }))
    const count = Math.max(...stacks.map(({ lines }) => lines.length))
    const items = Array.from({ length: count }, (_, i): FlowItem => {
      const { above, below } = extentOf(stacks.flatMap(({ lines }) => lines[i] ?? []))
      const draw = (top: number) => {
        const drawn = stacks.flatMap(({ left, width, lines }) => {
          const positioned = lines[i]
          if (!positioned) return []
          const { line, type, isRightAligned } = positioned
          const x = isRightAligned ? left + width - line.width * type.size : left
          return [drawLine(this.#book, line, type, x, top - above)]
        })
        return drawn.join('\n')
      }
      return { height: above + below, isGlued: i === 0 || i === count - 2, draw }
    })
    const isShort = heightOf(items) <= maxUnbroken
    return items.map((item, i) => ({ ...item, isGlued: i < count - 1 && (isShort || item.isGlued) }))
  }

  #tableHeader(columns: Column[]): FlowItem[] {
    const titles = columns.map(({ title }) => [{ text: title, type: TABLE_HEAD }])
    const items = this.#rows(flowColumnsOf(columns, titles), MAX_UNBROKEN_TABLE_ROW)
    return glue([...items, space(2), this.#rule(HAIRLINE, 0.6), space(ROW_GAP)])
  }

  #tableRow(columns: Column[], cells: Cell[][]): FlowItem[] {
    const items = this.#rows(flowColumnsOf(columns, cells), MAX_UNBROKEN_TABLE_ROW)
    const last = items.pop()!
    return [...items, ...glue([last, space(ROW_GAP)]), this.#rule(FAINT, 0.4), space(ROW_GAP)]
  }
}

function space(height: number): FlowItem {
  return { height, isGlued: false, isSpacing: true }
}

function glue(items: FlowItem[]): FlowItem[] {
  return items.map(item => ({ ...item, isGlued: true }))
}

/** Heights that lines on a common baseline need above and below it, pt. */
function extentOf(lines: PositionedLine[]): { above: number; below: number } {
  const ascents = lines.map(({ line, type }) => type.size * ascentOf(line.ink))
  const descents = lines.map(({ line, type }) => type.size * Math.max(LEADING - ASCENT, descentOf(line.ink)))
  return { above: Math.max(0, ...ascents), below: Math.max(0, ...descents) }
}

function flowColumnsOf(columns: Column[], cells: Cell[][]): FlowColumn[] {
  let x = 0
  return columns.map(({ width }, i) => {
    const column = { x, width: width - GUTTER, cells: cells[i] ?? [] }
    x += width
    return column
  })
}

function heightOf(items: FlowItem[]): number {
  return items.reduce((sum, item) => sum + item.height, 0)
}

/** Moves glued items at the end of a block to the beginning of the next one. */
function mergeGlued(blocks: Block[]): Block[] {
  const result: Block[] = []
  for (const block of blocks) {
    const previous = result.at(-1)
    if (previous?.items.at(-1)?.isGlued) {
      const from = previous.items.findLastIndex(item => !item.isGlued) + 1
      result.push({ ...block, items: [...previous.items.splice(from), ...block.items] })
    } else result.push(block)
  }
  return result.filter(({ items, startsPage }) => items.length > 0 || startsPage)
}

function groupsOf(items: FlowItem[]): FlowItem[][] {
  const groups: FlowItem[][] = [[]]
  for (const item of items) {
    groups.at(-1)!.push(item)
    if (!item.isGlued) groups.push([])
  }
  return groups.filter(group => group.length > 0)
}

function withoutTrailingSpace(items: FlowItem[]): FlowItem[] {
  return items.slice(0, items.findLastIndex(item => !item.isSpacing) + 1)
}

/** Text goes from `start` on the first page and from `top` on all others down to `bottom`. */
function layOut(blocks: Block[], start: number, top: number, bottom: number): string[][] {
  const pages: string[][] = [[]]
  let y = start
  /** The top of this page's text, below a repeated header. */
  let first = start
  const put = (item: FlowItem) => {
    if (item.draw) pages.at(-1)!.push(item.draw(y))
    y -= item.height
  }
  const breakPage = (header: FlowItem[]) => {
    pages.push([])
    y = top
    header.forEach(put)
    first = y
  }
  const overflows = (height: number) => height > y - bottom + 0.01
  const place = (item: FlowItem, header: FlowItem[]) => {
    if (item.isSpacing && (y >= first || overflows(item.height))) return
    if (overflows(item.height) && y < first) breakPage(header)
    put(item)
  }
  for (const { items, isUnbroken, header, startsPage } of blocks) {
    if (startsPage && y < first) breakPage([])
    const height = heightOf(withoutTrailingSpace(items))
    if (isUnbroken && height <= top - bottom && overflows(height) && y < first) breakPage([])
    // The header is repeated on the pages on which a block continues, not where it begins.
    groupsOf(items).forEach((group, i) => {
      const groupHeight = heightOf(withoutTrailingSpace(group))
      if (groupHeight <= first - bottom && overflows(groupHeight) && y < first) breakPage(i === 0 ? [] : header)
      for (const item of group) place(item, header)
    })
  }
  return pages
}
