/**
 * Lays drawings over pages and puts new pages behind the last. ISO 32000-2 §7.7.3, §7.8.2, §8.10.
 * What a page draws itself stays as it is, between a saved and a restored graphics state.
 */

import { decodePageContent, readFilterNames } from '../parser/content.ts'
import { balanceContent } from '../parser/content-balance.ts'
import type { LocatedValue, PdfFile } from '../parser/file.ts'
import { resolveEntry, resolveWithin } from '../parser/file.ts'
import type { Page } from '../parser/page.ts'
import { PdfSyntaxError } from '../parser/syntax.ts'
import { type ImportedDocument, importDocument } from './import-objects.ts'
import type { Edits, UpdatablePdf } from './object-changes.ts'
import { type Changes, changedDictionary, itemTexts, nameText, reference, verbatim } from './serialize.ts'
import type { Update } from './update.ts'

/** The page's resources with one form XObject more, under a name that is free there. */
function resourcesWith(file: PdfFile, resources: LocatedValue, form: number): { text: string; name: string } {
  const known = resolveEntry(file, resources, 'XObject')
  const isKnown = (name: string) => known.value.kind === 'dictionary' && known.value.entries.has(name)
  let name = 'SignetMarks'
  for (let i = 2; isKnown(name); i++) name = `SignetMarks${i}`
  const objects =
    known.value.kind === 'dictionary'
      ? changedDictionary(known.bytes, known.value, new Map([[name, reference(form)]]))
      : `<< ${nameText(name)} ${reference(form)} >>`
  const text =
    resources.value.kind === 'dictionary'
      ? changedDictionary(resources.bytes, resources.value, new Map([['XObject', objects]]))
      : `<< /XObject ${objects} >>`
  return { text, name }
}

/** The page's own content streams, as references. */
function contentReferences(file: PdfFile, { dictionary }: Page): string[] {
  const contents = resolveEntry(file, dictionary, 'Contents')
  if (contents.value.kind === 'array') return itemTexts(file, dictionary, 'Contents')
  const raw = dictionary.value.kind === 'dictionary' ? dictionary.value.entries.get('Contents') : undefined
  const isStream = raw?.kind === 'reference' && contents.value.kind === 'dictionary'
  return isStream ? [verbatim({ bytes: dictionary.bytes, value: raw })] : []
}

function putContent(update: Update, text: string): string {
  const data = Buffer.from(text, 'latin1')
  const number = update.allocate()
  update.put(number, `<< /Length ${data.length} >>`, data)
  return reference(number)
}

/** The form is drawn as an artifact (§14.8.2.2), for it is no part of the document's structure. */
function overlayChanges(file: PdfFile, update: Update, page: Page, form: number): Changes {
  const { text, name } = resourcesWith(file, page.resources, form)
  const { before, after } = balanceContent(decodePageContent(file, page))
  const contents = [
    putContent(update, before),
    ...contentReferences(file, page),
    putContent(update, `${after}/Artifact BMC\nq ${nameText(name)} Do Q\nEMC\n`),
  ]
  return new Map([
    ['Contents', `[${contents.join(' ')}]`],
    ['Resources', text],
  ])
}

/**
 * Reads what a mark on the page would have to change, and throws it away. @throws PdfSyntaxError
 * when a mark could not be laid over it
 */
export function tryOverlay(file: PdfFile, page: Page): void {
  resourcesWith(file, page.resources, 0)
  const contents = resolveEntry(file, page.dictionary, 'Contents')
  const streams =
    contents.value.kind === 'array' ? contents.value.items.map(item => resolveWithin(file, contents, item)) : [contents]
  for (const stream of streams) readFilterNames(file, stream)
}

/** One page per page number (1 is the first), in that page's own user space. */
export interface Overlay {
  bytes: Uint8Array
  pages: readonly number[]
}

/**
 * @throws RangeError when there is no such page; PdfSyntaxError when the page cannot be written
 * anew
 */
export function addOverlay({ file, pages }: UpdatablePdf, update: Update, edits: Edits, overlay: Overlay): void {
  const side = importDocument(overlay.bytes, update)
  overlay.pages.forEach((number, index) => {
    const [page, marks] = [pages[number - 1], side.pages[index]]
    if (page === undefined || marks === undefined) throw new RangeError(`there is no page ${number} to lay marks over`)
    edits.change(page, overlayChanges(file, update, page, side.form(marks)))
  })
}

/**
 * The new pages become a branch of their own at the end of the page tree, so that no other page has
 * to change. How many there are.
 */
export function appendPages({ file, catalog, pages }: UpdatablePdf, update: Update, edits: Edits, bytes: Uint8Array): number {
  const { value } = catalog.dictionary
  const root = value.kind === 'dictionary' ? value.entries.get('Pages') : undefined
  if (root?.kind !== 'reference') throw new PdfSyntaxError('the catalog leads to no page tree')
  const side: ImportedDocument = importDocument(bytes, update)
  const branch = update.allocate()
  const kids = side.pages.map(page => reference(side.page(page, branch)))
  const parent = reference(root.number, root.generation)
  update.put(branch, `<< /Type /Pages /Parent ${parent} /Count ${kids.length} /Kids [${kids.join(' ')}] >>`)
  const dictionary = file.resolve(root)
  const changes = new Map([
    ['Kids', `[${[...itemTexts(file, dictionary, 'Kids'), reference(branch)].join(' ')}]`],
    ['Count', String(pages.length + kids.length)],
  ])
  edits.change({ number: root.number, generation: root.generation, dictionary }, changes)
  return kids.length
}
