/**
 * What a PDF can do by itself: scripts, programs, forms sent away, attachments, links. Finds it where the catalog, the pages, their annotations,
 * the form fields and the outline lead, and says how the objects read when it is taken away. ISO 32000-2 §12.6, §12.7.4, §7.7.4.
 */
import type { Located, PdfFile } from './file.ts'
import type { PdfWarning } from './order.ts'
import type { Page } from './page.ts'
import type { PdfValue } from './syntax.ts'
import { type Changes, changedDictionary, entryOf, verbatim, within } from './write.ts'

/** An object of the file that reads otherwise without its active content. */
export interface Neutralised {
  number: number
  generation: number
  dictionary: Located
  changes: Changes
}

export interface ActiveContent {
  /** Codes of what was found, each once. */
  kinds: ReadonlySet<ActiveKind>
  /** Object number to what becomes of it. */
  neutralised: ReadonlyMap<number, Neutralised>
  /** Keys of the catalog to set anew or drop; it is written in any case. */
  catalog: Changes
}

export type ActiveKind =
  | 'javascript'
  | 'open_action'
  | 'launch'
  | 'submit_form'
  | 'import_data'
  | 'external_document'
  | 'media_action'
  | 'other_action'
  | 'unsafe_link'
  | 'external_link'
  | 'embedded_files'
  | 'rich_media'
  | 'additional_actions'

const SENTENCES: Readonly<Record<ActiveKind, string>> = {
  javascript: 'The PDF contains scripts; they are switched off in the sealed file.',
  open_action: 'The PDF does something when it is opened; this is switched off in the sealed file.',
  launch: 'The PDF can start programs; this is switched off in the sealed file.',
  submit_form: 'The PDF can send its form data away; this is switched off in the sealed file.',
  import_data: 'The PDF can load form data from a file; this is switched off in the sealed file.',
  external_document: 'The PDF can open other documents; this is switched off in the sealed file.',
  media_action: 'The PDF can play media; this is switched off in the sealed file.',
  other_action: 'The PDF contains actions that are switched off in the sealed file.',
  unsafe_link: 'The PDF contains links that are neither web nor e-mail addresses; they are switched off in the sealed file.',
  external_link: 'The PDF contains links to web pages, whose content the seal does not cover.',
  embedded_files: 'The PDF carries attached files; look at them before you send it, for they stay in the sealed file.',
  rich_media: 'The PDF contains media or 3D content, which not every reader shows.',
  additional_actions: 'The PDF acts on events such as turning a page; this is switched off in the sealed file.',
}

export function warningsOf(kinds: ReadonlySet<ActiveKind>): PdfWarning[] {
  return [...kinds].map(code => ({ code, message: SENTENCES[code] }))
}

