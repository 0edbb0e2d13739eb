/** Rows of users, sessions, set-up links and API tokens. */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'
import { inWords, sqlOf, wordsOf } from '../db/words.ts'
import type { Client, Role, Scope } from '../ports.ts'

type Row<Table extends keyof Schema> = Selectable<Schema[Table]>

export interface User {
  id: string
  email: string
  name: string
  role: Role
  /** Empty: the person has no password. */
  passwordHash: string
  /** Of the web app; undefined: the browser's. */
  language?: string | undefined
  /** Undefined: the person may sign in. */
  disabledAt?: Date | undefined
  /** Administrators get mails about warnings, unless they turned them off. */
  warningMails: boolean
}

const USERS = rowMapper<User, Row<'users'>>()({
  id: 'id',
  email: 'email',
  name: 'name',
  role: 'role',
  passwordHash: 'password_hash',
  language: ['language', 'optional'],
  disabledAt: ['disabled_at', 'optional time'],
  warningMails: ['warning_mails', 'flag'],
})

export function hasPassword(user: Pick<User, 'passwordHash'> | undefined): boolean {
  return user !== undefined && user.passwordHash !== ''
}

export async function userByEmail(db: Db | Tx, email: string): Promise<User | undefined> {
  const sameEmail = sqlOf<boolean>(wordsOf(db).sameText('email', '?'), email)
  const row = await db.selectFrom('users').selectAll().where(sameEmail).executeTakeFirst()
  return row && USERS.read(row)
}

export async function userById(db: Db | Tx, id: string): Promise<User | undefined> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  return row && USERS.read(row)
}

/** Those who may sign in, oldest first. */
export async function administrators(db: Db | Tx): Promise<User[]> {
  const active = db.selectFrom('users').where('role', '=', 'admin').where('disabled_at', 'is', null)
  return (await active.selectAll().orderBy('id').execute()).map(USERS.read)
}

export async function anyAdmin(db: Db | Tx): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('role', '=', 'admin').limit(1).executeTakeFirst()) !== undefined
}

export type NewUser = Omit<User, 'warningMails'>

export async function insertUser(tx: Tx, user: NewUser, now: Date): Promise<void> {
  await tx
    .insertInto('users')
    .values({ ...USERS.write({ ...user, warningMails: true }), created_at: now.toISOString() })
    .execute()
}

export async function setWarningMails(tx: Tx, id: string, areWanted: boolean): Promise<void> {
  await tx
    .updateTable('users')
    .set({ warning_mails: areWanted ? 1 : 0 })
    .where('id', '=', id)
    .execute()
}

export async function setUserLanguage(tx: Tx, id: string, language: string): Promise<void> {
  await tx.updateTable('users').set({ language }).where('id', '=', id).execute()
}

export interface Failures {
  failures: number
  blockedUntil: Date | undefined
}

export async function failuresOf(tx: Tx, counterSha256: string): Promise<Failures> {
  const row = await tx.selectFrom('sign_in_failures').selectAll().where('counter_sha256', '=', counterSha256).executeTakeFirst()
  return { failures: row?.failures ?? 0, blockedUntil: row?.blocked_until ? new Date(row.blocked_until) : undefined }
}

export async function saveFailures(
  tx: Tx,
  counterSha256: string,
  { failures, blockedUntil }: Failures,
  now: Date,
): Promise<void> {
  const values = { failures, blocked_until: blockedUntil?.toISOString() ?? null, at: now.toISOString() }
  await tx
    .insertInto('sign_in_failures')
    .values({ counter_sha256: counterSha256, ...values })
    .onConflict(c => c.column('counter_sha256').doUpdateSet(values))
    .execute()
}

export async function dropFailures(tx: Tx, counterSha256: string): Promise<void> {
  await tx.deleteFrom('sign_in_failures').where('counter_sha256', '=', counterSha256).execute()
}

