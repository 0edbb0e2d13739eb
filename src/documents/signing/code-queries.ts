/** Rows of one-time codes. */
import type { Selectable } from 'kysely'
import type { OneTimeCode } from '../../core/signing/one-time-code.ts'
import type { Db, Tx } from '../../db/open.ts'
import { rowMapper } from '../../db/row-mapper.ts'
import type { Schema } from '../../db/schema.ts'
import { type Change, insertions } from '../../db/together.ts'

const CODES = rowMapper<OneTimeCode, Selectable<Schema['one_time_codes']>>()({
  id: 'id',
  recipientId: 'recipient_id',
  linkVersion: 'link_version',
  browserHash: 'browser_hash',
  attempts: 'attempts',
  createdAt: ['created_at', 'time'],
  usedAt: ['used_at', 'optional time'],
})

export async function codesOf(db: Db | Tx, recipientId: string): Promise<OneTimeCode[]> {
  const rows = await db.selectFrom('one_time_codes').selectAll().where('recipient_id', '=', recipientId).execute()
  return rows.map(CODES.read)
}

export const codeInsertion = (tx: Tx, code: OneTimeCode): Change[] => insertions(tx, 'one_time_codes', [CODES.write(code)])

export const codeUpdate = (tx: Tx, code: OneTimeCode): Change =>
  tx.updateTable('one_time_codes').set(CODES.write(code)).where('id', '=', code.id)

export const codeDeletions = (tx: Tx, codes: readonly OneTimeCode[]): Change[] =>
  codes.map(({ id }) => tx.deleteFrom('one_time_codes').where('id', '=', id))
