/** Checks changes of trailer, catalog, DSS and metadata. ISO 32000-2 §12.8.4.3, §14.3. */
import { fromLatin1 } from '../../lib/bytes.ts'
import { memoizePerObject } from '../../lib/lru-cache.ts'
import { remark } from '../../locales/remarks.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import { readDate } from '../../pdf/parser/signature-fields.ts'
import { type PdfValue, textOf } from '../../pdf/parser/syntax.ts'
import { type DssObjectKind, readDssStructure } from './dss.ts'
import { differingKeys, isStream, nameOf, readObject, refersTo, sameObject, sameValue, streamBytes } from './object-changes.ts'
import { acceptStructureTree } from './structure-tree.ts'
import { readCatalog, type UpdateCheck } from './update-check.ts'
import { readXmp, type XmpProperties } from './xmp.ts'

/** Accepts the cross-reference streams and object streams of the update. */
export function acceptLayout(update: UpdateCheck): void {
  const { after, before, pending } = update
  const { entries, newestSection } = after.crossReference
  const containers = new Set<number>()
  for (const number of update.changed) {
    const entry = entries.get(number)
    if (entry?.kind === 'compressed') containers.add(entry.stream)
  }
  for (const number of [...pending]) {
    const entry = entries.get(number)
    if (entry?.kind !== 'offset' || before.crossReference.entries.has(number)) continue
    const value = readObject(after, number)
    const isSection =
      entry.offset === newestSection.offset && value?.kind === 'dictionary' && nameOf(value.entries.get('Type')) === 'XRef'
    // The signed revision must not refer to it: its data could have another meaning there.
    if (isSection || containers.has(number)) update.acceptNew(number)
  }
}

export function checkTrailer(update: UpdateCheck): void {
  const { before, after, violations, permission } = update
  const [old, now] = [before.crossReference.trailer, after.crossReference.trailer]
  const differing = differingKeys(old, now)
  const encryption = now.entries.get('Encrypt')
  const isReplaced = encryption?.kind === 'reference' && update.changed.has(encryption.number)
  if (differing.includes('Encrypt') || isReplaced) violations.push(remark('other_encryption'))
  // PDF readers disagree on whether the table or the stream counts.
  const isHidden = after.crossReference.newestHidden.some(
    number => (before.crossReference.entries.get(number)?.kind ?? 'free') !== 'free',
  )
  if (isHidden || (now.entries.has('XRefStm') && permission === 1)) violations.push(remark('hybrid_update'))
  if (permission !== 1) checkInformation(update, old.entries.get('Info'), now.entries.get('Info'))
  else if (differing.includes('Info')) violations.push(DIFFERENT_INFORMATION)
}

const DIFFERENT_INFORMATION = remark('other_information')

/** §14.3.3: its object. What it says is compared with the metadata (`document-properties.ts`). */
function checkInformation(update: UpdateCheck, oldRaw: PdfValue | undefined, newRaw: PdfValue | undefined): void {
  const isTouched = newRaw?.kind === 'reference' && update.changed.has(newRaw.number)
  if (sameValue(oldRaw, newRaw) && !isTouched) return
  const [old, now] = [update.before.dictionary(oldRaw), update.after.dictionary(newRaw)]
  if (newRaw?.kind !== 'reference' || now === undefined) return void update.violations.push(DIFFERENT_INFORMATION)
  const keys = differingKeys(old ?? { ...now, entries: new Map(), duplicateKeys: [] }, now)
  const isOwn = update.referrers(newRaw.number).length === 0
  if (isTouched && isOwn) update.accept(newRaw.number)
  else if (isTouched || update.before.crossReference.entries.has(newRaw.number)) update.violations.push(DIFFERENT_INFORMATION)
  if (keys.length > 0) update.additions.push(remark('changed_information', { keys: keys.map(key => `/${key}`) }))
}

