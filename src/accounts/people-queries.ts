/** Rows of people as administrators manage them, and of invitations. */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'
import { sqlOf, wordsOf } from '../db/words.ts'
import type { Role, Scope } from '../ports.ts'

export interface Person {
  id: string
  email: string
  name: string
  role: Role
  language: string | undefined
  disabledAt: Date | undefined
  createdAt: Date
  lastSeenAt: Date | undefined
}

export const PEOPLE = rowMapper<Person, Pick<Selectable<Schema['users']>, (typeof COLUMNS)[number]>>()({
  id: 'id',
  email: 'email',
  name: 'name',
  role: 'role',
  language: ['language', 'optional'],
  disabledAt: ['disabled_at', 'optional time'],
  createdAt: ['created_at', 'time'],
  lastSeenAt: ['last_seen_at', 'optional time'],
})

export const COLUMNS = ['id', 'email', 'name', 'role', 'language', 'disabled_at', 'created_at', 'last_seen_at'] as const
const people = (db: Db | Tx) => db.selectFrom('users').select(COLUMNS)

/** In the order of their accounts. */
export async function listPeople(db: Db | Tx): Promise<Person[]> {
  return (await people(db).orderBy('id').execute()).map(PEOPLE.read)
}

export async function personById(db: Db | Tx, id: string): Promise<Person | undefined> {
  const row = await people(db).where('id', '=', id).executeTakeFirst()
  return row && PEOPLE.read(row)
}

export async function countActiveAdmins(tx: Tx): Promise<number> {
  const active = tx.selectFrom('users').where('role', '=', 'admin').where('disabled_at', 'is', null)
  const { count } = await active.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

export interface Belongings {
  documents: number
  templates: number
  webhooks: number
  keys: number
}

/** How much belongs to a person. Revoked keys and deleted webhooks do not count. */
export async function belongingsOf(db: Db | Tx, userId: string): Promise<Belongings> {
  const counts = await db.selectFrom('document_counts').select(['status', 'count']).where('owner_id', '=', userId).execute()
  const webhooks = await db
    .selectFrom('webhooks')
    .select('id')
    .where('owner_id', '=', userId)
    .where('deleted_at', 'is', null)
    .execute()
  const keys = await liveKeysOf(db, userId).select('id').execute()
  const sum = (isTemplate: boolean) =>
    counts.reduce((all, { status, count }) => ((status === 'template') === isTemplate ? all + Number(count) : all), 0)
  return {
    documents: sum(false),
    templates: sum(true),
    webhooks: webhooks.length,
    keys: keys.length,
  }
}

/** Whether it has to be handed over before the person is removed. Keys end with the person. */
export function ownsSomething({ documents, templates, webhooks }: Omit<Belongings, 'keys'>): boolean {
  return documents + templates + webhooks > 0
}

const liveKeysOf = (db: Db | Tx, userId: string) =>
  db.selectFrom('api_keys').where('owner_id', '=', userId).where('revoked_at', 'is', null)

export async function setName(tx: Tx, id: string, name: string): Promise<void> {
  await tx.updateTable('users').set({ name }).where('id', '=', id).execute()
}

export async function setRole(tx: Tx, id: string, role: Role): Promise<void> {
  await tx.updateTable('users').set({ role }).where('id', '=', id).execute()
}

export async function setDisabled(tx: Tx, id: string, at: Date | undefined): Promise<void> {
  await tx
    .updateTable('users')
    .set({ disabled_at: at?.toISOString() ?? null })
    .where('id', '=', id)
    .execute()
}

/** With sessions, contacts and keys. The database refuses it for the owner of a document. */
export async function deleteUser(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

export async function revokeKeysOf(tx: Tx, userId: string, now: Date): Promise<string[]> {
  const revoked = await tx
    .updateTable('api_keys')
    .set({ revoked_at: now.toISOString() })
    .where('owner_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  return revoked.map(({ id }) => id).sort()
}

/** Takes all other scopes from the keys of a person. Returns those that had no other: revoked. */
export async function limitKeysOf(tx: Tx, userId: string, permitted: readonly Scope[], now: Date): Promise<string[]> {
  const revoked: string[] = []
  for (const { id, scopes } of await liveKeysOf(tx, userId).select(['id', 'scopes']).execute()) {
    const kept = (JSON.parse(scopes) as Scope[]).filter(scope => permitted.includes(scope))
    const values = kept.length > 0 ? { scopes: JSON.stringify(kept) } : { revoked_at: now.toISOString() }
    await tx.updateTable('api_keys').set(values).where('id', '=', id).execute()
    if (kept.length === 0) revoked.push(id)
  }
  return revoked
}

export interface Invitation {
  id: string
  email: string
  name: string
  role: Role
  language: string | undefined
  tokenSha256: string
  invitedBy: string
  createdAt: Date
  expiresAt: Date
}

const INVITATIONS = rowMapper<Invitation, Selectable<Schema['invitations']>>()({
  id: 'id',
  email: 'email',
  name: 'name',
  role: 'role',
  language: ['language', 'optional'],
  tokenSha256: 'token_sha256',
  invitedBy: 'invited_by',
  createdAt: ['created_at', 'time'],
  expiresAt: ['expires_at', 'time'],
})

/** Oldest first, with those that have expired. */
export async function listInvitations(db: Db | Tx): Promise<Invitation[]> {
  return (await db.selectFrom('invitations').selectAll().orderBy('id').execute()).map(INVITATIONS.read)
}

export async function invitationById(db: Db | Tx, id: string): Promise<Invitation | undefined> {
  const row = await db.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst()
  return row && INVITATIONS.read(row)
}

export async function invitationByEmail(db: Db | Tx, email: string): Promise<Invitation | undefined> {
  const sameEmail = sqlOf<boolean>(wordsOf(db).sameText('email', '?'), email)
  const row = await db.selectFrom('invitations').selectAll().where(sameEmail).executeTakeFirst()
  return row && INVITATIONS.read(row)
}

/** The invitation of an unexpired link. */
export async function invitationByToken(db: Db | Tx, tokenSha256: string, now: Date): Promise<Invitation | undefined> {
  const row = await db
    .selectFrom('invitations')
    .selectAll()
    .where('token_sha256', '=', tokenSha256)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return row && INVITATIONS.read(row)
}

export async function insertInvitation(tx: Tx, invitation: Invitation): Promise<void> {
  await tx.insertInto('invitations').values(INVITATIONS.write(invitation)).execute()
}

/** Replaces the link of the invitation. */
export async function renewInvitation(tx: Tx, { id, tokenSha256, expiresAt, invitedBy }: Invitation): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ token_sha256: tokenSha256, expires_at: expiresAt.toISOString(), invited_by: invitedBy })
    .where('id', '=', id)
    .execute()
}

export async function deleteInvitation(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('invitations').where('id', '=', id).execute()
}

export async function deleteInvitationsBy(tx: Tx, userId: string): Promise<Invitation[]> {
  return (await tx.deleteFrom('invitations').where('invited_by', '=', userId).returningAll().execute()).map(INVITATIONS.read)
}
