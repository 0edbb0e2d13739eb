/** Documents that wait for somebody at an address. */
import type { Db } from '../../db/open.ts'
import type { Wanted } from '../../db/read-cache.ts'
import { inWords } from '../../db/words.ts'

const WAITING = inWords(
  ({ indexedBy, sameText }) => `SELECT DISTINCT d.id, d.version FROM recipients r ${indexedBy('recipients_to_sign')}
    JOIN documents d ON d.id = r.document_id
    WHERE ${sameText('r.email', '?')} AND r.status IN ('sent', 'viewed') AND d.status = 'sent' ORDER BY d.id DESC LIMIT ?`,
)

/** Newest first. Viewers, and people of the same address, are among them. */
export async function waitingForAddress(db: Db, email: string, limit: number): Promise<Wanted[]> {
  return (await db.reads.all(WAITING(db), [email, limit])) as Wanted[]
}
