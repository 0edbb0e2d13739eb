/**
 * What a PDF can do by itself: scripts, programs, forms sent away, attachments, media, links. Finds
 * it where the catalog, the pages, their annotations, the form fields and the outline lead, and
 * says how the objects read when it is taken away. ISO 32000-2 §12.6, §12.7.4, §7.7.4.
 */

import type { LocatedValue, PdfFile } from '../parser/file.ts'
import { resolveEntry, resolveItems, resolveWithin } from '../parser/file.ts'
import type { Page } from '../parser/page.ts'
import { PdfSyntaxError, type PdfValue } from '../parser/syntax.ts'
import type { ObjectRemoval, Removals } from '../writer/object-changes.ts'
import { type Changes, formatDictionary, verbatim } from '../writer/serialize.ts'
import { classifyAction } from './actions.ts'
import type { ActiveContentKind } from './active-content-messages.ts'
import { hasForeignContent } from './foreign-content.ts'

export interface ActiveContent extends Removals {
  /** Codes of what was found, each once. */
  kinds: ReadonlySet<ActiveContentKind>
}

/** What a search has found so far. */
interface Search {
  file: PdfFile
  kinds: Set<ActiveContentKind>
  objects: Map<number, ObjectRemoval>
  /** Fields and pop-ups met from an annotation. */
  seen: Set<number>
}

/**
 * What an annotation brings along: to be told as, and the keys that have to go. Its appearance
 * stays (§12.5.6).
 */
const CARGO: Readonly<Record<string, { kind: ActiveContentKind; keys: string[] }>> = {
  FileAttachment: { kind: 'embedded_files', keys: ['FS'] },
  RichMedia: { kind: 'rich_media', keys: ['RichMediaContent', 'RichMediaSettings'] },
  Movie: { kind: 'rich_media', keys: ['Movie'] },
  Sound: { kind: 'rich_media', keys: ['Sound'] },
  Screen: { kind: 'rich_media', keys: [] },
  '3D': { kind: 'rich_media', keys: ['3DD', '3DV', '3DA'] },
}
const MAX_FIELDS = 100_000
const MAX_NESTING = 50

const has = ({ value }: LocatedValue, key: string): boolean => value.kind === 'dictionary' && value.entries.has(key)

function change(search: Search, place: Omit<ObjectRemoval, 'changes'>, changes: Changes): void {
  const known = search.objects.get(place.number)?.changes ?? new Map()
  if (changes.size > 0) search.objects.set(place.number, { ...place, changes: new Map([...known, ...changes]) })
}

/** Notes what an object does, and which of its keys have to go. */
function ownActions({ file, kinds }: Search, located: LocatedValue): Map<string, undefined> {
  const changes = new Map<string, undefined>()
  // §12.5.6.5: a link may keep under /PA the address it had before it led into the document.
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
  // §7.11.4: associated files hang on any object.
  if (has(located, 'AF')) {
    kinds.add('embedded_files')
    changes.set('AF', undefined)
  }
  // §12.7.4.4: formatted text that may say something else than the value.
  if (has(located, 'RV')) {
    kinds.add('rich_text')
    changes.set('RV', undefined)
  }
  return changes
}

function page(search: Search, { dictionary, ...place }: Page): void {
  const { file } = search
  const own = ownActions(search, dictionary)
  const changes = new Map<string, string | undefined>([...own].filter(([key]) => key !== 'A' && key !== 'PA'))
  // §12.4.4.2: steps within a page, each with actions of its own.
  if (has(dictionary, 'PresSteps')) {
    search.kinds.add('additional_actions')
    changes.set('PresSteps', undefined)
  }
  const annotations = resolveEntry(file, dictionary, 'Annots')
  const items = annotations.value.kind === 'array' ? annotations.value.items : []
  const inline = new Map<PdfValue, string>()
  for (const raw of items) {
    const text = annotation(search, raw, resolveWithin(file, annotations, raw))
    if (text !== undefined) inline.set(raw, text)
  }
  if (inline.size > 0) {
    const texts = items.map(raw => inline.get(raw) ?? verbatim({ bytes: annotations.bytes, value: raw }))
    changes.set('Annots', `[${texts.join(' ')}]`)
  }
  change(search, { ...place, dictionary }, changes)
}

/** Its new text, where it stands in the page itself and has to be changed. */
function annotation(search: Search, raw: PdfValue, located: LocatedValue): string | undefined {
  const { value: subtype } = resolveEntry(search.file, located, 'Subtype')
  const cargo = subtype.kind === 'name' ? CARGO[subtype.value] : undefined
  if (cargo) search.kinds.add(cargo.kind)
  above(search, located)
  const changes = ownActions(search, located)
  for (const key of cargo?.keys ?? []) if (has(located, key)) changes.set(key, undefined)
  if (changes.size === 0 || located.value.kind !== 'dictionary') return undefined
  if (raw.kind !== 'reference') return formatDictionary(located.bytes, located.value, changes)
  change(search, { number: raw.number, generation: raw.generation, dictionary: located }, changes)
  return undefined
}

