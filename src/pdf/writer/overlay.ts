/**
 * Lays drawings over pages and appends pages. ISO 32000-2 §7.7.3, §7.8.2, §8.10. The content of a
 * page stays as it is, between a saved and a restored graphics state.
 */
import type { PercentBox } from '../../core/field/geometry.ts'
import { decodePageContent, readFilterNames, resolveContents } from '../parser/content.ts'
import { balanceContent } from '../parser/content-balance.ts'
import { type LocatedValue, type PdfFile, resolveEntry } from '../parser/file.ts'
import type { Page } from '../parser/page.ts'
import { PdfSyntaxError } from '../parser/syntax.ts'
import { type CoveredWidget, findCoveredWidgets } from './covered-widgets.ts'
import { ImportedDocument } from './import-objects.ts'
import type { ObjectChanges, UpdatablePdf } from './object-changes.ts'
import { type Changes, formatDictionary, formatItems, formatName, formatReference, verbatim } from './serialize.ts'
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
  if (root?.kind !== 'reference') throw new PdfSyntaxError('the catalog has no page tree')
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
