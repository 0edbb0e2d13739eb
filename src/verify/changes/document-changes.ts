/**
 * What an update may change beside forms and pages: its own layout, the validation material and, behind a signature that allows more than that, what is
 * said about the document. ISO 32000-2 §12.8.4.3, §14.3; EN 319 142-1 §5.4.
 */
import type { XrefEntry } from '../../pdf/parser/cross-reference.ts'
import { type PdfValue, textOf } from '../../pdf/parser/syntax.ts'
import { type Leaf, readStoreShape } from './dss.ts'
import {
  differingKeys,
  eachReference,
  isStream,
  nameOf,
  readObject,
  sameObject,
  sameValue,
  streamBytes,
} from './object-changes.ts'
import type { RevisionStep } from './revision-step.ts'
import { explainStructure } from './structure-tree.ts'

/** A number of things in English whose plural ends in -s. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Cross-reference streams and object streams of the update are its layout, not its content. */
export function explainLayout(step: RevisionStep): void {
  const { after, before, unexplained } = step
  const { entries, newestSection } = after.crossReference
  const containers = new Set<number>()
  for (const number of step.changed) {
    const entry = entries.get(number)
    if (entry?.kind === 'compressed') containers.add(entry.stream)
  }
  for (const number of [...unexplained]) {
    const entry = entries.get(number)
    if (entry?.kind !== 'offset' || before.crossReference.entries.has(number)) continue
    const value = readObject(after, number)
    const isSection =
      entry.offset === newestSection.offset && value?.kind === 'dictionary' && nameOf(value.entries.get('Type')) === 'XRef'
    // By its number alone: what the signed revision leads to must not become one, for its data could be read as anything.
    if (isSection || containers.has(number)) step.takeNew(number)
  }
}

const isInUse = (entry: XrefEntry | undefined): boolean => entry !== undefined && entry.kind !== 'free'

export function explainTrailer(step: RevisionStep): void {
  const { before, after, problems, permission } = step
  const [old, now] = [before.crossReference.trailer, after.crossReference.trailer]
  const differing = differingKeys(old, now)
  const encryption = now.entries.get('Encrypt')
  const isReplaced = encryption?.kind === 'reference' && step.changed.has(encryption.number)
  if (differing.includes('Encrypt') || isReplaced) problems.push('the trailer names another encryption')
  // Readers differ on whether the table or the stream beside it counts.
  const isHidden = after.crossReference.newestHidden.some(number => isInUse(before.crossReference.entries.get(number)))
  if (isHidden || (now.entries.has('XRefStm') && permission === 1))
    problems.push('its cross-reference is a hybrid one, which shows different objects to different readers')
  if (permission !== 1) explainInformation(step, old.entries.get('Info'), now.entries.get('Info'))
  else if (differing.includes('Info')) problems.push('the trailer names another document information (/Info)')
}

/** Table 349: what readers show in the properties of the document, and the title in their window, too. */
const SHOWN_INFORMATION = ['Title', 'Author', 'Subject', 'Keywords', 'CreationDate']

/** §14.3.3: what the document information says may be completed; it is no part of any page. */
function explainInformation(step: RevisionStep, oldRaw: PdfValue | undefined, newRaw: PdfValue | undefined): void {
  const isTouched = newRaw?.kind === 'reference' && step.changed.has(newRaw.number)
  if (sameValue(oldRaw, newRaw) && !isTouched) return
  const [old, now] = [step.before.dictionary(oldRaw), step.after.dictionary(newRaw)]
  if (newRaw?.kind !== 'reference' || now === undefined)
    return void step.problems.push('the trailer names another document information (/Info)')
  const keys = differingKeys(old ?? { ...now, entries: new Map(), duplicateKeys: [] }, now)
  const wrong = keys.filter(
    key => SHOWN_INFORMATION.includes(key) && textOf(step.before.resolve(old?.entries.get(key)).value) !== '',
  )
  if (wrong.length > 0) {
    const names = wrong.map(key => `/${key}`).join(', ')
    step.problems.push(`the document information has another ${names}, which readers show as properties of the document`)
  }
  const isOwn = step.referrers(newRaw.number).length === 0
  if (isTouched && isOwn) step.unexplained.delete(newRaw.number)
  else if (isTouched || step.before.crossReference.entries.has(newRaw.number))
    step.problems.push('the trailer names another document information (/Info)')
  if (keys.length > 0)
    step.found.push(`was changed: the document information (${keys.map(key => `/${key}`).join(', ')}), which no page shows`)
}