/** Deletes at most `limit` rows. Returns how many. */
export async function dropFailuresBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  const old = tx.selectFrom('sign_in_failures').select('counter_sha256').where('at', '<', before.toISOString()).limit(limit)
  return Number((await tx.deleteFrom('sign_in_failures').where('counter_sha256', 'in', old).executeTakeFirst()).numDeletedRows)
}

export async function insertSetupLink(tx: Tx, tokenSha256: string, expiresAt: Date): Promise<void> {
  await tx.insertInto('setup_links').values({ token_sha256: tokenSha256, expires_at: expiresAt.toISOString() }).execute()
}

export async function isSetupLinkValid(db: Db | Tx, tokenSha256: string, now: Date): Promise<boolean> {
  const row = await db.selectFrom('setup_links').select('expires_at').where('token_sha256', '=', tokenSha256).executeTakeFirst()
  return row !== undefined && new Date(row.expires_at) > now
}

export async function dropSetupLinks(tx: Tx): Promise<void> {
  await tx.deleteFrom('setup_links').execute()
}

export async function dropExpiredSetupLinks(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('setup_links').where('expires_at', '<=', now.toISOString()).execute()
}

export async function setPasswordHash(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
}

/** All, or all but one, and what waits for a second factor. Returns the number of sessions. */
export async function dropSessionsOf(tx: Tx, userId: string, keptSha256 = ''): Promise<number> {
  await tx.deleteFrom('pending_sign_ins').where('user_id', '=', userId).execute()
  const others = tx.deleteFrom('sessions').where('user_id', '=', userId).where('token_sha256', '!=', keptSha256)
  return Number((await others.executeTakeFirst()).numDeletedRows)
}

/** A session of this person only. Returns how many. */
export async function dropSessionOf(tx: Tx, userId: string, tokenSha256: string): Promise<number> {
  const one = tx.deleteFrom('sessions').where('user_id', '=', userId).where('token_sha256', '=', tokenSha256)
  return Number((await one.executeTakeFirst()).numDeletedRows)
}

/**
 * How a person proved who they are. A passkey is two factors in one, and so is an identity provider
 * that asks for the second factor itself.
 */
export type SignInMethod = 'password' | 'totp' | 'recovery_code' | 'passkey' | 'oidc' | 'oidc_with_factor'

const touchUser = (tx: Tx, id: string, now: Date) =>
  tx.updateTable('users').set({ last_seen_at: now.toISOString() }).where('id', '=', id).execute()

export interface Session {
  tokenSha256: string
  userId: string
  createdAt: Date
  confirmedAt: Date
  lastSeenAt: Date
  /** In the order in which they were used. */
  methods: SignInMethod[]
  /** In force when it began. Undefined: of a release whose sessions rest for 30 minutes. */
  idleMinutes?: number | undefined
}

const SESSIONS = rowMapper<Session, Row<'sessions'>>()({
  tokenSha256: 'token_sha256',
  userId: 'user_id',
  createdAt: ['created_at', 'time'],
  confirmedAt: ['confirmed_at', 'time'],
  lastSeenAt: ['last_seen_at', 'time'],
  methods: ['methods', 'json'],
  idleMinutes: ['idle_minutes', 'optional'],
})

export interface ListedSession extends Session {
  userAgent: string | undefined
  ip: string | undefined
}

/** The one used last first. */
export async function sessionsOf(db: Db | Tx, userId: string): Promise<ListedSession[]> {
  const own = db.selectFrom('sessions').selectAll().where('user_id', '=', userId)
  const rows = await own.orderBy('last_seen_at', 'desc').orderBy('token_sha256').execute()
  return rows.map(row => ({ ...SESSIONS.read(row), userAgent: row.user_agent ?? undefined, ip: row.ip ?? undefined }))
}

