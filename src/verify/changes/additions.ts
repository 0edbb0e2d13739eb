/**
 * Checks the updates after a signed revision, with the annotations they add. ISO 32000-2 §12.8.2.2;
 * EN 319 142-1 §5.4.
 */

import { memoizePerObject } from '../../lib/lru-cache.ts'
import { workMs } from '../../lib/primitives.ts'
import { type Remark, remark } from '../../locales/remarks.ts'
import type { LocatedValue, PdfFile } from '../../pdf/parser/file.ts'
import { type Page, readPages, TooManyPagesError } from '../../pdf/parser/page.ts'
import {
  type FieldLock,
  findSignatureFields,
  isLocked,
  type Permission,
  readPermission,
} from '../../pdf/parser/signature-fields.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue, textOf } from '../../pdf/parser/syntax.ts'
import { checkAddedFields, drawsNothing } from './added-fields.ts'
import { acceptComment } from './comments.ts'
import { acceptLayout, acceptUnreferenced, checkCatalog, checkDssChanges, checkTrailer } from './document-changes.ts'
import { readDssStructure } from './dss.ts'
import { acceptFilledFields } from './filled-fields.ts'
import { fieldName, inherited, pagesOf } from './form-fields.ts'
import { acceptArray, findAddedItems, type VisibleChange } from './list-changes.ts'
import {
  collectReferences,
  differingKeys,
  eachReference,
  emptyReferences,
  findChangedNumbers,
  findCompressed,
  isReadable,
  readObject,
  refersTo,
  sameEntry,
} from './object-changes.ts'
import { endsRevision, type Revision, type RevisionChain, readRevisions } from './revisions.ts'
import { type ChainState, type FieldChange, type RevisionPair, readCatalog, UpdateCheck } from './update-check.ts'
import { type NumberedPage, noteSignatureWidget } from './visible-additions.ts'

// Checks annotations that an update adds to pages. ISO 32000-2 §12.5, §12.8.2.2, table 257.

/** Page entries that draw nothing: time of the last change, data of an application, tab order. */
const SILENT_KEYS = ['Annots', 'LastModified', 'PieceInfo', 'Tabs']
/** §14.7.5.4: the page's key in the structure tree. It may be added. */
const STRUCTURE_KEY = 'StructParents'
/** A page whose annotations changed. */
interface ChangedPage extends NumberedPage {
  /** The page dictionary after the update. */
  now: PdfDictionary
}

/** Finds pages whose dictionary or list of annotations changed. */
function findChangedPages(update: UpdateCheck): ChangedPage[] {
  // Reading all pages is slow, and most updates change nothing that can belong to a page.
  const mayBePage = [...update.pending].some(number => {
    const value = readObject(update.before, number)
    return (
      value?.kind === 'array' || (value?.kind === 'dictionary' && (value.entries.has('Annots') || value.entries.has('Parent')))
    )
  })
  if (!mayBePage) return []
  return pagesOf(update.before).flatMap((page, index) => {
    const old = page.dictionary.value
    const now = update.changed.has(page.number) ? readObject(update.after, page.number) : old
    if (old.kind !== 'dictionary' || now?.kind !== 'dictionary') return []
    const list = now.entries.get('Annots')
    const isTouched = now !== old || (list?.kind === 'reference' && update.changed.has(list.number))
    return isTouched ? [{ page, index, now }] : []
  })
}

/** True if another entry of the page, such as its contents, refers to its list of annotations. */
function isUsedElsewhere({ entries }: PdfDictionary, list: PdfValue | undefined): boolean {
  const isList = (number: number) => list?.kind === 'reference' && number === list.number
  return [...entries].some(([key, value]) => key !== 'Annots' && refersTo(value, isList))
}

function mayChangeKey(update: UpdateCheck, old: PdfDictionary, key: string): boolean {
  if (update.permission === 1) return key === 'Annots'
  return SILENT_KEYS.includes(key) || (key === STRUCTURE_KEY && !old.entries.has(STRUCTURE_KEY))
}

/** Accepts an added annotation: one of the accepted widgets, or an allowed comment. */
function acceptAnnotation(update: UpdateCheck, item: PdfValue, changed: ChangedPage, widgets: ReadonlySet<number>): boolean {
  if (item.kind !== 'reference' || !widgets.has(item.number)) return acceptComment(update, item, changed)
  const { number } = item
  const widget = update.after.dictionary(item)
  const name = widget === undefined ? '' : fieldName(update.after, widget)
  // Readers point at a field that nobody has signed, even if it draws nothing.
  const isSilent = widget !== undefined && inherited(update.after, widget, 'V') !== undefined && drawsNothing(update, number)
  if (widget !== undefined && !isSilent) noteSignatureWidget(update, changed, { number, widget, name, own: new Set([number]) })
  return true
}

