/**
 * Lays drawings over pages and appends pages. ISO 32000-2 §7.7.3, §7.8.2, §8.10. The content of a
 * page stays as it is, between a saved and a restored graphics state.
 */
import { displayedSize, displayMatrix, type PageBox, type PercentBox } from '../../core/field/geometry.ts'
import { remark } from '../../locales/remarks.ts'
import { decodePageContent, readFilterNames, resolveContents } from '../parser/content.ts'
import { balanceContent } from '../parser/content-balance.ts'
import { type LocatedValue, type PdfFile, resolveEntry, resolveItems } from '../parser/file.ts'
import type { Page } from '../parser/page.ts'
import { PdfSyntaxError, type PdfValue } from '../parser/syntax.ts'
import { ImportedDocument } from './import-objects.ts'
import {
  type Changes,
  type DictionaryObject,
  formatDictionary,
  formatItems,
  formatName,
  formatNumber,
  formatReference,
  type ObjectChanges,
  type UpdatablePdf,
  verbatim,
} from './object-changes.ts'
import type { Update } from './update.ts'

/** Adds form XObjects by their references. Returns their names in the same order. */
function addToResources(
  file: PdfFile,
  resources: LocatedValue,
  references: readonly string[],
): { text: string; names: string[] } {
  const known = resolveEntry(file, resources, 'XObject')
  const isKnown = (name: string) => known.value.kind === 'dictionary' && known.value.entries.has(name)
  const names: string[] = []
  for (let i = 1; names.length < references.length; i++) {
    const name = i === 1 ? 'SignetMarks' : `SignetMarks${i}`
    if (!isKnown(name)) names.push(name)
  }
  const added = new Map(names.map((name, i) => [name, references[i] ?? '']))
  const objects =
    known.value.kind === 'dictionary'
      ? formatDictionary(known.bytes, known.value, added)
      : `<< ${[...added].map(([name, reference]) => `${formatName(name)} ${reference}`).join(' ')} >>`
  const text =
    resources.value.kind === 'dictionary'
      ? formatDictionary(resources.bytes, resources.value, new Map([['XObject', objects]]))
      : `<< /XObject ${objects} >>`
  return { text, names }
}

function contentReferences(file: PdfFile, { dictionary }: Page): string[] {
  const contents = resolveEntry(file, dictionary, 'Contents')
  if (contents.value.kind === 'array') return formatItems(file, dictionary, 'Contents')
  const raw = dictionary.value.kind === 'dictionary' ? dictionary.value.entries.get('Contents') : undefined
  const isStream = raw?.kind === 'reference' && contents.value.kind === 'dictionary'
  return isStream ? [verbatim({ bytes: dictionary.bytes, value: raw })] : []
}

function putContent(update: Update, text: string): string {
  const data = Buffer.from(text, 'latin1')
  const number = update.allocate()
  update.put(number, `<< /Length ${data.length} >>`, data)
  return formatReference(number)
}

/** As an artifact (§14.8.2.2): it is not part of the document's structure. */
function overlayChanges(file: PdfFile, update: Update, page: Page, form: number, widgets: readonly CoveredWidget[]): Changes {
  const below = widgets.flatMap(({ appearance }) => appearance ?? [])
  const { text, names } = addToResources(file, page.resources, [
    formatReference(form),
    ...below.map(({ reference }) => reference),
  ])
  const [name = '', ...belowNames] = names
  const drawn = below.map(({ matrix }, i) => `q ${matrix} cm ${formatName(belowNames[i] ?? '')} Do Q\n`).join('')
  const { before, after } = balanceContent(decodePageContent(file, page))
  const contents = [
    putContent(update, before),
    ...contentReferences(file, page),
    putContent(update, `${after}${drawn}/Artifact BMC\nq ${formatName(name)} Do Q\nEMC\n`),
  ]
  return new Map([
    ['Contents', `[${contents.join(' ')}]`],
    ['Resources', text],
  ])
}

/** Checks that an overlay can be laid over the page. @throws PdfSyntaxError */
export function checkOverlay(file: PdfFile, page: Page): void {
  addToResources(file, page.resources, [formatReference(0)])
  for (const stream of resolveContents(file, page)) readFilterNames(file, stream)
}

