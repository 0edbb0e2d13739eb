/** Rows of people, sessions, set-up links and API keys. */
import { changeCounter, type Db, prepared, type Tx } from '../db/open.ts'
import type { Scope } from '../ports.ts'

export interface User {
  id: string
  email: string
  name: string
  role: 'admin' | 'member'
  passwordHash: string
}

export async function userByEmail(db: Db | Tx, email: string): Promise<User | undefined> {
  return userOf(await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst())
}

export async function userById(db: Db | Tx, id: string): Promise<User | undefined> {
  return userOf(await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst())
}

interface UserRow extends Pick<User, 'id' | 'email' | 'name' | 'role'> {
  password_hash: string
}

function userOf(row: UserRow | undefined): User | undefined {
  if (!row) return undefined
  const { id, email, name, role } = row
  return { id, email, name, role, passwordHash: row.password_hash }
}

function moment(text: string | null): Date | undefined {
  return text === null ? undefined : new Date(text)
}

/** Everyone with the role of an administrator, the first one first. */
export async function administrators(db: Db | Tx): Promise<Pick<User, 'name' | 'email'>[]> {
  return db.selectFrom('users').select(['name', 'email']).where('role', '=', 'admin').orderBy('id').execute()
}

export async function anyAdmin(db: Db | Tx): Promise<boolean> {
  return (await db.selectFrom('users').select('id').where('role', '=', 'admin').limit(1).executeTakeFirst()) !== undefined
}

export async function insertUser(
  tx: Tx,
  user: Pick<User, 'id' | 'email' | 'name' | 'role' | 'passwordHash'>,
  now: Date,
): Promise<void> {
  const { id, email, name, role } = user
  await tx
    .insertInto('users')
    .values({ id, email, name, role, password_hash: user.passwordHash, created_at: now.toISOString() })
    .execute()
}

export interface Failures {
  failures: number
  blockedUntil: Date | undefined
}

export async function failuresOf(tx: Tx, counterSha256: string): Promise<Failures> {
  const row = await tx.selectFrom('sign_in_failures').selectAll().where('counter_sha256', '=', counterSha256).executeTakeFirst()
  return { failures: row?.failures ?? 0, blockedUntil: moment(row?.blocked_until ?? null) }
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

/** At most `limit`. Answers how many went. */
export async function dropFailuresBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  const old = tx.selectFrom('sign_in_failures').select('counter_sha256').where('at', '<', before.toISOString()).limit(limit)
  return Number((await tx.deleteFrom('sign_in_failures').where('counter_sha256', 'in', old).executeTakeFirst()).numDeletedRows)
}

export async function replaceSetupLink(tx: Tx, tokenSha256: string, expiresAt: Date): Promise<void> {
  await tx.deleteFrom('setup_links').execute()
  await tx.insertInto('setup_links').values({ token_sha256: tokenSha256, expires_at: expiresAt.toISOString() }).execute()
}

export async function isSetupLinkValid(db: Db | Tx, tokenSha256: string, now: Date): Promise<boolean> {
  const row = await db.selectFrom('setup_links').select('expires_at').where('token_sha256', '=', tokenSha256).executeTakeFirst()
  return row !== undefined && new Date(row.expires_at) > now
}

export async function dropSetupLinks(tx: Tx): Promise<void> {
  await tx.deleteFrom('setup_links').execute()
}

/** One link per user: a newer one replaces it. */
export async function replaceResetLink(tx: Tx, userId: string, tokenSha256: string, expiresAt: Date): Promise<void> {
  const link = { token_sha256: tokenSha256, expires_at: expiresAt.toISOString() }
  await tx
    .insertInto('password_resets')
    .values({ user_id: userId, ...link })
    .onConflict(c => c.column('user_id').doUpdateSet(link))
    .execute()
}

export async function userByResetLink(db: Db | Tx, tokenSha256: string, now: Date): Promise<User | undefined> {
  const row = await db
    .selectFrom('users')
    .innerJoin('password_resets', 'password_resets.user_id', 'users.id')
    .selectAll('users')
    .where('password_resets.token_sha256', '=', tokenSha256)
    .where('password_resets.expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return userOf(row)
}

export async function dropResetLink(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}

export async function setPasswordHash(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute()
}

export async function dropSessionsOf(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
}

export interface Session {
  tokenSha256: string
  userId: string
  createdAt: Date
  confirmedAt: Date
  lastSeenAt: Date
}

export async function insertSession(
  tx: Tx,
  session: Session,
  userAgent: string | undefined,
  ip: string | undefined,
): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      token_sha256: session.tokenSha256,
      user_id: session.userId,
      created_at: session.createdAt.toISOString(),
      confirmed_at: session.confirmedAt.toISOString(),
      last_seen_at: session.lastSeenAt.toISOString(),
      user_agent: userAgent ?? null,
      ip: ip ?? null,
    })
    .execute()
}