/**
 * What a widget inherits from fields that the form may not list, and the pop-up that the page may
 * not list (§12.7.4.1, §12.5.6.14).
 */
function above(search: Search, annotation: LocatedValue): void {
  const { file, seen } = search
  const keys = ['Popup', 'Parent']
  for (let [below, depth] = [annotation, 0]; below.value.kind === 'dictionary'; depth++) {
    const raws = keys.flatMap(key => (below.value.kind === 'dictionary' ? [below.value.entries.get(key)] : []))
    const fresh = raws.filter(raw => raw?.kind === 'reference' && !seen.has(raw.number))
    for (const raw of fresh) {
      if (raw?.kind !== 'reference') continue
      seen.add(raw.number)
      const dictionary = file.resolve(raw)
      change(search, { number: raw.number, generation: raw.generation, dictionary }, ownActions(search, dictionary))
    }
    if (depth > MAX_NESTING) throw new PdfSyntaxError('the form has no end of fields')
    const parent = raws[1]
    if (parent === undefined || !fresh.includes(parent)) return
    below = file.resolve(parent)
  }
}

function fields(search: Search, catalog: LocatedValue): void {
  const { file } = search
  const seen = new Set<number>()
  const roots = resolveItems(file, resolveEntry(file, resolveEntry(file, catalog, 'AcroForm'), 'Fields'))
  const waiting = roots.map(item => ({ ...item, depth: 0 }))
  for (let count = 0; waiting.length > 0; count++) {
    const next = waiting.pop()
    if (next === undefined || (next.raw.kind === 'reference' && seen.has(next.raw.number))) continue
    if (next.depth > MAX_NESTING || count > MAX_FIELDS) throw new PdfSyntaxError('the form has no end of fields')
    const { raw, located: dictionary, depth } = next
    const changes = ownActions(search, dictionary)
    if (raw.kind === 'reference') {
      seen.add(raw.number)
      change(search, { number: raw.number, generation: raw.generation, dictionary }, changes)
    } else if (changes.size > 0) throw new PdfSyntaxError('a field that acts by itself is no object of its own')
    for (const kid of resolveItems(file, resolveEntry(file, dictionary, 'Kids'))) waiting.push({ ...kid, depth: depth + 1 })
  }
}

/** §12.3.3; items are linked from one to the next. */
function outline(search: Search, catalog: LocatedValue): void {
  const seen = new Set<number>()
  const root = resolveEntry(search.file, catalog, 'Outlines').value
  const waiting = root.kind === 'dictionary' ? [root.entries.get('First')] : []
  while (waiting.length > 0) {
    const raw = waiting.pop()
    if (raw?.kind !== 'reference' || seen.has(raw.number)) continue
    seen.add(raw.number)
    const dictionary = search.file.resolve(raw)
    if (dictionary.value.kind !== 'dictionary') continue
    change(search, { number: raw.number, generation: raw.generation, dictionary }, ownActions(search, dictionary))
    waiting.push(dictionary.value.entries.get('First'), dictionary.value.entries.get('Next'))
  }
}

/** Names that are looked up by the reader itself: scripts run on opening, attachments (§7.7.4). */
const NAMES: readonly [key: string, kind: ActiveContentKind][] = [
  ['JavaScript', 'javascript'],
  ['EmbeddedFiles', 'embedded_files'],
  ['Renditions', 'rich_media'],
  ['AlternatePresentations', 'rich_media'],
]

/** What the catalog itself does, and which of its keys are set anew or dropped. */
function catalogChanges(search: Search, catalog: LocatedValue): Map<string, string | undefined> {
  const { file, kinds } = search
  const changes = new Map<string, string | undefined>(
    [...ownActions(search, catalog)].filter(([key]) => key !== 'A' && key !== 'PA'),
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
  const found = NAMES.filter(([key]) => has(tree, key))
  for (const [, kind] of found) kinds.add(kind)
  if (found.length > 0 && tree.value.kind === 'dictionary') {
    // Written into the catalog, whether it stood there or was an object of its own.
    const dropped = new Map(found.map(([key]) => [key, undefined]))
    changes.set('Names', formatDictionary(tree.bytes, tree.value, dropped))
  }
  return changes
}

/** @throws PdfSyntaxError when an object that has to change has one key twice */
export function findActiveContent(file: PdfFile, catalog: LocatedValue, pages: readonly Page[]): ActiveContent {
  const search: Search = { file, kinds: new Set(), objects: new Map(), seen: new Set() }
  const changes = catalogChanges(search, catalog)
  for (const each of pages) page(search, each)
  fields(search, catalog)
  outline(search, catalog)
  if (hasForeignContent(file, pages)) search.kinds.add('foreign_content')
  return { kinds: search.kinds, objects: search.objects, catalog: changes }
}
