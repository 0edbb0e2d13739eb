/** An end of a move in a data folder: SQLite and `files/`. */
import { existsSync, mkdirSync } from 'node:fs'
import { lockFolder } from '../db/lock.ts'
import { checkSchema, latestVersion, migrate } from '../db/migrate.ts'
import { saveMoveState } from '../db/move/state.ts'
import { isUnusedFile } from '../db/move/tables.ts'
import { openRaw, openSqlite, openUnchanged, type Raw } from '../db/sqlite.ts'
import { databasePath, filesFolder } from '../lib/data-paths.ts'
import { permissionProblem } from '../lib/private-path.ts'
import type { StoreMachine } from '../storage/file-store.ts'
import { openFolderStore } from '../storage/folder-store.ts'
import { undoMark } from './move.ts'
import { type MoveEnd, MoveError } from './rows.ts'
import { filesOfFolder } from './stored-files.ts'

interface Options extends StoreMachine {
  /** Without: the folder may be served meanwhile, for a move that only reports. */
  exclusive: boolean
}

const LOCK_HOLDER = 'signet move'

export async function openSourceFolder(folder: string, options: Options): Promise<MoveEnd> {
  const path = databasePath(folder)
  if (!existsSync(path)) throw new MoveError(`${folder} contains no signet.db: name the data folder with --data.`)
  const unlock = options.exclusive ? lockFolder(folder, LOCK_HOLDER) : () => {}
  try {
    requireLatestSchema(path, folder)
    return await openEnd(folder, { ...options, isTarget: false }, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

/** Makes the folder and its database if they do not exist. */
export async function openTargetFolder(folder: string, options: Options): Promise<MoveEnd> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const problem = permissionProblem(folder, 0o700)
  if (problem !== undefined) throw new MoveError(`The folder ${folder} ${problem}.`)
  const unlock = lockFolder(folder, LOCK_HOLDER)
  try {
    const path = databasePath(folder)
    if (existsSync(path) && !isUnused(path)) requireLatestSchema(path, folder)
    return await openEnd(folder, { ...options, isTarget: true }, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

/** Makes a folder that was moved serve again. Returns where it was moved to. */
export async function undoMarkOfFolder(folder: string, options: Options): Promise<string> {
  const end = await openSourceFolder(folder, options)
  return undoMark(end).finally(() => end.close())
}

async function openEnd(folder: string, options: Options & { isTarget: boolean }, unlock: () => void): Promise<MoveEnd> {
  const path = databasePath(folder)
  const raw = openRaw(path)
  migrate(raw, options)
  const database = openSqlite(path, raw)
  const store = await openFolderStore(filesFolder(folder), options)
  // Left by a move that was killed.
  if (options.isTarget) await store.removeTemporaryFiles()
  return {
    name: folder,
    database,
    files: filesOfFolder(options.fileSystem, store),
    /**
     * The lock of the folder keeps `signet serve` away, the transaction also verbs that run beside
     * it. A killed process leaves nothing behind.
     */
    moveTo: (to, work) =>
      database.write(async tx => {
        const result = await work(() => {})
        await saveMoveState(tx, { role: 'source', state: 'moved', to, at: options.now().toISOString() })
        return result
      }),
    async close() {
      await database.close()
      unlock()
    },
  }
}

function withFile<T>(path: string, work: (raw: Raw) => T): T {
  const raw = openUnchanged(path)
  try {
    return work(raw)
  } finally {
    raw.close()
  }
}

const isUnused = (path: string) => withFile(path, raw => checkSchema(raw) === 0 || isUnusedFile(raw))

/** Rows are copied between equal schemas only. */
function requireLatestSchema(path: string, folder: string): void {
  const version = withFile(path, raw => checkSchema(raw))
  if (version === latestVersion()) return
  throw new MoveError(`${folder} has schema ${version}, not ${latestVersion()}: run signet migrate --data ${folder} first.`)
}
