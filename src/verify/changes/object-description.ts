/** What an object of a PDF is to its reader, in words: which page, annotation or form field. Used to say what was changed. ISO 32000-2 §7.7. */
import type { LocatedValue, PdfFile } from '../../pdf/parser/file.ts'
import { readPages, TooManyPagesError } from '../../pdf/parser/page.ts'
import { PdfSyntaxError, type PdfValue, textOf } from '../../pdf/parser/syntax.ts'
import { eachReference } from './object-changes.ts'

type Labels = Map<number, string>

const MAX_FIELDS = 10_000

function name(labels: Labels, value: PdfValue | undefined, label: string): void {
  if (value?.kind === 'reference' && !labels.has(value.number)) labels.set(value.number, label)
}

function nameCatalog(file: PdfFile, labels: Labels): void {
  const { trailer } = file.crossReference
  name(labels, trailer.entries.get('Root'), 'the catalog')
  name(labels, trailer.entries.get('Info'), 'the document information')
  const catalog = file.dictionary(trailer.entries.get('Root'))
  name(labels, catalog?.entries.get('Pages'), 'the page tree')
  name(labels, catalog?.entries.get('AcroForm'), 'the form (AcroForm)')
  for (const [key, value] of catalog?.entries ?? []) name(labels, value, `/${key} of the catalog`)
}

function nameFields(file: PdfFile, labels: Labels): void {
  const form = file.dictionary(file.dictionary(file.crossReference.trailer.entries.get('Root'))?.entries.get('AcroForm'))
  const waiting = [...file.items(form?.entries.get('Fields'))]
  for (let count = 0; waiting.length > 0 && count < MAX_FIELDS; count++) {
    const raw = waiting.pop()
    const field = file.dictionary(raw)
    if (raw?.kind !== 'reference' || field === undefined || labels.has(raw.number)) continue
    name(labels, raw, `the form field "${textOf(file.resolve(field.entries.get('T')).value)}"`)
    name(labels, field.entries.get('V'), `the value of the form field "${textOf(file.resolve(field.entries.get('T')).value)}"`)
    waiting.push(...file.items(field.entries.get('Kids')))
  }
}

function namePages(file: PdfFile, labels: Labels): void {
  const catalog: LocatedValue = file.resolve(file.crossReference.trailer.entries.get('Root'))
  readPages(file, catalog).forEach((page, index) => {
    const place = `page ${index + 1}`
    labels.set(page.number, place)
    if (page.dictionary.value.kind !== 'dictionary') return
    const { entries } = page.dictionary.value
    name(labels, entries.get('Parent'), 'the page tree')
    name(labels, entries.get('Annots'), `the annotations of ${place}`)
    for (const item of file.items(entries.get('Annots'))) {
      name(labels, item, `an annotation of ${place}`)
      const appearance = file.dictionary(item)?.entries.get('AP')
      if (appearance !== undefined)
        eachReference(file.resolve(appearance).value, number => {
          if (!labels.has(number)) labels.set(number, `the appearance of an annotation of ${place}`)
        })
    }
    name(labels, entries.get('Contents'), `the content of ${place}`)
    for (const item of file.items(entries.get('Contents'))) name(labels, item, `the content of ${place}`)
    name(labels, entries.get('Resources'), `the resources of ${place}`)
    for (const value of file.dictionary(page.resources.value)?.entries.values() ?? [])
      eachReference(file.resolve(value).value, number => {
        if (!labels.has(number)) labels.set(number, `something drawn on ${place}`)
      })
  })
}

/** What each object of the file is, as far as the catalog leads to it. */
export function labelObjects(file: PdfFile): ReadonlyMap<number, string> {
  const labels: Labels = new Map()
  for (const naming of [nameCatalog, nameFields, namePages]) {
    try {
      naming(file, labels)
    } catch (error) {
      // The words are for people; what cannot be read keeps its number alone.
      if (!(error instanceof PdfSyntaxError) && !(error instanceof TooManyPagesError)) throw error
    }
  }
  return labels
}
