/** The text and the straight lines of a page as displayed: points from its top left corner. */

/** One glyph, or several characters that the PDF draws as one. Horizontal text only. */
export interface Glyph {
  text: string
  left: number
  right: number
  /** Of the baseline, from the top of the page. */
  y: number
  size: number
}

export interface HorizontalLine {
  left: number
  right: number
  y: number
  thickness: number
}

export interface VerticalLine {
  x: number
  top: number
  bottom: number
}

export interface PageContent {
  /** In points, as displayed. */
  width: number
  height: number
  glyphs: Glyph[]
  horizontals: HorizontalLine[]
  verticals: VerticalLine[]
  /** False if the page has more than the bounds below: the rest was left out. */
  isWhole: boolean
}

export const MAX_GLYPHS = 30_000
export const MAX_LINES = 5_000
