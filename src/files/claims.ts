/**
 * Stores and deletes files under claims: one is committed before bytes get their name, and bytes
 * are deleted only under a claim that excludes all references to them and all other claims.
 */
import type { Tx } from '../db/open.ts'
import { type Change, changeTogether } from '../db/together.ts'
import { MINUTE_MS } from '../lib/duration.ts'
import { errorMessage } from '../lib/log.ts'
import { randomToken } from '../lib/token.ts'
import { UnavailableError } from '../lib/unavailable.ts'
import type { App } from '../ports.ts'
import { FileStoreUnavailableError } from '../storage/file-store.ts'
import {
  type ClaimRow,
  claimById,
  claimDeletion,
  deferRemoval,
  deleteClaim,
  deleteClaims,
  deleteKeeps,
  insertKeep,
  insertRemoval,
  type RemovalSpan,
  unfinishedClaims,
} from './claim-queries.ts'
import { dropFileIfUnused, fileInsertion, referencedFiles } from './queries.ts'

/** A stored file that no row refers to yet. It ends with `settleFile` or `abandonFile`. */
export interface FileClaim {
  id: string
  sha256: string
  bytes: number
}

/** The right to delete bytes. It ends with `finishRemovals`. */
export interface FileRemoval {
  id: string
  sha256: string
  begunMs: number
}

/** This node was taken for dead, and its claim with it: the bytes may be gone. */
export class FileClaimLostError extends UnavailableError {
  constructor() {
    super('this node did not report in time: its claim on a file is gone', 'not-done')
  }
}

/** Bytes are deleted within this time after the claim, or left to the schedule. */
const MAX_REMOVAL_MS = 20_000
/** A deletion that was sent this long ago has arrived or never will. Then others may continue. */
const REMOVAL_OVER_MS = 5 * MINUTE_MS
const WAIT_MS = [5, 20, 50, 100, 200, 400, 800, 1500, 3000, 4000]
const UNFINISHED_AT_ONCE = 100

function removalSpan(app: App): RemovalSpan {
  const nowMs = app.now().getTime()
  return { from: new Date(nowMs - REMOVAL_OVER_MS), to: new Date(nowMs + REMOVAL_OVER_MS) }
}
const newRow = (app: App, sha256: string) => ({
  id: randomToken(app.random),
  sha256,
  boot: app.node.boot,
  claimedAt: app.now(),
})

/** Stores a synced temporary file under its hash. The caller then settles or abandons the claim. */
export async function keepFile(app: App, path: string, { sha256, bytes }: Omit<FileClaim, 'id'>): Promise<FileClaim> {
  const row = newRow(app, sha256)
  const claim = { id: row.id, sha256, bytes }
  try {
    await claimFile(app, row)
    await app.storage.keep(path, sha256)
    return claim
  } catch (error) {
    // Also a claim of which it is not known whether it was made: this node lives, and so would it.
    await abandonFile(app, claim)
    throw error
  }
}

/** Waits while the same bytes are being removed. */
async function claimFile(app: App, row: ClaimRow): Promise<void> {
  for (const pauseMs of [...WAIT_MS, undefined]) {
    if (await app.writeUnsynced(tx => insertKeep(tx, row, removalSpan(app)))) return
    if (pauseMs !== undefined) await app.timers.sleep(pauseMs)
  }
  throw new FileStoreUnavailableError(`file ${row.sha256} is being removed, which takes long`)
}

/** The changes of `settleFile`. `found`: the rows of `claimById`. @throws FileClaimLostError */
export function fileSettlement(tx: Tx, { id, sha256, bytes }: FileClaim, found: readonly unknown[], now: Date): Change[] {
  if (found.length === 0) throw new FileClaimLostError()
  return [claimDeletion(tx, id), fileInsertion(tx, sha256, bytes, now)]
}

