/** The usual and the smallest size of a field of each type. Bundled for the browser too. Pure. */
import { defaultFontSize, type FieldType, pageFactor } from './field.ts'

export interface Extent {
  width: number
  height: number
}

/** Width and height of a displayed page, pt. */
export type PageSize = readonly [width: number, height: number]

/** pt. */
const USUAL_SIZES: Record<FieldType, Extent> = {
  signature: { width: 160, height: 48 },
  initials: { width: 60, height: 32 },
  date: { width: 96, height: 20 },
  name: { width: 160, height: 20 },
  email: { width: 180, height: 20 },
  text: { width: 160, height: 20 },
  checkbox: { width: 14, height: 14 },
  dropdown: { width: 140, height: 20 },
  number: { width: 80, height: 20 },
  paragraph: { width: 320, height: 72 },
  radio: { width: 14, height: 14 },
  image: { width: 96, height: 96 },
  attachment: { width: 180, height: 24 },
}

const MIN_TEXT: Extent = { width: 36, height: 12 }
const MIN_SIZES: Partial<Record<FieldType, Extent>> = {
  signature: { width: 60, height: 20 },
  initials: { width: 28, height: 18 },
  checkbox: { width: 9, height: 9 },
  paragraph: { width: 72, height: 24 },
  radio: { width: 9, height: 9 },
  image: { width: 24, height: 24 },
  attachment: { width: 24, height: 24 },
}

function scale({ width, height }: Extent, [pageWidth, pageHeight]: PageSize): Extent {
  const factor = pageFactor(pageWidth)
  return { width: Math.min(width * factor, pageWidth), height: Math.min(height * factor, pageHeight) }
}

/** Above the first and below the last baseline, for European letters; shares of the font size. */
export const ASCENT = 1.07
export const DESCENT = 0.3

/** A box for so many lines is read from its top. In a lower one, text is on its lower edge. */
export const AREA_LINES = 3

/** In a frame of this height, how far above its lower edge text in the middle is. */
export function liftToMiddle(frameHeight: number, page: PageSize): number {
  const line = printedSize(undefined, frameHeight, page) * (ASCENT + DESCENT)
  return frameHeight < AREA_LINES * line ? (frameHeight - line) / 2 : 0
}

/** The size of a printed line: one for all fields of a page, less in a very low box. pt. */
export function printedSize(fontSize: number | undefined, boxHeight: number, [pageWidth]: PageSize): number {
  return Math.min(fontSize ?? defaultFontSize(pageWidth), boxHeight / (ASCENT + DESCENT))
}

/** The size of a new field of this type on a page. */
export function usualSize(type: FieldType, page: PageSize): Extent {
  return scale(USUAL_SIZES[type], page)
}

/** The smallest size; on a tiny page the page itself. */
export function minSize(type: FieldType, page: PageSize): Extent {
  return scale(MIN_SIZES[type] ?? MIN_TEXT, page)
}
