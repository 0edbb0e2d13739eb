/** Rows of identities at OpenID Connect providers, and of requests that wait for a response. */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'

export interface Identity {
  issuer: string
  /** The provider's id of the person: never reassigned, as an e-mail address may be. */
  subject: string
  userId: string
  /** As the provider gave it last. */
  email: string
  linkedAt: Date
  lastUsedAt: Date
}

const IDENTITIES = rowMapper<Identity, Selectable<Schema['oidc_identities']>>()({
  issuer: 'issuer',
  subject: 'subject',
  userId: 'user_id',
  email: 'email',
  linkedAt: ['linked_at', 'time'],
  lastUsedAt: ['last_used_at', 'time'],
})

export async function identityBy(db: Db | Tx, issuer: string, subject: string): Promise<Identity | undefined> {
  const one = db.selectFrom('oidc_identities').selectAll().where('issuer', '=', issuer).where('subject', '=', subject)
  const row = await one.executeTakeFirst()
  return row && IDENTITIES.read(row)
}

export async function identityOf(db: Db | Tx, issuer: string, userId: string): Promise<Identity | undefined> {
  const one = db.selectFrom('oidc_identities').selectAll().where('issuer', '=', issuer).where('user_id', '=', userId)
  const row = await one.executeTakeFirst()
  return row && IDENTITIES.read(row)
}

export async function insertIdentity(tx: Tx, identity: Identity): Promise<void> {
  await tx.insertInto('oidc_identities').values(IDENTITIES.write(identity)).execute()
}

export async function touchIdentity(tx: Tx, { issuer, subject }: Identity, email: string, now: Date): Promise<void> {
  await tx
    .updateTable('oidc_identities')
    .set({ email, last_used_at: now.toISOString() })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

/** Returns whether there was one. */
export async function dropIdentity(tx: Tx, issuer: string, userId: string): Promise<boolean> {
  const own = tx.deleteFrom('oidc_identities').where('issuer', '=', issuer).where('user_id', '=', userId)
  return (await own.executeTakeFirst()).numDeletedRows > 0n
}

/** What the response is for. */
export type Purpose = 'sign-in' | 'confirmation' | 'link'

export interface AuthRequest {
  stateSha256: string
  browserSha256: string
  issuer: string
  purpose: Purpose
  /** The user who confirms or links. */
  subject: string | undefined
  /** The page to open after it. */
  next: string
  createdAt: Date
  expiresAt: Date
}

const REQUESTS = rowMapper<AuthRequest, Selectable<Schema['oidc_requests']>>()({
  stateSha256: 'state_sha256',
  browserSha256: 'browser_sha256',
  issuer: 'issuer',
  purpose: 'purpose',
  subject: ['subject', 'optional'],
  next: 'next',
  createdAt: ['created_at', 'time'],
  expiresAt: ['expires_at', 'time'],
})

export async function insertRequest(tx: Tx, request: AuthRequest): Promise<void> {
  await tx.insertInto('oidc_requests').values(REQUESTS.write(request)).execute()
}

/** The request of this browser, which is open no longer; undefined if it was not open. */
export async function takeRequest(
  tx: Tx,
  { stateSha256, browserSha256 }: Pick<AuthRequest, 'stateSha256' | 'browserSha256'>,
  now: Date,
): Promise<AuthRequest | undefined> {
  const row = await tx
    .deleteFrom('oidc_requests')
    .where('state_sha256', '=', stateSha256)
    .where('browser_sha256', '=', browserSha256)
    .where('expires_at', '>', now.toISOString())
    .returningAll()
    .executeTakeFirst()
  return row && REQUESTS.read(row)
}

/** Deletes at most `limit` rows. Returns how many. */
export async function dropRequestsBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  const old = tx.selectFrom('oidc_requests').select('state_sha256').where('expires_at', '<', moment.toISOString()).limit(limit)
  return Number((await tx.deleteFrom('oidc_requests').where('state_sha256', 'in', old).executeTakeFirst()).numDeletedRows)
}

/** Of those who may sign in. */
export async function countPasswordless(db: Db | Tx): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('password_hash', '=', '')
    .where('disabled_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