const ACTION_KINDS: Readonly<Record<string, ActiveKind>> = {
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
const MEDIA = new Set(['RichMedia', 'Movie', 'Sound', 'Screen', '3D'])
const MAX_CHAIN = 100
const MAX_FIELDS = 100_000
const MAX_NESTING = 50

const nameOf = ({ value }: Located): string | undefined => (value.kind === 'name' ? value.value : undefined)
const isDictionary = ({ value }: Located): boolean => value.kind === 'dictionary'

/** What stands in an array, each as it is and followed. */
function itemsOf(file: PdfFile, array: Located): { raw: PdfValue; located: Located }[] {
  if (array.value.kind !== 'array') return []
  return array.value.items.map(raw => ({ raw, located: within(file, array, raw) }))
}

function isSafeAddress(file: PdfFile, action: Located): boolean {
  const { value } = entryOf(file, action, 'URI')
  return value.kind === 'string' && /^\s*(https?:|mailto:)/i.test(Buffer.from(value.value).toString('latin1'))
}

/** The kinds of an action and of all that follow it by /Next (§12.6.2). One that is neither harmless nor a link has to go. */
function actionKinds(file: PdfFile, action: Located): { kinds: ActiveKind[]; harmless: boolean } {
  const kinds: ActiveKind[] = []
  let harmless = true
  const waiting = [action]
  for (let count = 0; waiting.length > 0; count++) {
    const next = waiting.pop()
    if (next === undefined || !isDictionary(next)) continue
    if (count > MAX_CHAIN) return { kinds: [...kinds, 'other_action'], harmless: false }
    const type = nameOf(entryOf(file, next, 'S')) ?? ''
    if (type === 'URI') {
      const safe = isSafeAddress(file, next)
      kinds.push(safe ? 'external_link' : 'unsafe_link')
      harmless &&= safe
    } else if (!HARMLESS.has(type)) {
      kinds.push(ACTION_KINDS[type] ?? 'other_action')
      harmless = false
    }
    const after = entryOf(file, next, 'Next')
    if (after.value.kind === 'array') for (const { located } of itemsOf(file, after)) waiting.push(located)
    else waiting.push(after)
  }
  return { kinds, harmless }
}

export function findActiveContent(file: PdfFile, catalog: Located, pages: readonly Page[]): ActiveContent {
  const kinds = new Set<ActiveKind>()
  const neutralised = new Map<number, Neutralised>()

  function change(place: Pick<Neutralised, 'number' | 'generation' | 'dictionary'>, changes: Changes): void {
    const known = neutralised.get(place.number)?.changes ?? new Map()
    if (changes.size > 0) neutralised.set(place.number, { ...place, changes: new Map([...known, ...changes]) })
  }

  /** Notes an object's own actions, and which keys have to go. */
  function actionsOf(located: Located): Map<string, undefined> {
    const changes = new Map<string, undefined>()
    const action = actionKinds(file, entryOf(file, located, 'A'))
    for (const kind of action.kinds) kinds.add(kind)
    if (!action.harmless) changes.set('A', undefined)
    const additional = entryOf(file, located, 'AA')
    if (additional.value.kind === 'dictionary') {
      kinds.add('additional_actions')
      for (const key of additional.value.entries.keys()) {
        for (const kind of actionKinds(file, entryOf(file, additional, key)).kinds) kinds.add(kind)
      }
      changes.set('AA', undefined)
    }
    return changes
  }

  function pageActions(page: Page): void {
    const changes = new Map<string, string | undefined>()
    if (actionsOf(page.dictionary).has('AA')) changes.set('AA', undefined)
    const annotations = entryOf(file, page.dictionary, 'Annots')
    const items = annotations.value.kind === 'array' ? annotations.value.items : []
    const inline = new Map<PdfValue, string>()
    for (const raw of items) {
      const text = annotation(raw, within(file, annotations, raw))
      if (text !== undefined) inline.set(raw, text)
    }
    if (inline.size > 0) {
      const texts = items.map(raw => inline.get(raw) ?? verbatim({ bytes: annotations.bytes, value: raw }))
      changes.set('Annots', `[${texts.join(' ')}]`)
    }
    change(page, changes)
  }

  /** Its new text, where it stands in the page itself and has to be changed. */
  function annotation(raw: PdfValue, located: Located): string | undefined {
    const type = nameOf(entryOf(file, located, 'Subtype')) ?? ''
    if (MEDIA.has(type)) kinds.add('rich_media')
    if (type === 'FileAttachment') kinds.add('embedded_files')
    const changes = actionsOf(located)
    if (changes.size === 0 || located.value.kind !== 'dictionary') return undefined
    if (raw.kind !== 'reference') return changedDictionary(located.bytes, located.value, changes)
    change({ number: raw.number, generation: raw.generation, dictionary: located }, changes)
    return undefined
  }

  function fields(): void {
    const seen = new Set<number>()
    const waiting = itemsOf(file, entryOf(file, entryOf(file, catalog, 'AcroForm'), 'Fields')).map(item => ({
      ...item,
      depth: 0,
    }))
    for (let count = 0; waiting.length > 0 && count < MAX_FIELDS; count++) {
      const next = waiting.pop()
      if (next?.raw.kind !== 'reference' || seen.has(next.raw.number) || next.depth > MAX_NESTING) continue
      seen.add(next.raw.number)
      change({ number: next.raw.number, generation: next.raw.generation, dictionary: next.located }, actionsOf(next.located))
      for (const kid of itemsOf(file, entryOf(file, next.located, 'Kids'))) waiting.push({ ...kid, depth: next.depth + 1 })
    }
  }

  /** §12.3.3; items are linked from one to the next. */
  function outline(): void {
    const seen = new Set<number>()
    const root = entryOf(file, catalog, 'Outlines').value
    const waiting = root.kind === 'dictionary' ? [root.entries.get('First')] : []
    while (waiting.length > 0) {
      const raw = waiting.pop()
      if (raw?.kind !== 'reference' || seen.has(raw.number)) continue
      seen.add(raw.number)
      const dictionary = file.resolve(raw)
      if (dictionary.value.kind !== 'dictionary') continue
      change({ number: raw.number, generation: raw.generation, dictionary }, actionsOf(dictionary))
      waiting.push(dictionary.value.entries.get('First'), dictionary.value.entries.get('Next'))
    }
  }

  /** Names that are looked up by the reader itself: scripts run on opening, attachments (§7.7.4). */
  function names(changes: Map<string, string | undefined>): void {
    const tree = entryOf(file, catalog, 'Names')
    if (tree.value.kind !== 'dictionary') return
    if (tree.value.entries.has('EmbeddedFiles')) kinds.add('embedded_files')
    if (!tree.value.entries.has('JavaScript')) return
    kinds.add('javascript')
    // Written into the catalog, whether it stood there or was an object of its own.
    changes.set('Names', changedDictionary(tree.bytes, tree.value, new Map([['JavaScript', undefined]])))
  }

  const changes = new Map<string, string | undefined>()
  const opening = entryOf(file, catalog, 'OpenAction')
  const onOpen = actionKinds(file, opening)
  if (!onOpen.harmless) {
    kinds.add('open_action')
    for (const kind of onOpen.kinds) kinds.add(kind)
    changes.set('OpenAction', undefined)
  }
  if (actionsOf(catalog).has('AA')) changes.set('AA', undefined)
  if (entryOf(file, catalog, 'Collection').value.kind === 'dictionary') kinds.add('embedded_files')
  names(changes)
  for (const page of pages) pageActions(page)
  fields()
  outline()
  return { kinds, neutralised, catalog: changes }
}