/** Accepts pages with additional annotations only: accepted `widgets`, or comments. */
function checkPages(update: UpdateCheck, widgets: readonly number[]): void {
  const known = new Set(widgets)
  const isStrict = update.permission === 1
  for (const changed of findChangedPages(update)) {
    const { page, now } = changed
    const old = page.dictionary.value
    if (old.kind !== 'dictionary' || now.duplicateKeys.length > 0) continue
    if (!differingKeys(old, now).every(key => mayChangeKey(update, old, key))) continue
    const [oldList, newList] = [old.entries.get('Annots'), now.entries.get('Annots')]
    const added = findAddedItems(update.before.items(oldList), update.after.items(newList), { isStrict })
    if (added === undefined || (isStrict && added.length === 0)) continue
    if (!added.every(item => acceptAnnotation(update, item, changed, known))) continue
    update.accept(page.number)
    if (!isUsedElsewhere(old, newList)) acceptArray(update, oldList, newList, page.number)
  }
}

// Names the page, annotation or form field of an object for people. ISO 32000-2 §7.7.

type Labels = Map<number, Remark>

const MAX_FIELDS = 10_000

/** The first label of an object stays. */
function setLabel(labels: Labels, value: PdfValue | undefined, label: Remark): void {
  if (value?.kind === 'reference' && !labels.has(value.number)) labels.set(value.number, label)
}

function labelReferences(labels: Labels, value: PdfValue, label: Remark): void {
  eachReference(value, number => {
    if (!labels.has(number)) labels.set(number, label)
  })
}

function labelCatalog(file: PdfFile, labels: Labels): void {
  const { trailer } = file.crossReference
  setLabel(labels, trailer.entries.get('Root'), remark('label_catalog'))
  setLabel(labels, trailer.entries.get('Info'), remark('label_information'))
  const catalog = file.dictionary(trailer.entries.get('Root'))
  setLabel(labels, catalog?.entries.get('Pages'), remark('label_page_tree'))
  setLabel(labels, catalog?.entries.get('AcroForm'), remark('label_form'))
  for (const [key, value] of catalog?.entries ?? []) setLabel(labels, value, remark('label_entry', { key }))
}

function labelFields(file: PdfFile, labels: Labels): void {
  const form = file.dictionary(file.dictionary(file.crossReference.trailer.entries.get('Root'))?.entries.get('AcroForm'))
  const waiting = [...file.items(form?.entries.get('Fields'))]
  for (let count = 0; waiting.length > 0 && count < MAX_FIELDS; count++) {
    const raw = waiting.pop()
    const field = file.dictionary(raw)
    if (raw?.kind !== 'reference' || field === undefined || labels.has(raw.number)) continue
    const name = textOf(file.resolve(field.entries.get('T')).value)
    setLabel(labels, raw, remark('label_field', { name }))
    setLabel(labels, field.entries.get('V'), remark('label_field_value', { name }))
    waiting.push(...file.items(field.entries.get('Kids')))
  }
}

function labelPage(file: PdfFile, labels: Labels, page: Page, index: number): void {
  const shown = { page: index + 1 }
  labels.set(page.number, remark('label_page', shown))
  if (page.dictionary.value.kind !== 'dictionary') return
  const { entries } = page.dictionary.value
  setLabel(labels, entries.get('Parent'), remark('label_page_tree'))
  setLabel(labels, entries.get('Annots'), remark('label_annotations', shown))
  for (const item of file.items(entries.get('Annots'))) {
    setLabel(labels, item, remark('label_annotation', shown))
    const appearance = file.dictionary(item)?.entries.get('AP')
    if (appearance !== undefined) labelReferences(labels, file.resolve(appearance).value, remark('label_appearance', shown))
  }
  for (const item of [entries.get('Contents'), ...file.items(entries.get('Contents'))])
    setLabel(labels, item, remark('label_content', shown))
  setLabel(labels, entries.get('Resources'), remark('label_resources', shown))
  for (const value of file.dictionary(page.resources.value)?.entries.values() ?? [])
    labelReferences(labels, file.resolve(value).value, remark('label_drawn', shown))
}

function labelPages(file: PdfFile, labels: Labels): void {
  const catalog: LocatedValue = file.resolve(file.crossReference.trailer.entries.get('Root'))
  readPages(file, catalog).forEach((page, index) => {
    labelPage(file, labels, page, index)
  })
}

