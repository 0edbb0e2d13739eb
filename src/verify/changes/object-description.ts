/** Names the page, annotation or form field of an object for people. ISO 32000-2 §7.7. */
import type { LocatedValue, PdfFile } from '../../pdf/parser/file.ts'
import { type Page, readPages, TooManyPagesError } from '../../pdf/parser/page.ts'
import { PdfSyntaxError, type PdfValue, textOf } from '../../pdf/parser/syntax.ts'
import { eachReference } from './object-changes.ts'

type Labels = Map<number, string>

const MAX_FIELDS = 10_000

/** The first label of an object stays. */
function setLabel(labels: Labels, value: PdfValue | undefined, label: string): void {
  if (value?.kind === 'reference' && !labels.has(value.number)) labels.set(value.number, label)
}

function labelReferences(labels: Labels, value: PdfValue, label: string): void {
  eachReference(value, number => {
    if (!labels.has(number)) labels.set(number, label)
  })
}

function labelCatalog(file: PdfFile, labels: Labels): void {
  const { trailer } = file.crossReference
  setLabel(labels, trailer.entries.get('Root'), 'the catalog')
  setLabel(labels, trailer.entries.get('Info'), 'the document information')
  const catalog = file.dictionary(trailer.entries.get('Root'))
  setLabel(labels, catalog?.entries.get('Pages'), 'the page tree')
  setLabel(labels, catalog?.entries.get('AcroForm'), 'the form (AcroForm)')
  for (const [key, value] of catalog?.entries ?? []) setLabel(labels, value, `/${key} of the catalog`)
}

function labelFields(file: PdfFile, labels: Labels): void {
  const form = file.dictionary(file.dictionary(file.crossReference.trailer.entries.get('Root'))?.entries.get('AcroForm'))
  const waiting = [...file.items(form?.entries.get('Fields'))]
  for (let count = 0; waiting.length > 0 && count < MAX_FIELDS; count++) {
    const raw = waiting.pop()
    const field = file.dictionary(raw)
    if (raw?.kind !== 'reference' || field === undefined || labels.has(raw.number)) continue
    const name = textOf(file.resolve(field.entries.get('T')).value)
    setLabel(labels, raw, `the form field "${name}"`)
    setLabel(labels, field.entries.get('V'), `the value of the form field "${name}"`)
    waiting.push(...file.items(field.entries.get('Kids')))
  }
}

function labelPage(file: PdfFile, labels: Labels, page: Page, name: string): void {
  labels.set(page.number, name)
  if (page.dictionary.value.kind !== 'dictionary') return
  const { entries } = page.dictionary.value
  setLabel(labels, entries.get('Parent'), 'the page tree')
  setLabel(labels, entries.get('Annots'), `the annotations of ${name}`)
  for (const item of file.items(entries.get('Annots'))) {
    setLabel(labels, item, `an annotation of ${name}`)
    const appearance = file.dictionary(item)?.entries.get('AP')
    if (appearance !== undefined)
      labelReferences(labels, file.resolve(appearance).value, `the appearance of an annotation of ${name}`)
  }
  for (const item of [entries.get('Contents'), ...file.items(entries.get('Contents'))])
    setLabel(labels, item, `the content of ${name}`)
  setLabel(labels, entries.get('Resources'), `the resources of ${name}`)
  for (const value of file.dictionary(page.resources.value)?.entries.values() ?? [])
    labelReferences(labels, file.resolve(value).value, `something drawn on ${name}`)
}

function labelPages(file: PdfFile, labels: Labels): void {
  const catalog: LocatedValue = file.resolve(file.crossReference.trailer.entries.get('Root'))
  readPages(file, catalog).forEach((page, index) => {
    labelPage(file, labels, page, `page ${index + 1}`)
  })
}

/** The description of each object that can be reached from the catalog. */
export function labelObjects(file: PdfFile): ReadonlyMap<number, string> {
  const labels: Labels = new Map()
  for (const label of [labelCatalog, labelFields, labelPages]) {
    try {
      label(file, labels)
    } catch (error) {
      // Labels are only for people: without one, the report gives the object's number alone.
      if (!(error instanceof PdfSyntaxError) && !(error instanceof TooManyPagesError)) throw error
    }
  }
  return labels
}
