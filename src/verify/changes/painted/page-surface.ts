/** What a page shows before an update, and whether an area on it covers any of that. */
import { joinBytes } from '../../../lib/bytes.ts'
import { memoizePerObject } from '../../../lib/lru-cache.ts'
import { type Remark, remark } from '../../../locales/remarks.ts'
import { IDENTITY } from '../../../pdf/detect/page-content.ts'
import type { PdfFile } from '../../../pdf/parser/file.ts'
import type { Page } from '../../../pdf/parser/page.ts'
import { makeReference, type PdfDictionary, PdfSyntaxError, type PdfValue } from '../../../pdf/parser/syntax.ts'
import { areaOf, intersect, type Rectangle, readRectangle, visibleRectangle } from '../form-fields.ts'
import { nameOf } from '../object-changes.ts'
import { appearanceOf, placeMarks } from './appearance.ts'
import { ContentPainter } from './content-painter.ts'
import { findGap, grow, type Mark, newPainting, type Painting, type PathMark, seenArea, type TextMark, touches } from './marks.ts'
import { contentBytes } from './operations.ts'
import { WRITING_LINE } from './writing-line.ts'

/** Height of the rows by which marks are found. */
const ROW = 24
const MAX_ROWS = 60
const MAX_MARKS = 400_000
/** Of one file: more comparisons of an area with a mark end the check. */
const MAX_COMPARISONS = 20_000_000

export interface OwnedMark {
  mark: Mark
  /** The annotation that shows it; undefined for the content of the page. */
  owner: number | undefined
}

/** Marks by rows, because a page may have many marks and many fields. */
export class MarkIndex {
  readonly #rows = new Map<number, OwnedMark[]>()
  readonly #tall: OwnedMark[] = []
  readonly gaps = new Set<Remark>()
  #count = 0

