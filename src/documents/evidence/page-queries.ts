/** Rows of the versions of verify.html whose hash an audit certificate prints. */
import type { Db, Tx } from '../../db/open.ts'
import type { EmbeddedPage } from '../../files/verify-page.ts'

/** Nothing changes if it is kept already, by whichever node. */
export async function keepVerifyPage(tx: Tx, { sha256, bytes }: EmbeddedPage, now: Date): Promise<void> {
  const kept = await tx.selectFrom('verify_pages').select('sha256').where('sha256', '=', sha256).executeTakeFirst()
  if (kept !== undefined) return
  await tx
    .insertInto('verify_pages')
    .values({ sha256, first_used_at: now.toISOString(), content: bytes })
    .onConflict(c => c.doNothing())
    .execute()
}

export async function keptVerifyPage(db: Db, sha256: string): Promise<Uint8Array | undefined> {
  return (await db.selectFrom('verify_pages').select('content').where('sha256', '=', sha256).executeTakeFirst())?.content
}
