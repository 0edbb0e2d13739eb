/**
 * The folders of a restore: the new one is made beside the data folder and takes its name when it
 * is whole. A marker in it says that it is, so that a restore which was killed can go on.
 */
import { accessSync, chownSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { filesFolder } from '../lib/data-paths.ts'
import { syncFolder, syncFolderNow, writeSynced } from '../lib/disk.ts'
import { removeIfExists } from '../lib/files.ts'
import type { FileSystem } from '../lib/machine.ts'
import { SCRATCH_FOLDER } from '../storage/scratch.ts'
import { BackupError } from './error.ts'

const SUFFIX = '.restoring'
/** First file of a folder that a restore makes: one without it and the marker is never removed. */
const STAMP = '.signet-restore'
const MARKER = 'restored.json'

const restoringFolder = (folder: string): string => folder + SUFFIX

/** What a data folder has that never held an instance. */
const LOCK_FILES: ReadonlySet<string> = new Set(['signet.lock', 'signet.lock-journal', 'signet.holder', SCRATCH_FOLDER])

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** Files without a database are in use: they may be the last copies. */
const isUnused = (folder: string): boolean =>
  namesIn(folder).every(name => LOCK_FILES.has(name) || (name === 'files' && namesIn(join(folder, name)).every(isScratch)))
const isScratch = (name: string) => name === SCRATCH_FOLDER

interface Marker {
  /** Of the backup. */
  fingerprint: string
  /** Of the folder that is replaced. */
  keptAs: string | undefined
}

function readMarker(folder: string): Marker | undefined {
  const path = join(folder, MARKER)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Marker) : undefined
}

/**
 * Removes what an interrupted restore left beside the folder, nothing else. Killed meanwhile, the
 * rest is neither taken for whole, as the marker goes first, nor for foreign: the stamp is last.
 */
export function removeRestoring(folder: string): void {
  if (!hasRestoring(folder)) return
  const beside = restoringFolder(folder)
  const names = namesIn(beside)
  if (names.includes(MARKER)) {
    rmSync(join(beside, MARKER))
    syncFolderNow(beside)
  }
  for (const name of names) if (name !== STAMP) rmSync(join(beside, name), { recursive: true, force: true })
  rmSync(beside, { recursive: true })
}

/** Whether a restore made the folder beside this one, and has neither ended nor been dropped. */
function hasRestoring(folder: string): boolean {
  const beside = restoringFolder(folder)
  const names = namesIn(beside)
  return existsSync(beside) && (names.length === 0 || names.includes(STAMP) || names.includes(MARKER))
}

/** For the start of an instance: the same backup can be restored once more. */
export function forgetRestore(folder: string): void {
  for (const name of [MARKER, STAMP]) rmSync(join(folder, name), { force: true })
}

/** @throws BackupError if the folder could not take the place of the present one */
export function requireReplaceable(folder: string): void {
  const parent = dirname(folder)
  const present = statSync(folder, { throwIfNoEntry: false })
  if (present && present.dev !== statSync(parent).dev) {
    throw new BackupError(
      `${folder} is the root of a disk or volume, which cannot be replaced: restore into a folder in it (--data ${join(folder, 'restored')}), and serve that one.`,
    )
  }
  try {
    accessSync(parent, constants.W_OK | constants.X_OK)
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new BackupError(
      `Nothing can be made in ${parent} (${why}), where the restored folder takes the place of ${folder}: run this as root, which keeps the owner of the folder, or restore elsewhere with --data.`,
    )
  }
}

/** Removes a folder that was made for its lock alone. */
export function removeUnused(folder: string): void {
  if (namesIn(folder).every(name => LOCK_FILES.has(name))) rmSync(folder, { recursive: true, force: true })
}

export async function makeRestoring(fileSystem: FileSystem, folder: string): Promise<string> {
  removeRestoring(folder)
  const beside = restoringFolder(folder)
  if (existsSync(beside)) throw new BackupError(`${beside} is in the way: it was not made by signet restore. Move it elsewhere.`)
  mkdirSync(beside, { mode: 0o700 })
  await writeSynced(fileSystem, join(beside, STAMP), new Uint8Array(0), 'wx')
  await syncFolder(fileSystem, beside)
  mkdirSync(filesFolder(beside), { mode: 0o700 })
  return beside
}