export async function insertSession(tx: Tx, session: Session, { ip, userAgent }: Client): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({ ...SESSIONS.write(session), user_agent: userAgent ?? null, ip: ip ?? null })
    .execute()
  await touchUser(tx, session.userId, session.lastSeenAt)
  const last = { last_sign_in_at: session.createdAt.toISOString(), last_sign_in_methods: JSON.stringify(session.methods) }
  await tx.updateTable('users').set(last).where('id', '=', session.userId).execute()
}

export async function sessionBy(db: Db | Tx, tokenSha256: string): Promise<Session | undefined> {
  const row = await db.selectFrom('sessions').selectAll().where('token_sha256', '=', tokenSha256).executeTakeFirst()
  return row && SESSIONS.read(row)
}

export async function touchSession(tx: Tx, { tokenSha256, userId }: Session, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ last_seen_at: now.toISOString() }).where('token_sha256', '=', tokenSha256).execute()
  await touchUser(tx, userId, now)
}

export async function confirmSession(tx: Tx, tokenSha256: string, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ confirmed_at: now.toISOString() }).where('token_sha256', '=', tokenSha256).execute()
}

/** Returns whether there was one. */
export async function dropSession(tx: Tx, tokenSha256: string): Promise<boolean> {
  const deleted = await tx.deleteFrom('sessions').where('token_sha256', '=', tokenSha256).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}

/** Deletes at most `limit` rows. Returns how many. */
export async function dropSessionsBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  const old = tx.selectFrom('sessions').select('token_sha256').where('last_seen_at', '<', moment.toISOString()).limit(limit)
  return Number((await tx.deleteFrom('sessions').where('token_sha256', 'in', old).executeTakeFirst()).numDeletedRows)
}

export interface ApiKey {
  id: string
  ownerId: string | undefined
  ownerRole: Role | undefined
  isOwnerDisabled: boolean
  name: string
  sha256: string
  prefix: string
  lastFour: string
  scopes: Scope[]
  createdAt: Date
  expiresAt: Date | undefined
  revokedAt: Date | undefined
  lastUsedAt: Date | undefined
  lastUsedIp: string | undefined
  /** When its owner was informed that it ends soon. */
  endNotedAt: Date | undefined
}

/** Without what is in the owner's row. */
export type OwnKey = Omit<ApiKey, 'ownerRole' | 'isOwnerDisabled'>

const API_KEYS = rowMapper<OwnKey, Row<'api_keys'>>()({
  id: 'id',
  ownerId: ['owner_id', 'optional'],
  name: 'name',
  sha256: 'sha256',
  prefix: 'prefix',
  lastFour: 'last_four',
  scopes: ['scopes', 'json'],
  createdAt: ['created_at', 'time'],
  expiresAt: ['expires_at', 'optional time'],
  revokedAt: ['revoked_at', 'optional time'],
  lastUsedAt: ['last_used_at', 'optional time'],
  lastUsedIp: ['last_used_ip', 'optional'],
  endNotedAt: ['end_noted_at', 'optional time'],
})

type KeyRow = Row<'api_keys'> & { owner_role: Role | null; owner_disabled_at: string | null }

function keyOf(row: KeyRow): ApiKey {
  return { ...API_KEYS.read(row), ownerRole: row.owner_role ?? undefined, isOwnerDisabled: row.owner_disabled_at !== null }
}

const SELECT_KEYS = `SELECT k.*, u.role AS owner_role, u.disabled_at AS owner_disabled_at
  FROM api_keys k LEFT JOIN users u ON u.id = k.owner_id`

const KEY_BY_HASH = inWords(({ bound }) => `${SELECT_KEYS} WHERE k.sha256 = ${bound}`)

/** Estimate of the memory that a cached key takes. */
const KEY_BYTES = 2000

