/** The usual and the smallest size of a field of each type. Bundled for the browser too. Pure. */
import type { FieldType } from './field.ts'

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
}

const MIN_TEXT: Extent = { width: 36, height: 12 }
const MIN_SIZES: Partial<Record<FieldType, Extent>> = {
  signature: { width: 60, height: 20 },
  initials: { width: 28, height: 18 },
  checkbox: { width: 9, height: 9 },
}

/** Narrower pages have proportionally smaller fields, pt. */
const NARROW_PAGE_PT = 400
const USUAL_PAGE_PT = 595

function scale({ width, height }: Extent, [pageWidth, pageHeight]: PageSize): Extent {
  const factor = pageWidth < NARROW_PAGE_PT ? pageWidth / USUAL_PAGE_PT : 1
  return { width: Math.min(width * factor, pageWidth), height: Math.min(height * factor, pageHeight) }
}

/** The size of a new field of this type on a page. */
export function usualSize(type: FieldType, page: PageSize): Extent {
  return scale(USUAL_SIZES[type], page)
}

/** The smallest size; on a tiny page the page itself. */
export function minSize(type: FieldType, page: PageSize): Extent {
  return scale(MIN_SIZES[type] ?? MIN_TEXT, page)
}
