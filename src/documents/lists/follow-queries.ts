/** Lists documents for programs that follow changes, by time or in the order of changes. */
import { errorsIn, refuseIfInvalid } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import { believedTime, completeUntil } from '../../db/change-time.ts'
import type { Db } from '../../db/open.ts'
import type { Actor, App } from '../../ports.ts'
import { findAtVersions } from '../queries.ts'
import {
  conditionsOf,
  type DocumentFilter,
  type DocumentPage,
  type Found,
  isUnstorable,
  listDocuments,
  matching,
  ownerOf,
  type PageRequest,
  rangeOf,
} from './list-queries.ts'

export interface FollowedPage extends DocumentPage {
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
