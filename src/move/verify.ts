/** Compares what arrived at the target of a move with its source, before the source is marked. */
import { auditEventsOf, auditHead, verifyChain } from '../audit/log.ts'
import type { MoveSchema } from '../db/move/schema.ts'
import { presentDocument, presentEvent } from '../documents/present.ts'
import { find } from '../documents/queries.ts'
import { filesOfDocument } from '../documents/signing/added-queries.ts'
import { type MoveEnd, MoveError } from './end.ts'
import type { FilesToMove } from './files.ts'
import type { Progress } from './progress.ts'
import { sampleDocument } from './queries.ts'
import { type Digests, differences, digestRows } from './rows.ts'

export interface Verification {
  /** Entries of the audit log, whose chain was verified on the target. */
  events: number
  /** Hash of the newest entry, the same on both ends. */
  head: string
  /** The document whose evidence was compared; undefined if there is none. */
  documentId: string | undefined
}

/** @throws MoveError that says what differs */
export async function verifyArrival(
  source: MoveEnd,
  target: MoveEnd,
  schema: MoveSchema,
  { digests: expected, work }: { digests: Digests; work: FilesToMove },
  progress: Progress,
): Promise<Verification> {
  const { digests } = await digestRows(target, schema, progress)
  const different = differences(expected, digests)
  if (different.length > 0) throw differs(target, `The rows of ${different.join(', ')}`)
  const chain = await verifyChain(target.database.db)
  if ('firstInvalid' in chain) throw differs(target, `Entries of the audit log from ${chain.firstInvalid} on`)
  if ((await auditHead(source.database.db)).hash !== chain.head) throw differs(target, 'The newest entries of the audit log')
  const documentId = await sampleDocument(source.database.db)
  const damaged = new Set(work.damaged.map(({ sha256 }) => sha256))
  const evidence = (end: MoveEnd) => documentId && evidenceText(end, documentId, damaged)
  if ((await evidence(source)) !== (await evidence(target))) {
    throw differs(target, `Parts of document ${documentId}`)
  }
  return { events: chain.count, head: chain.head, documentId }
}

const differs = ({ name }: MoveEnd, what: string) =>
  new MoveError(
    `${what} at ${name} differ from the source. The source is unchanged: serve it, or empty the target and move again.`,
  )

/** The document, its audit trail and its files, as they are read on this end. */
async function evidenceText(
  { database: { db }, files: stored }: MoveEnd,
  id: string,
  damaged: ReadonlySet<string>,
): Promise<string> {
  const document = await find(db, id)
  if (!document) return ''
  const added = (await filesOfDocument(db, id)).map(({ file }) => file.sha256)
  const files = [document.sha256Original, document.sha256Sealed, ...added].flatMap(sha256 => sha256 ?? [])
  const hashes = await Promise.all(files.filter(sha256 => !damaged.has(sha256)).map(sha256 => stored.hashOf(sha256)))
  const events = await auditEventsOf(db, id)
  return JSON.stringify({ document: presentDocument(document), events: events.map(presentEvent), hashes })
}
