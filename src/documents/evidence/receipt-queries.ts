/** Rows of receipts: one for each recipient who has signed or approved, once it was made. */
import type { Db, Tx } from '../../db/open.ts'

/** The S/MIME message. */
export async function storedReceipt(db: Db | Tx, recipientId: string): Promise<string | undefined> {
  const query = db.selectFrom('receipts').select('text').where('recipient_id', '=', recipientId)
  return (await query.executeTakeFirst())?.text
}

/** The first one wins: another may have been made meanwhile. */
export async function addReceipt(
  tx: Tx,
  { recipientId, sequence, text }: { recipientId: string; sequence: number; text: string },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('receipts')
    .values({ recipient_id: recipientId, sequence, text, made_at: now.toISOString() })
    .onConflict(conflict => conflict.column('recipient_id').doNothing())
    .execute()
}