/** A PDF with one page per page number (1 is the first), in the user space of that page. */
export interface Overlay {
  bytes: Uint8Array
  pages: readonly number[]
  /** The fields of each page: form widgets below them are hidden, since they would cover them. */
  fields: readonly (readonly PercentBox[])[]
}

/** @throws RangeError if there is no such page; PdfSyntaxError if the page cannot be rewritten */
export function addOverlay({ file, pages }: UpdatablePdf, update: Update, changes: ObjectChanges, overlay: Overlay): void {
  const imported = new ImportedDocument(overlay.bytes, update)
  overlay.pages.forEach((number, index) => {
    const [page, drawing] = [pages[number - 1], imported.pages[index]]
    if (page === undefined || drawing === undefined) throw new RangeError(`there is no page ${number} to draw on`)
    const widgets = findCoveredWidgets(file, page, overlay.fields[index] ?? [])
    for (const { object, flags } of widgets) changes.add(object, new Map([['F', String(flags)]]))
    changes.add(page, overlayChanges(file, update, page, imported.putForm(drawing), widgets))
  })
}

/** Adds a branch to the page tree, so that no page changes. Returns the number of pages. */
export function appendPages(
  { file, catalog, pages }: UpdatablePdf,
  update: Update,
  changes: ObjectChanges,
  bytes: Uint8Array,
): number {
  const { value } = catalog.dictionary
  const root = value.kind === 'dictionary' ? value.entries.get('Pages') : undefined
  if (root?.kind !== 'reference') throw new PdfSyntaxError(remark('page_tree_missing'))
  const imported = new ImportedDocument(bytes, update)
  const branch = update.allocate()
  const kids = imported.pages.map(page => formatReference(imported.putPage(page, branch)))
  const parent = formatReference(root.number, root.generation)
  update.put(branch, `<< /Type /Pages /Parent ${parent} /Count ${kids.length} /Kids [${kids.join(' ')}] >>`)
  const dictionary = file.resolve(root)
  const rootChanges = new Map([
    ['Kids', `[${[...formatItems(file, dictionary, 'Kids'), formatReference(branch)].join(' ')}]`],
    ['Count', String(pages.length + kids.length)],
  ])
  changes.add({ number: root.number, generation: root.generation, dictionary }, rootChanges)
  return kids.length
}

// Finds form widgets below the fields of an overlay. Readers draw annotations over the page: such a
// widget would hide the field, so its appearance is drawn into the page and it is hidden instead.
// ISO 32000-2 §12.5.5.

interface CoveredWidget {
  object: DictionaryObject
  /** The new value of /F. */
  flags: number
  /** Absent for a widget that shows nothing. */
  appearance: { reference: string; matrix: string } | undefined
}

interface Rectangle {
  left: number
  bottom: number
  right: number
  top: number
}

/** §12.5.3. */
const HIDDEN = 2
const NO_VIEW = 32
const MAX_DEPTH = 50
/** pt. Boxes that only touch cover nothing. */
const MIN_OVERLAP = 1

function findCoveredWidgets(file: PdfFile, page: Page, fields: readonly PercentBox[]): CoveredWidget[] {
  const areas = fields.map(field => toUserSpace(field, page.box))
  const annotations = resolveItems(file, resolveEntry(file, page.dictionary, 'Annots'))
  return annotations.flatMap(({ raw, located }) => {
    if (raw.kind !== 'reference' || nameOf(file, located, 'Subtype') !== 'Widget') return []
    const flags = numberOf(resolveEntry(file, located, 'F').value) ?? 0
    const rectangle = readRectangle(file, located, 'Rect')
    if ((flags & (HIDDEN | NO_VIEW)) !== 0 || rectangle === undefined) return []
    if (!areas.some(area => overlaps(area, rectangle))) return []
    const object = { number: raw.number, generation: raw.generation, dictionary: located }
    return [{ object, flags: flags | HIDDEN, appearance: appearanceOf(file, located, rectangle) }]
  })
}

