/**
 * Checks and copies the stored files of a move, several at once, each read back on arrival; at the
 * end compares source and target.
 */
import { auditEventsOf, auditHead, verifyChain } from '../audit/log.ts'
import { pagesOf } from '../db/move/rows.ts'
import type { MovedTable, MoveSchema } from '../db/move/tables.ts'
import { presentDocument, presentEvent } from '../documents/present.ts'
import { find } from '../documents/queries.ts'
import { filesOfDocument } from '../documents/signing/form-queries.ts'
import type { Progress } from './move.ts'
import { sampleDocument } from './queries.ts'
import { type Digests, differences, digestRows, type MoveEnd, MoveError } from './rows.ts'

const FILES_AT_ONCE = 8

export interface DamagedFile {
  sha256: string
  problem: 'is missing' | 'has changed' | `cannot be read (${string})`
}

export interface FilesToMove {
  /** For each file in order of its hash whether it has to be copied: one byte each. */
  isCopied: Uint8Array
  copies: number
  /** Already at the target, copied by an earlier run. */
  arrived: number
  damaged: DamagedFile[]
}

/** Runs `work` for every file that has a row, with its number in order of the hashes. */
async function forEachFile(
  { database }: MoveEnd,
  table: MovedTable,
  work: (sha256: string, number: number) => Promise<void>,
): Promise<void> {
  let number = 0
  for await (const rows of pagesOf(database, table)) {
    const first = number
    number += rows.length
    let next = 0
    const worker = async () => {
      for (let i = next++; i < rows.length; i = next++) await work(String(rows[i]?.sha256), first + i)
    }
    const stop = (error: unknown) => {
      next = rows.length
      throw error
    }
    const ends = await Promise.allSettled(Array.from({ length: FILES_AT_ONCE }, () => worker().catch(stop)))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }
}

/** `target`: only when an earlier run may have copied files to it. */
export async function surveyFiles(
  source: MoveEnd,
  target: MoveEnd | undefined,
  table: MovedTable,
  count: number,
  progress: Progress,
): Promise<FilesToMove> {
  const found: FilesToMove = { isCopied: new Uint8Array(count), copies: 0, arrived: 0, damaged: [] }
  await forEachFile(source, table, async (sha256, number) => {
    progress.add(1)
    if (target && (await target.files.hashOf(sha256)) === sha256) {
      found.arrived++
      return
    }
    const problem = await problemOf(source, sha256)
    if (problem !== undefined) {
      found.damaged.push({ sha256, problem })
      return
    }
    found.isCopied[number] = 1
    found.copies++
  })
  return found
}

async function problemOf({ files }: MoveEnd, sha256: string): Promise<DamagedFile['problem'] | undefined> {
  try {
    const actual = await files.hashOf(sha256)
    if (actual === undefined) return 'is missing'
    return actual === sha256 ? undefined : 'has changed'
  } catch (error) {
    // A failing disk; a store that does not answer is no property of the file.
    if (!(error instanceof Error && 'code' in error && /^(EIO|EACCES|EISDIR)$/.test(String(error.code)))) throw error
    return `cannot be read (${String(error.code)})`
  }
}

export async function copyFiles(
  source: MoveEnd,
  target: MoveEnd,
  table: MovedTable,
  { isCopied }: FilesToMove,
  progress: Progress,
): Promise<void> {
  await forEachFile(source, table, async (sha256, number) => {
    if (isCopied[number] !== 1) return
    await copyFile(source, target, sha256)
    progress.add(1)
  })
}

/** Read back, whatever the store has answered. */
async function copyFile(source: MoveEnd, { files, name }: MoveEnd, sha256: string): Promise<void> {
  await files.copyFrom(source.files, sha256)
  if ((await files.hashOf(sha256)) === sha256) return
  throw new MoveError(`File ${sha256} did not arrive unchanged at ${name}: check both stores, then run the move again.`)
}

// Compares what arrived at the target of a move with its source, before the source is marked.

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
