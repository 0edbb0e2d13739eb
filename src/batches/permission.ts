/** Whether a batch may go on: whoever lost the right to send has nothing more sent. */
import { type Person, personById } from '../accounts/people-queries.ts'
import { keyLife } from '../accounts/queries.ts'
import { rightsOf } from '../accounts/rights.ts'
import type { Batch, StopReason } from '../core/template/batch.ts'
import type { Tx } from '../db/open.ts'

/** Who started its sending last. */
export const senderOf = ({ actor, resumedBy }: Pick<Batch, 'actor' | 'resumedBy'>): string => resumedBy ?? actor

/** Why no further row may be sent. An API token without an owner acts for the instance. */
export async function reasonToStop(tx: Tx, batch: Batch, now: Date): Promise<StopReason | undefined> {
  const owner = batch.ownerId === undefined ? undefined : await personById(tx, batch.ownerId)
  if (batch.ownerId !== undefined && !(owner && maySend(owner))) return 'not_permitted'
  const [, kind, id = ''] = /^(user|key):(.+)$/.exec(senderOf(batch)) ?? []
  if (kind === 'key') return reasonOfKey(tx, id, now)
  const sender = kind === 'user' ? await personById(tx, id) : undefined
  // Batches of a person who was removed went over to another.
  return sender && !maySend(sender) ? 'not_permitted' : undefined
}

function maySend({ role, disabledAt }: Person): boolean {
  return !disabledAt && rightsOf(role).scopes.includes('documents:write')
}

async function reasonOfKey(tx: Tx, id: string, now: Date): Promise<StopReason | undefined> {
  const key = await keyLife(tx, id)
  if (!key || key.revokedAt) return 'key_revoked'
  return key.expiresAt && key.expiresAt <= now ? 'key_expired' : undefined
}