export async function sessionBy(db: Db | Tx, tokenSha256: string): Promise<Session | undefined> {
  const row = await db.selectFrom('sessions').selectAll().where('token_sha256', '=', tokenSha256).executeTakeFirst()
  return (
    row && {
      tokenSha256,
      userId: row.user_id,
      createdAt: new Date(row.created_at),
      confirmedAt: new Date(row.confirmed_at),
      lastSeenAt: new Date(row.last_seen_at),
    }
  )
}

export async function touchSession(tx: Tx, tokenSha256: string, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ last_seen_at: now.toISOString() }).where('token_sha256', '=', tokenSha256).execute()
}

export async function confirmSession(tx: Tx, tokenSha256: string, now: Date): Promise<void> {
  await tx.updateTable('sessions').set({ confirmed_at: now.toISOString() }).where('token_sha256', '=', tokenSha256).execute()
}

export async function dropSession(tx: Tx, tokenSha256: string): Promise<void> {
  await tx.deleteFrom('sessions').where('token_sha256', '=', tokenSha256).execute()
}

/** At most `limit`. Answers how many went. */
export async function dropSessionsBefore(tx: Tx, moment: Date, limit: number): Promise<number> {
  const old = tx.selectFrom('sessions').select('token_sha256').where('last_seen_at', '<', moment.toISOString()).limit(limit)
  return Number((await tx.deleteFrom('sessions').where('token_sha256', 'in', old).executeTakeFirst()).numDeletedRows)
}

export interface ApiKey {
  id: string
  ownerId: string | undefined
  ownerRole: 'admin' | 'member' | undefined
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
}

interface KeyRow {
  id: string
  owner_id: string | null
  owner_role: 'admin' | 'member' | null
  name: string
  sha256: string
  prefix: string
  last_four: string
  scopes: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  last_used_ip: string | null
}

const KEYS = 'SELECT k.*, u.role AS owner_role FROM api_keys k LEFT JOIN users u ON u.id = k.owner_id'

/** Estimate of the memory that a cached key takes. */
const KEY_BYTES = 2000

/** Each API request needs its key: it is read again only after a change of the database. */
export function keyByHash(db: Db, sha256: string): ApiKey | undefined {
  const version = changeCounter(db)
  return db.cache.get('api key', sha256, version, () => {
    // With a bare `?` SQLite prepares the statement again at every run.
    const row = prepared(db, `${KEYS} WHERE k.sha256 = +?`).get(sha256) as KeyRow | undefined
    return row && { version, value: keyOf(row), bytes: KEY_BYTES }
  })
}

/** Newest first; a member's own, or all. */
export function listKeys(db: Db, ownerId: string | undefined): ApiKey[] {
  const rows = prepared(db, `${KEYS} WHERE :owner IS NULL OR k.owner_id = :owner ORDER BY k.id DESC`).all({
    owner: ownerId ?? null,
  }) as KeyRow[]
  return rows.map(keyOf)
}

function keyOf(row: KeyRow): ApiKey {
  return {
    id: row.id,
    ownerId: row.owner_id ?? undefined,
    ownerRole: row.owner_role ?? undefined,
    name: row.name,
    sha256: row.sha256,
    prefix: row.prefix,
    lastFour: row.last_four,
    scopes: JSON.parse(row.scopes) as Scope[],
    createdAt: new Date(row.created_at),
    expiresAt: moment(row.expires_at),
    revokedAt: moment(row.revoked_at),
    lastUsedAt: moment(row.last_used_at),
    lastUsedIp: row.last_used_ip ?? undefined,
  }
}

export async function countKeys(db: Db | Tx): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertKey(tx: Tx, key: ApiKey): Promise<void> {
  await tx
    .insertInto('api_keys')
    .values({
      id: key.id,
      owner_id: key.ownerId ?? null,
      name: key.name,
      sha256: key.sha256,
      prefix: key.prefix,
      last_four: key.lastFour,
      scopes: JSON.stringify(key.scopes),
      created_at: key.createdAt.toISOString(),
      expires_at: key.expiresAt?.toISOString() ?? null,
      revoked_at: null,
      last_used_at: null,
      last_used_ip: null,
    })
    .execute()
}

/** Answers whether there was such a key to revoke. */
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
