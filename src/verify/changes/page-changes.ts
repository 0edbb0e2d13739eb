/**
 * Pages whose list of annotations grows by what an update may add: widgets of new signatures and, where the certification allows them, comments.
 * ISO 32000-2 §12.5, §12.8.2.2, table 257. Nothing else of a page may change.
 */
import type { Page } from '../../pdf/parser/page.ts'
import type { PdfDictionary, PdfValue } from '../../pdf/parser/syntax.ts'
import { areaOf, fieldKind, fieldName, isEmpty, overlap, pagesOf, type Rectangle, rectangleOf } from './form-fields.ts'
import { addedItems, explainArray } from './list-changes.ts'
import { differingKeys, eachReference, isWithoutStream, nameOf, readObject } from './object-changes.ts'
import type { RevisionStep } from './revision-step.ts'

/** §12.5.6: comments that mark what is there, as readers draw them. Others, such as free text, stamps or lines, can hide or replace it. */
const COMMENTS = new Set(['Text', 'Popup', 'Highlight', 'Underline', 'Squiggly', 'StrikeOut', 'Caret'])
/** Page entries that draw nothing: the time of the last change, data of an application, the order of the tab key. */
const SILENT_KEYS = ['Annots', 'LastModified', 'PieceInfo', 'Tabs']
/** §14.7.5.4: the place of the page in the structure, where it had none. */
const STRUCTURE_KEY = 'StructParents'
/** Of a page, by all that one update adds, or of a field that was there: what covers more of it hides it. */
const MAX_COVERED = 0.5

const points = (length: number): string => String(Math.round(length * 10) / 10)

const shownOf = ({ box: { left, bottom, width, height } }: Page): Rectangle => ({
  left,
  bottom,
  right: left + width,
  top: bottom + height,
})

/** What is said of something visible that was laid over a page, and why it must not be there. */
function place(step: RevisionStep, page: Page, index: number, rectangle: Rectangle, what: string): void {
  const shown = shownOf(page)
  const covered = overlap(rectangle, shown)
  const size = `${points(rectangle.right - rectangle.left)} × ${points(rectangle.top - rectangle.bottom)} points`
  const total = (step.covered.get(page.number) ?? 0) + areaOf(covered)
  step.covered.set(page.number, total)
  if (total > MAX_COVERED * areaOf(shown))
    step.problems.push(`${what} was laid over more than half of page ${index + 1}, and hides what was signed there`)
  const dictionary = page.dictionary.value
  const annotations = dictionary.kind === 'dictionary' ? step.before.items(dictionary.entries.get('Annots')) : []
  for (const annotation of annotations.map(item => step.before.dictionary(item))) {
    const other = rectangleOf(step.before, annotation?.entries.get('Rect'))
    if (annotation === undefined || other === undefined || areaOf(other) === 0) continue
    if (nameOf(annotation.entries.get('Subtype')) !== 'Widget') continue
    // Another signature is told by this report, whatever is laid over its picture; an empty field shows nothing.
    if (fieldKind(step.before, annotation) === 'Sig' || isEmpty(step.before, annotation)) continue
    if (areaOf(overlap(other, covered)) <= MAX_COVERED * areaOf(other)) continue
    const name = fieldName(step.before, annotation)
    step.problems.push(`${what} was laid over the form field "${name}" of page ${index + 1}, and hides what was signed there`)
  }
  step.found.push(`was added on page ${index + 1}: ${what}, which covers ${size} of it`)
}

const numbersOf = ({ after }: RevisionStep, value: PdfValue | undefined): number[] =>
  after.items(value).map(item => {
    const found = after.resolve(item).value
    return found.kind === 'number' ? found.value : 0
  })

/** §12.5.6.10: readers draw a mark where its quadrilaterals are, be they in its rectangle or not. */
function reachOf(step: RevisionStep, { entries }: PdfDictionary): Rectangle | undefined {
  const rectangle = rectangleOf(step.after, entries.get('Rect'))
  const numbers = numbersOf(step, entries.get('QuadPoints'))
  if (rectangle === undefined || numbers.length === 0) return rectangle
  return numbers.reduce(
    ({ left, bottom, right, top }, number, i) =>
      i % 2 === 0
        ? { left: Math.min(left, number), bottom, right: Math.max(right, number), top }
        : { left, bottom: Math.min(bottom, number), right, top: Math.max(top, number) },
    rectangle,
  )
}

/** Of white; text that is marked in a darker colour cannot be read. */
const MIN_LUMINANCE = 0.15

/** §12.5.2, /C: grey, RGB or CMYK; readers have a light colour of their own where there is none. */
function isDark(step: RevisionStep, colour: PdfValue | undefined): boolean {
  const numbers = numbersOf(step, colour)
  const [a = 0, b = a, c = a, black = 0] = numbers
  if (numbers.length === 0) return false
  const [red, green, blue] = numbers.length === 4 ? [a, b, c].map(ink => (1 - ink) * (1 - black)) : [a, b, c]
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0) < MIN_LUMINANCE
}

