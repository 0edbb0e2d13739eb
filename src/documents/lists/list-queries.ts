/**
 * Lists documents for people, by any combination of filters, and for programs that follow changes,
 * with bounded work per page.
 */
import type { Selectable } from 'kysely'
import type { DocumentStatus } from '../../core/document/document.ts'
import { labelKey } from '../../core/document/document-limits.ts'
import { errorsIn, refuseIfInvalid } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import { believedTime, completeUntil } from '../../db/change-time.ts'
import type { Db } from '../../db/open.ts'
import type { Schema } from '../../db/schema.ts'
import { inWords, wordsOf } from '../../db/words.ts'
import { firstIdFrom } from '../../lib/id.ts'
import { foldText, PARTITION, partitionMark, trigramsOf } from '../../lib/search-text.ts'
import type { Actor, App } from '../../ports.ts'
import type { CachedDocument } from '../present.ts'
import { findAtVersions } from '../queries.ts'
import { labelsInUse } from './count-queries.ts'

export interface DocumentFilter {
  /** Any of these. */
  statuses?: readonly DocumentStatus[]
  label?: string
  email?: string
  q?: string
  createdAfter?: Date
  createdBefore?: Date
  updatedAfter?: Date
  /** Documents that need their sender at this time. */
  attentionAt?: Date
  /** Documents under legal hold. */
  isHeld?: true
  metadata: Record<string, string>
}

export interface PageRequest {
  limit: number
  /** The page has documents with ids below this one. */
  after: string | undefined
}

export interface DocumentPage {
  documents: CachedDocument[]
  /** `undefined` after the last document. Even an empty page may have a next one. */
  next: string | undefined
}
const MAX_SLICES = 40
const ABOVE_ALL = 'doc_~'

/** Checks a bounded number of documents: a page of rare matches may be short. */
export async function listDocuments(
  { db, timers }: Pick<App, 'db' | 'timers'>,
  actor: Actor,
  filter: DocumentFilter,
  { limit, after }: PageRequest,
): Promise<DocumentPage> {
  const range = rangeOf(filter, after)
  const conditions = await conditionsOf(db, actor, filter)
  if (isUnstorable(conditions)) return pageOf(db, [], undefined)
  const indexes = await indexesOf(db, conditions, range.from)
  const slice = needsCheck(conditions) ? SLICE : limit + 1
  const rows: Found[] = []
  let below = range.below
  let checked = 0
  for (let slices = 0; slices < MAX_SLICES && checked < MAX_CHECKED; slices++) {
    const named = furthest(await Promise.all(indexes.map(next => next(below, slice))))
    checked += named.ids.length
    rows.push(...(await matching(db, conditions, named.ids, limit + 1 - rows.length)))
    if (rows.length > limit) return pageOf(db, rows.slice(0, limit), rows[limit - 1]?.id)
    if (named.reached === undefined) return pageOf(db, rows, undefined)
    below = named.reached
    await timers.yield()
  }
  return pageOf(db, rows, below)
}

/** No stored text contains NUL, and in a query it would end the text or be refused. */
function isUnstorable({ isHeld: _, ...texts }: Conditions): boolean {
  return Object.values(texts)
    .flat(2)
    .some(value => value?.includes('\0'))
}

export type Found = Pick<Selectable<Schema['documents']>, 'id' | 'version'>

/** A document was created at the time in its id. */
function rangeOf({ createdAfter, createdBefore }: DocumentFilter, after: string | undefined): { from: string; below: string } {
  const from = createdAfter === undefined ? '' : firstIdFrom('doc', createdAfter.getTime() + 1)
  const before = createdBefore === undefined ? ABOVE_ALL : firstIdFrom('doc', createdBefore.getTime())
  return { from, below: after !== undefined && after < before ? after : before }
}

/** Whose documents the actor sees; `undefined`: all. */
export const ownerOf = (actor: Actor): string | undefined => (actor.seesAll ? undefined : (actor.userId ?? ''))

export async function conditionsOf(
  db: Db,
  actor: Actor,
  { q, updatedAfter, attentionAt, statuses, ...filter }: DocumentFilter,
): Promise<Conditions> {
  return {
    owner: ownerOf(actor),
    statuses: statuses && [...new Set(statuses)],
    labels: filter.label === undefined ? undefined : await spellingsOf(db, actor, filter.label),
    email: filter.email,
    text: q === undefined ? undefined : foldText(q),
    metadata: Object.entries(filter.metadata),
    updatedAfter: updatedAfter?.toISOString(),
    attentionAt: attentionAt?.toISOString(),
    isHeld: filter.isHeld,
  }
}

