/** Finds active content and the changes that remove it. ISO 32000-2 §7.7.4, §12.6, §12.7.4. */
import { toLatin1 } from '../../lib/bytes.ts'
import { remark } from '../../locales/remarks.ts'
import { type LocatedValue, type PdfFile, resolveEntry, resolveItems, resolveWithin } from '../parser/file.ts'
import { MAX_IMAGE_BYTES, PdfLimitError } from '../parser/limits.ts'
import type { Page } from '../parser/page.ts'
import { MAX_FORM_FIELDS } from '../parser/signature-fields.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue, takeKeyword } from '../parser/syntax.ts'
import {
  type ActiveContentEdit,
  type ActiveContentEdits,
  type Changes,
  type DictionaryObject,
  formatDictionary,
  verbatim,
} from '../writer/object-changes.ts'
import type { ActiveContentKind } from './active-content-messages.ts'

export interface ActiveContent extends ActiveContentEdits {
  kinds: ReadonlySet<ActiveContentKind>
}

interface Search {
  file: PdfFile
  kinds: Set<ActiveContentKind>
  objects: Map<number, ActiveContentEdit>
  seen: Set<number>
}

/** Active annotations (§12.5.6) and the keys to remove. The appearance stays. */
const ANNOTATION_CONTENT: Readonly<Record<string, { kind: ActiveContentKind; keys: string[] }>> = {
  FileAttachment: { kind: 'embedded_files', keys: ['FS'] },
  RichMedia: { kind: 'rich_media', keys: ['RichMediaContent', 'RichMediaSettings'] },
  Movie: { kind: 'rich_media', keys: ['Movie'] },
  Sound: { kind: 'rich_media', keys: ['Sound'] },
  Screen: { kind: 'rich_media', keys: [] },
  '3D': { kind: 'rich_media', keys: ['3DD', '3DV', '3DA'] },
}
/** Associated files (§7.11.4), and formatted text that may differ from the value (§12.7.4.4). */
const ACTIVE_KEYS = [
  ['AF', 'embedded_files'],
  ['RV', 'rich_text'],
] as const
const MAX_NESTING = 50

const has = ({ value }: LocatedValue, key: string): boolean => value.kind === 'dictionary' && value.entries.has(key)

type ObjectId = Pick<DictionaryObject, 'number' | 'generation'>

function addChanges({ objects }: Search, { number, generation }: ObjectId, dictionary: LocatedValue, changes: Changes): void {
  const known = objects.get(number)?.changes ?? new Map()
  if (changes.size > 0) objects.set(number, { number, generation, dictionary, changes: new Map([...known, ...changes]) })
}

/** Returns the keys to remove. */
function searchObject({ file, kinds }: Search, located: LocatedValue): Map<string, undefined> {
  const changes = new Map<string, undefined>()
  // §12.5.6.5: /PA is the URL of a link before it was changed to a destination in the document.
  for (const key of ['A', 'PA']) {
    const action = classifyAction(file, resolveEntry(file, located, key))
    for (const kind of action.kinds) kinds.add(kind)
    if (!action.harmless) changes.set(key, undefined)
  }
  const additional = resolveEntry(file, located, 'AA')
  if (additional.value.kind === 'dictionary') {
    kinds.add('additional_actions')
    for (const key of additional.value.entries.keys()) {
      for (const kind of classifyAction(file, resolveEntry(file, additional, key)).kinds) kinds.add(kind)
    }
    changes.set('AA', undefined)
  }
  for (const [key, kind] of ACTIVE_KEYS) {
    if (!has(located, key)) continue
    kinds.add(kind)
    changes.set(key, undefined)
  }
  return changes
}

