/** What an update paints on a page must not cover signed content. ISO 32000-2 §12.5, §12.8.2.2. */
import { memoizePerObject } from '../../lib/lru-cache.ts'
import { type Remark, remark } from '../../locales/remarks.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import type { Page } from '../../pdf/parser/page.ts'
import type { PdfDictionary } from '../../pdf/parser/syntax.ts'
import { areaOf, intersect, pagesOf, type Rectangle, readRectangle, visibleRectangle } from './form-fields.ts'
import { appearanceOf } from './painted/appearance.ts'
import { addArea, annotationsOf, findCovered } from './painted/page-surface.ts'
import type { UpdateCheck } from './update-check.ts'

/** `index` counts from 0. */
export interface NumberedPage {
  page: Page
  index: number
}

/** The part of a page that signatures and comments of all updates together may take. */
const MAX_COVERED = 0.5

/** The pages whose lists of annotations contain an annotation, by its object number. */
const annotationPages = memoizePerObject((file: PdfFile): ReadonlyMap<number, readonly NumberedPage[]> => {
  const found = new Map<number, NumberedPage[]>()
  pagesOf(file).forEach((page, index) => {
    for (const number of new Set(annotationsOf(file, page.number).map(([one]) => one))) {
      const known = found.get(number)
      if (known === undefined) found.set(number, [{ page, index }])
      else known.push({ page, index })
    }
  })
  return found
})

/** The pages that show a widget. An update adds pages to no existing widget. */
export const pagesShowing = ({ signed, before }: UpdateCheck, number: number): readonly NumberedPage[] =>
  annotationPages(signed).get(number) ?? annotationPages(before).get(number) ?? []

export interface PaintedArea {
  rectangle: Rectangle
  /** Of the annotation; its own earlier appearance does not count. */
  number: number
  /** All widgets of its field. */
  own: ReadonlySet<number>
  /** Says that it covers something. */
  covers(covered: Covered): Remark
}

export interface Covered {
  covered: Remark
  page: number
}

/** Notes a violation if the area covers something that the page shows. */
export function checkCovered(
  update: UpdateCheck,
  { page, index }: NumberedPage,
  { rectangle, number, own, covers }: PaintedArea,
): void {
  const surface = update.surface(page)
  const covered = findCovered(surface, rectangle, own)
  addArea(surface, rectangle, number)
  if (covered !== undefined) update.violations.push(covers({ covered, page: index + 1 }))
}

/** Adds up what signatures and comments of all updates take from a page. */
export function countArea(
  update: UpdateCheck,
  { page, index }: NumberedPage,
  rectangle: Rectangle,
  what: { name: string; isComment: boolean },
): void {
  const visible = visibleRectangle(page)
  const { areas } = update.painted
  const total = (areas.get(page.number) ?? 0) + areaOf(intersect(rectangle, visible))
  areas.set(page.number, total)
  if (total > MAX_COVERED * areaOf(visible)) update.violations.push(remark('additions_cover', { ...what, page: index + 1 }))
}

/** The rectangle of an annotation; undefined if none of it is on the page. */
export function rectangleOn(update: UpdateCheck, page: Page, annotation: PdfDictionary | undefined): Rectangle | undefined {
  const rectangle = readRectangle(update.after, annotation?.entries.get('Rect'))
  return rectangle !== undefined && areaOf(intersect(rectangle, visibleRectangle(page))) > 0 ? rectangle : undefined
}

const points = (length: number): string => String(Math.round(length * 10) / 10)

export const sizeOf = ({ left, bottom, right, top }: Rectangle): { width: string; height: string } => ({
  width: points(right - left),
  height: points(top - bottom),
})

export interface SignatureWidget {
  number: number
  widget: PdfDictionary
  /** Of its field. */
  name: string
  own: ReadonlySet<number>
}

/** Notes the widget of a signature field that shows something on a page. */
export function noteSignatureWidget(
  update: UpdateCheck,
  place: NumberedPage,
  { number, widget, name, own }: SignatureWidget,
): void {
  const rectangle = rectangleOn(update, place.page, widget)
  if (rectangle === undefined) return
  const appearance = appearanceOf(update.after, widget)
  if (appearance !== undefined && areaOf(appearance.box) === 0) update.violations.push(remark('signature_without_box', { name }))
  checkCovered(update, place, { rectangle, number, own, covers: covered => remark('signature_covers', { name, ...covered }) })
  countArea(update, place, rectangle, { name, isComment: false })
  update.additions.push(remark('added_visible_field', { name, page: place.index + 1, ...sizeOf(rectangle) }))
  update.changes.push({ kind: 'signature', revision: 0, name, before: null, after: null, page: place.index + 1 })
}
