/** Checks and copies the stored files of a move, several at once, each read back on arrival. */
import { pagesOf } from '../db/move/rows.ts'
import type { MovedTable } from '../db/move/tables.ts'
import { type MoveEnd, MoveError } from './end.ts'
import type { Progress } from './progress.ts'

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