/** An empty signature field may show "Sign here": that ends with the signature. */
function appearanceOf(file: PdfFile, widget: LocatedValue, rectangle: Rectangle): CoveredWidget['appearance'] {
  if (fieldType(file, widget) === 'Sig') return undefined
  const normal = resolveEntry(file, resolveEntry(file, widget, 'AP'), 'N')
  const appearances = resolveEntry(file, widget, 'AP').value
  const own = appearances.kind === 'dictionary' ? appearances.entries.get('N') : undefined
  const state = normal.value.kind === 'dictionary' ? normal.value.entries.get(nameOf(file, widget, 'AS') ?? 'Off') : undefined
  const isForm = (raw: PdfValue | undefined) =>
    raw?.kind === 'reference' && readRectangle(file, file.resolve(raw), 'BBox') !== undefined
  const raw = isForm(own) ? own : state
  if (raw?.kind !== 'reference' || !isForm(raw)) return undefined
  const matrix = fittingMatrix(file, file.resolve(raw), rectangle)
  return matrix === undefined ? undefined : { reference: formatReference(raw.number, raw.generation), matrix }
}

/** Algorithm "appearance streams": the transformed bounding box is fitted to the rectangle. */
function fittingMatrix(file: PdfFile, form: LocatedValue, rectangle: Rectangle): string | undefined {
  const box = readRectangle(file, form, 'BBox')
  if (box === undefined) return undefined
  const numbers = numbersOf(file, form, 'Matrix')
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers.length === 6 ? numbers : []
  const corners = [box.left, box.right].flatMap(x =>
    [box.bottom, box.top].map(y => [a * x + c * y + e, b * x + d * y + f] as const),
  )
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - bottom]
  if (!(width > 0 && height > 0)) return undefined
  const [sx, sy] = [(rectangle.right - rectangle.left) / width, (rectangle.top - rectangle.bottom) / height]
  return [sx, 0, 0, sy, rectangle.left - sx * left, rectangle.bottom - sy * bottom].map(formatNumber).join(' ')
}

/** §12.7.4.1: inherited. */
function fieldType(file: PdfFile, widget: LocatedValue): string | undefined {
  let node = widget
  for (let depth = 0; node.value.kind === 'dictionary' && depth < MAX_DEPTH; depth++) {
    const type = nameOf(file, node, 'FT')
    if (type !== undefined) return type
    node = resolveEntry(file, node, 'Parent')
  }
  return undefined
}

function toUserSpace({ x, y, width, height }: PercentBox, box: PageBox): Rectangle {
  const shown = displayedSize(box)
  const { userUnit } = box
  const [a, b, c, d, e, f] = displayMatrix(box)
  // The matrix only turns, scales and moves: its inverse is its transpose, scaled.
  const toPage = (px: number, py: number): [number, number] => {
    const [dx, dy] = [px - e, py - f]
    const scale = 1 / (userUnit * userUnit)
    return [(a * dx + b * dy) * scale, (c * dx + d * dy) * scale]
  }
  const at = (percent: number, length: number) => (percent / 100) * length * userUnit
  const [x1, y1] = toPage(at(x, shown.width), at(y, shown.height))
  const [x2, y2] = toPage(at(x + width, shown.width), at(y + height, shown.height))
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) }
}

function overlaps(a: Rectangle, b: Rectangle): boolean {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const height = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom)
  return width > MIN_OVERLAP && height > MIN_OVERLAP
}

function readRectangle(file: PdfFile, container: LocatedValue, key: string): Rectangle | undefined {
  const [x1 = Number.NaN, y1 = Number.NaN, x2 = Number.NaN, y2 = Number.NaN] = numbersOf(file, container, key)
  const rectangle = { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) }
  return rectangle.right > rectangle.left && rectangle.top > rectangle.bottom ? rectangle : undefined
}

function numbersOf(file: PdfFile, container: LocatedValue, key: string): number[] {
  return resolveItems(file, resolveEntry(file, container, key)).map(({ located }) => numberOf(located.value) ?? Number.NaN)
}

const numberOf = (value: PdfValue): number | undefined => (value.kind === 'number' ? value.value : undefined)

function nameOf(file: PdfFile, container: LocatedValue, key: string): string | undefined {
  const { value } = resolveEntry(file, container, key)
  return value.kind === 'name' ? value.value : undefined
}