function searchPage(search: Search, page: Page): void {
  const { file } = search
  const { dictionary } = page
  const own = searchObject(search, dictionary)
  const changes = new Map<string, string | undefined>([...own].filter(([key]) => key !== 'A' && key !== 'PA'))
  // §12.4.4.2: navigation nodes have actions.
  if (has(dictionary, 'PresSteps')) {
    search.kinds.add('additional_actions')
    changes.set('PresSteps', undefined)
  }
  const annotations = resolveEntry(file, dictionary, 'Annots')
  const items = annotations.value.kind === 'array' ? annotations.value.items : []
  const inline = new Map<PdfValue, string>()
  for (const raw of items) {
    const text = searchAnnotation(search, raw, resolveWithin(file, annotations, raw))
    if (text !== undefined) inline.set(raw, text)
  }
  if (inline.size > 0) {
    const texts = items.map(raw => inline.get(raw) ?? verbatim({ bytes: annotations.bytes, value: raw }))
    changes.set('Annots', `[${texts.join(' ')}]`)
  }
  addChanges(search, page, dictionary, changes)
}

/** Returns the new text of an annotation that is direct in the page and must change. */
function searchAnnotation(search: Search, raw: PdfValue, located: LocatedValue): string | undefined {
  const { value: subtype } = resolveEntry(search.file, located, 'Subtype')
  const content = subtype.kind === 'name' ? ANNOTATION_CONTENT[subtype.value] : undefined
  if (content) search.kinds.add(content.kind)
  searchAncestors(search, located)
  const changes = searchObject(search, located)
  for (const key of content?.keys ?? []) if (has(located, key)) changes.set(key, undefined)
  if (changes.size === 0 || located.value.kind !== 'dictionary') return undefined
  if (raw.kind !== 'reference') return formatDictionary(located.bytes, located.value, changes)
  addChanges(search, raw, located, changes)
  return undefined
}

/** The form may not list a parent field, nor the page a pop-up (§12.7.4.1, §12.5.6.14). */
function searchAncestors(search: Search, annotation: LocatedValue): void {
  const { file, seen } = search
  for (let [child, depth] = [annotation, 0]; child.value.kind === 'dictionary'; depth++) {
    const raws = [child.value.entries.get('Popup'), child.value.entries.get('Parent')]
    const fresh = raws.filter(raw => raw?.kind === 'reference' && !seen.has(raw.number))
    for (const raw of fresh) {
      if (raw?.kind !== 'reference') continue
      seen.add(raw.number)
      const dictionary = file.resolve(raw)
      addChanges(search, raw, dictionary, searchObject(search, dictionary))
    }
    if (depth > MAX_NESTING) throw new PdfSyntaxError(remark('too_many_form_fields'))
    const parent = raws[1]
    if (parent === undefined || !fresh.includes(parent)) return
    child = file.resolve(parent)
  }
}

function searchFields(search: Search, catalog: LocatedValue): void {
  const { file } = search
  const seen = new Set<number>()
  const roots = resolveItems(file, resolveEntry(file, resolveEntry(file, catalog, 'AcroForm'), 'Fields'))
  const pending = roots.map(item => ({ ...item, depth: 0 }))
  for (let count = 0; pending.length > 0; count++) {
    const next = pending.pop()
    if (next === undefined || (next.raw.kind === 'reference' && seen.has(next.raw.number))) continue
    if (next.depth > MAX_NESTING || count > MAX_FORM_FIELDS) throw new PdfSyntaxError(remark('too_many_form_fields'))
    const { raw, located: dictionary, depth } = next
    const changes = searchObject(search, dictionary)
    if (raw.kind === 'reference') {
      seen.add(raw.number)
      addChanges(search, raw, dictionary, changes)
    } else if (changes.size > 0) throw new PdfSyntaxError(remark('form_field_direct'))
    for (const kid of resolveItems(file, resolveEntry(file, dictionary, 'Kids'))) pending.push({ ...kid, depth: depth + 1 })
  }
}

function searchOutline(search: Search, catalog: LocatedValue): void {
  const seen = new Set<number>()
  const root = resolveEntry(search.file, catalog, 'Outlines').value
  const pending = root.kind === 'dictionary' ? [root.entries.get('First')] : []
  while (pending.length > 0) {
    const raw = pending.pop()
    if (raw?.kind !== 'reference' || seen.has(raw.number)) continue
    seen.add(raw.number)
    const dictionary = search.file.resolve(raw)
    if (dictionary.value.kind !== 'dictionary') continue
    addChanges(search, raw, dictionary, searchObject(search, dictionary))
    pending.push(dictionary.value.entries.get('First'), dictionary.value.entries.get('Next'))
  }
}

