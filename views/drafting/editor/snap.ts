/**
 * Snaps a box to other fields, margins, the centre, detected lines and equal gaps, and draws what a
 * gesture shows.
 */
import { element } from '../../signing/browser/element.ts'
import type { Edges } from './commands.ts'
import type { Box, PageSize } from './model.ts'
import type { PageList, ShownPage } from './pages.ts'

/** Screen px; divided by the scale. */
export const SNAP_PX = 6
export const SNAP_TOUCH_PX = 10
/** Of a page without detected margins, pt. */
const MARGIN_PT = 36

export type RuleKind = 'edge' | 'centre' | 'margin' | 'line' | 'gap'

/** A guide line: `at` on its axis, from `from` to `to` on the other axis, pt. */
export interface Rule {
  readonly axis: 'x' | 'y'
  readonly kind: RuleKind
  readonly at: number
  readonly from: number
  readonly to: number
}

export interface SnapContext {
  readonly page: PageSize
  /** The other fields in sight on this page. */
  readonly others: readonly Box[]
  /** The y of detected lines, on which the lower edge of a field is placed, with their extent. */
  readonly lines: readonly { y: number; from: number; to: number }[]
  /** pt. */
  readonly threshold: number
}

export interface Snapped {
  readonly box: Box
  readonly rules: readonly Rule[]
}

interface Candidate {
  /** How far the box moves on the axis. */
  by: number
  rules: Rule[]
}

type Axis = 'x' | 'y'
/** Position of the moved edge within the box: 0 start, 0.5 centre, 1 end. */
type Anchor = 0 | 0.5 | 1

const lengthOf = (axis: Axis) => (axis === 'x' ? 'width' : 'height') as 'width' | 'height'
const otherAxis = (axis: Axis): Axis => (axis === 'x' ? 'y' : 'x')
const endOf = (box: Box, axis: Axis) => box[axis] + box[lengthOf(axis)]
const positionOf = (box: Box, axis: Axis, anchor: Anchor) => box[axis] + anchor * box[lengthOf(axis)]

/** A guide through both boxes. */
function guide(axis: Axis, kind: RuleKind, at: number, a: Box, b: Box): Rule {
  const across = otherAxis(axis)
  return { axis, kind, at, from: Math.min(a[across], b[across]), to: Math.max(endOf(a, across), endOf(b, across)) }
}

function edgeCandidates(box: Box, axis: Axis, anchors: readonly Anchor[], { others }: SnapContext): Candidate[] {
  return others.flatMap(other =>
    anchors.flatMap(anchor => {
      const mine = positionOf(box, axis, anchor)
      // A centre meets centres; an edge meets both edges.
      const theirs: Anchor[] = anchor === 0.5 ? [0.5] : [0, 1]
      return theirs.map(their => {
        const at = positionOf(other, axis, their)
        return { by: at - mine, rules: [guide(axis, anchor === 0.5 ? 'centre' : 'edge', at, box, other)] }
      })
    }),
  )
}

function pageCandidates(box: Box, axis: Axis, anchors: readonly Anchor[], { page }: SnapContext): Candidate[] {
  const length = page[axis === 'x' ? 0 : 1]
  const across = page[axis === 'x' ? 1 : 0]
  const margin = Math.min(MARGIN_PT, length / 8)
  const places: [Anchor, number, RuleKind][] = [
    [0, margin, 'margin'],
    [0.5, length / 2, 'centre'],
    [1, length - margin, 'margin'],
  ]
  return places
    .filter(([anchor]) => anchors.includes(anchor))
    .map(([anchor, at, kind]) => ({ by: at - positionOf(box, axis, anchor), rules: [{ axis, kind, at, from: 0, to: across }] }))
}

