/** The audit answer: a document's events, each with the hash it follows. The chain runs through all documents, so that others' events lie between. */
import type { AuditEvent } from '../../audit/log.ts'
import { eventsAfter } from '../../audit/queries.ts'
import { GENESIS } from '../../core/chain.ts'
import type { LinkedEvent } from '../../documents/present.ts'
import type { App } from '../../ports.ts'

/** Adds to events, in order, the hash each was linked to. Only what stands between them is read. */
export async function linked({ db }: Pick<App, 'db'>, events: AuditEvent[]): Promise<LinkedEvent[]> {
  const found: LinkedEvent[] = []
  for (const event of events) {
    const before = found.at(-1)
    const previousHash = before?.sequence === event.sequence - 1 ? before.hash : await hashAt(db, event.sequence - 1)
    found.push({ ...event, previousHash })
  }
  return found
}

async function hashAt(db: App['db'], sequence: number): Promise<string> {
  if (sequence === 0) return GENESIS
  const [row] = await eventsAfter(db, sequence - 1, 1)
  if (row?.sequence !== sequence) throw new Error(`the audit log has no event ${sequence}, though later ones`)
  return row.hash
}
