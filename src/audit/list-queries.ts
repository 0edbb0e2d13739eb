/** Finds entries of the whole chain by actor, type, document and time. Each filter has an index. */
import type { Db } from '../db/open.ts'
import { type Words, wordsOf } from '../db/words.ts'
import { type EventRow, eventsBySequence } from './queries.ts'

/** Whose entries are wanted: those they caused and those about them. */
export interface Subject {
  kind: 'user' | 'key' | 'recipient'
  id: string
}

export interface EventFilter {
  /** Any of these persons and keys; an empty list matches nothing. */
  subjects?: readonly Subject[]
  /** Or any recipient with this address. */
  recipientEmail?: string
  /** Any of these types. */
  types?: readonly string[]
  documentId?: string
  from?: Date
  before?: Date
}

/** A condition with its values. */
type Condition = [text: string, ...values: (string | number)[]]

/** As in the index of actors. */
const ACTOR_CHARACTERS = 51
const ACTOR = `substr(e.entry, 1, ${ACTOR_CHARACTERS})`
const startOf = (actor: string) => `{"actor":"${actor}","at":"`.slice(0, ACTOR_CHARACTERS)

/** Conditions that one index serves each. */
function subjectConditions(words: Words, { subjects, recipientEmail }: EventFilter): Condition[] {
  const found = (subjects ?? []).flatMap(({ kind, id }): Condition[] => {
    if (kind === 'recipient') {
      const own = 'e.document_id = (SELECT document_id FROM recipients WHERE id = ?)'
      return [
        [`${ACTOR} = ?`, startOf(`recipient:${id}`)],
        [`${own} AND ${words.contains('e.entry', '?')}`, id, about(id)],
      ]
    }
    // Entries about users and keys belong to no document.
    return [
      [`${ACTOR} = ?`, startOf(`${kind}:${id}`)],
      [`e.document_id IS NULL AND ${words.contains('e.entry', '?')}`, id],
    ]
  })
  if (recipientEmail === undefined) return found
  const theirs = `e.sequence IN (SELECT o.sequence FROM recipients r ${words.joinInOrder} events o ON o.document_id = r.document_id
    WHERE ${words.sameText('r.email', '?')} AND (${words.contains('o.entry', `'"actor":"recipient:' || r.id || '"'`)}
      OR ${words.contains('o.entry', `'"recipientId":"' || r.id || '"'`)}))`
  return [...found, [theirs, recipientEmail]]
}

const about = (recipientId: string) => `"recipientId":"${recipientId}"`

const anyOf = (conditions: readonly Condition[]): Condition => [
  `(${conditions.map(([text]) => text).join(' OR ') || '1 = 0'})`,
  ...conditions.flatMap(([, ...values]) => values),
]

const inList = (column: string, values: readonly string[]): Condition => [
  `${column} IN (${values.map(() => '?').join(', ')})`,
  ...values,
]

interface Plan {
  /** Each is read by its index, and stops after enough entries. */
  branches: Condition[]
  /** Checked for each entry that a branch finds. */
  others: Condition[]
}

function planOf(words: Words, filter: EventFilter): Plan {
  const { types, documentId, subjects, recipientEmail } = filter
  const typed = types === undefined ? [] : [inList('e.type', types)]
  const bySubject = subjects === undefined && recipientEmail === undefined ? undefined : subjectConditions(words, filter)
  if (documentId !== undefined) {
    return { branches: [['e.document_id = ?', documentId]], others: [...typed, ...(bySubject ? [anyOf(bySubject)] : [])] }
  }
  if (bySubject) return { branches: bySubject, others: typed }
  if (types !== undefined) return { branches: types.map((type): Condition => ['e.type = ?', type]), others: [] }
  return { branches: [['1 = 1']], others: [] }
}

const DAY = 'substr(at, 1, 10)'

/**
 * The first and the last sequence of all days from one to another (UTC): one look-up in the index
 * for each day that has entries. A clock that was set back may put days out of order.
 */
const DAYS_BOUNDS = `WITH RECURSIVE days (day) AS (
    SELECT (SELECT ${DAY} FROM events WHERE ${DAY} >= ? ORDER BY ${DAY} LIMIT 1)
    UNION ALL SELECT (SELECT ${DAY} FROM events WHERE ${DAY} > days.day ORDER BY ${DAY} LIMIT 1) FROM days WHERE days.day < ?
  ) SELECT min((SELECT min(sequence) FROM events WHERE ${DAY} = days.day)) AS first,
    max((SELECT max(sequence) FROM events WHERE ${DAY} = days.day)) AS last FROM days WHERE days.day <= ?`

/** With bounds of the sequence, so that no entry far from these times is read. */
async function timeConditions(db: Db, { from, before }: EventFilter): Promise<Condition[]> {
  if (!from && !before) return []
  const [fromDay, lastDay] = [from?.toISOString().slice(0, 10) ?? '', before?.toISOString().slice(0, 10) ?? '9']
  const bounds = (await db.reads.first(DAYS_BOUNDS, [fromDay, lastDay, lastDay])) as { first: number | null; last: number | null }
  const conditions: Condition[] = [
    ['e.sequence >= ?', bounds.first ?? 1],
    ['e.sequence <= ?', bounds.last ?? 0],
  ]
  if (from) conditions.push(['e.at >= ?', from.toISOString()])
  if (before) conditions.push(['e.at < ?', before.toISOString()])
  return conditions
}

interface Slice {
  /** Not included. */
  after?: number | undefined
  limit: number
  order: 'newest first' | 'oldest first'
}

/** Entries that match, with their personal data as far as it was not erased. */
export async function findEvents(db: Db, filter: EventFilter, { after, limit, order }: Slice): Promise<EventRow[]> {
  const { branches, others } = planOf(wordsOf(db), filter)
  const [direction, comparison] = order === 'newest first' ? ['DESC', '<'] : ['ASC', '>']
  const position: Condition[] = after === undefined ? [] : [[`e.sequence ${comparison} ?`, after]]
  const shared = [...others, ...(await timeConditions(db, filter)), ...position]
  const selects = branches.map((branch, i) => {
    const where = [branch, ...shared].map(([text]) => text).join(' AND ')
    return `SELECT sequence FROM (SELECT e.sequence FROM events e WHERE ${where} ORDER BY e.sequence ${direction} LIMIT ?) AS branch_${i}`
  })
  if (selects.length === 0) return []
  const values = branches.flatMap(branch => [...[branch, ...shared].flatMap(([, ...each]) => each), limit])
  const sql = `${selects.join(' UNION ')} ORDER BY sequence ${direction} LIMIT ?`
  const sequences = (await db.reads.column(sql, [...values, limit])) as number[]
  const rows = await eventsBySequence(db, sequences)
  return order === 'newest first' ? rows.reverse() : rows
}