/** §7.12: declared extensions of the format do not change what is shown. */
function checkExtensions(update: UpdateCheck): void {
  const value = update.newCatalog.entries.get('Extensions')
  const old = update.oldCatalog.entries.get('Extensions')
  const number = value?.kind === 'reference' && sameValue(old, value) ? value.number : undefined
  const isTouched = number !== undefined && update.changed.has(number)
  if (sameValue(old, value) && !isTouched) return
  const [was, is] = [update.before.dictionary(old), update.after.dictionary(value)]
  if (is === undefined || (value?.kind === 'reference' && update.permission === 1))
    return void update.violations.push(remark('catalog_differs', { keys: ['/Extensions'] }))
  const isKept = was === undefined || [...was.entries.keys()].every(key => is.entries.has(key))
  // What else refers to the object could mean something else by it.
  const isNamedTwice = [...update.newCatalog.entries].some(
    ([key, item]) => key !== 'Extensions' && refersTo(item, one => one === number),
  )
  const isOwn = number === undefined || (!isNamedTwice && update.referrers(number).every(one => update.roots.includes(one)))
  if (refersTo(is, () => true) || !isKept || !isOwn)
    return void update.violations.push(remark('catalog_differs', { keys: ['/Extensions'] }))
  if (number !== undefined) update.accept(number)
}

/** §7.7.2: the version of the format may only increase. */
function checkVersion({ oldCatalog, newCatalog, violations }: UpdateCheck): void {
  const [old, now] = [oldCatalog, newCatalog].map(catalog => nameOf(catalog.entries.get('Version')))
  if (!/^\d\.\d$/.test(now ?? '') || (now ?? '') < (old ?? '')) violations.push(remark('catalog_differs', { keys: ['/Version'] }))
}

/** §14.3.2: the stream of the metadata. */
function checkMetadata(update: UpdateCheck): void {
  const [oldRaw, newRaw] = [update.oldCatalog.entries.get('Metadata'), update.newCatalog.entries.get('Metadata')]
  if (newRaw?.kind !== 'reference') {
    if (!sameValue(oldRaw, newRaw)) update.violations.push(remark('catalog_differs', { keys: ['/Metadata'] }))
    return
  }
  const isSame = oldRaw?.kind === 'reference' && oldRaw.number === newRaw.number
  if (isSame && !update.changed.has(newRaw.number)) return
  const number = newRaw.number
  const value = readObject(update.after, number)
  const type = value?.kind === 'dictionary' ? nameOf(value.entries.get('Subtype')) : ''
  const isOwn = isSame ? update.referrers(number).every(one => update.roots.includes(one)) : update.isNew(number)
  if (type !== 'XML' || !isStream(update.after, number) || !isOwn)
    return void update.violations.push(remark('catalog_differs', { keys: ['/Metadata'] }))
  update.accept(number)
  update.additions.push(remark('changed_metadata'))
}

/** Keys of the catalog with their own checks. */
const STRICT_KEYS = ['DSS', 'Extensions', 'AcroForm']
/** §14.5: no PDF reader shows page-piece dictionaries, the data of one application. */
const ALLOWED_KEYS = [...STRICT_KEYS, 'Metadata', 'Version', 'PieceInfo', 'StructTreeRoot']

export function checkCatalog(update: UpdateCheck): void {
  const keys = differingKeys(update.oldCatalog, update.newCatalog)
  const allowed = update.permission === 1 ? STRICT_KEYS : ALLOWED_KEYS
  const others = keys.filter(key => !allowed.includes(key))
  for (const key of update.newCatalog.duplicateKeys) update.violations.push(remark('catalog_key_added_twice', { key }))
  if (others.length === 0) update.accept(update.root)
  else update.violations.push(remark('catalog_differs', { keys: others.map(key => `/${key}`) }))
  checkExtensions(update)
  if (update.permission === 1) return
  if (keys.includes('Version')) checkVersion(update)
  if (!acceptStructureTree(update)) update.violations.push(remark('catalog_differs', { keys: ['/StructTreeRoot'] }))
  checkMetadata(update)
  checkProperties(update)
}

/** A stream object whose dictionary contains only entries for its decoding. */
function isPlainStream(update: UpdateCheck, number: number): boolean {
  const value = readObject(update.after, number)
  if (value?.kind !== 'dictionary') return false
  for (const [key, item] of value.entries) {
    if (!['Length', 'Filter', 'DecodeParms', 'Type'].includes(key)) return false
    if (item.kind === 'reference' && !(key === 'Length' && update.acceptNew(item.number))) return false
  }
  return value.duplicateKeys.length === 0 && isStream(update.after, number)
}

