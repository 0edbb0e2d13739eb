/**
 * The copies that migrations made: one can be put back; they are deleted after their time, or once
 * something in them was erased.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasErasedSince } from '../audit/queries.ts'
import type { Config } from '../config.ts'
import { lockFolder } from '../db/lock.ts'
import { latestVersion } from '../db/migrate.ts'
import { isSnapshotOld, listSnapshots, makeSnapshot, readSnapshot, type Snapshot } from '../db/snapshots.ts'
import { openRaw } from '../db/sqlite.ts'
import { storedVersion } from '../db/stored-version.ts'
import { backupsFolder, databasePath } from '../lib/data-paths.ts'
import type { Machine } from '../lib/machine.ts'
import { loadMasterKey } from '../master-key.ts'
import type { App } from '../ports.ts'
import { BackupError } from './error.ts'

// Puts back the database as it was before the last migration, for the release before.

export interface WayBack {
  /** When the copy was made: everything since is lost. */
  at: Date
  /** Of the database now. */
  schema: number
}

/**
 * The present database is kept as an encrypted copy beside the other. Killed at any moment, one or
 * the other is whole in its place. @throws BackupError, FolderInUseError, EncryptedFileError
 */
export function goBack(config: Pick<Config, 'dataFolder' | 'masterKeyFile'>, machine: Pick<Machine, 'now' | 'random'>): WayBack {
  const { dataFolder } = config
  const [database, folder] = [databasePath(dataFolder), backupsFolder(dataFolder)]
  const unlock = lockFolder(dataFolder, 'signet migrate --back')
  try {
    const snapshot = newestOf(folder)
    const masterKey = loadMasterKey(dataFolder, config.masterKeyFile, false)
    const restored = join(folder, `${snapshot.name}.tmp`)
    readSnapshot(snapshot, masterKey, restored)
    const schema = storedVersion(restored)
    const raw = openRaw(database)
    try {
      makeSnapshot(raw, folder, { kind: 'after', version: latestVersion() }, masterKey, machine)
    } finally {
      raw.close()
    }
    // The copy above has deleted what was unfinished.
    if (!existsSync(restored)) readSnapshot(snapshot, masterKey, restored)
    for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true })
    renameSync(restored, database)
    return { at: snapshot.at, schema }
  } finally {
    unlock()
  }
}

function newestOf(folder: string): Snapshot {
  const newest = listSnapshots(folder).find(({ kind, isEncrypted }) => kind === 'before' && isEncrypted)
  if (newest) return newest
  throw new BackupError(
    'There is no copy from before a migration: it is deleted after 14 days, or with the first erasure of something in it. Restore a backup instead.',
  )
}

// Deleting the copies.

export const snapshotFolder = ({ config }: Pick<App, 'config'>): string => backupsFolder(config.dataFolder)

/** The log says what was erased: so a crash after an erasure keeps no copy. */
export async function sweepSnapshots(app: Pick<App, 'config' | 'db' | 'now' | 'log'>): Promise<void> {
  for (const snapshot of listSnapshots(snapshotFolder(app))) {
    const isOver = isSnapshotOld(snapshot, app.now()) || (await hasErasedSince(app.db, snapshot.at))
    if (!isOver) continue
    rmSync(snapshot.path, { force: true })
    app.log('info', 'the copy from before a migration was deleted', { name: snapshot.name })
  }
}
