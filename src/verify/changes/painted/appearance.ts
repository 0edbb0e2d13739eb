/** Paints the appearance streams of annotations. ISO 32000-2 §12.5.5. */
import { memoizePerObject } from '../../../lib/lru-cache.ts'
import { type Remark, remark } from '../../../locales/remarks.ts'
import { IDENTITY, toMatrix } from '../../../pdf/detect/page-content.ts'
import type { XrefEntry } from '../../../pdf/parser/cross-reference.ts'
import type { PdfFile } from '../../../pdf/parser/file.ts'
import { makeReference, type PdfDictionary, type PdfValue } from '../../../pdf/parser/syntax.ts'
import { areaOf, type Rectangle, readRectangle } from '../form-fields.ts'
import { eachReference, nameOf, readObject, sameEntry } from '../object-changes.ts'
import { ContentPainter, transformed } from './content-painter.ts'
import { type Mark, newPainting, type Painting } from './marks.ts'

export interface Appearance {
  painting: Painting
  /** The bounding box that is fitted into the rectangle of the annotation, in the same space. */
  box: Rectangle
}

const EMPTY: Rectangle = { left: 0, bottom: 0, right: 0, top: 0 }
const EVERYWHERE: Rectangle = { left: -1e9, bottom: -1e9, right: 1e9, top: 1e9 }
const MAX_OBJECTS = 2_000

function unreadable(gap: Remark): Appearance {
  const painting = newPainting()
  painting.gaps.add(gap)
  return { painting, box: EMPTY }
}

/** Keys that lead from an appearance to the rest of the document. */
const BACK_KEYS = new Set(['P', 'Parent', 'StructParent', 'StructParents'])

/** The objects that decide what a form XObject paints, with their places in the file. */
function listObjects(file: PdfFile, number: number): Map<number, XrefEntry | undefined> {
  const found = new Map<number, XrefEntry | undefined>()
  const waiting = [number]
  for (let next = waiting.pop(); next !== undefined && found.size < MAX_OBJECTS; next = waiting.pop()) {
    if (found.has(next)) continue
    found.set(next, file.crossReference.entries.get(next))
    const value = readObject(file, next)
    if (value?.kind !== 'dictionary') {
      if (value !== undefined) eachReference(value, one => waiting.push(one))
      continue
    }
    for (const [key, item] of value.entries) if (!BACK_KEYS.has(key)) eachReference(item, one => waiting.push(one))
  }
  return found
}

interface Known {
  objects: Map<number, XrefEntry | undefined>
  appearance: Appearance
}

/** For all revisions of a file: most appearances stay the same. */
const knownAppearances = memoizePerObject<object, Map<number, Known>>(() => new Map())

function paintStream(file: PdfFile, form: PdfValue, dictionary: PdfDictionary): Appearance {
  const bounds = readRectangle(file, dictionary.entries.get('BBox'))
  const matrix = dictionary.entries.has('Matrix')
    ? toMatrix(
        file.items(dictionary.entries.get('Matrix')).map(item => {
          const found = file.resolve(item).value
          return found.kind === 'number' ? found.value : Number.NaN
        }),
      )
    : IDENTITY
  if (bounds === undefined || matrix === undefined) return unreadable(remark('box_invalid'))
  const box = transformed(bounds, matrix)
  const painter = new ContentPainter(file)
  painter.paintForm(form, IDENTITY, EVERYWHERE)
  const { painting } = painter
  // Readers disagree on whether such a box clips all of it.
  if (areaOf(box) === 0 && painting.marks.length > 0) return unreadable(remark('box_empty'))
  return { painting, box }
}

