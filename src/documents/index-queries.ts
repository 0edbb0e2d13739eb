/** The indexes by which the list of documents is read: each gives ids in descending order. */
import type { DocumentStatus } from '../core/document.ts'
import type { Db } from '../db/open.ts'
import { prepared } from '../db/sqlite.ts'
import { PARTITION, partitionMark, trigramsOf } from '../lib/search-text.ts'

/** What each document of a list meets. */
export interface Conditions {
  owner: string | undefined
  statuses: readonly DocumentStatus[] | undefined
  label: string | undefined
  email: string | undefined
  /** Folded. */
  text: string | undefined
  metadata: [key: string, value: string][]
  updatedAfter: string | undefined
  attentionAt: string | undefined
}

/** The next documents of an index below an id. */
export interface Slice {
  /** In descending order. */
  ids: string[]
  /** `ids` is complete down to this id; `undefined`: the index has no more. */
  reached: string | undefined
}

type Index = (below: string, count: number) => Slice

/** Ids that are sorted in memory. */
const MAX_SET = 5000

/** Indexes that each contain every document of the list, and others. */
export function indexesOf(db: Db, conditions: Conditions, from: string): Index[] {
  const { owner, label, email, text, metadata } = conditions
  const indexes = [ofStatuses(db, conditions, from), ...ofSets(db, conditions, from)]
  if (label !== undefined) indexes.push(ofLabel(db, owner, label, from))
  if (email !== undefined) indexes.push(ordered(db, OF_EMAIL, [email], from))
  for (const pair of metadata) indexes.push(ordered(db, OF_METADATA, pair, from))
  const trigrams = text === undefined ? [] : trigramsOf(text)
  if (trigrams.length > 0) indexes.push(union([ofTrigrams(db, trigrams, from), ordered(db, UNORDERED, [], from)]))
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
function ofSets(db: Db, { owner, updatedAfter, attentionAt }: Conditions, from: string): Index[] {
  const [own, owners] = owner === undefined ? ['', []] : ['owner_id = ? AND ', [owner]]
  const sets: [where: string, values: string[] | undefined][] = [
    ['updated_at > ?', updatedAfter === undefined ? undefined : [updatedAfter]],
    ['attention_until > ? AND attention_from <= ?', attentionAt === undefined ? undefined : [attentionAt, attentionAt]],
  ]
  return sets.flatMap(([where, values]) => {
    if (values === undefined) return []
    const statement = prepared(db, `SELECT id FROM documents WHERE ${own}${where} LIMIT ?`).pluck()
    const ids = statement.all(...owners, ...values, MAX_SET + 1) as string[]
    // A larger set has a good share of all documents: those that another index names are checked.
    return ids.length > MAX_SET ? [] : [sorted(ids, from)]
  })
}

function sorted(all: string[], from: string): Index {
  const ids = all.filter(id => id >= from).sort()
  ids.reverse()
  return (below, count) => {
    const first = ids.findIndex(id => id < below)
    const next = first < 0 ? [] : ids.slice(first, first + count)
    return { ids: next, reached: next.length < count ? undefined : next.at(-1) }
  }
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

/** The documents of several indexes, as far back as all have been read. */
function union(indexes: Index[]): Index {
  return (below, count) => {
    const all = indexes.map(index => index(below, count))
    const reached = all
      .flatMap(named => named.reached ?? [])
      .sort()
      .at(-1)
    const ids = all.flatMap(named => named.ids).filter(id => reached === undefined || id >= reached)
    return { ids: ids.sort().reverse(), reached }
  }
}
