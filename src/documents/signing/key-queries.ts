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
  email: string
}

/** Every use of the keys with which these recipients signed. */
export async function usesOfKeys(db: Db, recipients: readonly { id: string }[]): Promise<KeyUse[]> {
  const ids = recipients.map(({ id }) => id)
  const own = db.selectFrom('device_keys').select('sha256').where('recipient_id', 'in', ids)
  const rows = await db
    .selectFrom('device_keys')
    .innerJoin('recipients', 'recipients.id', 'device_keys.recipient_id')
    .selectAll('device_keys')
    .select('recipients.email')
    .where('device_keys.sha256', 'in', own)
    .execute()
  return rows.map(({ email, ...row }) => ({ ...DEVICE_KEYS.read(row), email }))
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
