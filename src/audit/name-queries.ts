/** Finds the names of what entries of the audit log mention, and whom a searched name means. */
import type { Db } from '../db/open.ts'
import { sqlOf, wordsOf } from '../db/words.ts'
import type { Subject } from './list-queries.ts'

export interface NamedRecipient {
  id: string
  name: string
  email: string
  role: string
}

/** By id, as far as the rows exist. The name of a document is its title. */
export interface EntryNames {
  users: Map<string, string>
  keys: Map<string, string>
  recipients: Map<string, NamedRecipient>
  documents: Map<string, string>
}

export interface EntryIds {
  users: string[]
  keys: string[]
  recipients: string[]
  documents: string[]
}

/** PostgreSQL refuses an empty list. */
const orNone = (ids: readonly string[]) => (ids.length > 0 ? ids : [''])

export async function entryNames(db: Db, { users, keys, recipients, documents }: EntryIds): Promise<EntryNames> {
  const byId = async (table: 'users' | 'api_keys', ids: string[]) => {
    const rows = await db.selectFrom(table).select(['id', 'name']).where('id', 'in', orNone(ids)).execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  }
  const people = db.selectFrom('recipients').select(['id', 'name', 'email', 'role']).where('id', 'in', orNone(recipients))
  const titles = db.selectFrom('documents').select(['id', 'title']).where('id', 'in', orNone(documents))
  return {
    users: await byId('users', users),
    keys: await byId('api_keys', keys),
    recipients: new Map((await people.execute()).map(row => [row.id, row])),
    documents: new Map((await titles.execute()).map(({ id, title }) => [id, title])),
  }
}

/** Users and API tokens with the text in their name or e-mail address, at most `limit` of each. */
export async function findSubjects(db: Db, text: string, limit: number): Promise<Subject[]> {
  const { contains } = wordsOf(db)
  const part = text.toLowerCase()
  const within = (column: string) => sqlOf<boolean>(contains(`lower(${column})`, '?'), part)
  const users = db
    .selectFrom('users')
    .select('id')
    .where(({ or }) => or([within('name'), within('email')]))
    .limit(limit)
  const keys = db.selectFrom('api_keys').select('id').where(within('name')).limit(limit)
  return [
    ...(await users.execute()).map(({ id }): Subject => ({ kind: 'user', id })),
    ...(await keys.execute()).map(({ id }): Subject => ({ kind: 'key', id })),
  ]
}
