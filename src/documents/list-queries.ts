/** Lists documents, newest first, by any combination of filters, with bounded work per page. */

// Every filter has an index in the order of the ids. Each slice follows the index that reaches
// furthest back, checks the other filters row by row, and yields to the event loop.
import type { Selectable } from 'kysely'
import type { DocumentStatus } from '../core/document.ts'
import { type Db, prepared } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { firstIdFrom } from '../lib/id.ts'
import { foldText, PARTITION, partitionMark, trigramsOf } from '../lib/search-text.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import type { Actor } from '../ports.ts'
import type { CachedDocument } from './cached-document.ts'
import { findAtVersion } from './queries.ts'

export interface DocumentFilter {
  status?: DocumentStatus
  email?: string
  q?: string
  createdAfter?: Date
  createdBefore?: Date
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

/** Documents that one slice reads from an index. */
const SLICE = 500
/** Bounds the work for one page: documents checked, and slices, which may skip thousands each. */
const MAX_CHECKED = 5000
const MAX_SLICES = 40
const ABOVE_ALL = 'doc_~'

/** Checks a bounded number of documents: a page of rare matches may be short. */
export async function listDocuments(
  db: Db,
  actor: Actor,
  filter: DocumentFilter,
  { limit, after }: PageRequest,
): Promise<DocumentPage> {
  const range = rangeOf(filter, after)
  const conditions = conditionsOf(actor, filter)
  // No stored text contains NUL, and it would end the text of the index query.
  if (conditions.text?.includes('\0')) return pageOf(db, [], undefined)
  const indexes = indexesOf(db, conditions, range.from)
  const slice = conditions.needsCheck ? SLICE : limit + 1
  const rows: Found[] = []
  let below = range.below
  let checked = 0
  for (let slices = 0; slices < MAX_SLICES && checked < MAX_CHECKED; slices++) {
    const named = furthest(indexes.map(next => next(below, slice)))
    checked += named.ids.length
    rows.push(...matching(db, conditions, named.ids, limit + 1 - rows.length))
    if (rows.length > limit) return pageOf(db, rows.slice(0, limit), rows[limit - 1]?.id)
    if (named.reached === undefined) return pageOf(db, rows, undefined)
    below = named.reached
    await yieldToEventLoop()
  }
  return pageOf(db, rows, below)
}

type Found = Pick<Selectable<Schema['documents']>, 'id' | 'version'>

/** A document was created at the time in its id. */
function rangeOf({ createdAfter, createdBefore }: DocumentFilter, after: string | undefined): { from: string; below: string } {
  const from = createdAfter === undefined ? '' : firstIdFrom('doc', createdAfter.getTime() + 1)
  const before = createdBefore === undefined ? ABOVE_ALL : firstIdFrom('doc', createdBefore.getTime())
  return { from, below: after !== undefined && after < before ? after : before }
}

interface Conditions {
  owner: string | undefined
  status: DocumentStatus | undefined
  email: string | undefined
  /** Folded. */
  text: string | undefined
  metadata: [key: string, value: string][]
  /** Whether one index alone does not suffice. */
  needsCheck: boolean
}

function conditionsOf(actor: Actor, { status, email, q, metadata }: DocumentFilter): Conditions {
  const pairs = Object.entries(metadata)
  const owner = actor.seesAll ? undefined : (actor.userId ?? '')
  const text = q === undefined ? undefined : foldText(q)
  return {
    owner,
    status,
    email,
    text,
    metadata: pairs,
    needsCheck: email !== undefined || text !== undefined || pairs.length > 0,
  }
}

/** The next documents of an index below an id. */
interface Slice {
  /** In descending order. */
  ids: string[]
  /** `ids` is complete down to this id; `undefined`: the index has no more. */
  reached: string | undefined
}

type Index = (below: string, count: number) => Slice

/** The slice that skips most documents; of those that end the search, the shortest. */
function furthest(all: Slice[]): Slice {
  const distance = ({ reached }: Slice) => reached ?? ''
  return all.reduce((best, each) => {
    if (distance(each) !== distance(best)) return distance(each) < distance(best) ? each : best
    return each.ids.length < best.ids.length ? each : best
  })
}

function indexesOf(db: Db, { owner, status, email, text, metadata }: Conditions, from: string): Index[] {
  const equal = [...(owner === undefined ? [] : ['owner_id = ?']), ...(status === undefined ? [] : ['status = ?'])]
  const values = [owner, status].filter(value => value !== undefined)
  const indexes = [
    ordered(
      db,
      `SELECT id FROM documents WHERE ${[...equal, 'id < ? AND id >= ?'].join(' AND ')} ORDER BY id DESC LIMIT ?`,
      values,
      from,
    ),
  ]
  if (email !== undefined) indexes.push(ordered(db, OF_EMAIL, [email], from))
  for (const pair of metadata) indexes.push(ordered(db, OF_METADATA, pair, from))
  const trigrams = text === undefined ? [] : trigramsOf(text)
  if (trigrams.length > 0) indexes.push(either(ofTrigrams(db, trigrams, from), ordered(db, UNORDERED, [], from)))
  return indexes
}

const OF_EMAIL = `SELECT DISTINCT document_id FROM recipients INDEXED BY recipients_email
  WHERE email = ? COLLATE NOCASE AND document_id < ? AND document_id >= ? ORDER BY document_id DESC LIMIT ?`
const OF_METADATA = `SELECT document_id FROM document_metadata
  WHERE key = ? AND value = ? AND document_id < ? AND document_id >= ? ORDER BY document_id DESC LIMIT ?`

function ordered(db: Db, sql: string, values: string[], from: string): Index {
  const statement = prepared(db, sql).pluck()
  return (below, count) => {
    const ids = statement.all(...values, below, from, count) as string[]
    return { ids, reached: ids.length < count ? undefined : ids.at(-1) }
  }
}

const NEWEST_BELOW =
  'SELECT number, document_id AS id FROM document_search WHERE document_id < ? AND number > 0 ORDER BY document_id DESC LIMIT 1'
const FIRST_OF = 'SELECT document_id FROM document_search WHERE number >= ? ORDER BY number LIMIT 1'
const OF_TRIGRAMS = `SELECT s.document_id FROM document_trigrams t CROSS JOIN document_search s ON s.number = t.rowid
  WHERE t.document_trigrams MATCH ? AND t.rowid <= ? ORDER BY t.rowid DESC LIMIT ?`

/** One partition at a time: bounds the search for trigrams that are common but never together. */
function ofTrigrams(db: Db, trigrams: string[], from: string): Index {
  return (below, count) => {
    const newest = prepared(db, NEWEST_BELOW).get(below) as { number: number; id: string } | undefined
    if (newest === undefined) return { ids: [], reached: undefined }
    const wanted = [partitionMark(newest.number), ...trigrams].map(each => `"${each.replaceAll('"', '""')}"`).join(' AND ')
    const ids = prepared(db, OF_TRIGRAMS).pluck().all(wanted, newest.number, count) as string[]
    const first = newest.number - (newest.number % PARTITION)
    const isWhole = ids.length < count
    const reached = isWhole ? String(prepared(db, FIRST_OF).pluck().get(first)) : (ids.at(-1) ?? newest.id)
    const isLast = isWhole && (first === 0 || reached <= from)
    return { ids: ids.filter(id => id >= from), reached: isLast ? undefined : reached }
  }
}

/** Documents whose numbers are not in the order of their ids. */
const UNORDERED = `SELECT document_id FROM document_search INDEXED BY document_search_unordered
  WHERE number < 0 AND document_id < ? AND document_id >= ? ORDER BY document_id DESC LIMIT ?`

/** The union of two indexes, as far back as both have been read. */
function either(one: Index, other: Index): Index {
  return (below, count) => {
    const both = [one(below, count), other(below, count)]
    const reached = both
      .flatMap(named => named.reached ?? [])
      .sort()
      .at(-1)
    const ids = both.flatMap(named => named.ids).filter(id => reached === undefined || id >= reached)
    return { ids: ids.sort().reverse(), reached }
  }
}

/** The first `limit` of these documents that meet all conditions. */
function matching(db: Db, conditions: Conditions, ids: string[], limit: number): Found[] {
  if (ids.length === 0) return []
  const { owner, status, email, text, metadata } = conditions
  const checks: [condition: string, values: string[]][] = []
  if (owner !== undefined) checks.push(['d.owner_id = ?', [owner]])
  if (status !== undefined) checks.push(['d.status = ?', [status]])
  if (email !== undefined) checks.push([HAS_EMAIL, [email]])
  for (const pair of metadata) checks.push([HAS_METADATA, pair])
  if (text !== undefined) checks.push([HAS_TEXT, [text]])
  const where = checks.length === 0 ? '' : `WHERE ${checks.map(([condition]) => condition).join(' AND ')}`
  const sql = `SELECT d.id, d.version FROM json_each(?) AS named CROSS JOIN documents d ON d.id = named.value ${where} ORDER BY named.key LIMIT +?`
  return prepared(db, sql).all(JSON.stringify(ids), ...checks.flatMap(([, values]) => values), limit) as Found[]
}

const HAS_EMAIL =
  'EXISTS (SELECT 1 FROM recipients r INDEXED BY recipients_email WHERE r.email = ? COLLATE NOCASE AND r.document_id = d.id)'
const HAS_METADATA = 'EXISTS (SELECT 1 FROM document_metadata m WHERE m.key = ? AND m.value = ? AND m.document_id = d.id)'
const HAS_TEXT = 'EXISTS (SELECT 1 FROM document_search s WHERE s.document_id = d.id AND instr(s.text, ?) > 0)'
function pageOf(db: Db, found: Found[], next: string | undefined): DocumentPage {
  return { documents: found.flatMap(({ id, version }) => findAtVersion(db, id, version) ?? []), next }
}
