/** Finds places to fill in: leaders, drawn lines and empty table cells. Knows no labels. */
import type { HorizontalLine, PageContent, VerticalLine } from './page-content.ts'
import type { Segment } from './text-rows.ts'

/** A line to write on, or a cell. `top` is that of a cell, where nothing above may be covered. */
export interface Blank {
  kind: 'leader' | 'line' | 'cell'
  left: number
  right: number
  /** Of the line, from the top of the page. */
  y: number
  top: number | undefined
  /** The only text of a cell, in its upper part. */
  caption?: Segment
}

const MIN_UNDERSCORES = 5
const MIN_DOTS = 8
const MIN_ELLIPSES = 3
const MIN_LEADER_PT = 50
const MIN_LINE_PT = 50
const MAX_LINE_PT = 330
/** Of the page's width. */
const MAX_LINE_SHARE = 0.62
const MAX_EQUAL_LINES = 8
/** Of the length of a line that text on it may take: an underline or a filled blank has more. */
const MAX_TEXT_SHARE = 0.1
const MIN_CELL_HEIGHT = 16
const MAX_CELL_HEIGHT = 120
const MIN_CELL_WIDTH = 60
const MAX_CAPTION_SIZE = 11
const MIN_CELL_TO_CAPTION = 1.6
const MIN_BELOW_CAPTION = 20
/** Drawings have more. */
const MAX_COLUMNS = 60
const MAX_TABLE_ROWS = 200
const SAME = 1.5
/** Between the dashes of a line. */
const DASH_GAP = 4

export function findBlanks(content: PageContent, segments: readonly Segment[]): Blank[] {
  const texts = segments.filter(segment => !segment.isLeader)
  const horizontals = joinLines(content.horizontals)
  const lines = horizontals.filter(line => isWritingLine(line, content)).map(toBlank)
  const leaders = segments.filter(isBlankLeader).map(leaderBlank)
  const free = [...leaders, ...withoutRuledPaper(lines)].filter(blank => !isWrittenOn(blank, texts))
  return [...free, ...findCells(horizontals, content.verticals, texts)]
}

function isBlankLeader({ isLeader, text, left, right }: Segment): boolean {
  if (!isLeader || right - left < MIN_LEADER_PT) return false
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return count(/_/g) >= MIN_UNDERSCORES || count(/[.·․]/gu) >= MIN_DOTS || count(/[…‥]/gu) >= MIN_ELLIPSES
}

/** Below the baseline, as a share of the font size: the stroke of an underscore. */
const UNDERSCORE = 0.1

function leaderBlank({ left, right, y, size, text }: Segment): Blank {
  return { kind: 'leader', left, right, y: text.includes('_') ? y + UNDERSCORE * size : y, top: undefined }
}

const toBlank = ({ left, right, y }: HorizontalLine): Blank => ({ kind: 'line', left, right, y, top: undefined })

/** Dashes and pieces of one line become one line. */
function joinLines(lines: readonly HorizontalLine[]): HorizontalLine[] {
  const sorted = [...lines].sort((a, b) => a.y - b.y || a.left - b.left)
  const joined: HorizontalLine[] = []
  for (const line of sorted) {
    const before = joined.findLast(
      ({ y, left, right }) => line.y - y < 0.7 && line.left >= left - SAME && line.left <= right + DASH_GAP,
    )
    if (before && line.y - before.y < 0.7) before.right = Math.max(before.right, line.right)
    else joined.push({ ...line })
  }
  return joined
}

function isWritingLine({ left, right, y }: HorizontalLine, { width, verticals }: PageContent): boolean {
  const length = right - left
  if (length < MIN_LINE_PT || length > Math.min(MAX_LINE_PT, width * MAX_LINE_SHARE)) return false
  return !verticals.some(({ x, top, bottom }) => x >= left - SAME && x <= right + SAME && y >= top - SAME && y <= bottom + SAME)
}