/** A comment that a certification of level 3 allows; true when it was explained. */
function takeComment(step: RevisionStep, item: PdfValue, page: Page, index: number): boolean {
  if (step.permission !== 3 || item.kind !== 'reference' || !step.isNew(item.number)) return false
  const annotation = step.after.dictionary(item)
  const kind = nameOf(annotation?.entries.get('Subtype'))
  if (annotation === undefined || annotation.duplicateKeys.length > 0 || !isWithoutStream(step.after, item.number)) return false
  if (!COMMENTS.has(kind)) {
    step.problems.push(
      `an annotation of the kind ${kind} was added to page ${index + 1}, which can hide or replace what it shows`,
    )
    return false
  }
  if (['A', 'AA', 'Dest', 'PA'].some(key => annotation.entries.has(key))) {
    step.problems.push(`an annotation that acts by itself was added to page ${index + 1}`)
    return false
  }
  if (annotation.entries.has('AP')) {
    step.problems.push(
      `a comment (${kind}) with a picture of its own (/AP) was added to page ${index + 1}, which can hide or replace what it shows`,
    )
    return false
  }
  if (kind === 'Highlight' && isDark(step, annotation.entries.get('C'))) {
    step.problems.push(`a comment (${kind}) in a dark colour was added to page ${index + 1}, which hides what it marks`)
    return false
  }
  const rectangle = reachOf(step, annotation)
  if (kind !== 'Popup' && rectangle !== undefined) place(step, page, index, rectangle, `a comment (${kind})`)
  return true
}

/** A page, or its list of annotations where that is an object of its own, as it was and as it is. */
function changedPages(step: RevisionStep): { page: Page; index: number; now: PdfDictionary }[] {
  // Only a list or a dictionary with annotations or the type of a page can be meant: most updates touch none, and reading all pages costs.
  const mayBePage = [...step.unexplained].some(number => {
    const value = readObject(step.before, number)
    return (
      value?.kind === 'array' || (value?.kind === 'dictionary' && (value.entries.has('Annots') || value.entries.has('Parent')))
    )
  })
  if (!mayBePage) return []
  return pagesOf(step.before).flatMap((page, index) => {
    const old = page.dictionary.value
    const now = step.changed.has(page.number) ? readObject(step.after, page.number) : old
    if (old.kind !== 'dictionary' || now?.kind !== 'dictionary') return []
    const list = now.entries.get('Annots')
    const isTouched = now !== old || (list?.kind === 'reference' && step.changed.has(list.number))
    return isTouched ? [{ page, index, now }] : []
  })
}

/** The page has its list of annotations as something else, too, such as its contents. */
function isUsedElsewhere({ entries }: PdfDictionary, list: PdfValue | undefined): boolean {
  let isUsed = false
  for (const [key, value] of entries) {
    if (key === 'Annots') continue
    eachReference(value, number => {
      isUsed ||= list?.kind === 'reference' && number === list.number
    })
  }
  return isUsed
}

/** Explains pages whose list of annotations is longer by `widgets`, which were explained, or by comments. */
export function explainPages(step: RevisionStep, widgets: readonly number[]): void {
  const known = new Set(widgets)
  for (const { page, index, now } of changedPages(step)) {
    const old = page.dictionary.value
    if (old.kind !== 'dictionary' || now.duplicateKeys.length > 0) continue
    const isStrict = step.permission === 1
    const silent = isStrict ? ['Annots'] : SILENT_KEYS
    const isNewInStructure = !isStrict && !old.entries.has(STRUCTURE_KEY)
    const isSilent = (key: string) => silent.includes(key) || (key === STRUCTURE_KEY && isNewInStructure)
    if (differingKeys(old, now).some(key => !isSilent(key))) continue
    const [oldList, newList] = [old.entries.get('Annots'), now.entries.get('Annots')]
    const added = addedItems(step.before.items(oldList), step.after.items(newList), { isStrict })
    if (added === undefined || (isStrict && added.length === 0)) continue
    const taken = added.every(item => {
      if (item.kind !== 'reference' || !known.has(item.number)) return takeComment(step, item, page, index)
      const field = step.after.dictionary(item)
      const rectangle = rectangleOf(step.after, field?.entries.get('Rect'))
      if (field !== undefined && rectangle !== undefined && areaOf(overlap(rectangle, shownOf(page))) > 0)
        place(step, page, index, rectangle, `the visible signature field "${fieldName(step.after, field)}"`)
      return true
    })
    if (!taken) continue
    step.unexplained.delete(page.number)
    if (!isUsedElsewhere(old, newList)) explainArray(step, oldList, newList, page.number)
  }
}
