/** Creates, revokes and authenticates API keys. */
import { daysAfter } from '../core/document.ts'
import { Refusal, refuseIfInvalid } from '../core/refusal.ts'
import { cleanLine, lineError } from '../core/text.ts'
import { isWellFormed, newApiKey, prefixFor } from '../lib/api-key.ts'
import { sha256Hex } from '../lib/token.ts'
import { type Actor, type App, SCOPES, type Scope } from '../ports.ts'
import * as queries from './queries.ts'

const MAX_KEYS = 100
const STORE_EVERY_MS = 60_000

export interface NewKey {
  name: string
  /** Empty for all scopes. */
  scopes: Scope[]
  expiresInDays: number | undefined
}

/** Returns the full key: it is not stored. */
export async function createKey(app: App, actor: Pick<Actor, 'userId'>, input: NewKey): Promise<{ id: string; key: string }> {
  const message = lineError(input.name) ?? (input.name.length > 100 ? 'must have at most 100 characters' : undefined)
  if (message) refuseIfInvalid([{ path: 'name', message }])
  const prefix = prefixFor(app.instance.environment)
  const key = newApiKey(prefix)
  const id = app.newId('key')
  const now = app.now()
  return app.write(async tx => {
    if ((await queries.countKeys(tx)) >= MAX_KEYS) {
      throw new Refusal('validation_failed', `There are ${MAX_KEYS} API tokens already: revoke one that is not used any more.`)
    }
    await queries.insertKey(tx, {
      id,
      ownerId: actor.userId,
      ownerRole: undefined,
      name: cleanLine(input.name),
      sha256: sha256Hex(key),
      prefix,
      lastFour: key.slice(-4),
      scopes: input.scopes.length > 0 ? input.scopes : [...SCOPES],
      createdAt: now,
      expiresAt: input.expiresInDays === undefined ? undefined : daysAfter(now, input.expiresInDays),
      revokedAt: undefined,
      lastUsedAt: undefined,
      lastUsedIp: undefined,
    })
    return { id, key }
  })
}

export async function revokeKey(app: App, actor: Actor, id: string): Promise<void> {
  await app.write(async tx => {
    const revoked = await queries.revokeKey(tx, id, actor.seesAll ? undefined : actor.userId, app.now())
    if (!revoked) throw new Refusal('not_found', 'API token not found.')
  })
}

/** The key of an `Authorization: Bearer` value. Throws `unauthorized`. */
export async function authenticate(app: App, presented: string | undefined): Promise<queries.ApiKey> {
  const refuse = (message: string) => new Refusal('unauthorized', message)
  if (presented === undefined) throw refuse('Send your API key as "Authorization: Bearer <key>".')
  const key = await queries.keyByHash(app.db, sha256Hex(presented))
  if (!key && !(presented.startsWith(prefixFor(app.instance.environment)) && isWellFormed(presented))) {
    throw refuse('This is not an API key of this environment: check it for typing errors.')
  }
  if (!key || key.revokedAt) throw refuse('The API key is unknown or was revoked.')
  if (key.expiresAt && key.expiresAt <= app.now())
    throw refuse('The API key has expired: create a new one under Settings → API tokens.')
  return key
}

/** Stores time and address of the use, at most once a minute. A failure is not retried. */
export function storeUse(app: App, key: queries.ApiKey, ip: string | undefined): Promise<void> | undefined {
  const now = app.now()
  const sinceMs = now.getTime() - Math.max(key.lastUsedAt?.getTime() ?? 0, app.lastUse.get(key.id) ?? 0)
  // Negative: the clock was set back.
  if (sinceMs >= 0 && sinceMs < STORE_EVERY_MS) return undefined
  app.lastUse.set(key.id, now.getTime())
  return app.write(tx => queries.touchKey(tx, key.id, now, ip), { wake: false })
}

export function actorOf(key: queries.ApiKey): Actor {
  return {
    label: `key:${key.id}`,
    userId: key.ownerId,
    seesAll: key.ownerRole !== 'member',
    idempotencyOwner: key.ownerId ?? key.id,
    scopes: key.scopes,
  }
}
