/** Rows of one-time links that set a new password, and of requests for one. */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'
import { type User, userById } from './queries.ts'

/** How the person gets the link. */
export type ResetLinkKind = 'command_line' | 'mail'

export interface ResetLink {
  userId: string
  tokenSha256: string
  expiresAt: Date
  kind: ResetLinkKind
}

export async function resetLinkOf(tx: Tx, userId: string): Promise<Pick<ResetLink, 'kind' | 'expiresAt'> | undefined> {
  const row = await tx.selectFrom('password_resets').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row && { kind: row.kind as ResetLinkKind, expiresAt: new Date(row.expires_at) }
}

/** A user has at most one link. */
export async function replaceResetLink(tx: Tx, { userId, tokenSha256, expiresAt, kind }: ResetLink): Promise<void> {
  const link = { token_sha256: tokenSha256, expires_at: expiresAt.toISOString(), kind }
  await tx
    .insertInto('password_resets')
    .values({ user_id: userId, ...link })
    .onConflict(c => c.column('user_id').doUpdateSet(link))
    .execute()
}

export async function userByResetLink(db: Db | Tx, tokenSha256: string, now: Date): Promise<User | undefined> {
  const valid = db.selectFrom('password_resets').select('user_id').where('expires_at', '>', now.toISOString())
  const row = await valid.where('token_sha256', '=', tokenSha256).executeTakeFirst()
  return row && userById(db, row.user_id)
}

export interface ResetRequest {
  mailboxSha256: string
  email: string
  ip: string | undefined
  userAgent: string | undefined
  requestedAt: Date
}

const RESET_REQUESTS = rowMapper<ResetRequest, Selectable<Schema['password_reset_requests']>>()({
  mailboxSha256: 'mailbox_sha256',
  email: 'email',
  ip: ['ip', 'optional'],
  userAgent: ['user_agent', 'optional'],
  requestedAt: ['requested_at', 'time'],
})

/** One for each address: repeating it changes nothing. */
export async function insertResetRequest(tx: Tx, request: ResetRequest): Promise<void> {
  await tx
    .insertInto('password_reset_requests')
    .values(RESET_REQUESTS.write(request))
    .onConflict(c => c.column('mailbox_sha256').doNothing())
    .execute()
}

export async function resetRequests(db: Db, limit: number): Promise<ResetRequest[]> {
  const rows = await db.selectFrom('password_reset_requests').selectAll().orderBy('mailbox_sha256').limit(limit).execute()
  return rows.map(RESET_REQUESTS.read)
}

/** Returns whether there was one. */
export async function dropResetRequest(tx: Tx, mailboxSha256: string): Promise<boolean> {
  const one = tx.deleteFrom('password_reset_requests').where('mailbox_sha256', '=', mailboxSha256)
  return (await one.executeTakeFirst()).numDeletedRows > 0n
}

export async function dropResetLink(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}
