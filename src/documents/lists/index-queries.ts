/** The indexes by which the list of documents is read: each gives ids in descending order. */
import type { DocumentStatus } from '../../core/document/document.ts'
import type { Db } from '../../db/open.ts'
import { inWords, wordsOf } from '../../db/words.ts'
import { PARTITION, partitionMark, trigramsOf } from '../../lib/search-text.ts'

/** What each document of a list meets. */
export interface Conditions {
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
export interface Slice {
  /** In descending order. */
  ids: string[]
  /** `ids` is complete down to this id; `undefined`: the index has no more. */
  reached: string | undefined
}

type Index = (below: string, count: number) => Promise<Slice>

/** Ids that are sorted in memory. */
const MAX_SET = 5000

/** Indexes that each contain every document of the list, and others. */
export async function indexesOf(db: Db, conditions: Conditions, from: string): Promise<Index[]> {
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