/** §7.12: what developers declare; it changes nothing that is shown. */
function explainExtensions(step: RevisionStep): void {
  const value = step.newCatalog.entries.get('Extensions')
  const old = step.oldCatalog.entries.get('Extensions')
  const [was, is] = [step.before.dictionary(old), step.after.dictionary(value)]
  if (is === undefined || (value?.kind === 'reference' && step.permission === 1))
    return void step.problems.push('the catalog has another /Extensions')
  const kept = was === undefined || [...was.entries.keys()].every(key => is.entries.has(key))
  let leads = false
  eachReference(is, () => {
    leads = true
  })
  if (leads || !kept) step.problems.push('the catalog has another /Extensions')
}

/** §7.7.2: a later version of the format, never an earlier one. */
function explainVersion({ oldCatalog, newCatalog, problems }: RevisionStep): void {
  const [old, now] = [oldCatalog, newCatalog].map(catalog => nameOf(catalog.entries.get('Version')))
  if (!/^\d\.\d$/.test(now ?? '') || (now ?? '') < (old ?? '')) problems.push('the catalog has another /Version')
}

const MAX_METADATA_BYTES = 4 * 1024 * 1024

/** What stands in the first element of this name; nothing when it has no end. */
function elementOf(xml: string, name: string): string {
  for (let at = xml.indexOf(`<${name}`); at !== -1; at = xml.indexOf(`<${name}`, at + 1)) {
    if (!/[\s>]/.test(xml[at + name.length + 1] ?? '')) continue
    const [from, to] = [xml.indexOf('>', at), xml.indexOf(`</${name}>`, at)]
    return from === -1 || to < from ? '' : xml.slice(from + 1, to)
  }
  return ''
}

/** The text of dc:title and dc:creator in XMP metadata, which readers may show as properties of the document. */
function shownMetadata(bytes: Uint8Array | undefined): string {
  const text = Buffer.from(bytes ?? []).toString('utf8')
  return ['title', 'creator', 'description']
    .map(name => elementOf(text, `dc:${name}`))
    .map(part => part.replace(/<[^<>]*>/g, '').trim())
    .join('\n')
}

/** §14.3.2: the metadata of the document as a whole. No page shows it. */
function explainMetadata(step: RevisionStep): void {
  const [oldRaw, newRaw] = [step.oldCatalog.entries.get('Metadata'), step.newCatalog.entries.get('Metadata')]
  if (newRaw?.kind !== 'reference') {
    if (!sameValue(oldRaw, newRaw)) step.problems.push('the catalog has another /Metadata')
    return
  }
  const isSame = oldRaw?.kind === 'reference' && oldRaw.number === newRaw.number
  if (isSame && !step.changed.has(newRaw.number)) return
  const number = newRaw.number
  const value = readObject(step.after, number)
  const type = value?.kind === 'dictionary' ? nameOf(value.entries.get('Subtype')) : ''
  const isOwn = isSame ? step.referrers(number).every(one => step.roots.includes(one)) : step.isNew(number)
  if (type !== 'XML' || !isStream(step.after, number) || !isOwn)
    return void step.problems.push('the catalog has another /Metadata')
  const shown = oldRaw?.kind === 'reference' ? shownMetadata(streamBytes(step.before, oldRaw.number, MAX_METADATA_BYTES)) : ''
  const now = shownMetadata(streamBytes(step.after, number, MAX_METADATA_BYTES))
  if (shown.trim() !== '' && shown !== now) step.problems.push('the metadata (XMP) names another title, author or description')
  step.unexplained.delete(number)
  step.found.push('was changed: the metadata (XMP), which no page shows')
}