function withoutRuledPaper(lines: readonly Blank[]): Blank[] {
  const isEqual = (a: Blank, b: Blank) => Math.abs(a.left - b.left) < SAME && Math.abs(a.right - b.right) < SAME
  return lines.filter(line => lines.filter(other => isEqual(line, other)).length <= MAX_EQUAL_LINES)
}

function overlap(a: { left: number; right: number }, b: { left: number; right: number }): number {
  return Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left))
}

function isWrittenOn(blank: Blank, texts: readonly Segment[]): boolean {
  const written = texts.filter(({ y, size }) => y > blank.y - size * 0.75 && y < blank.y + size * 0.25)
  const covered = written.reduce((sum, text) => sum + overlap(text, blank), 0)
  return covered > (blank.right - blank.left) * MAX_TEXT_SHARE
}

/** Rectangles between neighbouring lines of a table that contain no text. */
function findCells(
  horizontals: readonly HorizontalLine[],
  verticals: readonly VerticalLine[],
  texts: readonly Segment[],
): Blank[] {
  const cells: Blank[] = []
  const columns = joinColumns(verticals)
  if (columns.length > MAX_COLUMNS) return cells
  for (const [i, { x, top, bottom }] of columns.entries()) {
    const next = columns.slice(i + 1).find(other => other.x - x >= SAME && other.top < bottom && other.bottom > top)
    if (!next || next.x - x < MIN_CELL_WIDTH) continue
    const edges = horizontals
      .filter(line => line.left <= x + SAME * 2 && line.right >= next.x - SAME * 2)
      .map(({ y }) => y)
      .filter(y => y >= Math.max(top, next.top) - SAME && y <= Math.min(bottom, next.bottom) + SAME)
    for (let row = 1; row < Math.min(edges.length, MAX_TABLE_ROWS); row++) {
      const cell: Blank = { kind: 'cell', left: x, right: next.x, top: edges[row - 1]!, y: edges[row]! }
      if (isEmptyCell(cell, texts)) cells.push(cell)
      else cells.push(...captionedCell(cell, texts))
    }
  }
  return cells
}

/** A box with a small label in its upper left corner, as forms have them. */
function captionedCell(cell: Blank, texts: readonly Segment[]): Blank[] {
  const { left, right, top = 0, y } = cell
  const within = texts.filter(text => text.y > top && text.y - text.size * 0.5 < y && overlap(text, { left, right }) > 1)
  const [caption] = within
  if (within.length !== 1 || caption === undefined || y - top > MAX_CELL_HEIGHT) return []
  const isSmall = caption.size <= MAX_CAPTION_SIZE && (caption.right - caption.left) * MIN_CELL_TO_CAPTION < right - left
  const isInside = caption.left >= left && caption.right <= right
  const bottom = caption.y + caption.size * 0.3
  return isSmall && isInside && y - bottom >= MIN_BELOW_CAPTION ? [{ ...cell, top: bottom, caption }] : []
}

function isEmptyCell({ left, right, top = 0, y }: Blank, texts: readonly Segment[]): boolean {
  const height = y - top
  if (height < MIN_CELL_HEIGHT || height > MAX_CELL_HEIGHT) return false
  return !texts.some(text => text.y > top && text.y - text.size * 0.5 < y && overlap(text, { left, right }) > 1)
}

/** The sides of cells, row by row, become the lines of their columns. */
function joinColumns(verticals: readonly VerticalLine[]): VerticalLine[] {
  const sorted = [...verticals].sort((a, b) => a.x - b.x || a.top - b.top)
  const joined: VerticalLine[] = []
  for (const line of sorted) {
    const before = joined.findLast(({ x, bottom }) => line.x - x < SAME && line.top <= bottom + SAME)
    if (before) before.bottom = Math.max(before.bottom, line.bottom)
    else joined.push({ ...line })
  }
  return joined
}