function lineCandidates(box: Box, axis: Axis, anchors: readonly Anchor[], { lines }: SnapContext): Candidate[] {
  if (axis === 'x' || !anchors.includes(1)) return []
  const reached = lines.filter(({ from, to }) => from < box.x + box.width && box.x < to)
  return reached.map(({ y, from, to }) => ({ by: y - endOf(box, 'y'), rules: [{ axis: 'y', kind: 'line', at: y, from, to }] }))
}

/** The gap between two neighbours, drawn in the middle of what they share on the other axis. */
function gapRule(axis: Axis, a: Box, b: Box): Rule {
  const across = otherAxis(axis)
  const at = (Math.max(a[across], b[across]) + Math.min(endOf(a, across), endOf(b, across))) / 2
  return { axis: across, kind: 'gap', at, from: endOf(a, axis), to: b[axis] }
}

/** Equal gaps with two fields in the same row or column. */
function gapCandidates(box: Box, axis: Axis, { others }: SnapContext): Candidate[] {
  const across = otherAxis(axis)
  const row = others
    .filter(other => other[across] < endOf(box, across) && box[across] < endOf(other, across))
    .toSorted((a, b) => a[axis] - b[axis])
  const moved = (at: number): Box => ({ ...box, [axis]: at })
  const length = box[lengthOf(axis)]
  return row.slice(1).flatMap((right, i) => {
    const left = row[i]!
    const gap = right[axis] - endOf(left, axis)
    if (gap <= 0) return []
    const own = gapRule(axis, left, right)
    const after = moved(endOf(right, axis) + gap)
    const before = moved(left[axis] - gap - length)
    const between = moved(endOf(left, axis) + (gap - length) / 2)
    const found: Candidate[] = [
      { by: after[axis] - box[axis], rules: [own, gapRule(axis, right, after)] },
      { by: before[axis] - box[axis], rules: [gapRule(axis, before, left), own] },
    ]
    if (gap > length)
      found.push({ by: between[axis] - box[axis], rules: [gapRule(axis, left, between), gapRule(axis, between, right)] })
    return found
  })
}

function nearest(candidates: Candidate[], threshold: number, isAllowed: (by: number) => boolean): Candidate | undefined {
  return candidates
    .filter(({ by }) => Math.abs(by) <= threshold && isAllowed(by))
    .sort((a, b) => Math.abs(a.by) - Math.abs(b.by))[0]
}

const ALL: readonly Anchor[] = [0, 0.5, 1]

/** Snaps a box that is moved. `axes`: those on which it moves. */
export function snapMove(box: Box, context: SnapContext, axes: readonly Axis[] = ['x', 'y']): Snapped {
  let moved = box
  const rules: Rule[] = []
  for (const axis of axes) {
    const candidates = [
      ...edgeCandidates(moved, axis, ALL, context),
      ...lineCandidates(moved, axis, ALL, context),
      ...pageCandidates(moved, axis, ALL, context),
      ...gapCandidates(moved, axis, context),
    ]
    const limit = context.page[axis === 'x' ? 0 : 1]
    const found = nearest(candidates, context.threshold, by => moved[axis] + by >= 0 && endOf(moved, axis) + by <= limit)
    if (!found) continue
    moved = { ...moved, [axis]: moved[axis] + found.by }
    rules.push(...found.rules)
  }
  return { box: moved, rules: rules.map(rule => reaching(rule, moved)) }
}

/** Snaps the edges of a box that is resized; `min` is its smallest size. */
export function snapResize(box: Box, edges: Edges, context: SnapContext, min: Pick<Box, 'width' | 'height'>): Snapped {
  let resized = box
  const rules: Rule[] = []
  for (const axis of ['x', 'y'] as const) {
    const edge = edges[axis]
    if (edge === 0) continue
    const anchors: Anchor[] = [edge < 0 ? 0 : 1]
    const candidates = [
      ...edgeCandidates(resized, axis, anchors, context),
      ...lineCandidates(resized, axis, anchors, context),
      ...pageCandidates(resized, axis, anchors, context),
    ]
    const length = lengthOf(axis)
    const limit = context.page[axis === 'x' ? 0 : 1]
    const found = nearest(candidates, context.threshold, by => {
      const position = positionOf(resized, axis, anchors[0]!) + by
      return resized[length] + edge * by >= min[length] && position >= 0 && position <= limit
    })
    if (!found) continue
    const start = edge < 0 ? resized[axis] + found.by : resized[axis]
    resized = { ...resized, [axis]: start, [length]: resized[length] + edge * found.by }
    rules.push(...found.rules)
  }
  return { box: resized, rules: rules.map(rule => reaching(rule, resized)) }
}

