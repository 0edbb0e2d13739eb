/**
 * Makes the incremental update that adds validation data to a signed file: the document
 * security store (DSS). ISO 32000-2 §12.8.4.3; EN 319 142-1 §5.4.2. It keeps all material of an
 * existing store.
 */
import { createHash } from 'node:crypto'
import { remark } from '../../locales/remarks.ts'
import { readRawStream } from '../parser/content.ts'
import { type LocatedValue, type PdfFile, resolveEntry, resolveWithin } from '../parser/file.ts'
import { decodeStream } from '../parser/stream.ts'
import { EMPTY_DICTIONARY, type PdfDictionary, PdfSyntaxError, type PdfValue } from '../parser/syntax.ts'
import { formatDictionary, formatItems, formatReference, ObjectChanges, type UpdatablePdf, verbatim } from './object-changes.ts'
import { Update } from './update.ts'

/** DER. Each gets a stream of its own. */
export interface DssContent {
  certificates: readonly Uint8Array[]
  ocspResponses: readonly Uint8Array[]
  revocationLists: readonly Uint8Array[]
}

/** The keys of the DSS (table 261) and of a signature's VRI dictionary (table 262). */
const KINDS = [
  { material: 'certificates', dssKey: 'Certs', vriKey: 'Cert' },
  { material: 'ocspResponses', dssKey: 'OCSPs', vriKey: 'OCSP' },
  { material: 'revocationLists', dssKey: 'CRLs', vriKey: 'CRL' },
] as const

/** A revocation list may have several megabytes. */
const MAX_OBJECT_BYTES = 32 * 1024 * 1024
/** Table 261: SHA-1 of the stored /Contents, including the zeros after the CMS or token. */
export function computeVriKey(contents: Uint8Array): string {
  return createHash('sha1').update(contents).digest('hex').toUpperCase()
}

function readDssStream(file: PdfFile, value: PdfValue): Uint8Array {
  const located = file.resolve(value)
  const raw = readRawStream(file, located)
  if (raw === undefined || located.value.kind !== 'dictionary') throw new PdfSyntaxError(remark('dss_entry_not_a_stream'))
  return decodeStream(raw, located.value, MAX_OBJECT_BYTES)
}

/** References to the streams of one kind that the DSS already has, by the SHA-256 of their data. */
function readExisting(file: PdfFile, dss: LocatedValue, key: string): Map<string, string> {
  const array = resolveEntry(file, dss, key)
  const found = new Map<string, string>()
  if (array.value.kind !== 'array') return found
  for (const item of array.value.items)
    found.set(sha256(readDssStream(file, item)), verbatim({ bytes: array.bytes, value: item }))
  return found
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const dictionaryOf = ({ value }: LocatedValue): PdfDictionary => (value.kind === 'dictionary' ? value : EMPTY_DICTIONARY)

const formatArray = (references: Iterable<string>): string => `[${[...references].join(' ')}]`

/** References to the streams of one kind: all in the DSS, and those of the given material. */
interface MaterialReferences {
  kind: (typeof KINDS)[number]
  all: string[]
  given: string[]
  addedCount: number
}

function addMaterial(
  file: PdfFile,
  update: Update,
  dss: LocatedValue,
  kind: MaterialReferences['kind'],
  material: DssContent,
): MaterialReferences {
  const references = readExisting(file, dss, kind.dssKey)
  const countBefore = references.size
  const given = material[kind.material].map(bytes => {
    const hash = sha256(bytes)
    const existing = references.get(hash)
    if (existing !== undefined) return existing
    const number = update.allocate()
    // Not compressed, so that the material can be found in the file without a PDF library.
    update.put(number, `<< /Length ${bytes.length} >>`, bytes)
    references.set(hash, formatReference(number))
    return formatReference(number)
  })
  return { kind, all: [...references.values()], given: [...new Set(given)], addedCount: references.size - countBefore }
}

/** Adds the given material to a signature's VRI dictionary. Undefined if it has all of it. */
function formatVriEntry(file: PdfFile, entry: LocatedValue, references: readonly MaterialReferences[]): string | undefined {
  const changes = new Map<string, string>()
  for (const { kind, given } of references) {
    const existing = formatItems(file, entry, kind.vriKey)
    const others = existing.filter(text => !given.includes(text))
    if (others.length + given.length > existing.length) changes.set(kind.vriKey, formatArray([...others, ...given]))
  }
  return changes.size === 0 ? undefined : formatDictionary(entry.bytes, dictionaryOf(entry), changes)
}

/** /VRI with an entry for each signature. Undefined if nothing changes. */
function formatVri(
  file: PdfFile,
  dss: LocatedValue,
  keys: readonly string[],
  references: readonly MaterialReferences[],
): string | undefined {
  const vri = resolveEntry(file, dss, 'VRI')
  const dictionary = dictionaryOf(vri)
  const changes = new Map<string, string>()
  for (const key of keys) {
    const text = formatVriEntry(file, resolveWithin(file, vri, dictionary.entries.get(key)), references)
    if (text !== undefined) changes.set(key, text)
  }
  return changes.size === 0 ? undefined : formatDictionary(vri.bytes, dictionary, changes)
}

/** Undefined if nothing is new. @throws PdfSyntaxError if DSS or catalog cannot be changed */
export function makeDssUpdate(
  { file, catalog }: UpdatablePdf,
  material: DssContent,
  vriKeys: readonly string[],
  id: Uint8Array,
): Uint8Array | undefined {
  const update = new Update(file, id)
  const dss = resolveEntry(file, catalog.dictionary, 'DSS')
  const references = KINDS.map(kind => addMaterial(file, update, dss, kind, material))
  const vri = formatVri(file, dss, vriKeys, references)
  if (vri === undefined && references.every(({ addedCount }) => addedCount === 0)) return undefined
  const changes = new Map([['Type', '/DSS']])
  if (vri !== undefined) changes.set('VRI', vri)
  for (const { kind, all, addedCount } of references) if (addedCount > 0) changes.set(kind.dssKey, formatArray(all))
  const number = update.allocate()
  update.put(number, formatDictionary(dss.bytes, dictionaryOf(dss), changes))
  const objects = new ObjectChanges()
  objects.add(catalog, new Map([['DSS', formatReference(number)]]))
  objects.writeTo(update)
  return update.finish()
}