/** Keys of the catalog that are judged where they are explained; §14.5: page-piece dictionaries are data of one application, which no reader shows. */
const STORE_KEYS = ['DSS', 'Extensions', 'AcroForm']
const INNOCENT_KEYS = [...STORE_KEYS, 'Metadata', 'Version', 'PieceInfo', 'StructTreeRoot']

export function explainCatalog(step: RevisionStep): void {
  const keys = differingKeys(step.oldCatalog, step.newCatalog)
  const explained = step.permission === 1 ? STORE_KEYS : INNOCENT_KEYS
  const others = keys.filter(key => !explained.includes(key))
  for (const key of step.newCatalog.duplicateKeys) step.problems.push(`the catalog has the key /${key} twice`)
  if (others.length === 0) step.unexplained.delete(step.root)
  else step.problems.push(`the catalog has another ${others.map(key => `/${key}`).join(', ')}`)
  if (keys.includes('Extensions')) explainExtensions(step)
  if (step.permission === 1) return
  if (keys.includes('Version')) explainVersion(step)
  if (!explainStructure(step)) step.problems.push('the catalog has another /StructTreeRoot')
  explainMetadata(step)
}

function isPlainLeaf(step: RevisionStep, number: number): boolean {
  const value = readObject(step.after, number)
  if (value?.kind !== 'dictionary') return false
  for (const [key, item] of value.entries) {
    if (!['Length', 'Filter', 'DecodeParms', 'Type'].includes(key)) return false
    if (item.kind === 'reference' && !(key === 'Length' && step.takeNew(item.number))) return false
  }
  return value.duplicateKeys.length === 0 && isStream(step.after, number)
}

export function explainStore(step: RevisionStep): void {
  const shape = readStoreShape(step.after, step.newCatalog, step.root)
  const old = readStoreShape(step.before, step.oldCatalog, step.root)
  const touched = [...shape.containers, ...shape.leaves.keys()].some(number => step.changed.has(number))
  if (!touched && !differingKeys(step.oldCatalog, step.newCatalog).includes('DSS')) return
  step.problems.push(...shape.errors)
  for (const number of shape.containers) {
    if (!step.changed.has(number)) continue
    const replaced = old.containers.has(number) && step.referrers(number).length === 0
    if (replaced) step.unexplained.delete(number)
    else step.takeNew(number)
  }
  const added = new Map<Leaf, number>()
  for (const [number, leaf] of shape.leaves) {
    if (!step.changed.has(number)) continue
    if (!isPlainLeaf(step, number)) step.problems.push(`object ${number} of the /DSS is no plain stream`)
    else if (step.takeNew(number)) added.set(leaf, (added.get(leaf) ?? 0) + 1)
  }
  const counts = [...added].map(([leaf, count]) => counted(count, leaf))
  const held = counts.length === 0 ? 'nothing that was not there before' : counts.join(', ')
  step.found.push(`was added: validation material (DSS): ${held}`)
}

/**
 * Objects written anew as they were, and new ones to which nothing led before: they show in nothing but what was explained, for every object that could
 * lead to them is judged itself.
 */
export function explainRest(step: RevisionStep): void {
  if (step.permission === 1) return
  for (const number of [...step.unexplained]) {
    if (step.isNew(number) || sameObject(step.before, step.after, number) || isMarked(step, number))
      step.unexplained.delete(number)
  }
}

/** A library that writes its name into the page tree (/ITXT), which nothing reads. */
function isMarked({ before, after }: RevisionStep, number: number): boolean {
  const [was, is] = [readObject(before, number), readObject(after, number)]
  if (was?.kind !== 'dictionary' || is?.kind !== 'dictionary' || nameOf(is.entries.get('Type')) !== 'Pages') return false
  const mark = is.entries.get('ITXT')
  return differingKeys(was, is).join() === 'ITXT' && (mark?.kind === 'string' || mark?.kind === 'name')
}
