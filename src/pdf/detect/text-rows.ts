/** Joins glyphs to rows and segments of text, in reading order. Knows no words. */
import type { Glyph } from './page-content.ts'

/** Neighbouring characters on one baseline, without a wide gap. */
export interface Segment {
  /** In logical order, with single blanks. */
  text: string
  /** Runs of `_`, `.`, `·` or `…`, a blank to fill in. */
  isLeader: boolean
  isRightToLeft: boolean
  left: number
  right: number
  /** Of the baseline, from the top of the page. */
  y: number
  size: number
}

/** All glyphs on one baseline, from left to right, without blanks. */
export type Row = readonly Glyph[]

/** Shares of the font size. */
const SAME_BASELINE = 0.3
const WORD_GAP = 0.18
const SEGMENT_GAP = 1.3
const SAME_PLACE = 0.12

const LEADER = /^[_.·…․‥]+$/u
const MIN_LEADER_LENGTH = 3
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

export function toRows(glyphs: readonly Glyph[]): Row[] {
  const byBaseline = glyphs.filter(({ text }) => text.trim() !== '').sort((a, b) => a.y - b.y)
  const rows: Glyph[][] = []
  for (const glyph of byBaseline) {
    const row = rows.at(-1)
    const last = row?.at(-1)
    if (row && last && glyph.y - last.y <= SAME_BASELINE * Math.min(glyph.size, last.size)) row.push(glyph)
    else rows.push([glyph])
  }
  return rows.map(row => withoutDoubles(row.sort((a, b) => a.left - b.left)))
}

/** Some programs draw bold letters twice. */
function withoutDoubles(row: readonly Glyph[]): Row {
  return row.filter((glyph, i) => {
    const near = row.slice(Math.max(0, i - 3), i)
    return !near.some(({ text, left, size }) => text === glyph.text && glyph.left - left < SAME_PLACE * size)
  })
}

function gapBefore(row: Row, index: number): number {
  const [before, glyph] = [row[index - 1], row[index]]
  return before && glyph ? (glyph.left - before.right) / Math.max(before.size, glyph.size) : 0
}

/** The text of a row with the index of each character's glyph; -1 for a blank between words. */
export function rowText(row: Row): { text: string; glyphOf: number[] } {
  let text = ''
  const glyphOf: number[] = []
  row.forEach((glyph, i) => {
    if (i > 0 && gapBefore(row, i) > WORD_GAP) {
      text += ' '
      glyphOf.push(-1)
    }
    text += glyph.text
    for (let unit = 0; unit < glyph.text.length; unit++) glyphOf.push(i)
  })
  return { text, glyphOf }
}

export function toSegments(row: Row): Segment[] {
  const isLeader = leaderGlyphs(row)
  const segments: Segment[] = []
  let start = 0
  for (let i = 1; i <= row.length; i++) {
    const isEnd = i === row.length || isLeader[i] !== isLeader[start] || (!isLeader[start] && gapBefore(row, i) > SEGMENT_GAP)
    const isLeaderGap = isLeader[start] && i < row.length && gapBefore(row, i) > SEGMENT_GAP
    if (!isEnd && !isLeaderGap) continue
    segments.push(toSegment(row.slice(start, i), isLeader[start] ?? false))
    start = i
  }
  return segments
}

/** Whether each glyph belongs to a leader. Single dots and underscores belong to words. */
function leaderGlyphs(row: Row): boolean[] {
  const isLeader = row.map(({ text }) => LEADER.test(text))
  for (let start = 0; start < row.length; ) {
    let end = start
    while (end < row.length && isLeader[end]) end++
    const length = row.slice(start, end).reduce((sum, { text }) => sum + (text.includes('…') ? 3 : text.length), 0)
    if (length < MIN_LEADER_LENGTH) isLeader.fill(false, start, end)
    start = Math.max(end, start + 1)
  }
  return isLeader
}

function toSegment(glyphs: Row, isLeader: boolean): Segment {
  const visual = rowText(glyphs).text
  const isRightToLeft = RIGHT_TO_LEFT.test(visual.normalize('NFKC'))
  const [first, last] = [glyphs[0]!, glyphs.at(-1)!]
  return {
    text: isRightToLeft ? toLogicalOrder(glyphs) : visual,
    isLeader,
    isRightToLeft,
    left: first.left,
    right: Math.max(...glyphs.map(({ right }) => right), last.right),
    y: first.y,
    size: Math.max(...glyphs.map(({ size }) => size)),
  }
}

/** From right to left, but numbers and Latin words from left to right. UAX 9, simplified. */
function toLogicalOrder(glyphs: Row): string {
  const units = glyphs.flatMap((glyph, i) => (i > 0 && gapBefore(glyphs, i) > WORD_GAP ? [' ', glyph.text] : [glyph.text]))
  const logical: string[] = []
  let leftToRight: string[] = []
  for (const unit of units.reverse()) {
    if (/[\p{Script=Latin}\p{Nd}]/u.test(unit)) leftToRight.unshift(unit)
    else {
      logical.push(...leftToRight, unit)
      leftToRight = []
    }
  }
  return [...logical, ...leftToRight].join('')
}