/** In the transaction of the rows that refer to the file. @throws FileClaimLostError */
export async function settleFile(tx: Tx, claim: FileClaim, now: Date): Promise<void> {
  await changeTogether(tx, fileSettlement(tx, claim, await claimById(tx, claim.id).execute(), now))
}

/** After a transaction that did not settle the claim, or may not have: rows decide. */
export async function abandonFile(app: App, { id, sha256 }: FileClaim): Promise<void> {
  let removed: Promise<void> | undefined
  try {
    await app.writeEventually(async tx => {
      await deleteClaim(tx, id)
      const removals = await removeIfUnused(app, tx, sha256)
      // Also if the database was away meanwhile: until then the same bytes cannot be stored again.
      app.afterCommit(tx, () => {
        removed = finishRemovals(app, removals).catch(error =>
          app.log('error', 'a claim on a file could not be ended', { sha256, error: errorMessage(error) }),
        )
      })
    })
    await removed
  } catch (error) {
    // The caller reports why it does without the file.
    app.log('error', 'a claim on a file could not be ended', { sha256, error: errorMessage(error) })
  }
}

/** Drops the file's row if nothing refers to it. Call `finishRemovals` after the commit. */
export async function removeIfUnused(app: App, tx: Tx, sha256: string): Promise<FileRemoval[]> {
  await dropFileIfUnused(tx, sha256)
  const removal = await beginRemoval(app, tx, sha256)
  return removal ? [removal] : []
}

async function beginRemoval(app: App, tx: Tx, sha256: string): Promise<FileRemoval | undefined> {
  const begunMs = app.steadyMs()
  const row = newRow(app, sha256)
  if (!(await insertRemoval(tx, row))) {
    await deferRemoval(tx, row)
    return undefined
  }
  await deleteKeeps(tx, sha256)
  return { id: row.id, sha256, begunMs }
}

/** Deletes the bytes. What fails is repeated by the schedule. */
export async function finishRemovals(app: App, removals: readonly FileRemoval[]): Promise<void> {
  const removed: string[] = []
  for (const { id, sha256, begunMs } of removals) {
    // A process that was stopped must not delete what others may have stored again since.
    if (app.steadyMs() - begunMs > MAX_REMOVAL_MS) continue
    try {
      await app.storage.remove(sha256)
      removed.push(id)
    } catch (error) {
      app.log('error', 'a file could not be removed', { sha256, error: errorMessage(error) })
    }
  }
  if (removed.length > 0) await app.writeUnsynced(tx => deleteClaims(tx, removed))
}

/** Ends the claims of dead nodes, and removals that failed. */
export async function endUnfinishedClaims(app: App): Promise<void> {
  const claims = await unfinishedClaims(app.db, removalSpan(app), UNFINISHED_AT_ONCE)
  for (const { id, sha256 } of claims) {
    const removals = await app.write(async tx => ((await deleteClaim(tx, id)) ? removeIfUnused(app, tx, sha256) : []), {
      wake: false,
    })
    await finishRemovals(app, removals)
    await app.timers.yield()
  }
}

/** Removes stored files without a row that are older than `minAgeMs`. Returns their number. */
export async function sweepUnreferenced(app: App, minAgeMs: number): Promise<number> {
  let swept = 0
  for await (const sha256s of app.storage.list()) {
    const referenced = await referencedFiles(app.db, sha256s)
    for (const sha256 of sha256s) {
      if (referenced.has(sha256) || !(await isOlder(app, sha256, minAgeMs))) continue
      const removals = await app.write(tx => removeIfUnused(app, tx, sha256), { wake: false })
      await finishRemovals(app, removals)
      swept += removals.length
    }
    await app.timers.yield()
  }
  return swept
}

async function isOlder(app: App, sha256: string, ageMs: number): Promise<boolean> {
  const storedAt = await app.storage.storedAt(sha256)
  return storedAt !== undefined && app.now().getTime() - storedAt.getTime() >= ageMs
}