  add(mark: Mark, owner?: number): void {
    if (++this.#count > MAX_MARKS) return void this.gaps.add(remark('content_too_long'))
    const seen = seenArea(mark)
    if (!(seen.left <= seen.right && seen.bottom <= seen.top)) return
    const [first, last] = [Math.floor(seen.bottom / ROW), Math.floor(seen.top / ROW)]
    if (!(last - first < MAX_ROWS)) return void this.#tall.push({ mark, owner })
    for (let row = first; row <= last; row++) {
      const known = this.#rows.get(row)
      if (known === undefined) this.#rows.set(row, [{ mark, owner }])
      else known.push({ mark, owner })
    }
  }

  *near({ bottom, top }: Rectangle): Generator<OwnedMark> {
    yield* this.#tall
    for (let row = Math.floor(bottom / ROW); row <= Math.floor(top / ROW); row++) yield* this.#rows.get(row) ?? []
  }
}

const LINE_FEED = Uint8Array.of(0x0a)

function paintContent(file: PdfFile, page: Page): Painting {
  const contents = page.dictionary.value.kind === 'dictionary' ? page.dictionary.value.entries.get('Contents') : undefined
  const { value } = file.resolve(contents)
  const streams: readonly PdfValue[] = value.kind === 'array' ? value.items : contents === undefined ? [] : [contents]
  const painter = new ContentPainter(file)
  const parts: Uint8Array[] = []
  for (const stream of streams) {
    if (file.resolve(stream).value.kind === 'null') continue
    const bytes = contentBytes(file, stream)
    if (bytes === undefined) painter.painting.gaps.add(remark('content_unreadable'))
    else parts.push(bytes, LINE_FEED)
  }
  const resources = page.resources.value.kind === 'dictionary' ? page.resources.value : undefined
  painter.paint(joinBytes(parts), resources, IDENTITY, visibleRectangle(page))
  return painter.painting
}

function readContent(file: PdfFile, page: Page): Painting {
  try {
    return paintContent(file, page)
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error
    const painting = newPainting()
    painting.gaps.add(remark('content_unreadable'))
    return painting
  }
}

const contentIndexes = memoizePerObject((_signed: PdfFile) => new Map<number, MarkIndex>())

/** No accepted update changes the content of a page, so it is read from the signed revision. */
function contentIndex(signed: PdfFile, page: Page): MarkIndex {
  const known = contentIndexes(signed)
  const found = known.get(page.number)
  if (found !== undefined) return found
  const index = new MarkIndex()
  const { marks, gaps } = readContent(signed, page)
  for (const mark of marks) index.add(mark)
  for (const gap of gaps) index.gaps.add(gap)
  known.set(page.number, index)
  return index
}

const HIDDEN = 2
/** These show nothing on the page, or nothing without an appearance. */
const SILENT_TYPES = new Set(['Link', 'Popup', 'Highlight'])

/** The annotations of a page in a revision, by object number. */
export function annotationsOf(file: PdfFile, page: number): (readonly [number, PdfDictionary])[] {
  const list = file.items(file.dictionary(makeReference(page))?.entries.get('Annots'))
  return list.flatMap(item => {
    const annotation = item.kind === 'reference' ? file.dictionary(item) : undefined
    return item.kind === 'reference' && annotation !== undefined ? [[item.number, annotation] as const] : []
  })
}

/** The whole rectangle, where it is not known what readers paint in it. */
const anything = (rectangle: Rectangle): Mark => ({
  kind: 'annotation',
  area: grow(rectangle, -1),
  clip: rectangle,
  ink: 'unknown',
  isOpaque: true,
  isMultiplied: false,
  isFaint: false,
  isCut: false,
})

/** Without an appearance stream, some readers draw the annotation themselves. */
function isDrawnByReaders(file: PdfFile, annotation: PdfDictionary): boolean {
  const type = nameOf(file.resolve(annotation.entries.get('Subtype')).value)
  if (type !== 'Widget') return !SILENT_TYPES.has(type)
  return hasValue(file, annotation) || hasValue(file, file.dictionary(annotation.entries.get('Parent')))
}

function hasValue(file: PdfFile, field: PdfDictionary | undefined): boolean {
  const { value } = file.resolve(field?.entries.get('V'))
  if (value.kind === 'string') return value.value.length > 0
  return value.kind === 'array' ? value.items.length > 0 : value.kind === 'name' && value.value !== 'Off'
}

function annotationMarks(file: PdfFile, annotation: PdfDictionary, rectangle: Rectangle): Mark[] {
  const appearance = appearanceOf(file, annotation)
  if (appearance === undefined) return isDrawnByReaders(file, annotation) ? [anything(rectangle)] : []
  if (findGap(appearance.painting) !== undefined) return [anything(rectangle)]
  // Later updates can bring a font and what it says of its glyphs; that of the page was signed.
  return placeMarks(appearance, rectangle).map(mark => (mark.kind === 'text' ? { ...mark, isLine: false } : mark))
}

const annotationIndexes = memoizePerObject((_file: PdfFile) => new Map<number, MarkIndex>())

function annotationIndex(file: PdfFile, page: number): MarkIndex {
  const known = annotationIndexes(file)
  const found = known.get(page)
  if (found !== undefined) return found
  const index = new MarkIndex()
  for (const [number, annotation] of annotationsOf(file, page)) {
    const rectangle = readRectangle(file, annotation.entries.get('Rect'))
    const flags = file.resolve(annotation.entries.get('F')).value
    const isHidden = flags.kind === 'number' && (flags.value & HIDDEN) !== 0
    if (rectangle === undefined || areaOf(rectangle) === 0 || isHidden) continue
    for (const mark of annotationMarks(file, annotation, rectangle)) index.add(mark, number)
  }
  known.set(page, index)
  return index
}

/** One dash or two before a number make it negative. */
const MINUS = /^\s*[-–—]{1,2}\s*$/u

/** Writing lines, which say nothing themselves. */
export const isBlankText = ({ text, doubt, isLine }: TextMark): boolean =>
  doubt === undefined && text !== undefined ? WRITING_LINE.test(text) && !MINUS.test(text) : isLine

/** Parts of a text's height and of an area's width by which marks touch without being covered. */
const [TEXT_OVERLAP, SPAN] = [0.15, 0.9]
const EDGE = 3

function coversText(area: Rectangle, mark: TextMark): boolean {
  if (isBlankText(mark)) return false
  const covered = intersect(area, seenArea(mark))
  const height = mark.area.top - mark.area.bottom
  return covered.right - covered.left > 0.5 && covered.top - covered.bottom > TEXT_OVERLAP * height
}

/** A line across the whole area, on which the value is written, is no content. */
function isAcross(area: Rectangle, box: Rectangle): boolean {
  const width = area.right - area.left
  const shared = intersect(area, box)
  return box.top - box.bottom <= EDGE && shared.right - shared.left >= SPAN * width
}

/** Inside a filled path is one colour: only its outline shows something. */
function coversPath(area: Rectangle, mark: PathMark): boolean {
  const edge = Math.min(EDGE, 0.2 * Math.min(area.right - area.left, area.top - area.bottom))
  const inside = grow(area, -edge)
  if (isAcross(area, grow(mark.area, mark.width / 2))) return false
  return mark.parts.some(({ box, isCurve }) => {
    const seen = intersect(grow(box, mark.width / 2), mark.clip)
    return seen.left <= seen.right && seen.bottom <= seen.top && touches(seen, inside) && (isCurve || !isAcross(area, seen))
  })
}

function isCovered(area: Rectangle, mark: Mark): boolean {
  if (mark.kind === 'text') return coversText(area, mark)
  if (mark.kind === 'path') return coversPath(area, mark)
  return areaOf(intersect(grow(area, -1), seenArea(mark))) > 0
}

/** A page, in the signed revision and in the one before an update. */
export interface Surface {
  signed: PdfFile
  before: PdfFile
  page: Page
  /** What the update itself has added so far. */
  added: MarkIndex
}

const comparisons = memoizePerObject<object, { count: number }>(() => ({ count: 0 }))

/** What the page shows near an area, without what `own` annotations show. */
export function* marksNear(
  { signed, before, page, added }: Surface,
  area: Rectangle,
  own: ReadonlySet<number>,
): Generator<OwnedMark> {
  for (const index of [contentIndex(signed, page), annotationIndex(before, page.number), added]) {
    for (const found of index.near(area)) if (found.owner === undefined || !own.has(found.owner)) yield found
  }
}

const WORDS: Record<Mark['kind'], Remark> = {
  text: remark('covered_text'),
  path: remark('covered_path'),
  image: remark('covered_image'),
  shading: remark('covered_shading'),
  pattern: remark('covered_pattern'),
  annotation: remark('covered_annotation'),
}

/** Adds an area of `owner` to what the page shows, less an edge that neighbours may share. */
export function addArea({ added }: Surface, area: Rectangle, owner: number): void {
  added.add(
    {
      kind: 'annotation',
      area: grow(area, -EDGE),
      clip: area,
      ink: 'unknown',
      isOpaque: true,
      isMultiplied: false,
      isFaint: false,
      isCut: false,
    },
    owner,
  )
}

/** What an area covers; a phrase. Undefined if nothing that the page shows. */
export function findCovered(surface: Surface, area: Rectangle, own: ReadonlySet<number>): Remark | undefined {
  const visible = intersect(area, visibleRectangle(surface.page))
  if (areaOf(visible) === 0) return undefined
  const { signed, before, page } = surface
  const [gap] = [...contentIndex(signed, page).gaps, ...annotationIndex(before, page.number).gaps]
  if (gap !== undefined) return remark('covered_unreadable', { why: gap })
  const budget = comparisons(signed.sharedKey)
  for (const { mark } of marksNear(surface, visible, own)) {
    if (++budget.count > MAX_COMPARISONS) return remark('covered_uncompared')
    if (isCovered(visible, mark)) return WORDS[mark.kind]
  }
  return undefined
}
