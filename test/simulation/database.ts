/**
 * SQLite as one life of an instance sees it: each statement and commit waits at the world. The
 * write-ahead log only grows, so a loss of power can cut it anywhere behind the last synced commit.
 */
import { copyFileSync, existsSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { makeBackup } from '../../src/backups/write.ts'
import { checkDatabase } from '../../src/db/check.ts'
import type { CommitOptions, Database, Tx } from '../../src/db/open.ts'
import type { SqliteDatabase } from '../../src/db/sqlite.ts'
import type { Chance } from './chance.ts'
import { type SimulatedDisk, SystemError } from './file-system.ts'
import type { Stores } from './instance.ts'
import type { Life, World } from './world.ts'

const READS = ['all', 'column', 'first', 'value', 'allAtOnce'] as const
const FULL = 2
/** Statements are many, so that files get their part of the failures. */
const STATEMENTS_THAT_FAIL = 0.1

export class SimulatedDatabase {
  readonly #path: string
  /** Bytes of the log that are surely on the disk. */
  #durableBytes = 0
  #database: SqliteDatabase | undefined
  /** So far. */
  commits = 0
  /** Of the machine whose database it is. */
  disk: SimulatedDisk | undefined

  constructor(folder: string) {
    this.#path = join(folder, 'signet.db')
  }

  get raw(): SqliteDatabase['raw'] | undefined {
    return this.#database?.raw
  }

  #logBytes(): number {
    const path = `${this.#path}-wal`
    return existsSync(path) ? statSync(path).size : 0
  }

  /** For `AppOptions.withDatabase`. */
  wrap(world: World, life: Life): (database: Database) => Database {
    return given => {
      const database = given as SqliteDatabase
      this.#database = database
      database.raw.pragma('wal_autocheckpoint = 0')
      this.#noteCommit(database)
      const waiting = (what: string) => world.wait(life, what)
      for (const name of READS) guard(database.db.reads, name, first => waiting(`read ${wordsOf(first)}`))
      guard(database.db.getExecutor(), 'executeQuery', first => waiting(`read ${wordsOf(first)}`))
      const write = database.write.bind(database)
      const simulated = async <T>(work: (tx: Tx) => Promise<T>, options?: CommitOptions): Promise<T> => {
        await waiting('begin')
        const result = await write(async tx => {
          guard(tx.getExecutor(), 'executeQuery', async first => {
            await waiting(`write ${wordsOf(first)}`)
            this.#failIfFull(world)
          })
          const value = await work(tx)
          await waiting('commit')
          return value
        }, options)
        this.#noteCommit(database)
        this.commits++
        await waiting('committed')
        return result
      }
      return Object.assign(database, { write: simulated })
    }
  }

  /** Of the calls that find no space, some are statements. */
  #failIfFull({ chance }: World): void {
    if (this.disk?.failing?.code !== 'ENOSPC' || !chance.happens(STATEMENTS_THAT_FAIL)) return
    if (this.disk.takeFailure()) throw new SystemError('SQLITE_FULL')
  }

  /** Durable is what the pragma in force makes so, whatever was asked for. */
  #noteCommit({ raw }: SqliteDatabase): void {
    if (raw.pragma('synchronous', { simple: true }) === FULL) this.#durableBytes = this.#logBytes()
  }

  /**
   * The process is gone: its files stay as they are. With a loss of power, what was not synced is
   * cut off. Returns what was lost of the log, in bytes.
   */
  async end(power: Chance | undefined): Promise<number> {
    const database = this.#database
    this.#database = undefined
    const names = ['', '-wal'].map(suffix => this.#path + suffix).filter(existsSync)
    for (const name of names) copyFileSync(name, `${name}.kept`)
    await close(database)
    for (const suffix of ['', '-wal', '-shm']) rmSync(this.#path + suffix, { force: true })
    for (const name of names) renameSync(`${name}.kept`, name)
    if (!power || !existsSync(`${this.#path}-wal`)) return 0
    const bytes = this.#logBytes()
    const kept = this.#durableBytes + power.below(Math.max(0, bytes - this.#durableBytes) + 1)
    truncateSync(`${this.#path}-wal`, Math.min(kept, bytes))
    return bytes - kept
  }
}

const noBucket = () => {
  throw new Error('no bucket in this world')
}

/** All that one machine stores is in its folder. */
export function ownStores(world: World, database: SimulatedDatabase, folder: string): Stores {
  return {
    settings: {},
    folders: ['files/.making', 'files'],
    commits: () => database.commits,
    options: life => ({
      withDatabase: database.wrap(world, life),
      checkDatabase: async mode => checkDatabase(join(folder, 'signet.db'), mode),
      makeBackup: itself => async (path, to) => {
        const { bytes, manifest, damaged } = await makeBackup(itself(), { path, to })
        return { bytes, documents: manifest.documents, hasMasterKey: manifest.masterKey.isIncluded, damaged }
      },
    }),
    network: () => ({ fetch: noBucket, s3Client: noBucket }),
    admit: async () => {},
    async end(_, power) {
      const bytes = await database.end(power)
      return bytes > 0 ? `${bytes} bytes of the log of the database` : undefined
    },
  }
}

async function close(database: SqliteDatabase | undefined): Promise<void> {
  if (!database) return
  if (database.raw.inTransaction) database.raw.exec('rollback')
  await database.close()
}

/** The lock of a process that is gone. */
export function forgetLock(folder: string): void {
  for (const name of ['signet.lock', 'signet.lock-journal', 'signet.holder']) rmSync(join(folder, name), { force: true })
}

/** Waits before each call of this method. */
function guard<O extends object>(owner: O, name: keyof O, wait: (first: unknown) => Promise<void>): void {
  const method = (owner[name] as (...given: unknown[]) => unknown).bind(owner)
  const guarded = async (...given: unknown[]) => {
    await wait(given[0])
    return method(...given)
  }
  Object.assign(owner, { [name]: guarded })
}

function wordsOf(query: unknown): string {
  const sql =
    typeof query === 'string' ? query : typeof query === 'object' && query !== null && 'sql' in query ? String(query.sql) : ''
  return sql.replace(/\s+/g, ' ').slice(0, 60)
}