/** The label, and those of the actor that differ from it only in case. */
async function spellingsOf(db: Db, actor: Actor, label: string): Promise<string[]> {
  const others = (await labelsInUse(db, actor)).filter(each => labelKey(each) === labelKey(label))
  return [...new Set([label, ...others])]
}

/** Whether one index alone does not suffice. */
function needsCheck({ owner: _, statuses: _known, metadata, ...others }: Conditions): boolean {
  return metadata.length > 0 || Object.values(others).some(value => value !== undefined)
}

/** The slice that skips most documents; of those that end the search, the shortest. */
function furthest(all: Slice[]): Slice {
  const distance = ({ reached }: Slice) => reached ?? ''
  return all.reduce((best, each) => {
    if (distance(each) !== distance(best)) return distance(each) < distance(best) ? each : best
    return each.ids.length < best.ids.length ? each : best
  })
}

type Check = [condition: string, values: readonly string[]]

function checksOf(db: Db, conditions: Conditions): Check[] {
  const { owner, statuses, labels, email, text, metadata, updatedAfter, attentionAt, isHeld } = conditions
  const { indexedBy, sameText, contains } = wordsOf(db)
  const recipients = `recipients r ${indexedBy('recipients_email')}`
  const checks: [condition: string, values: readonly string[] | undefined][] = [
    ['d.owner_id = ?', owner === undefined ? undefined : [owner]],
    [`d.status IN (${(statuses ?? []).map(() => '?')})`, statuses],
    ['d.updated_at > ?', updatedAfter === undefined ? undefined : [updatedAfter]],
    ['d.attention_until > ? AND d.attention_from <= ?', attentionAt === undefined ? undefined : [attentionAt, attentionAt]],
    ['d.held_at IS NOT NULL', isHeld && []],
    [hasRow('document_labels l', 'l.document_id', `l.label IN (${(labels ?? []).map(() => '?')})`), labels],
    [hasRow(recipients, 'r.document_id', sameText('r.email', '?')), email === undefined ? undefined : [email]],
    ...metadata.map((pair): Check => [hasRow('document_metadata m', 'm.document_id', 'm.key = ? AND m.value = ?'), pair]),
    [hasRow('document_search s', 's.document_id', contains('s.text', '?')), text === undefined ? undefined : [text]],
  ]
  return checks.flatMap(([condition, values]) => (values === undefined ? [] : [[condition, values] satisfies Check]))
}

const hasRow = (table: string, documentId: string, condition: string) =>
  `EXISTS (SELECT 1 FROM ${table} WHERE ${condition} AND ${documentId} = d.id)`

/** The first `limit` of these documents that meet all conditions. */
export async function matching(db: Db, conditions: Conditions, ids: string[], limit: number): Promise<Found[]> {
  if (ids.length === 0) return []
  const { listed, joinInOrder, bound } = wordsOf(db)
  const checks = checksOf(db, conditions)
  const where = checks.length === 0 ? '' : `WHERE ${checks.map(([condition]) => condition).join(' AND ')}`
  const sql = `SELECT d.id, d.version FROM ${listed} ${joinInOrder} documents d ON d.id = named.value ${where} ORDER BY named.key LIMIT ${bound}`
  return db.reads.all(sql, [JSON.stringify(ids), ...checks.flatMap(([, values]) => values), limit]) as Promise<Found[]>
}

async function pageOf(db: Db, found: Found[], next: string | undefined): Promise<DocumentPage> {
  return { documents: await findAtVersions(db, found), next }
}

// Lists documents for programs that follow changes, by time or in the order of changes.

interface FollowedPage extends DocumentPage {
  /** Who has read all pages and asks for changes after this time misses none. */
  asOf: Date
}

/** `changed`: oldest change first, without end. @throws Refusal for a cursor of the other order */
export async function followDocuments(
  app: Pick<App, 'db' | 'now' | 'timers'>,
  actor: Actor,
  filter: DocumentFilter,
  { order, ...page }: PageRequest & { order: 'created' | 'changed' },
): Promise<FollowedPage> {
  const isOther = page.after !== undefined && page.after.startsWith(CURSOR) !== (order === 'changed')
  refuseIfInvalid(errorsIn([['cursor', isOther ? violation('cursor_of_other_order') : undefined]]))
  // Before the documents: what is committed between the two comes again.
  const { db, now } = app
  const asOf = await completeUntil(db, ownerOf(actor), now())
  const { updatedAfter } = filter
  const believed = updatedAfter && { updatedAfter: await believedTime(db, updatedAfter, now()) }
  const list = order === 'changed' ? listChanged : listDocuments
  return { ...(await list(app, actor, { ...filter, ...believed }, page)), asOf }
}

