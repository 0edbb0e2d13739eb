/** Reads form fields, widgets, flags, and rectangles on pages. ISO 32000-2 §12.5.2, §12.7.4. */
import { memoizePerObject } from '../../lib/lru-cache.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import { type Page, readPages, TooManyPagesError } from '../../pdf/parser/page.ts'
import { MAX_FORM_FIELDS } from '../../pdf/parser/signature-fields.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue, textOf } from '../../pdf/parser/syntax.ts'
import { hasNoStream, nameOf, readObject, sameValue } from './object-changes.ts'

const MAX_DEPTH = 50

/** The entry of a field or of its nearest ancestor that has one (§12.7.4.1). */
export function inherited(file: PdfFile, field: PdfDictionary, key: string): PdfValue | undefined {
  let node: PdfDictionary | undefined = field
  for (let depth = 0; node !== undefined && depth < MAX_DEPTH; depth++) {
    const value = node.entries.get(key)
    if (value !== undefined) return value
    node = file.dictionary(node.entries.get('Parent'))
  }
  return undefined
}

/** The field's fully qualified name (§12.7.4.2). */
export function fieldName(file: PdfFile, field: PdfDictionary): string {
  const parts: string[] = []
  let node: PdfDictionary | undefined = field
  for (let depth = 0; node !== undefined && depth < MAX_DEPTH; depth++) {
    const part = textOf(file.resolve(node.entries.get('T')).value)
    if (part !== '') parts.unshift(part)
    node = file.dictionary(node.entries.get('Parent'))
  }
  return parts.join('.')
}

/** /FT: `Tx`, `Btn`, `Ch` or `Sig`. */
export const fieldType = (file: PdfFile, field: PdfDictionary): string => nameOf(file.resolve(inherited(file, field, 'FT')).value)

export interface Rectangle {
  left: number
  bottom: number
  right: number
  top: number
}

/** §7.9.5; undefined if the value is not a rectangle. */
export function readRectangle(file: PdfFile, value: PdfValue | undefined): Rectangle | undefined {
  const numbers = file.items(value).map(item => {
    const found = file.resolve(item).value
    return found.kind === 'number' ? found.value : Number.NaN
  })
  const [x1 = Number.NaN, y1 = Number.NaN, x2 = Number.NaN, y2 = Number.NaN] = numbers
  if (numbers.length !== 4 || numbers.some(number => !Number.isFinite(number))) return undefined
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) }
}

export const areaOf = ({ left, bottom, right, top }: Rectangle): number => Math.max(0, right - left) * Math.max(0, top - bottom)

/** The common part of two rectangles. `areaOf` it is 0 if they do not overlap. */
export function intersect(a: Rectangle, b: Rectangle): Rectangle {
  return {
    left: Math.max(a.left, b.left),
    bottom: Math.max(a.bottom, b.bottom),
    right: Math.min(a.right, b.right),
    top: Math.min(a.top, b.top),
  }
}

const READ_ONLY = 1

/** Undefined if it is not a direct integer: an update may give a reference another meaning. */
function flagsOf(value: PdfValue | undefined): number | undefined {
  if (value === undefined) return 0
  return value.kind === 'number' && value.integer ? value.value : undefined
}

/** True if the field flags (Table 227) are unchanged or only gained ReadOnly. */
export function addsAtMostReadOnly(old: PdfValue | undefined, now: PdfValue | undefined): boolean {
  if (sameValue(old, now)) return true
  const [was, is] = [flagsOf(old), flagsOf(now)]
  return was !== undefined && is !== undefined && ((was | READ_ONLY) === is || was === is)
}

/** Annotation flags (Table 167). All others, such as Hidden, may neither be set nor cleared. */
const [PRINT, ANNOTATION_READ_ONLY, LOCKED, LOCKED_CONTENTS] = [4, 64, 128, 512]
const MAY_BE_CLEARED = ANNOTATION_READ_ONLY | LOCKED | LOCKED_CONTENTS
/** Print may not be cleared: the field would be missing from printed pages. */
const MAY_BE_SET = PRINT | MAY_BE_CLEARED

export function onlyHarmlessFlagChanges(old: PdfValue | undefined, now: PdfValue | undefined): boolean {
  if (sameValue(old, now)) return true
  const [was, is] = [flagsOf(old), flagsOf(now)]
  if (was === undefined || is === undefined) return false
  return (is & ~was & ~MAY_BE_SET) === 0 && (was & ~is & ~MAY_BE_CLEARED) === 0
}

/** The pages of a revision; none if they cannot be read, so that no change of a page is allowed. */
export const pagesOf = memoizePerObject((file: PdfFile): readonly Page[] => {
  try {
    return readPages(file, file.resolve(file.crossReference.trailer.entries.get('Root')))
  } catch (error) {
    if (error instanceof PdfSyntaxError || error instanceof TooManyPagesError) return []
    throw error
  }
})

/** The rectangle of a page that PDF readers show. */
export const visibleRectangle = ({ box: { left, bottom, width, height } }: Page): Rectangle => ({
  left,
  bottom,
  right: left + width,
  top: bottom + height,
})

function isFieldOrWidget(file: PdfFile, number: number): boolean {
  const value = readObject(file, number)
  if (value?.kind !== 'dictionary' || !hasNoStream(file, number)) return false
  const [type, subtype] = ['Type', 'Subtype'].map(key => nameOf(file.resolve(value.entries.get(key)).value))
  return (type === '' || type === 'Annot') && (subtype === '' || subtype === 'Widget')
}

/** Finds the objects that are form fields or their widgets and cannot be drawn as anything else. */
export const findFields = memoizePerObject((file: PdfFile): ReadonlySet<number> => {
  const found = new Set<number>()
  const catalog = file.dictionary(file.crossReference.trailer.entries.get('Root'))
  const form = file.dictionary(catalog?.entries.get('AcroForm'))
  const waiting = [...file.items(form?.entries.get('Fields'))]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind !== 'reference' || found.has(next.number) || found.size >= MAX_FORM_FIELDS) continue
    if (!isFieldOrWidget(file, next.number)) continue
    found.add(next.number)
    waiting.push(...file.items(file.dictionary(next)?.entries.get('Kids')))
  }
  return found
})
