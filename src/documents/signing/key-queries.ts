/** Rows of the device keys that signed. */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db/open.ts'
import { rowMapper } from '../../db/row-mapper.ts'
import type { Schema } from '../../db/schema.ts'
import { type Change, insertions } from '../../db/together.ts'
import { sqlOf, wordsOf } from '../../db/words.ts'

export interface UsedDeviceKey {
  recipientId: string
  /** Base64url, as the browser gave it. */
  credentialId: string
  /** SubjectPublicKeyInfo in Base64url. */
  publicKey: string
  /** Of the SubjectPublicKeyInfo, hex. */
  sha256: string
  usedAt: Date
}

const DEVICE_KEYS = rowMapper<UsedDeviceKey, Selectable<Schema['device_keys']>>()({
  recipientId: 'recipient_id',
  credentialId: 'credential_id',
  publicKey: 'public_key',
  sha256: 'sha256',
  usedAt: ['used_at', 'time'],
})

export const deviceKeyInsertion = (tx: Tx, key: UsedDeviceKey): Change[] =>
  insertions(tx, 'device_keys', [DEVICE_KEYS.write(key)])

export interface KeyUse extends UsedDeviceKey {
  /** When the same address used it first, in an earlier document. */
  firstUsedAt: Date | undefined
}

/** The keys with which these recipients signed. */
export async function usesOfKeys(db: Db, recipients: readonly { id: string }[]): Promise<KeyUse[]> {
  const sameEmail = sqlOf<boolean>(wordsOf(db).sameText('earlier_recipient.email', 'recipients.email'))
  const rows = await db
    .selectFrom('device_keys')
    .innerJoin('recipients', 'recipients.id', 'device_keys.recipient_id')
    .selectAll('device_keys')
    .select(each =>
      each
        .selectFrom('device_keys as earlier')
        .innerJoin('recipients as earlier_recipient', 'earlier_recipient.id', 'earlier.recipient_id')
        .select(({ fn }) => fn.min('earlier.used_at').as('at'))
        .whereRef('earlier.sha256', '=', 'device_keys.sha256')
        .whereRef('earlier.used_at', '<', 'device_keys.used_at')
        .where(sameEmail)
        .as('first_used_at'),
    )
    .where(
      'device_keys.recipient_id',
      'in',
      recipients.map(({ id }) => id),
    )
    .execute()
  return rows.map(({ first_used_at: at, ...row }) => ({
    ...DEVICE_KEYS.read(row),
    firstUsedAt: at === null ? undefined : new Date(at),
  }))
}

/** Of whoever has this address, newest first. A key that signed often is there as often. */
export async function deviceKeysOfAddress(db: Db | Tx, email: string, limit: number): Promise<UsedDeviceKey[]> {
  const rows = await db
    .selectFrom('device_keys')
    .innerJoin('recipients', 'recipients.id', 'device_keys.recipient_id')
    .selectAll('device_keys')
    .where(sqlOf<boolean>(wordsOf(db).sameText('recipients.email', '?'), email))
    .orderBy('used_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(DEVICE_KEYS.read)
}