/**
 * The folder is whole and synced: from now on a restore of the same backup only swaps. Its own name
 * is durable before the former folder loses its.
 */
export async function markWhole(fileSystem: FileSystem, folder: string, fingerprint: string, at: Date): Promise<void> {
  const beside = restoringFolder(folder)
  const marker: Marker = { fingerprint, keptAs: isUnused(folder) ? undefined : unusedName(folder, at) }
  if (process.getuid?.() === 0 && existsSync(folder)) await giveTo(beside, statSync(folder))
  const unnamed = join(beside, `${MARKER}.part`)
  await writeSynced(fileSystem, unnamed, Buffer.from(JSON.stringify(marker)))
  await fileSystem.rename(unnamed, join(beside, MARKER))
  await syncFolder(fileSystem, beside)
  await syncFolder(fileSystem, dirname(beside))
}

function unusedName(folder: string, at: Date): string {
  const name = `${folder}.before-restore-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  let unused = name
  for (let i = 2; existsSync(unused); i++) unused = `${name}-${i}`
  return unused
}

/** Files that root made must be readable for the user of the service. */
async function giveTo(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  if (uid === 0) return
  chownSync(folder, uid, gid)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await giveTo(path, { uid, gid })
    else await chown(path, uid, gid)
  }
}

/** Whether the folder beside is that of this backup, and whole. */
export const isWhole = (folder: string, fingerprint: string): boolean =>
  readMarker(restoringFolder(folder))?.fingerprint === fingerprint

/** Whether the folder is that of this backup, and only the last step of its restore is missing. */
export const isSwapped = (folder: string, fingerprint: string): boolean => readMarker(folder)?.fingerprint === fingerprint

/**
 * Puts the whole folder in place. Killed between the renames, there is no data folder, but both
 * are whole: the next call goes on. Returns where the former folder is.
 */
export async function swapIn(fileSystem: FileSystem, folder: string): Promise<string | undefined> {
  const beside = restoringFolder(folder)
  const keptAs = readMarker(beside)?.keptAs
  if (existsSync(folder)) {
    if (keptAs === undefined) rmSync(folder, { recursive: true })
    else await fileSystem.rename(folder, keptAs)
  }
  await syncFolder(fileSystem, dirname(folder))
  await fileSystem.rename(beside, folder)
  await syncFolder(fileSystem, dirname(folder))
  return keptAs
}

/** Ends a restore whose folders are swapped. Returns where the former folder is. */
export async function finishSwapped(fileSystem: FileSystem, folder: string): Promise<string | undefined> {
  const keptAs = readMarker(folder)?.keptAs
  await removeIfExists(fileSystem, join(folder, MARKER))
  await removeIfExists(fileSystem, join(folder, STAMP))
  await syncFolder(fileSystem, folder)
  return keptAs
}

/**
 * Why this folder must not be served: a restore was interrupted. What is new in the former data
 * would be lost once the restore is repeated.
 */
export function interruptedRestore(folder: string): string | undefined {
  if (!hasRestoring(folder)) return undefined
  return `A restore of ${folder} was interrupted before its end: run the same signet restore command again, or keep the former data with signet restore --drop --data ${folder}.`
}

/**
 * Ends an interrupted restore without the backup: the former folder keeps its place, or gets it
 * again. Returns whether there was one. Killed meanwhile, the next call goes on.
 */
export async function dropRestore(fileSystem: FileSystem, folder: string): Promise<boolean> {
  if (!hasRestoring(folder)) return false
  const keptAs = readMarker(restoringFolder(folder))?.keptAs
  if (keptAs !== undefined && !existsSync(folder) && existsSync(keptAs)) {
    await fileSystem.rename(keptAs, folder)
    await syncFolder(fileSystem, dirname(folder))
  }
  removeRestoring(folder)
  await syncFolder(fileSystem, dirname(folder))
  return true
}
