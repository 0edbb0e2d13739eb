/** Rows of webhooks and their secrets. */
import type { Selectable } from 'kysely'
import type { PublicEvent } from '../core/document/event.ts'
import type { Db, Tx } from '../db/open.ts'
import { rowMapper } from '../db/row-mapper.ts'
import type { Schema } from '../db/schema.ts'
import { dropJobs } from '../outbox/queries.ts'
import type { Actor } from '../ports.ts'

export interface Webhook {
  id: string
  ownerId: string | undefined
  url: string
  /** What it is for, in the words of whoever made it. */
  description: string | undefined
  events: (PublicEvent | '*')[]
  enabled: boolean
  disabledReason: string | undefined
  sealedSecret: Uint8Array
  secretLastFour: string
  lastSuccessAt: Date | undefined
  /** Failures of deliveries created earlier do not count. */
  failuresFrom: Date | undefined
  createdAt: Date
}

const WEBHOOKS = rowMapper<Webhook, Selectable<Schema['webhooks']>>()({
  id: 'id',
  ownerId: ['owner_id', 'optional'],
  url: 'url',
  description: ['description', 'optional'],
  events: ['events', 'json'],
  enabled: ['enabled', 'flag'],
  disabledReason: ['disabled_reason', 'optional'],
  sealedSecret: 'sealed_secret',
  secretLastFour: 'secret_last_four',
  lastSuccessAt: ['last_success_at', 'optional time'],
  failuresFrom: ['failures_from', 'optional time'],
  createdAt: ['created_at', 'time'],
})

/** Deleted webhooks stay as rows until their deliveries are removed. */
const undeleted = (db: Db | Tx) => db.selectFrom('webhooks').where('webhooks.deleted_at', 'is', null)

/** The webhooks that the actor may see, oldest first. */
export async function listWebhooks(db: Db | Tx, actor: Pick<Actor, 'seesAll' | 'userId'>): Promise<Webhook[]> {
  let query = undeleted(db).selectAll().orderBy('id')
  if (!actor.seesAll) query = query.where('owner_id', '=', actor.userId ?? '')
  return (await query.execute()).map(WEBHOOKS.read)
}

export async function webhookById(db: Db | Tx, id: string): Promise<Webhook | undefined> {
  const row = await undeleted(db).selectAll().where('id', '=', id).executeTakeFirst()
  return row && WEBHOOKS.read(row)
}

/** SELECTs enabled webhooks whose owner may see the document; without an owner all documents. */
export function subscribedWebhooks(db: Db | Tx, documentOwnerId: string | undefined) {
  return undeleted(db)
    .leftJoin('users', 'users.id', 'webhooks.owner_id')
    .select(['webhooks.id', 'webhooks.url', 'webhooks.events'])
    .where('webhooks.enabled', '=', 1)
    .where(eb =>
      eb.or([
        eb('webhooks.owner_id', 'is', null),
        eb('users.role', '=', 'admin'),
        eb('webhooks.owner_id', '=', documentOwnerId ?? ''),
      ]),
    )
    .orderBy('webhooks.id')
}

/** `events`: a JSON array. */
export type Subscription = Pick<Selectable<Schema['webhooks']>, 'id' | 'url' | 'events'>

export async function countWebhooks(tx: Tx): Promise<number> {
  const { count } = await undeleted(tx)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  await tx.insertInto('webhooks').values(WEBHOOKS.write(webhook)).execute()
}

/** Gives all webhooks of a person to another. Returns the number. */
export async function changeOwner(tx: Tx, from: string, to: string): Promise<number> {
  const update = tx.updateTable('webhooks').set({ owner_id: to }).where('owner_id', '=', from).where('deleted_at', 'is', null)
  return Number((await update.executeTakeFirst()).numUpdatedRows)
}

export async function updateWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  await tx.updateTable('webhooks').set(WEBHOOKS.write(webhook)).where('id', '=', webhook.id).execute()
}

/** Marks it as deleted and erases its secrets. `dropRemainsOfWebhooks` removes the rows. */
export async function deleteWebhook(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.deleteFrom('webhook_former_secrets').where('webhook_id', '=', id).execute()
  await tx
    .updateTable('webhooks')
    .set({ deleted_at: now.toISOString(), enabled: 0, sealed_secret: new Uint8Array() })
    .where('id', '=', id)
    .execute()
}

/** Removes deliveries of a deleted webhook, or the webhook without any. Returns the row count. */
export async function dropRemainsOfWebhooks(tx: Tx, limit: number): Promise<number> {
  const webhook = await tx.selectFrom('webhooks').select('id').where('deleted_at', 'is not', null).limit(1).executeTakeFirst()
  if (webhook === undefined) return 0
  const rows = await tx.selectFrom('deliveries').select('id').where('webhook_id', '=', webhook.id).limit(limit).execute()
  const ids = rows.map(row => row.id)
  await dropJobs(tx, 'webhook', ids)
  if (ids.length > 0) await tx.deleteFrom('deliveries').where('id', 'in', ids).execute()
  else await tx.deleteFrom('webhooks').where('id', '=', webhook.id).execute()
  return Math.max(ids.length, 1)
}

export async function disableWebhook(tx: Tx, id: string, reason: string): Promise<void> {
  await tx.updateTable('webhooks').set({ enabled: 0, disabled_reason: reason }).where('id', '=', id).execute()
}

export async function recordSuccess(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('webhooks').set({ last_success_at: now.toISOString() }).where('id', '=', id).execute()
}

/** Replaced secrets that still sign, the newest first. */
export async function formerSecrets(db: Db | Tx, webhookId: string, now: Date): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('webhook_former_secrets')
    .select('sealed_secret')
    .where('webhook_id', '=', webhookId)
    .where('valid_until', '>', now.toISOString())
    .orderBy('valid_until', 'desc')
    .execute()
  return rows.map(row => row.sealed_secret)
}

/** When the last of the replaced secrets stops signing; `undefined` if none signs. */
export async function formerSecretsEnd(db: Db, webhookId: string, now: Date): Promise<Date | undefined> {
  const row = await db
    .selectFrom('webhook_former_secrets')
    .select('valid_until')
    .where('webhook_id', '=', webhookId)
    .where('valid_until', '>', now.toISOString())
    .orderBy('valid_until', 'desc')
    .executeTakeFirst()
  return row && new Date(row.valid_until)
}

export async function insertFormerSecret(tx: Tx, webhookId: string, sealedSecret: Uint8Array, validUntil: Date): Promise<void> {
  const row = { webhook_id: webhookId, valid_until: validUntil.toISOString(), sealed_secret: sealedSecret }
  await tx.insertInto('webhook_former_secrets').values(row).execute()
}

export async function dropFormerSecrets(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('webhook_former_secrets').where('valid_until', '<=', now.toISOString()).execute()
}