/** Name trees that readers use by themselves (§7.7.4). */
const ACTIVE_NAME_TREES: readonly [key: string, kind: ActiveContentKind][] = [
  ['JavaScript', 'javascript'],
  ['EmbeddedFiles', 'embedded_files'],
  ['Renditions', 'rich_media'],
  ['AlternatePresentations', 'rich_media'],
]

/** Returns the keys to set or remove. */
function searchCatalog(search: Search, catalog: LocatedValue): Map<string, string | undefined> {
  const { file, kinds } = search
  const changes = new Map<string, string | undefined>(
    [...searchObject(search, catalog)].filter(([key]) => key !== 'A' && key !== 'PA'),
  )
  const onOpen = classifyAction(file, resolveEntry(file, catalog, 'OpenAction'))
  if (!onOpen.harmless) {
    kinds.add('open_action')
    for (const kind of onOpen.kinds) kinds.add(kind)
    changes.set('OpenAction', undefined)
  }
  if (has(catalog, 'Collection')) {
    kinds.add('embedded_files')
    changes.set('Collection', undefined)
  }
  const tree = resolveEntry(file, catalog, 'Names')
  const found = ACTIVE_NAME_TREES.filter(([key]) => has(tree, key))
  for (const [, kind] of found) kinds.add(kind)
  if (found.length > 0 && tree.value.kind === 'dictionary') {
    // Written into the catalog, also if it was an indirect object.
    const removed = new Map(found.map(([key]) => [key, undefined]))
    changes.set('Names', formatDictionary(tree.bytes, tree.value, removed))
  }
  return changes
}

/** @throws PdfSyntaxError if an object to change has a duplicate key */
export function findActiveContent(file: PdfFile, catalog: LocatedValue, pages: readonly Page[]): ActiveContent {
  const search: Search = { file, kinds: new Set(), objects: new Map(), seen: new Set() }
  const changes = searchCatalog(search, catalog)
  for (const page of pages) searchPage(search, page)
  searchFields(search, catalog)
  searchOutline(search, catalog)
  if (hasForeignContent(file, pages)) search.kinds.add('foreign_content')
  return { kinds: search.kinds, objects: search.objects, catalog: changes }
}

// Detects page content of other files. ISO 32000-2 §7.3.8.2, §8.10.4, §14.11.7.

const EXTERNAL_KEYS = ['F', 'FFilter', 'FDecodeParms', 'Ref', 'OPI']
const COMPONENTS: Readonly<Record<string, number>> = { DeviceGray: 1, CalGray: 1, Indexed: 1, Separation: 1, DeviceCMYK: 4 }

/** §7.5.7: an object stream cannot contain streams. */
function isStream({ value, bytes, isInFile }: LocatedValue): boolean {
  return isInFile && value.kind === 'dictionary' && takeKeyword({ bytes, at: value.end }, 'stream')
}

/** §8.9.5, table 87. An unknown colour space counts as three components. */
function bitsPerPixel(file: PdfFile, image: LocatedValue): number {
  const mask = resolveEntry(file, image, 'ImageMask').value
  if (mask.kind === 'boolean' && mask.value) return 1
  const bits = resolveEntry(file, image, 'BitsPerComponent').value
  const space = resolveEntry(file, image, 'ColorSpace')
  const family = space.value.kind === 'array' ? resolveWithin(file, space, space.value.items[0]).value : space.value
  const components = family.kind === 'name' ? COMPONENTS[family.value] : undefined
  return (bits.kind === 'number' && bits.value > 0 ? bits.value : 8) * (components ?? 3)
}

function checkImage(file: PdfFile, image: LocatedValue): void {
  const [width, height] = ['Width', 'Height'].map(key => resolveEntry(file, image, key).value)
  if (width?.kind !== 'number' || height?.kind !== 'number') return
  if ((width.value * height.value * bitsPerPixel(file, image)) / 8 <= MAX_IMAGE_BYTES) return
  throw new PdfLimitError(remark('image_too_large', { width: width.value, height: height.value }))
}