/** A guide at an edge reaches the box where it is after both axes have snapped. */
function reaching(rule: Rule, box: Box): Rule {
  if (rule.kind === 'gap' || rule.kind === 'margin') return rule
  const across = otherAxis(rule.axis)
  return { ...rule, from: Math.min(rule.from, box[across]), to: Math.max(rule.to, endOf(box, across)) }
}

// What is drawn over the pages during a gesture: ghost, guide lines, measure, selection frame.

export class Guides {
  readonly #pages: PageList
  readonly #sizes: readonly PageSize[]
  readonly #ghost = element('div', { class: 'ghost-box', 'aria-hidden': 'true' })
  readonly #measure = element('div', { class: 'measure', 'aria-hidden': 'true' })
  readonly #marquee = element('div', { class: 'marquee', 'aria-hidden': 'true' })
  readonly #lines: HTMLElement[] = []

  constructor(pages: PageList, sizes: readonly PageSize[]) {
    this.#pages = pages
    this.#sizes = sizes
  }

  #page(number: number): ShownPage | undefined {
    return this.#pages.shown.get(number)
  }

  #put(target: HTMLElement, page: number, { x, y, width, height }: Box): void {
    const layer = this.#page(page)?.layer
    if (!layer) {
      target.remove()
      return
    }
    const [pageWidth, pageHeight] = this.#sizes[page - 1]!
    target.style.left = `${(x / pageWidth) * 100}%`
    target.style.top = `${(y / pageHeight) * 100}%`
    target.style.width = `${(width / pageWidth) * 100}%`
    target.style.height = `${(height / pageHeight) * 100}%`
    if (target.parentElement !== layer) layer.append(target)
  }

  /** A field that is about to be placed. */
  ghost(page: number, box: Box, personClass: string, words: string): void {
    const name = `ghost-box ${personClass}`
    if (this.#ghost.className !== name) this.#ghost.className = name
    if (this.#ghost.textContent !== words) this.#ghost.textContent = words
    this.#put(this.#ghost, page, box)
  }

  marquee(page: number, box: Box): void {
    this.#put(this.#marquee, page, box)
  }

  /** Exactly the rules that were applied. */
  rules(page: number, rules: readonly Rule[]): void {
    while (this.#lines.length < rules.length) this.#lines.push(element('div', { 'aria-hidden': 'true' }))
    for (const [i, line] of this.#lines.entries()) {
      const rule = rules[i]
      if (!rule) {
        line.remove()
        continue
      }
      const { axis, kind, at, from, to } = rule
      line.className = `guide ${axis === 'x' ? 'upright' : 'level'} of-${kind}`
      const length = to - from
      this.#put(
        line,
        page,
        axis === 'x' ? { x: at, y: from, width: 0, height: length } : { x: from, y: at, width: length, height: 0 },
      )
    }
  }

  /** Numbers below the box. */
  measure(page: number, box: Box, words: string): void {
    if (this.#measure.textContent !== words) this.#measure.textContent = words
    this.#put(this.#measure, page, { ...box, y: box.y + box.height, height: 0 })
  }

  clear(): void {
    this.#ghost.remove()
    this.#marquee.remove()
    this.#measure.remove()
    for (const line of this.#lines) line.remove()
  }
}
