/** Checks annotations that an update adds to pages. ISO 32000-2 §12.5, §12.8.2.2, table 257. */
import type { Page } from '../../pdf/parser/page.ts'
import type { PdfDictionary, PdfValue } from '../../pdf/parser/syntax.ts'
import {
  areaOf,
  fieldName,
  fieldType,
  intersect,
  isUnfilled,
  pagesOf,
  type Rectangle,
  readRectangle,
  visibleRectangle,
} from './form-fields.ts'
import { acceptArray, findAddedItems } from './list-changes.ts'
import { differingKeys, hasNoStream, nameOf, readObject, refersTo } from './object-changes.ts'
import type { UpdateCheck } from './update-check.ts'

/** §12.5.6. Others, such as free text, stamps or lines, can hide or replace content. */
const COMMENTS = new Set(['Text', 'Popup', 'Highlight', 'Underline', 'Squiggly', 'StrikeOut', 'Caret'])
const ACTION_KEYS = ['A', 'AA', 'Dest', 'PA']
/** Page entries that draw nothing: time of the last change, data of an application, tab order. */
const SILENT_KEYS = ['Annots', 'LastModified', 'PieceInfo', 'Tabs']
/** §14.7.5.4: the page's key in the structure tree. It may be added. */
const STRUCTURE_KEY = 'StructParents'
/** The part of a page or of a field that the additions of one update may cover. */
const MAX_COVERED = 0.5

const points = (length: number): string => String(Math.round(length * 10) / 10)

/** A page whose annotations changed. `index` counts from 0. */
interface ChangedPage {
  page: Page
  index: number
  /** The page dictionary after the update. */
  now: PdfDictionary
}

/** Finds form fields of the page with a value that an addition covers. */
function findCoveredFields({ before }: UpdateCheck, page: Page, covered: Rectangle): PdfDictionary[] {
  const dictionary = page.dictionary.value
  const annotations = dictionary.kind === 'dictionary' ? before.items(dictionary.entries.get('Annots')) : []
  return annotations.flatMap(item => {
    const annotation = before.dictionary(item)
    const rectangle = readRectangle(before, annotation?.entries.get('Rect'))
    if (annotation === undefined || rectangle === undefined || areaOf(rectangle) === 0) return []
    if (nameOf(annotation.entries.get('Subtype')) !== 'Widget') return []
    // The report lists covered signatures too. An unfilled field shows nothing.
    if (fieldType(before, annotation) === 'Sig' || isUnfilled(before, annotation)) return []
    return areaOf(intersect(rectangle, covered)) > MAX_COVERED * areaOf(rectangle) ? [annotation] : []
  })
}

/** Notes a visible addition, and a violation if it hides signed content. */
function noteVisible(update: UpdateCheck, { page, index }: ChangedPage, rectangle: Rectangle, what: string): void {
  const visible = visibleRectangle(page)
  const covered = intersect(rectangle, visible)
  const total = (update.coveredAreas.get(page.number) ?? 0) + areaOf(covered)
  update.coveredAreas.set(page.number, total)
  const hides = (content: string) =>
    update.violations.push(`${what} was added that covers ${content} of page ${index + 1} and hides signed content`)
  if (total > MAX_COVERED * areaOf(visible)) hides('more than half')
  for (const field of findCoveredFields(update, page, covered)) hides(`the form field "${fieldName(update.before, field)}"`)
  const [width, height] = [rectangle.right - rectangle.left, rectangle.top - rectangle.bottom].map(points)
  update.additions.push(`added ${what} to page ${index + 1} (${width} × ${height} points)`)
}

const readNumbers = ({ after }: UpdateCheck, value: PdfValue | undefined): number[] =>
  after.items(value).map(item => {
    const found = after.resolve(item).value
    return found.kind === 'number' ? found.value : 0
  })

/** §12.5.6.10: PDF readers draw text markup in its quadrilaterals, even outside its rectangle. */
function readDrawnArea(update: UpdateCheck, { entries }: PdfDictionary): Rectangle | undefined {
  const rectangle = readRectangle(update.after, entries.get('Rect'))
  const numbers = readNumbers(update, entries.get('QuadPoints'))
  if (rectangle === undefined || numbers.length === 0) return rectangle
  return numbers.reduce(
    ({ left, bottom, right, top }, number, i) =>
      i % 2 === 0
        ? { left: Math.min(left, number), bottom, right: Math.max(right, number), top }
        : { left, bottom: Math.min(bottom, number), right, top: Math.max(top, number) },
    rectangle,
  )
}

/** As a fraction of white. Text under a darker highlight cannot be read. */
const MIN_LUMINANCE = 0.15

/** §12.5.2, /C: grey, RGB or CMYK. Without it, PDF readers use a light colour. */
function isDark(update: UpdateCheck, colour: PdfValue | undefined): boolean {
  const numbers = readNumbers(update, colour)
  const [a = 0, b = a, c = a, black = 0] = numbers
  if (numbers.length === 0) return false
  const [red, green, blue] = numbers.length === 4 ? [a, b, c].map(ink => (1 - ink) * (1 - black)) : [a, b, c]
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0) < MIN_LUMINANCE
}

