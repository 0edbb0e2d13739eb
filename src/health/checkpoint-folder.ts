/** Checkpoints in a folder: written once, the newest read back, the oldest removed. */
import { accessSync, constants, statSync } from 'node:fs'
import { readdir, readFile, unlink } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { readCheckpoint, type VerifiedCheckpoint } from '../audit/checkpoint.ts'
import { syncFolder, writeSynced } from '../lib/disk.ts'
import { errorMessage } from '../lib/error-message.ts'
import type { Instance } from '../ports.ts'

/** Several instances may keep theirs in one folder. */
const prefixOf = ({ id, environment }: Instance) => `audit-checkpoint-${environment}-${id.slice(-6)}-`

/** The order of the names is that of their times. */
async function namesIn(folder: string, instance: Instance): Promise<string[]> {
  const prefix = prefixOf(instance)
  const isOwn = (name: string) => name.startsWith(prefix) && /^\d{8}T\d{6}Z-\d+\.eml$/.test(name.slice(prefix.length))
  return (await readdir(folder)).filter(isOwn).sort()
}

/** Why checkpoints cannot be kept there, in a clause; undefined if they can. */
export function checkpointFolderError(folder: string, dataFolder: string): string | undefined {
  if (!isAbsolute(folder)) return 'must be an absolute path such as /backup/signet'
  if (!relative(dataFolder, folder).startsWith('..')) return 'must be outside the data folder: what it holds is lost with it'
  try {
    if (!statSync(folder).isDirectory()) return 'must be a folder'
    accessSync(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : errorMessage(error)
    return code === 'ENOENT' ? 'must exist: create it first' : `must be writable for the user of this service (${code})`
  }
}

interface Kept {
  folder: string
  instance: Instance
  keep: number
}

/** Removes the oldest once the new one is on the disk. */
export async function storeCheckpoint(
  { folder, instance, keep }: Kept,
  { text, at, sequence }: { text: string; at: Date; sequence: number },
): Promise<void> {
  const name = `${prefixOf(instance)}${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${sequence}.eml`
  await writeSynced(join(folder, name), Buffer.from(text), 'wx')
  await syncFolder(folder)
  const names = await namesIn(folder, instance)
  for (const old of names.slice(0, Math.max(0, names.length - keep))) await unlink(join(folder, old))
}

/** Undefined if there is none. @throws CheckpointError, or an error of the file system */
export async function newestKept(folder: string, instance: Instance): Promise<VerifiedCheckpoint | undefined> {
  const newest = (await namesIn(folder, instance)).at(-1)
  return newest === undefined ? undefined : readCheckpoint(await readFile(join(folder, newest), 'utf8'))
}