/** The description of each object that can be reached from the catalog. */
function labelObjects(file: PdfFile): ReadonlyMap<number, Remark> {
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

// The updates after a signed revision.

export interface AdditionsResult {
  /** Allowed changes; sentences. */
  additions: Remark[]
  /** Those of them that a reader of the document can see. */
  changes: VisibleChange[]
  /** Changes that are not allowed; sentences. */
  violations: Remark[]
  /** Parts that were not checked because they exceed a bound; sentences. */
  unchecked: Remark[]
  /** The signed revision by itself. */
  signed: PdfFile
}

/** The result for one update under one permission. */
interface UpdateResult {
  revision: number
  additions: readonly Remark[]
  changes: readonly VisibleChange[]
  violations: readonly Remark[]
  fieldChanges: readonly FieldChange[]
}

/** A chain of updates, each checked once per permission. */
interface CheckedChain extends RevisionChain {
  results: ReadonlyMap<Permission, readonly UpdateResult[]>
  /** Objects whose bytes do not end with the signed revision; clauses. */
  openEnds: readonly Remark[]
}

const MAX_VIOLATIONS = 12

/** Describes an object that no rule accepted, in a clause. */
function describeChange({ before, after }: UpdateCheck, number: number, label: Remark | undefined): Remark {
  const object = label === undefined ? remark('object_number', { number }) : remark('labelled', { label, number })
  const [old, now] = [before, after].map(file => file.crossReference.entries.get(number))
  if (now === undefined || now.kind === 'free') return remark('object_removed', { object })
  if (old === undefined) return remark('object_added', { object })
  if (old.kind === 'free') return remark('object_added_again', { object })
  const [was, is] = [readObject(before, number), readObject(after, number)]
  if (was?.kind !== 'dictionary' || is?.kind !== 'dictionary') return remark('object_replaced', { object })
  const keys = differingKeys(was, is).map(key => `/${key}`)
  return keys.length === 0 ? remark('object_rewritten', { object }) : remark('object_changed', { object, keys: keys.slice(0, 8) })
}

function describePending(update: UpdateCheck): Remark[] {
  const { before, after, pending } = update
  if (pending.size === 0) return []
  const [old, now] = [labelObjects(before), labelObjects(after)]
  const words = [...pending]
    .slice(0, MAX_VIOLATIONS)
    .map(number => describeChange(update, number, old.get(number) ?? now.get(number)))
  return pending.size <= MAX_VIOLATIONS ? words : [...words, remark('more_objects', { count: pending.size - MAX_VIOLATIONS })]
}

/** @throws PdfSyntaxError if one of the revisions cannot be read */
function checkUpdate(pair: RevisionPair, { layout }: Revision, state: ChainState, permission: Permission): UpdateResult {
  const update = new UpdateCheck(pair, state, permission)
  const { after, root, roots, violations, fieldChanges } = update
  const isMoved = roots[0] !== root
  if (isMoved && (permission === 1 || !update.isNew(root))) violations.push(remark('other_catalog'))
  if (layout.hasComments && permission === 1) violations.push(remark('comments_between_objects'))
  for (const number of update.changed) {
    const entry = after.crossReference.entries.get(number)
    if (entry?.kind === 'offset' && !layout.objects.has(number)) violations.push(remark('object_absent', { number }))
  }
  checkTrailer(update)
  acceptLayout(update)
  checkCatalog(update)
  checkDssChanges(update)
  const filled = acceptFilledFields(update)
  const added = checkAddedFields(update)
  checkPages(update, [...filled, ...added])
  acceptUnreferenced(update)
  violations.push(...describePending(update))
  const { revisions: revision } = after.crossReference
  const { additions, changes } = violations.length === 0 ? update : { additions: [], changes: [] }
  return { revision, violations, additions, changes: changes.map(change => ({ ...change, revision })), fieldChanges }
}

/** Finds objects that end after the signed revision: appended bytes decide their content. */
function findOpenEnds(signed: PdfFile, last: PdfFile, { references }: ChainState): Remark[] {
  const clauses = [...references.unterminated].map(number => remark('object_continued', { number }))
  const [old, now] = [signed.crossReference.entries, last.crossReference.entries]
  for (const number of references.unreadable) {
    // If the number now belongs to another object, the check of its update has covered it.
    if (sameEntry(old.get(number), now.get(number)) && isReadable(last, number))
      clauses.push(remark('object_readable_now', { number }))
  }
  return clauses
}

function noteRevision(file: PdfFile, state: ChainState, only?: ReadonlySet<number>): void {
  collectReferences(file, state.references, only)
  for (const container of readDssStructure(file, readCatalog(file).catalog).containers) state.dss.add(container)
}

/** The child process is killed a few seconds later. */
const MAX_CPU_MS = 7_000

/** Checks all updates in one pass, because the references grow from update to update. */
function checkChain(chain: RevisionChain, permissions: readonly Permission[]): CheckedChain {
  const { signed, later } = chain
  const state: ChainState = {
    references: emptyReferences(),
    dss: new Set(),
    compressed: findCompressed(signed),
    signed,
    painted: new Map(),
  }
  noteRevision(signed, state)
  const results = new Map(permissions.map(permission => [permission, [] as UpdateResult[]]))
  let before = signed
  let limit = chain.limit
  const start = workMs()
  for (const revision of later) {
    if (workMs() - start > MAX_CPU_MS) {
      limit = remark('check_too_long', { seconds: MAX_CPU_MS / 1000 })
      break
    }
    const changed = findChangedNumbers(before, revision.file, state.compressed)
    const pair = { before, after: revision.file, changed }
    for (const [permission, list] of results) list.push(checkUpdate(pair, revision, state, permission))
    noteRevision(revision.file, state, changed)
    before = revision.file
  }
  return { ...chain, limit, results, openEnds: findOpenEnds(signed, before, state) }
}

/** The number of updates before `end`; undefined unless one of them ends there. */
function findIndex({ signed, later }: RevisionChain, end: number): number | undefined {
  if (signed.bytes.length === end) return 0
  // A line end may follow the %%EOF.
  const index = later.findIndex(({ layout }) => end >= layout.end && end <= layout.end + 2)
  return index === -1 ? undefined : index + 1
}

function findSignedEnds(file: PdfFile): { ends: number[]; permissions: Set<Permission> } {
  const signatures = findSignatureFields(file, readCatalog(file).catalog)
  const ends = signatures.flatMap(({ value }) => {
    const range = value.entries.get('ByteRange')
    const [, , second, length] = range?.kind === 'array' ? range.items : []
    const end = second?.kind === 'number' && length?.kind === 'number' ? second.value + length.value : Number.NaN
    return Number.isSafeInteger(end) && end < file.bytes.length && endsRevision(file.bytes, end) ? [end] : []
  })
  return {
    ends: [...new Set(ends)].sort((a, b) => a - b),
    permissions: new Set(signatures.map(one => readPermission(file, one))),
  }
}

function findChain(chains: readonly CheckedChain[], end: number): { chain: CheckedChain; from: number } | undefined {
  for (const chain of chains) {
    const from = findIndex(chain, end)
    if (from !== undefined) return { chain, from }
  }
  return undefined
}

/** Checked chains of a file. A signature inside an earlier one's chain shares it. */
const checkChains = memoizePerObject((file: PdfFile): readonly CheckedChain[] => {
  const chains: CheckedChain[] = []
  const { ends, permissions } = findSignedEnds(file)
  for (const end of ends) {
    if (findChain(chains, end) !== undefined) continue
    try {
      chains.push(checkChain(readRevisions(file, end), [...permissions]))
    } catch (error) {
      // checkAdditions reports the missing chain for the signature that ends here.
      if (!(error instanceof PdfSyntaxError)) throw error
    }
  }
  return chains
})

const limitCount = (violations: Remark[]): Remark[] =>
  violations.length <= MAX_VIOLATIONS
    ? violations
    : [...violations.slice(0, MAX_VIOLATIONS), remark('more_changes', { count: violations.length - MAX_VIOLATIONS })]

/** @throws PdfSyntaxError if the bytes before `signedEnd` are not a PDF by themselves */
export function checkAdditions(
  file: PdfFile,
  signedEnd: number,
  permission: Permission,
  lock: FieldLock | undefined,
): AdditionsResult {
  const signed = file.revisionAt(signedEnd)
  const found = findChain(checkChains(file), signedEnd)
  if (found === undefined) throw new PdfSyntaxError(remark('revisions_inseparable'))
  const { chain, from } = found
  const additions: Remark[] = []
  const changes: VisibleChange[] = []
  const violations: Remark[] = []
  for (const { revision, ...result } of chain.results.get(permission)?.slice(from) ?? []) {
    const locked = result.fieldChanges.filter(({ name }) => lock !== undefined && isLocked(lock, name))
    const clauses = [...result.violations, ...locked.map(({ clause }) => remark('not_allowed_by_signature', { clause }))]
    violations.push(...clauses.map(clause => remark('changed_in_revision', { revision, clause })))
    if (clauses.length > 0) continue
    additions.push(...result.additions.map(addition => remark('revision_added', { revision, addition })))
    changes.push(...result.changes)
  }
  if (chain.error !== undefined) violations.push(remark('update_invalid', { why: chain.error }))
  if (chain.hasBlankTail && permission === 1) violations.push(remark('update_invalid', { why: remark('blank_tail') }))
  violations.push(...chain.openEnds.map(clause => remark('changed_later', { clause })))
  const unchecked = chain.limit === undefined ? [] : [chain.limit]
  return { additions, changes, violations: limitCount(violations), unchecked, signed }
}