/** Of a cursor: a number of `document_sequence` follows. */
const CURSOR = 'chg_'
/** Changes that are looked at for one step, and for one page. */
const SLICE = 500
const MAX_CHECKED = 5000

type Change = { id: string; number: number }

/** A document that changes again moves to the end. There is always a next cursor, for later. */
async function listChanged(
  { db, timers }: Pick<App, 'db' | 'timers'>,
  actor: Actor,
  filter: DocumentFilter,
  { limit, after }: PageRequest,
): Promise<DocumentPage> {
  const [conditions, range] = [await conditionsOf(db, actor, filter), rangeOf(filter, undefined)]
  let last = after === undefined ? 0 : Number(after.slice(CURSOR.length))
  await requireKnown(db, last)
  const isInRange = ({ id }: Change) => id.startsWith('doc_') && id >= range.from && id < range.below
  const found: Found[] = []
  for (let checked = 0; checked < MAX_CHECKED && !isUnstorable(conditions); checked += SLICE) {
    const changes = await changesAfter(db, conditions.owner, last)
    const ids = changes.filter(isInRange).map(({ id }) => id)
    found.push(...(await matching(db, conditions, ids, limit - found.length)))
    const isFull = found.length === limit
    const end = isFull ? changes.find(({ id }) => id === found.at(-1)?.id) : changes.at(-1)
    last = end?.number ?? last
    if (isFull || changes.length < SLICE) break
    await timers.yield()
  }
  return { documents: await findAtVersions(db, found), next: `${CURSOR}${last}` }
}

function changesAfter(db: Db, owner: string | undefined, after: number): Promise<Change[]> {
  const [own, owners] = owner === undefined ? ['', []] : ['owner_id = ? AND ', [owner]]
  const read = `SELECT document_id AS id, number FROM document_sequence WHERE ${own}number > ? ORDER BY number LIMIT ?`
  return db.reads.all(read, [...owners, after, SLICE]) as Promise<Change[]>
}

/** Refuses a number that was not given yet: after a restore it would hide changes. */
async function requireKnown(db: Db, number: number): Promise<void> {
  const newest = (await db.reads.value('SELECT max(number) FROM document_sequence', [])) as number | undefined
  refuseIfInvalid(errorsIn([['cursor', number > (newest ?? 0) ? violation('cursor_beyond_changes') : undefined]]))
}

// The indexes by which the list of documents is read: each gives ids in descending order.

/** What each document of a list meets. */
interface Conditions {
  owner: string | undefined
  statuses: readonly DocumentStatus[] | undefined
  /** Any of these spellings. */
  labels: readonly string[] | undefined
  email: string | undefined
  /** Folded. */
  text: string | undefined
  metadata: [key: string, value: string][]
  updatedAfter: string | undefined
  attentionAt: string | undefined
  isHeld: true | undefined
}

/** The next documents of an index below an id. */
interface Slice {
  /** In descending order. */
  ids: string[]
  /** `ids` is complete down to this id; `undefined`: the index has no more. */
  reached: string | undefined
}

type Index = (below: string, count: number) => Promise<Slice>

/** Ids that are sorted in memory. */
const MAX_SET = 5000

/** Indexes that each contain every document of the list, and others. */
async function indexesOf(db: Db, conditions: Conditions, from: string): Promise<Index[]> {
  const { owner, labels, email, text, metadata } = conditions
  const indexes = [ofStatuses(db, conditions, from), ...(await ofSets(db, conditions, from))]
  if (labels !== undefined) indexes.push(union(labels.map(label => ofLabel(db, owner, label, from))))
  if (email !== undefined) indexes.push(ordered(db, OF_EMAIL(db), [email], from))
  for (const pair of metadata) indexes.push(ordered(db, OF_METADATA, pair, from))
  const trigrams = text === undefined ? [] : trigramsOf(text)
  if (trigrams.length > 0) indexes.push(union([ofTrigrams(db, trigrams, from), ordered(db, UNORDERED(db), [], from)]))
  return indexes
}

/** Of one owner or all, in one status, several or any. */
function ofStatuses(db: Db, { owner, statuses }: Conditions, from: string): Index {
  const each = (status: string | undefined) => {
    const equal = [...(owner === undefined ? [] : ['owner_id = ?']), ...(status === undefined ? [] : ['status = ?'])]
    const where = [...equal, 'id < ? AND id >= ?'].join(' AND ')
    const values = [owner, status].filter(value => value !== undefined)
    return ordered(db, `SELECT id FROM documents WHERE ${where} ORDER BY id DESC LIMIT ?`, values, from)
  }
  return statuses === undefined ? each(undefined) : union(statuses.map(each))
}