/** Why an added annotation is not allowed on a page. */
function findCommentError(update: UpdateCheck, { entries }: PdfDictionary, pageName: string): string | undefined {
  const type = nameOf(entries.get('Subtype'))
  const hides = 'which can hide or replace content'
  if (!COMMENTS.has(type)) return `an annotation of the type ${type} was added to ${pageName}, ${hides}`
  if (ACTION_KEYS.some(key => entries.has(key))) return `an annotation with an action was added to ${pageName}`
  if (entries.has('AP')) return `a comment (${type}) with its own appearance (/AP) was added to ${pageName}, ${hides}`
  if (type === 'Highlight' && isDark(update, entries.get('C')))
    return `a comment (${type}) in a dark colour was added to ${pageName}, which hides the highlighted text`
  return undefined
}

/** Accepts a comment under a certification of level 3. */
function acceptComment(update: UpdateCheck, item: PdfValue, changed: ChangedPage): boolean {
  if (update.permission !== 3 || item.kind !== 'reference' || !update.isNew(item.number)) return false
  const annotation = update.after.dictionary(item)
  if (annotation === undefined || annotation.duplicateKeys.length > 0 || !hasNoStream(update.after, item.number)) return false
  const error = findCommentError(update, annotation, `page ${changed.index + 1}`)
  if (error !== undefined) {
    update.violations.push(error)
    return false
  }
  const type = nameOf(annotation.entries.get('Subtype'))
  const area = readDrawnArea(update, annotation)
  if (type !== 'Popup' && area !== undefined) noteVisible(update, changed, area, `a comment (${type})`)
  return true
}

/** Finds pages whose dictionary or list of annotations changed. */
function findChangedPages(update: UpdateCheck): ChangedPage[] {
  // Reading all pages is slow, and most updates change nothing that can belong to a page.
  const mayBePage = [...update.pending].some(number => {
    const value = readObject(update.before, number)
    return (
      value?.kind === 'array' || (value?.kind === 'dictionary' && (value.entries.has('Annots') || value.entries.has('Parent')))
    )
  })
  if (!mayBePage) return []
  return pagesOf(update.before).flatMap((page, index) => {
    const old = page.dictionary.value
    const now = update.changed.has(page.number) ? readObject(update.after, page.number) : old
    if (old.kind !== 'dictionary' || now?.kind !== 'dictionary') return []
    const list = now.entries.get('Annots')
    const isTouched = now !== old || (list?.kind === 'reference' && update.changed.has(list.number))
    return isTouched ? [{ page, index, now }] : []
  })
}

/** True if another entry of the page, such as its contents, refers to its list of annotations. */
function isUsedElsewhere({ entries }: PdfDictionary, list: PdfValue | undefined): boolean {
  const isList = (number: number) => list?.kind === 'reference' && number === list.number
  return [...entries].some(([key, value]) => key !== 'Annots' && refersTo(value, isList))
}

function mayChangeKey(update: UpdateCheck, old: PdfDictionary, key: string): boolean {
  if (update.permission === 1) return key === 'Annots'
  return SILENT_KEYS.includes(key) || (key === STRUCTURE_KEY && !old.entries.has(STRUCTURE_KEY))
}

/** Accepts an added annotation: one of the accepted widgets, or an allowed comment. */
function acceptAnnotation(update: UpdateCheck, item: PdfValue, changed: ChangedPage, widgets: ReadonlySet<number>): boolean {
  if (item.kind !== 'reference' || !widgets.has(item.number)) return acceptComment(update, item, changed)
  const field = update.after.dictionary(item)
  const rectangle = readRectangle(update.after, field?.entries.get('Rect'))
  if (field !== undefined && rectangle !== undefined && areaOf(intersect(rectangle, visibleRectangle(changed.page))) > 0)
    noteVisible(update, changed, rectangle, `the visible signature field "${fieldName(update.after, field)}"`)
  return true
}

/** Accepts pages with additional annotations only: accepted `widgets`, or comments. */
export function checkPages(update: UpdateCheck, widgets: readonly number[]): void {
  const known = new Set(widgets)
  const isStrict = update.permission === 1
  for (const changed of findChangedPages(update)) {
    const { page, now } = changed
    const old = page.dictionary.value
    if (old.kind !== 'dictionary' || now.duplicateKeys.length > 0) continue
    if (!differingKeys(old, now).every(key => mayChangeKey(update, old, key))) continue
    const [oldList, newList] = [old.entries.get('Annots'), now.entries.get('Annots')]
    const added = findAddedItems(update.before.items(oldList), update.after.items(newList), { isStrict })
    if (added === undefined || (isStrict && added.length === 0)) continue
    if (!added.every(item => acceptAnnotation(update, item, changed, known))) continue
    update.accept(page.number)
    if (!isUsedElsewhere(old, newList)) acceptArray(update, oldList, newList, page.number)
  }
}
