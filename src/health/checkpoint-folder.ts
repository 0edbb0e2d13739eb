/** Checkpoints in a folder: written once, the newest read back, the oldest removed. */
import { isAbsolute, join, relative } from 'node:path'
import { type Violation, violation } from '../core/violation.ts'
import { readCheckpoint, type VerifiedCheckpoint } from '../evidence/checkpoint.ts'
import type { StatementContext } from '../evidence/signed-statement.ts'
import { syncFolder, writeSynced } from '../lib/disk.ts'
import { errorMessage } from '../lib/log.ts'
import type { FileSystem } from '../lib/machine.ts'
import type { Instance } from '../ports.ts'

interface Place {
  fileSystem: FileSystem
  folder: string
  instance: Instance
}

/** Several instances may keep theirs in one folder. */
const prefixOf = ({ id, environment }: Instance) => `audit-checkpoint-${environment}-${id.slice(-6)}-`

/** The order of the names is that of their times. */
async function namesIn({ fileSystem, folder, instance }: Place): Promise<string[]> {
  const prefix = prefixOf(instance)
  const isOwn = (name: string) => name.startsWith(prefix) && /^\d{8}T\d{6}Z-\d+\.eml$/.test(name.slice(prefix.length))
  return (await fileSystem.names(folder)).filter(isOwn).sort()
}

/** Why checkpoints cannot be kept there, in a clause; undefined if they can. */
export async function checkpointFolderError(
  fileSystem: FileSystem,
  folder: string,
  dataFolder: string,
): Promise<Violation | undefined> {
  if (!isAbsolute(folder)) return violation('not_an_absolute_path')
  if (!relative(dataFolder, folder).startsWith('..')) return violation('inside_data_folder')
  try {
    if (!(await fileSystem.facts(folder)).isFolder) return violation('not_a_folder')
    await fileSystem.requireWritable(folder)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : errorMessage(error)
    return code === 'ENOENT' ? violation('folder_missing') : violation('folder_not_writable', { errno: code })
  }
}

/** Removes the oldest once the new one is on the disk. */
export async function storeCheckpoint(
  place: Place,
  keep: number,
  { text, at, sequence }: { text: string; at: Date; sequence: number },
): Promise<void> {
  const { fileSystem, folder, instance } = place
  const name = `${prefixOf(instance)}${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${sequence}.eml`
  await writeSynced(fileSystem, join(folder, name), Buffer.from(text), 'wx')
  await syncFolder(fileSystem, folder)
  const names = await namesIn(place)
  for (const old of names.slice(0, Math.max(0, names.length - keep))) await fileSystem.unlink(join(folder, old))
}

/** Undefined if there is none. @throws CheckpointError, or an error of the file system */
export async function newestKept(place: Place, context: StatementContext): Promise<VerifiedCheckpoint | undefined> {
  const newest = (await namesIn(place)).at(-1)
  return newest === undefined ? undefined : readCheckpoint(await place.fileSystem.read(join(place.folder, newest)), context)
}

/** The oldest first. @throws an error of the file system */
export async function* allKept(place: Place): AsyncGenerator<{ name: string; bytes: Uint8Array }, void> {
  for (const name of await namesIn(place)) yield { name, bytes: await place.fileSystem.read(join(place.folder, name)) }
}