function ofLabel(db: Db, owner: string | undefined, label: string, from: string): Index {
  const [equal, values] = owner === undefined ? ['label = ?', [label]] : ['owner_id = ? AND label = ?', [owner, label]]
  const where = `${equal} AND document_id < ? AND document_id >= ?`
  return ordered(db, `SELECT document_id FROM document_labels WHERE ${where} ORDER BY document_id DESC LIMIT ?`, values, from)
}

/** Documents that an index finds at once, but not in the order of the ids. */
async function ofSets(db: Db, { owner, updatedAfter, attentionAt, isHeld }: Conditions, from: string): Promise<Index[]> {
  const [own, owners] = owner === undefined ? ['', []] : ['owner_id = ? AND ', [owner]]
  const sets: [where: string, values: string[] | undefined][] = [
    ['updated_at > ?', updatedAfter === undefined ? undefined : [updatedAfter]],
    ['attention_until > ? AND attention_from <= ?', attentionAt === undefined ? undefined : [attentionAt, attentionAt]],
    ['held_at IS NOT NULL', isHeld && []],
  ]
  const indexes = sets.map(async ([where, values]) => {
    if (values === undefined) return []
    const sql = `SELECT id FROM documents WHERE ${own}${where} LIMIT ?`
    const ids = await idsOf(db, sql, [...owners, ...values, MAX_SET + 1])
    // A larger set has a good share of all documents: those that another index names are checked.
    return ids.length > MAX_SET ? [] : [sorted(ids, from)]
  })
  return (await Promise.all(indexes)).flat()
}

const idsOf = (db: Db, sql: string, values: readonly unknown[]) => db.reads.column(sql, values) as Promise<string[]>

function sorted(all: string[], from: string): Index {
  const ids = all.filter(id => id >= from).sort()
  ids.reverse()
  return async (below, count) => {
    const first = ids.findIndex(id => id < below)
    const next = first < 0 ? [] : ids.slice(first, first + count)
    return { ids: next, reached: next.length < count ? undefined : next.at(-1) }
  }
}

const OF_EMAIL = inWords(
  ({ indexedBy, sameText }) => `SELECT DISTINCT document_id FROM recipients ${indexedBy('recipients_email')}
  WHERE ${sameText('email', '?')} AND document_id < ? AND document_id >= ? ORDER BY document_id DESC LIMIT ?`,
)
const OF_METADATA = `SELECT document_id FROM document_metadata
  WHERE key = ? AND value = ? AND document_id < ? AND document_id >= ? ORDER BY document_id DESC LIMIT ?`

function ordered(db: Db, sql: string, values: string[], from: string): Index {
  return async (below, count) => {
    const ids = await idsOf(db, sql, [...values, below, from, count])
    return { ids, reached: ids.length < count ? undefined : ids.at(-1) }
  }
}

const NEWEST_BELOW =
  'SELECT number, document_id AS id FROM document_search WHERE document_id < ? AND number > 0 ORDER BY document_id DESC LIMIT 1'
const FIRST_OF = 'SELECT document_id FROM document_search WHERE number >= ? ORDER BY number LIMIT 1'

/** One partition at a time: bounds the search for trigrams that are common but never together. */
function ofTrigrams(db: Db, trigrams: string[], from: string): Index {
  return async (below, count) => {
    const newest = (await db.reads.first(NEWEST_BELOW, [below])) as { number: number; id: string } | undefined
    if (newest === undefined) return { ids: [], reached: undefined }
    const first = newest.number - (newest.number % PARTITION)
    const numbers = { from: first, to: newest.number }
    const { sql, values } = wordsOf(db).withTrigrams([partitionMark(newest.number), ...trigrams], numbers, count)
    const ids = await idsOf(db, sql, values)
    const isWhole = ids.length < count
    const [reached = newest.id] = isWhole ? await idsOf(db, FIRST_OF, [first]) : ids.slice(-1)
    const isLast = isWhole && (first === 0 || reached <= from)
    return { ids: ids.filter(id => id >= from), reached: isLast ? undefined : reached }
  }
}

/** Documents whose numbers are not in the order of their ids. */
const UNORDERED = inWords(
  ({ indexedBy }) => `SELECT document_id FROM document_search ${indexedBy('document_search_unordered')}
  WHERE number < 0 AND document_id < ? AND document_id >= ? ORDER BY document_id DESC LIMIT ?`,
)

/** The documents of several indexes, as far back as all have been read. */
function union(indexes: Index[]): Index {
  return async (below, count) => {
    const all = await Promise.all(indexes.map(index => index(below, count)))
    const reached = all
      .flatMap(named => named.reached ?? [])
      .sort()
      .at(-1)
    const ids = all.flatMap(named => named.ids).filter(id => reached === undefined || id >= reached)
    return { ids: ids.sort().reverse(), reached }
  }
}
