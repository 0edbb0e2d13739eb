/** Rows of contacts. Each belongs to one user. */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'
import { sqlOf, wordsOf } from '../db/words.ts'
import { foldText } from '../lib/search-text.ts'

type Row = Selectable<Schema['contacts']>

export interface Contact {
  id: string
  name: string
  email: string
  locale: string | undefined
}

const CONTACTS = rowMapper<Contact, Pick<Row, 'id' | 'name' | 'email' | 'locale'>>()({
  id: 'id',
  name: 'name',
  email: 'email',
  locale: ['locale', 'optional'],
})

const mailboxOf = (email: string) => email.toLowerCase()
const searchOf = ({ name, email }: Pick<Contact, 'name' | 'email'>) => foldText(`${name}\n${email}`)

export interface ContactPage {
  contacts: Contact[]
  /** Pass it as `after` to get the next page. */
  next: string | undefined
}

interface ListOptions {
  q: string
  after: string | undefined
  limit: number
}

/** By name. `after` is the id of the last contact of the page before. */
export async function listContacts(db: Db, userId: string, { q, after, limit }: ListOptions): Promise<ContactPage> {
  const columns = ['id', 'name', 'email', 'locale'] as const
  let query = db.selectFrom('contacts').select(columns).where('user_id', '=', userId)
  if (q !== '') query = query.where(sqlOf<boolean>(wordsOf(db).contains('search', '?'), foldText(q)))
  const last = after === undefined ? undefined : await findContact(db, userId, after)
  if (last) query = query.where(sqlOf<boolean>('(search, id) > (?, ?)', searchOf(last), last.id))
  const rows = await query
    .orderBy('search')
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  const contacts = rows.slice(0, limit).map(CONTACTS.read)
  return { contacts, next: rows.length > limit ? contacts.at(-1)?.id : undefined }
}

/** Those written to last, newest first. */
export async function recentContacts(db: Db, userId: string, limit: number): Promise<Contact[]> {
  const columns = ['id', 'name', 'email', 'locale'] as const
  const own = db.selectFrom('contacts').select(columns).where('user_id', '=', userId)
  return (await own.orderBy('used_at', 'desc').limit(limit).execute()).map(CONTACTS.read)
}

export async function findContact(db: Db | Tx, userId: string, id: string): Promise<Contact | undefined> {
  const row = await db.selectFrom('contacts').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()
  return row && CONTACTS.read(row)
}

export async function contactByEmail(db: Db | Tx, userId: string, email: string): Promise<Contact | undefined> {
  const own = db.selectFrom('contacts').selectAll().where('user_id', '=', userId)
  const row = await own.where('mailbox', '=', mailboxOf(email)).executeTakeFirst()
  return row && CONTACTS.read(row)
}

interface SaveOptions {
  now: Date
  /** True if the user entered it: then it outlives the documents sent to the person. */
  isKept?: boolean
}

/** Replaces the name and language of a contact with the same address. */
export async function saveContact(tx: Tx, userId: string, contact: Contact, { now, isKept }: SaveOptions): Promise<void> {
  const { id, name, email, locale } = contact
  const kept = isKept ? { kept: 1 as const } : {}
  const values = { name, email, locale: locale ?? null, search: searchOf(contact), used_at: now.toISOString(), ...kept }
  await tx
    .insertInto('contacts')
    .values({ id, user_id: userId, mailbox: mailboxOf(email), ...values })
    .onConflict(c => c.columns(['user_id', 'mailbox']).doUpdateSet(values))
    .execute()
}

export async function updateContact(tx: Tx, userId: string, contact: Contact): Promise<void> {
  const { id, name, email, locale } = contact
  await tx
    .updateTable('contacts')
    .set({ name, email, mailbox: mailboxOf(email), locale: locale ?? null, search: searchOf(contact), kept: 1 })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteContact(tx: Tx, userId: string, id: string): Promise<void> {
  await tx.deleteFrom('contacts').where('id', '=', id).where('user_id', '=', userId).execute()
}

/** Contacts that only documents made, and that no document of the user names any more. */
export async function dropUnusedContacts(tx: Tx, userId: string, emails: readonly string[]): Promise<void> {
  // PostgreSQL refuses an empty list.
  if (emails.length === 0) return
  const { indexedBy, sameText } = wordsOf(tx)
  const named = `SELECT 1 FROM recipients r ${indexedBy('recipients_email')} JOIN documents d ON d.id = r.document_id
    WHERE ${sameText('r.email', 'contacts.mailbox')} AND d.owner_id = contacts.user_id`
  await tx
    .deleteFrom('contacts')
    .where('user_id', '=', userId)
    .where('kept', '=', 0)
    .where('mailbox', 'in', emails.map(mailboxOf))
    .where(sqlOf<boolean>(`NOT EXISTS (${named})`))
    .execute()
}

/** More than one sending adds. */
const MAX_TRIMMED = 1000

/** Deletes the contacts used longest ago, beyond the newest `keep`. */
export async function trimContacts(tx: Tx, userId: string, keep: number): Promise<void> {
  const newest = tx
    .selectFrom('contacts')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
  await tx.deleteFrom('contacts').where('id', 'in', newest.limit(MAX_TRIMMED).offset(keep)).execute()
}