/** Each API request needs its key: cached until the database changes, where it counts changes. */
export function keyByHash(db: Db, sha256: string): ApiKey | undefined | Promise<ApiKey | undefined> {
  const read = async () => {
    const row = (await db.reads.first(KEY_BY_HASH(db), [sha256])) as KeyRow | undefined
    return row && keyOf(row)
  }
  const version = db.reads.changeCounter()
  if (version === undefined) return read()
  return db.cache.get('api key', { id: sha256, version }, async () => {
    const value = await read()
    return value && { version, value, bytes: KEY_BYTES }
  })
}

/** Newest first; without an owner all keys. */
export async function listKeys(db: Db, ownerId: string | undefined): Promise<ApiKey[]> {
  const [where, values] = ownerId === undefined ? ['', []] : ['WHERE k.owner_id = ?', [ownerId]]
  return ((await db.reads.all(`${SELECT_KEYS} ${where} ORDER BY k.id DESC`, values)) as KeyRow[]).map(keyOf)
}

/** Keys in use that end until `moment` and whose owner was not informed yet. */
export async function keysEndingUntil(db: Db | Tx, now: Date, moment: Date): Promise<Pick<ApiKey, 'id'>[]> {
  return db
    .selectFrom('api_keys')
    .select('id')
    .where('revoked_at', 'is', null)
    .where('end_noted_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .where('expires_at', '<=', moment.toISOString())
    .orderBy('id')
    .execute()
}

/** Returns the key unless its end was noted, or it was revoked, meanwhile. */
export async function noteEndOfKey(
  tx: Tx,
  id: string,
  now: Date,
): Promise<Pick<ApiKey, 'name' | 'ownerId' | 'expiresAt'> | undefined> {
  const row = await tx
    .updateTable('api_keys')
    .set({ end_noted_at: now.toISOString() })
    .where('id', '=', id)
    .where('end_noted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning(['name', 'owner_id', 'expires_at'])
    .executeTakeFirst()
  return row && { name: row.name, ownerId: row.owner_id ?? undefined, expiresAt: new Date(row.expires_at ?? now) }
}

/** The names of these users, by id. */
export async function userNames(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  // PostgreSQL refuses an empty list.
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The names of these API tokens and of their owners, by id; also of tokens that were revoked. */
export async function keyOwners(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, { name: string; owner: string | undefined }>> {
  // PostgreSQL refuses an empty list.
  if (ids.length === 0) return new Map()
  const keys = db.selectFrom('api_keys').leftJoin('users', 'users.id', 'api_keys.owner_id').where('api_keys.id', 'in', ids)
  const rows = await keys.select(['api_keys.id', 'api_keys.name', 'users.name as owner']).execute()
  return new Map(rows.map(({ id, name, owner }) => [id, { name, owner: owner ?? undefined }]))
}

export async function keyName(db: Db | Tx, id: string): Promise<string | undefined> {
  return (await db.selectFrom('api_keys').select('name').where('id', '=', id).executeTakeFirst())?.name
}

/** When a key was revoked and when it ends; undefined if it is unknown. */
export async function keyLife(db: Db | Tx, id: string): Promise<Pick<ApiKey, 'revokedAt' | 'expiresAt'> | undefined> {
  const row = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
  return row && API_KEYS.read(row)
}

export async function countKeys(db: Db | Tx): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertKey(tx: Tx, key: OwnKey): Promise<void> {
  await tx.insertInto('api_keys').values(API_KEYS.write(key)).execute()
}

/** Returns whether a key was revoked. */
export async function revokeKey(tx: Tx, id: string, ownerId: string | undefined, now: Date): Promise<boolean> {
  let update = tx
    .updateTable('api_keys')
    .set({ revoked_at: now.toISOString() })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
  if (ownerId !== undefined) update = update.where('owner_id', '=', ownerId)
  return (await update.executeTakeFirst()).numUpdatedRows > 0n
}

export async function touchKey(tx: Tx, id: string, now: Date, ip: string | undefined): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ last_used_at: now.toISOString(), last_used_ip: ip ?? null })
    .where('id', '=', id)
    .execute()
}
