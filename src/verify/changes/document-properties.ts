/**
 * Compares the properties of the document that readers show: the title in the window, others in a
 * dialogue. They are in the information and in the metadata. ISO 32000-2 §14.3.
 */
import { memoizePerObject } from '../../lib/memoize-per-object.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import { readDate } from '../../pdf/parser/signature-fields.ts'
import { type PdfValue, textOf } from '../../pdf/parser/syntax.ts'
import { sameValue, streamBytes } from './object-changes.ts'
import { readCatalog, type UpdateCheck } from './update-check.ts'
import { readXmp, type XmpProperties } from './xmp.ts'

/** Table 349, without the programs and the time of the last change, which each save changes. */
const SHOWN_PROPERTIES = ['Title', 'Author', 'Subject', 'Keywords', 'CreationDate']
const MAX_METADATA_BYTES = 4 * 1024 * 1024
const MAX_SHOWN_TEXT = 500

interface Properties {
  information: ReadonlyMap<string, PdfValue>
  /** Undefined if the metadata cannot be read. */
  metadata: XmpProperties | undefined
}

function readMetadata(file: PdfFile): XmpProperties | undefined {
  const raw = readCatalog(file).catalog.entries.get('Metadata')
  if (raw === undefined) return new Map()
  const bytes = raw.kind === 'reference' ? streamBytes(file, raw.number, MAX_METADATA_BYTES) : undefined
  return bytes && readXmp(bytes)
}

const readProperties = memoizePerObject((file: PdfFile): Properties => {
  const information = file.dictionary(file.crossReference.trailer.entries.get('Info'))?.entries
  const resolved = [...(information ?? [])].map(([key, value]) => [key, file.resolve(value).value] as const)
  return { information: new Map(resolved), metadata: readMetadata(file) }
})

interface Texts {
  information: readonly string[]
  metadata: readonly string[]
}

function textsOf({ information, metadata }: Properties, key: string): Texts {
  const text = textOf(information.get(key))
  return { information: text.trim() === '' ? [] : [text], metadata: metadata?.get(key) ?? [] }
}

/** One form for texts that mean the same: lists have separators, and dates have two notations. */
function comparable(key: string, texts: readonly string[]): string {
  const each = texts.map(text => {
    if (key !== 'CreationDate')
      return text
        .normalize('NFC')
        .replace(/[\s;,"]+/g, ' ')
        .trim()
    const date: PdfValue = { kind: 'string', value: Buffer.from(text, 'latin1'), hex: false, start: 0, end: 0 }
    const at = text.startsWith('D:') ? readDate(date)?.getTime() : Date.parse(text)
    return at === undefined || Number.isNaN(at) ? text : String(at)
  })
  return [...new Set(each)].join(' ')
}

const PLACES = [
  ['information', 'the document information'],
  ['metadata', 'the metadata (XMP)'],
] as const

/** What became of one property: a text where there was none, or another one. */
function compareProperty(update: UpdateCheck, key: string, was: Texts, is: Texts): void {
  const same = (a: readonly string[], b: readonly string[]) => comparable(key, a) === comparable(key, b)
  const [before, after] = [
    [...was.information, ...was.metadata],
    [...is.information, ...is.metadata],
  ]
  if (same(was.information, is.information) && same(was.metadata, is.metadata)) return
  const others = PLACES.filter(([from]) => was[from].length > 0 && !same(was[from], is[from]))
  for (const [, place] of others)
    update.violations.push(`${place} has a different /${key}, which PDF readers show as document properties`)
  // What the other place already says is no change for a reader.
  if (before.length > 0 && same(before, after)) return
  if (others.length === 0 && before.length > 0 && key === 'Title')
    update.violations.push('the document information and the metadata (XMP) name different titles')
  const [old, now] = [before, after].map(texts => [...new Set(texts)].join('; ').slice(0, MAX_SHOWN_TEXT)) as [string, string]
  update.changes.push({ kind: 'property', revision: 0, name: key, before: old, after: now, page: null })
}

/** Properties may be added, and are listed. Those that were signed stay. */
export function checkProperties(update: UpdateCheck): void {
  const { before, after, oldCatalog, newCatalog, changed } = update
  const isTouched = (old: PdfValue | undefined, now: PdfValue | undefined): boolean =>
    !sameValue(old, now) || (now?.kind === 'reference' && changed.has(now.number))
  const [oldInformation, information] = [before, after].map(file => file.crossReference.trailer.entries.get('Info'))
  const hasNewMetadata = isTouched(oldCatalog.entries.get('Metadata'), newCatalog.entries.get('Metadata'))
  if (!hasNewMetadata && !isTouched(oldInformation, information)) return
  const [was, is] = [readProperties(before), readProperties(after)]
  if (hasNewMetadata && is.metadata === undefined) update.violations.push('the metadata (XMP) cannot be read, or not in one way')
  for (const key of SHOWN_PROPERTIES) compareProperty(update, key, textsOf(was, key), textsOf(is, key))
}
