/** Creates, revokes and authenticates API tokens, and informs owners of those that end soon. */
import { appendInstanceEvent } from '../audit/log.ts'
import { daysAfter } from '../core/document/document.ts'
import { TOKENS_PATH } from '../core/page-paths.ts'
import { errorsIn, Refusal, refuseIfInvalid } from '../core/refusal.ts'
import { MAX_ACCOUNT_NAME } from '../core/service-limits.ts'
import { cleanLine, lineError } from '../core/text.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import { isWellFormed, newApiKey, prefixFor } from '../lib/api-key.ts'
import { readableTime } from '../lib/clock-format.ts'
import { sha256Hex } from '../lib/sha256.ts'
import { type Actor, type App, COMMAND_LINE, DEFAULT_SCOPES, type Origin, type Scope } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { mailPerson } from './account-mail.ts'
import { addressesForOwner } from './notified.ts'
import { refuseDisabled, STORE_EVERY_MS } from './people.ts'
import * as queries from './queries.ts'
import { rightsOf } from './rights.ts'

const MAX_KEYS = 100
/** The owner is informed this many days before a key ends. */
export const NOTE_DAYS = 14

export interface NewKey {
  name: string
  /** Empty for the default ones that the owner's role permits. */
  scopes: Scope[]
  expiresInDays: number | undefined
  /** In place of a number of days. */
  expiresAt?: Date
}

/** Returns the full key: it is not stored. @throws Refusal `validation_failed` */
export async function createKey(
  app: App,
  owner: Pick<Actor, 'userId'>,
  input: NewKey,
  origin: Origin = COMMAND_LINE,
): Promise<{ id: string; key: string }> {
  const tooLong = input.name.length > MAX_ACCOUNT_NAME ? violation('too_long', { max: MAX_ACCOUNT_NAME }) : undefined
  refuseIfInvalid(errorsIn([['name', lineError(input.name) ?? tooLong]]))
  const prefix = prefixFor(app.instance.environment)
  const key = newApiKey(prefix, app.random)
  const id = app.newId('key')
  const now = app.now()
  const expiresAt = input.expiresAt ?? (input.expiresInDays === undefined ? undefined : daysAfter(now, input.expiresInDays))
  // The owner of a key for so few days knows that it ends.
  const isShort = expiresAt !== undefined && expiresAt <= daysAfter(now, NOTE_DAYS)
  return app.write(async tx => {
    const scopes = await permittedScopes(tx, owner.userId, input.scopes)
    if ((await queries.countKeys(tx)) >= MAX_KEYS) {
      throw new Refusal('validation_failed', violation('too_many_api_tokens', { max: MAX_KEYS }))
    }
    await queries.insertKey(tx, {
      id,
      ownerId: owner.userId,
      name: cleanLine(input.name),
      sha256: sha256Hex(key),
      prefix,
      lastFour: key.slice(-4),
      scopes,
      createdAt: now,
      expiresAt,
      revokedAt: undefined,
      lastUsedAt: undefined,
      lastUsedIp: undefined,
      endNotedAt: isShort ? now : undefined,
    })
    const data = { keyId: id, scopes, expiresAt: expiresAt?.toISOString() ?? null }
    await appendInstanceEvent(tx, app, { type: 'api_key.created', data }, origin)
    return { id, key }
  })
}

async function permittedScopes(tx: Tx, ownerId: string | undefined, asked: readonly Scope[]): Promise<Scope[]> {
  const owner = ownerId === undefined ? undefined : await queries.userById(tx, ownerId)
  // Disabled or removed since the request began.
  if (ownerId !== undefined) refuseDisabled(owner)
  const { scopes } = rightsOf(owner?.role ?? 'admin')
  const refused = asked.filter(scope => !scopes.includes(scope))
  if (refused.length > 0) {
    refuseIfInvalid([{ path: 'scopes', ...violation('scopes_not_allowed', { scopes: refused }) }])
  }
  return asked.length > 0 ? [...asked] : scopes.filter(scope => DEFAULT_SCOPES.includes(scope))
}

export async function revokeKey(app: App, origin: Origin, id: string): Promise<void> {
  const { actor } = origin
  await app.write(async tx => {
    const revoked = await queries.revokeKey(tx, id, actor.isAdmin ? undefined : actor.userId, app.now())
    if (!revoked) throw new Refusal('not_found', violation('api_token_not_found'))
    await recordRevoked(tx, app, [id], origin)
  })
}

/** One entry for each, also of those that end with the rights of their owner. */
export async function recordRevoked(tx: Tx, app: App, ids: readonly string[], origin: Origin): Promise<void> {
  for (const keyId of ids) await appendInstanceEvent(tx, app, { type: 'api_key.revoked', data: { keyId } }, origin)
}

/** The key of an `Authorization: Bearer` value. Throws `unauthorized`. */
export async function authenticate(app: App, presented: string | undefined): Promise<queries.ApiKey> {
  const refuse = (says: Violation) => new Refusal('unauthorized', says)
  if (presented === undefined) throw refuse(violation('api_token_missing'))
  const key = await queries.keyByHash(app.db, sha256Hex(presented))
  if (!key && !(presented.startsWith(prefixFor(app.instance.environment)) && isWellFormed(presented))) {
    throw refuse(violation('api_token_malformed'))
  }
  if (!key || key.revokedAt) throw refuse(violation('api_token_unknown'))
  if (key.isOwnerDisabled) throw refuse(violation('api_token_of_disabled'))
  if (key.expiresAt && key.expiresAt <= app.now()) throw refuse(violation('api_token_expired'))
  return key
}

/** Stores time and address of the use. A failure is not retried. */
export function storeUse(app: App, key: queries.ApiKey, ip: string | undefined): Promise<void> | undefined {
  const now = app.now()
  const sinceMs = now.getTime() - Math.max(key.lastUsedAt?.getTime() ?? 0, app.lastUse.get(key.id) ?? 0)
  // Negative: the clock was set back.
  if (sinceMs >= 0 && sinceMs < STORE_EVERY_MS) return undefined
  app.lastUse.set(key.id, now.getTime())
  return app.write(tx => queries.touchKey(tx, key.id, now, ip), { wake: false })
}

/** Without an owner it acts for the instance. The role of the owner limits older keys too. */
export function actorOf(key: queries.ApiKey): Actor {
  const rights = rightsOf(key.ownerRole ?? 'admin')
  return {
    label: `key:${key.id}`,
    userId: key.ownerId,
    idempotencyOwner: key.ownerId ?? key.id,
    ...rights,
    scopes: key.scopes.filter(scope => rights.scopes.includes(scope)),
    tokenName: key.name,
  }
}

// Informs the owner of an API token once that it ends soon.

export async function noteKeysThatEnd(app: App): Promise<void> {
  const now = app.now()
  for (const { id } of await queries.keysEndingUntil(app.db, now, daysAfter(now, NOTE_DAYS))) await noteEnd(app, id, now)
}

function noteEnd(app: App, id: string, now: Date): Promise<void> {
  return app.write(async tx => {
    const key = await queries.noteEndOfKey(tx, id, now)
    if (!key?.expiresAt) return
    const { name, expiresAt } = key
    const { timeZone } = await readOrganisation(tx)
    for (const to of await addressesForOwner(tx, key.ownerId)) {
      await mailPerson(tx, app, to, ({ settings }, _, language) => {
        const { link, ...mail } = settings.tokens.endsMail(name, readableTime(expiresAt, timeZone, language))
        return { ...mail, link: { text: link, path: `${TOKENS_PATH}/${id}` } }
      })
    }
  })
}