/** Accepts new objects of the DSS. Returns their number by kind. */
function acceptDssObjects(update: UpdateCheck, leaves: ReadonlyMap<number, DssObjectKind>): Map<DssObjectKind, number> {
  const added = new Map<DssObjectKind, number>()
  for (const [number, kind] of leaves) {
    if (!update.changed.has(number)) continue
    if (!isPlainStream(update, number)) update.violations.push(remark('dss_stream_not_plain', { number }))
    else if (update.acceptNew(number)) added.set(kind, (added.get(kind) ?? 0) + 1)
  }
  return added
}

/** The DSS may grow. Its containers may be replaced if nothing else refers to them. */
export function checkDssChanges(update: UpdateCheck): void {
  const structure = readDssStructure(update.after, update.newCatalog)
  const old = readDssStructure(update.before, update.oldCatalog)
  const isTouched = [...structure.containers, ...structure.leaves.keys()].some(number => update.changed.has(number))
  if (!isTouched && !differingKeys(update.oldCatalog, update.newCatalog).includes('DSS')) return
  update.violations.push(...structure.errors)
  for (const number of structure.containers) {
    if (!update.changed.has(number)) continue
    const isReplaced = old.containers.has(number) && update.referrers(number).length === 0
    if (isReplaced) update.accept(number)
    else update.acceptNew(number)
  }
  const counts = [...acceptDssObjects(update, structure.leaves)].map(([kind, count]) => remark(kind, { count }))
  update.additions.push(counts.length === 0 ? remark('added_dss_without_objects') : remark('added_dss', { counts }))
}

/** Accepts unchanged and unreferenced objects: each object that could show them is checked. */
export function acceptUnreferenced(update: UpdateCheck): void {
  if (update.permission === 1) return
  for (const number of [...update.pending]) {
    if (update.isNew(number) || sameObject(update.before, update.after, number) || isOnlyBranded(update, number))
      update.accept(number)
  }
}

/** iText writes its name into the page tree (/ITXT). No PDF reader uses it. */
function isOnlyBranded(update: UpdateCheck, number: number): boolean {
  const pair = update.dictionaries(number)
  if (pair === undefined || nameOf(pair.is.entries.get('Type')) !== 'Pages') return false
  const name = pair.is.entries.get('ITXT')
  return differingKeys(pair.was, pair.is).join() === 'ITXT' && (name?.kind === 'string' || name?.kind === 'name')
}

// Compares the properties of the document that readers show: the title in the window, others in a
// dialogue. They are in the information and in the metadata. ISO 32000-2 §14.3.

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
    const date: PdfValue = { kind: 'string', value: fromLatin1(text), hex: false, start: 0, end: 0 }
    const at = text.startsWith('D:') ? readDate(date)?.getTime() : Date.parse(text)
    return at === undefined || Number.isNaN(at) ? text : String(at)
  })
  return [...new Set(each)].join(' ')
}

const PLACES = [
  ['information', 'information_differs'],
  ['metadata', 'metadata_differs'],
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
  for (const [, code] of others) update.violations.push(remark(code, { key }))
  // What the other place already says is no change for a reader.
  if (before.length > 0 && same(before, after)) return
  if (others.length === 0 && before.length > 0 && key === 'Title') update.violations.push(remark('titles_differ'))
  const [old, now] = [before, after].map(texts => [...new Set(texts)].join('; ').slice(0, MAX_SHOWN_TEXT)) as [string, string]
  update.changes.push({ kind: 'property', revision: 0, name: key, before: old, after: now, page: null })
}

/** Properties may be added, and are listed. Those that were signed stay. */
function checkProperties(update: UpdateCheck): void {
  const { before, after, oldCatalog, newCatalog, changed } = update
  const isTouched = (old: PdfValue | undefined, now: PdfValue | undefined): boolean =>
    !sameValue(old, now) || (now?.kind === 'reference' && changed.has(now.number))
  const [oldInformation, information] = [before, after].map(file => file.crossReference.trailer.entries.get('Info'))
  const hasNewMetadata = isTouched(oldCatalog.entries.get('Metadata'), newCatalog.entries.get('Metadata'))
  if (!hasNewMetadata && !isTouched(oldInformation, information)) return
  const [was, is] = [readProperties(before), readProperties(after)]
  if (hasNewMetadata && is.metadata === undefined) update.violations.push(remark('metadata_unreadable'))
  for (const key of SHOWN_PROPERTIES) compareProperty(update, key, textsOf(was, key), textsOf(is, key))
}
