/** What content paints on a page: text, paths and pictures, with the places they take. */
import { type Remark, remark } from '../../../locales/remarks.ts'
import { intersect, type Rectangle } from '../form-fields.ts'

/** Red, green and blue from 0 to 1; `unknown` in a colour space that is not read. */
export type Ink = readonly [number, number, number] | 'pattern' | 'unknown'

interface Painted {
  /** In the space of the page, before it is clipped. */
  area: Rectangle
  /** The bounding box of the clipping path. */
  clip: Rectangle
  ink: Ink
  /** Hides what is below it. */
  isOpaque: boolean
  /** Leaves what is below it visible, in another light (§11.3.5.2). */
  isMultiplied: boolean
  /** So transparent, or mixed so, that it may not be seen. */
  isFaint: boolean
  /** Its clipping path is no rectangle, so it can leave any form of it. */
  isCut: boolean
}

/** The glyphs of one string. */
export interface TextMark extends Painted {
  kind: 'text'
  /** Undefined if it is not known what its glyphs look like; `doubt` says why, as a clause. */
  text: string | undefined
  doubt: Remark | undefined
  isDingbat: boolean
  /** Of a font whose glyphs can be any: one glyph many times, which is a line to write on. */
  isLine: boolean
  /** Of the baseline. */
  start: readonly [number, number]
  end: readonly [number, number]
  /** Of the font, in the space of the page. */
  size: number
}

/** A straight part of a path, or the bounding box of a curved one. */
export interface Stroke {
  box: Rectangle
  isCurve: boolean
}

export interface PathMark extends Painted {
  kind: 'path'
  parts: readonly Stroke[]
  isFilled: boolean
  isStroked: boolean
  /** Of the line, in the space of the page. */
  width: number
}

export interface PictureMark extends Painted {
  /** `annotation`: whatever readers draw in its rectangle. */
  kind: 'image' | 'shading' | 'pattern' | 'annotation'
}

export type Mark = TextMark | PathMark | PictureMark

export interface Painting {
  marks: Mark[]
  /** Why the marks may not be all that is painted; clauses. */
  gaps: Set<Remark>
  /** Why PDF readers may show the marks otherwise; clauses. */
  doubts: Set<Remark>
  /** Resources that it lacks, as `Font/F1`: some readers take them from page or form. */
  missing: Set<string>
}

export const newPainting = (): Painting => ({ marks: [], gaps: new Set(), doubts: new Set(), missing: new Set() })

/** Why the marks of an appearance may not be all that it paints; a clause. */
export function findGap({ gaps, missing }: Painting): Remark | undefined {
  const [name] = missing
  const [gap] = gaps
  return name === undefined ? gap : remark('resources_missing', { name })
}

export const WHITE_LUMINANCE = 0.85

/** Relative luminance, from 0 (black) to 1 (white). */
export const luminance = ([red, green, blue]: readonly [number, number, number]): number =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue

export const boundsOf = (points: readonly (readonly [number, number])[]): Rectangle => {
  const bounds = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity }
  for (const [x, y] of points) {
    bounds.left = Math.min(bounds.left, x)
    bounds.bottom = Math.min(bounds.bottom, y)
    bounds.right = Math.max(bounds.right, x)
    bounds.top = Math.max(bounds.top, y)
  }
  return bounds
}

/** Each side moved outwards, or inwards if negative. */
export const grow = ({ left, bottom, right, top }: Rectangle, by: number): Rectangle => ({
  left: left - by,
  bottom: bottom - by,
  right: right + by,
  top: top + by,
})

/** True if they share a point, also of a line without an area. */
export const touches = (a: Rectangle, b: Rectangle): boolean =>
  a.left <= b.right && b.left <= a.right && a.bottom <= b.top && b.bottom <= a.top

export const union = (a: Rectangle, b: Rectangle): Rectangle => ({
  left: Math.min(a.left, b.left),
  bottom: Math.min(a.bottom, b.bottom),
  right: Math.max(a.right, b.right),
  top: Math.max(a.top, b.top),
})

/** The part of a mark that its clipping path leaves. */
export function seenArea(mark: Mark): Rectangle {
  const half = mark.kind === 'path' ? mark.width / 2 : 0
  return intersect(grow(mark.area, half), mark.clip)
}