/** An appearance stream, in its own space. Painted once, unless its objects change. */
export function paintForm(file: PdfFile, number: number): Appearance {
  const known = knownAppearances(file.sharedKey)
  const entries = file.crossReference.entries
  const found = known.get(number)
  if (found !== undefined && [...found.objects].every(([one, entry]) => sameEntry(entry, entries.get(one))))
    return found.appearance
  const form = makeReference(number)
  const dictionary = file.dictionary(form)
  const appearance = dictionary === undefined ? unreadable(remark('appearance_unreadable')) : paintStream(file, form, dictionary)
  known.set(number, { objects: listObjects(file, number), appearance })
  return appearance
}

/** The normal appearance stream of an annotation, of one state if it has several (§12.5.5). */
function findNormal(file: PdfFile, annotation: PdfDictionary, state: string): PdfValue | undefined {
  const normal = file.dictionary(annotation.entries.get('AP'))?.entries.get('N')
  if (normal === undefined || file.resolve(normal).value.kind === 'null') return undefined
  const isStream = normal.kind === 'reference' && (file.dictionary(normal)?.entries.has('BBox') ?? false)
  return isStream
    ? normal
    : (file.dictionary(normal)?.entries.get(state) ?? (state === '' && isPlain(file, normal) ? normal : undefined))
}

/** A stream without the entries of a form XObject, and not a dictionary of states. */
const isPlain = (file: PdfFile, normal: PdfValue): boolean => {
  const entries = file.dictionary(normal)?.entries
  return entries === undefined || entries.has('Length') || entries.has('Subtype')
}

export const stateOf = (file: PdfFile, annotation: PdfDictionary): string =>
  nameOf(file.resolve(annotation.entries.get('AS')).value)

/** Undefined if the annotation has no appearance of this state. Default: its own state. */
export function appearanceOf(
  file: PdfFile,
  annotation: PdfDictionary,
  state = stateOf(file, annotation),
): Appearance | undefined {
  const normal = findNormal(file, annotation, state)
  if (normal === undefined) return undefined
  return normal.kind === 'reference' ? paintForm(file, normal.number) : unreadable(remark('appearance_not_a_stream'))
}

/** §12.5.5, algorithm: the box of the appearance is fitted into the rectangle. */
export function placeMarks({ painting, box }: Appearance, rectangle: Rectangle): Mark[] {
  const scaleX = (rectangle.right - rectangle.left) / (box.right - box.left)
  const scaleY = (rectangle.top - rectangle.bottom) / (box.top - box.bottom)
  const x = (value: number) => rectangle.left + (value - box.left) * scaleX
  const y = (value: number) => rectangle.bottom + (value - box.bottom) * scaleY
  const place = (one: Rectangle): Rectangle => ({
    left: x(one.left),
    bottom: y(one.bottom),
    right: x(one.right),
    top: y(one.top),
  })
  return painting.marks.map(mark => {
    const placed = { area: place(mark.area), clip: place(mark.clip) }
    if (mark.kind === 'text') {
      const [start, end] = [mark.start, mark.end].map(([left, bottom]) => [x(left), y(bottom)] as const)
      return { ...mark, ...placed, start: start ?? mark.start, end: end ?? mark.end, size: mark.size * scaleY }
    }
    if (mark.kind !== 'path') return { ...mark, ...placed }
    const parts = mark.parts.map(({ box: part, isCurve }) => ({ box: place(part), isCurve }))
    return { ...mark, ...placed, parts, width: mark.width * Math.sqrt(scaleX * scaleY) }
  })
}

/** True if an annotation has the same appearance, made of the same objects, in both revisions. */
export function sameAppearance(before: PdfFile, after: PdfFile, was: PdfDictionary, is: PdfDictionary): boolean {
  const [old, now] = [findNormal(before, was, stateOf(before, was)), findNormal(after, is, stateOf(after, is))]
  if (old?.kind !== 'reference' || now?.kind !== 'reference') return old === now
  if (old.number !== now.number) return false
  const entries = after.crossReference.entries
  return [...listObjects(before, old.number)].every(([number, entry]) => sameEntry(entry, entries.get(number)))
}
