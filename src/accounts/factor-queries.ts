/**
 * Rows of what is kept beside a password: links that set a new one, authenticator apps, recovery
 * codes, and sign-ins that wait for the second factor.
 */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'
import { type SignInMethod, type User, userById } from './queries.ts'

export interface TotpSecret {
  userId: string
  sealedSecret: Uint8Array
  /** Of the newest code that was accepted. */
  lastStep: number
  createdAt: Date
}

const SECRETS = rowMapper<TotpSecret, Selectable<Schema['totp_secrets']>>()({
  userId: 'user_id',
  sealedSecret: 'sealed_secret',
  lastStep: 'last_step',
  createdAt: ['created_at', 'time'],
})

export async function totpSecretOf(db: Db | Tx, userId: string): Promise<TotpSecret | undefined> {
  const row = await db.selectFrom('totp_secrets').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row && SECRETS.read(row)
}

/** Replaces the one of an earlier app. */
export async function saveTotpSecret(tx: Tx, secret: TotpSecret): Promise<void> {
  const row = SECRETS.write(secret)
  await tx
    .insertInto('totp_secrets')
    .values(row)
    .onConflict(c => c.column('user_id').doUpdateSet(row))
    .execute()
}

/** Returns whether the step is newer than the last. */
export async function takeStep(tx: Tx, userId: string, step: number): Promise<boolean> {
  const newer = tx
    .updateTable('totp_secrets')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
  return (await newer.executeTakeFirst()).numUpdatedRows > 0n
}

/** With its recovery codes, and a secret that is being set up. Returns whether there was one. */
export async function dropTotpSecret(tx: Tx, userId: string): Promise<boolean> {
  await dropEnrolment(tx, userId)
  await dropRecoveryCodes(tx, userId)
  return (await tx.deleteFrom('totp_secrets').where('user_id', '=', userId).executeTakeFirst()).numDeletedRows > 0n
}

export type Enrolment = Omit<TotpSecret, 'lastStep'>

const ENROLMENTS = rowMapper<Enrolment, Selectable<Schema['totp_enrolments']>>()({
  userId: 'user_id',
  sealedSecret: 'sealed_secret',
  createdAt: ['created_at', 'time'],
})

export async function enrolmentOf(db: Db | Tx, userId: string): Promise<Enrolment | undefined> {
  const row = await db.selectFrom('totp_enrolments').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return row && ENROLMENTS.read(row)
}

/** A newer secret replaces the older one. */
export async function saveEnrolment(tx: Tx, enrolment: Enrolment): Promise<void> {
  const row = ENROLMENTS.write(enrolment)
  await tx
    .insertInto('totp_enrolments')
    .values(row)
    .onConflict(c => c.column('user_id').doUpdateSet(row))
    .execute()
}

export async function dropEnrolment(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('totp_enrolments').where('user_id', '=', userId).execute()
}

export async function dropRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/** Earlier ones no longer count. */
export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: readonly string[], now: Date): Promise<void> {
  await dropRecoveryCodes(tx, userId)
  const created_at = now.toISOString()
  const rows = hashes.map(code_hash => ({ user_id: userId, code_hash, created_at, used_at: null }))
  await tx.insertInto('recovery_codes').values(rows).execute()
}

/** Returns whether the code was unused. */
export async function useRecoveryCode(tx: Tx, userId: string, hash: string, now: Date): Promise<boolean> {
  const unused = tx.updateTable('recovery_codes').set({ used_at: now.toISOString() }).where('used_at', 'is', null)
  const { numUpdatedRows } = await unused.where('user_id', '=', userId).where('code_hash', '=', hash).executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function countRecoveryCodes(db: Db | Tx, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export interface PendingSignIn {
  userId: string
  method: SignInMethod
  /** The page to open after it. */
  next: string
  expiresAt: Date
}

export async function insertPendingSignIn(tx: Tx, tokenSha256: string, pending: PendingSignIn): Promise<void> {
  const { userId, method, next, expiresAt } = pending
  const row = { token_sha256: tokenSha256, user_id: userId, method, next, expires_at: expiresAt.toISOString() }
  await tx.insertInto('pending_sign_ins').values(row).execute()
}

export async function findPendingSignIn(db: Db | Tx, tokenSha256: string, now: Date): Promise<PendingSignIn | undefined> {
  const row = await db
    .selectFrom('pending_sign_ins')
    .selectAll()
    .where('token_sha256', '=', tokenSha256)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  if (!row) return undefined
  return { userId: row.user_id, method: row.method as SignInMethod, next: row.next, expiresAt: new Date(row.expires_at) }
}

/** Returns whether there was one. */
export async function dropPendingSignIn(tx: Tx, tokenSha256: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('pending_sign_ins').where('token_sha256', '=', tokenSha256).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes at most `limit` rows. Returns how many. */
export async function dropPendingSignInsBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  const old = tx.selectFrom('pending_sign_ins').select('token_sha256').where('expires_at', '<', moment.toISOString()).limit(limit)
  return Number((await tx.deleteFrom('pending_sign_ins').where('token_sha256', 'in', old).executeTakeFirst()).numDeletedRows)
}

// Rows of one-time links that set a new password, and of requests for one.

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
