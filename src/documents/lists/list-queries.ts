/** Lists documents, newest first, by any combination of filters, with bounded work per page. */

// Every filter has an index in the order of the ids. Each slice follows the index that reaches
// furthest back, checks the other filters row by row, and yields to the event loop.
import type { Selectable } from 'kysely'
import type { DocumentStatus } from '../../core/document/document.ts'
import { labelKey } from '../../core/document/label.ts'
import type { Db } from '../../db/open.ts'
import type { Schema } from '../../db/schema.ts'
import { wordsOf } from '../../db/words.ts'
import { firstIdFrom } from '../../lib/id.ts'
import { foldText } from '../../lib/search-text.ts'
import type { Actor, App } from '../../ports.ts'
import type { CachedDocument } from '../cached-document.ts'
import { findAtVersions } from '../queries.ts'
import { labelsInUse } from './count-queries.ts'
import { type Conditions, indexesOf, type Slice } from './index-queries.ts'

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

/** Documents that one slice reads from an index. */
const SLICE = 500
/** Bounds the work for one page: documents checked, and slices, which may skip thousands each. */
const MAX_CHECKED = 5000
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
export function isUnstorable({ isHeld: _, ...texts }: Conditions): boolean {
  return Object.values(texts)
    .flat(2)
    .some(value => value?.includes('\0'))
}

export type Found = Pick<Selectable<Schema['documents']>, 'id' | 'version'>

/** A document was created at the time in its id. */
export function rangeOf(
  { createdAfter, createdBefore }: DocumentFilter,
  after: string | undefined,
): { from: string; below: string } {
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
