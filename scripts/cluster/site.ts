/** The folder, programs and servers of one run; everything ends and goes with it. */
import { chmodSync, constants, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BINARY } from '../../test/support/executable.ts'
import { PostgresServer } from './postgres-server.ts'
import { Programs } from './programs.ts'
import { type S3Kind, S3Server } from './s3-server.ts'

export class Site {
  readonly folder: string
  readonly executable: string
  readonly programs: Programs
  readonly #closing: (() => Promise<unknown> | unknown)[] = []
  #postgres: PostgresServer | undefined
  #s3: S3Server | undefined
  #closed: Promise<void> | undefined
  #names = 0

  private constructor(folder: string) {
    this.folder = folder
    const logs = join(folder, 'logs')
    mkdirSync(logs)
    // A build beside a run must not change what the run starts.
    this.executable = join(folder, 'signet')
    copyFileSync(BINARY, this.executable, constants.COPYFILE_FICLONE)
    this.programs = new Programs(logs)
  }

  static open(): Site {
    const folder = mkdtempSync(join(tmpdir(), 'signet-cluster-'))
    // PostgreSQL runs as a user of its own and has a folder in this one.
    chmodSync(folder, 0o711)
    const site = new Site(folder)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void site.close().finally(() => process.exit(130)))
    }
    return site
  }

  async startServers(kind: S3Kind): Promise<void> {
    this.#postgres = await PostgresServer.create(this.programs, this.folder)
    this.#s3 = await S3Server.start(kind, this.programs, this.folder)
  }

  get postgres(): PostgresServer {
    if (this.#postgres === undefined) throw new Error('PostgreSQL was not started')
    return this.#postgres
  }

  get s3(): S3Server {
    if (this.#s3 === undefined) throw new Error('the S3 server was not started')
    return this.#s3
  }

  /** A name that no database, bucket or folder of this run has yet. */
  newName(prefix: string): string {
    this.#names++
    return `${prefix}${this.#names}`
  }

  /** A folder of its own below the run's. */
  newFolder(prefix: string): string {
    const path = join(this.folder, this.newName(prefix))
    mkdirSync(path, { mode: 0o700 })
    return path
  }

  atClose(work: () => Promise<unknown> | unknown): void {
    this.#closing.push(work)
  }

  /** Once: a signal and the end of the run may both ask for it, and both wait. */
  close({ keepFolder = false } = {}): Promise<void> {
    this.#closed ??= this.#close(keepFolder)
    return this.#closed
  }

  async #close(keepFolder: boolean): Promise<void> {
    for (const work of this.#closing.toReversed()) await work()
    await this.programs.endAll()
    if (keepFolder) console.log(`Kept: ${this.folder}`)
    else rmSync(this.folder, { recursive: true, force: true })
  }
}