function isExternal(file: PdfFile, located: LocatedValue, { entries }: PdfDictionary): boolean {
  if (!isStream(located)) return false
  if (EXTERNAL_KEYS.some(key => entries.has(key))) return true
  checkImage(file, located)
  return false
}

const CONTAINERS = new Set(['reference', 'dictionary', 'array'])

function addParts(file: PdfFile, located: LocatedValue, seen: Set<number>, pending: LocatedValue[]): void {
  const { value } = located
  const parts = value.kind === 'array' ? value.items : value.kind === 'dictionary' ? value.entries.values() : []
  for (const raw of parts) {
    if (!CONTAINERS.has(raw.kind)) continue
    if (raw.kind === 'reference') {
      if (seen.has(raw.number)) continue
      seen.add(raw.number)
    }
    pending.push(resolveWithin(file, located, raw))
  }
}

/** True if a reachable stream is in another file. */
function reachesExternal(file: PdfFile, roots: readonly LocatedValue[], seen: Set<number>): boolean {
  const pending = [...roots]
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.value.kind === 'dictionary' && isExternal(file, next, next.value)) return true
    addParts(file, next, seen, pending)
  }
  return false
}

/** @throws PdfLimitError for an image that is too large */
function hasForeignContent(file: PdfFile, pages: readonly Page[]): boolean {
  const seen = new Set<number>(pages.map(({ number }) => number))
  return pages.some(({ dictionary, resources }) => {
    const annotations = resolveItems(file, resolveEntry(file, dictionary, 'Annots'))
    const appearances = annotations.map(({ located }) => resolveEntry(file, located, 'AP'))
    const roots = [resolveEntry(file, dictionary, 'Contents'), resolveEntry(file, dictionary, 'Thumb'), resources, ...appearances]
    return reachesExternal(file, roots, seen)
  })
}

// Classifies the actions of a PDF (ISO 32000-2 §12.6), with the actions that follow them.

const ACTION_KINDS: Readonly<Record<string, ActiveContentKind>> = {
  JavaScript: 'javascript',
  Launch: 'launch',
  SubmitForm: 'submit_form',
  ImportData: 'import_data',
  GoToR: 'external_document',
  GoToE: 'external_document',
  Thread: 'external_document',
  Rendition: 'media_action',
  Movie: 'media_action',
  Sound: 'media_action',
  RichMediaExecute: 'media_action',
}
const HARMLESS = new Set(['GoTo', 'GoToDp', 'Named'])
const MAX_CHAIN = 100

function isSafeAddress(file: PdfFile, action: LocatedValue): boolean {
  const { value } = resolveEntry(file, action, 'URI')
  return value.kind === 'string' && /^\s*(https?:|mailto:)/i.test(toLatin1(value.value))
}

/** Undefined if the action stays inside the document. */
function kindOf(file: PdfFile, action: LocatedValue): ActiveContentKind | undefined {
  const { value } = resolveEntry(file, action, 'S')
  const type = value.kind === 'name' ? value.value : ''
  if (type === 'URI') return isSafeAddress(file, action) ? 'external_link' : 'unsafe_link'
  return HARMLESS.has(type) ? undefined : (ACTION_KINDS[type] ?? 'other_action')
}

/** `kinds` includes actions that follow by /Next (§12.6.2). `harmless`: it may stay. */
function classifyAction(file: PdfFile, action: LocatedValue): { kinds: ActiveContentKind[]; harmless: boolean } {
  const kinds: ActiveContentKind[] = []
  const pending = [action]
  for (let count = 0; pending.length > 0; count++) {
    const next = pending.pop()
    if (next?.value.kind !== 'dictionary') continue
    if (count > MAX_CHAIN) return { kinds: [...kinds, 'other_action'], harmless: false }
    const kind = kindOf(file, next)
    if (kind !== undefined) kinds.push(kind)
    const following = resolveEntry(file, next, 'Next')
    if (following.value.kind === 'array') for (const { located } of resolveItems(file, following)) pending.push(located)
    else pending.push(following)
  }
  return { kinds, harmless: kinds.every(kind => kind === 'external_link') }
}
