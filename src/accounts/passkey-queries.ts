/** Rows of passkeys, and of the challenges that they answer. */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'

export interface Passkey {
  /** Chosen by the authenticator, in Base64url. */
  id: string
  userId: string
  /** Chosen by the person. */
  name: string
  publicKey: Uint8Array
  /** How often it has signed; 0 where the authenticator does not count. */
  counter: number
  transports: string[]
  /** Synchronised with other devices of the person. */
  isBackedUp: boolean
  createdAt: Date
  lastUsedAt: Date | undefined
}

const PASSKEYS = rowMapper<Passkey, Selectable<Schema['passkeys']>>()({
  id: 'id',
  userId: 'user_id',
  name: 'name',
  publicKey: 'public_key',
  counter: 'counter',
  transports: ['transports', 'json'],
  isBackedUp: ['is_backed_up', 'flag'],
  createdAt: ['created_at', 'time'],
  lastUsedAt: ['last_used_at', 'optional time'],
})

/** Oldest first. */
export async function passkeysOf(db: Db | Tx, userId: string): Promise<Passkey[]> {
  const own = db.selectFrom('passkeys').selectAll().where('user_id', '=', userId)
  return (await own.orderBy('created_at').orderBy('id').execute()).map(row => PASSKEYS.read(row))
}

export async function anyPasskeyOf(db: Db | Tx, userId: string): Promise<boolean> {
  return (await db.selectFrom('passkeys').select('id').where('user_id', '=', userId).limit(1).executeTakeFirst()) !== undefined
}

export async function passkeyById(db: Db | Tx, id: string): Promise<Passkey | undefined> {
  const row = await db.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst()
  return row && PASSKEYS.read(row)
}

export async function insertPasskey(tx: Tx, passkey: Passkey): Promise<void> {
  await tx.insertInto('passkeys').values(PASSKEYS.write(passkey)).execute()
}

export async function setPasskeyName(tx: Tx, id: string, name: string): Promise<void> {
  await tx.updateTable('passkeys').set({ name }).where('id', '=', id).execute()
}

export interface PasskeyUse {
  counter: number
  isBackedUp: boolean
  at: Date
}

/**
 * Stores a use if the counter has gone forward (Web Authentication §6.1.1), and returns whether it
 * has. An authenticator that does not count always sends 0.
 */
export async function storePasskeyUse(tx: Tx, id: string, { counter, isBackedUp, at }: PasskeyUse): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, is_backed_up: isBackedUp ? 1 : 0, last_used_at: at.toISOString() })
    .where('id', '=', id)
    .where('counter', counter === 0 ? '=' : '<', counter)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes a passkey of this person. Returns whether there was one. */
export async function dropPasskey(tx: Tx, userId: string, id: string): Promise<boolean> {
  const own = tx.deleteFrom('passkeys').where('user_id', '=', userId).where('id', '=', id)
  return (await own.executeTakeFirst()).numDeletedRows > 0n
}

/** Deletes all passkeys of a person. Returns how many. */
export async function dropPasskeysOf(tx: Tx, userId: string): Promise<number> {
  return Number((await tx.deleteFrom('passkeys').where('user_id', '=', userId).executeTakeFirst()).numDeletedRows)
}

export interface Challenge {
  challengeSha256: string
  browserSha256: string
  purpose: string
  userId: string | undefined
  expiresAt: Date
}

const CHALLENGES = rowMapper<Challenge, Selectable<Schema['passkey_challenges']>>()({
  challengeSha256: 'challenge_sha256',
  browserSha256: 'browser_sha256',
  purpose: 'purpose',
  userId: ['user_id', 'optional'],
  expiresAt: ['expires_at', 'time'],
})

export async function insertChallenge(tx: Tx, challenge: Challenge): Promise<void> {
  await tx.insertInto('passkey_challenges').values(CHALLENGES.write(challenge)).execute()
}

/** Deletes a challenge, so that it is answered once. Returns whether it was there and valid. */
export async function takeChallenge(tx: Tx, challenge: Omit<Challenge, 'expiresAt'>, now: Date): Promise<boolean> {
  const { challengeSha256, browserSha256, purpose, userId } = challenge
  const { numDeletedRows } = await tx
    .deleteFrom('passkey_challenges')
    .where('challenge_sha256', '=', challengeSha256)
    .where('browser_sha256', '=', browserSha256)
    .where('purpose', '=', purpose)
    .where('user_id', userId === undefined ? 'is' : '=', userId ?? null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes at most `limit` rows. Returns how many. */
export async function dropChallengesBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  const old = tx
    .selectFrom('passkey_challenges')
    .select('challenge_sha256')
    .where('expires_at', '<', moment.toISOString())
    .limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('passkey_challenges').where('challenge_sha256', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
