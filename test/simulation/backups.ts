/** Backups that are made while the process serves, and what each of them has to hold. */
import { Database } from 'bun:sqlite'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { BackupError } from '../../src/backups/error.ts'
import { restoreBackup } from '../../src/backups/restore.ts'
import { makeBackup } from '../../src/backups/write.ts'
import { isDiskError } from '../../src/lib/disk.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import type { App } from '../../src/ports.ts'
import { FolderStore } from '../../src/storage/folder-store.ts'
import type { Installation } from './instance.ts'
import type { KnownDocument, Model } from './model.ts'
import type { Life, World } from './world.ts'

let identity: Promise<string> | undefined

/** The one key of all backups of all runs. */
export function backupIdentity(): Promise<string> {
  identity ??= generateX25519Identity()
  return identity
}

interface Made {
  path: string
  /** What clients knew when it began. */
  known: KnownDocument[]
}

/** Between the copy of the database and the files, others go on for so long. */
const MAX_STEPS_BETWEEN = 300
const MAX_MS_BETWEEN = 90_000

export class Backups {
  readonly #made: Made[] = []
  #count = 0

  constructor(
    readonly world: World,
    readonly machine: Installation,
    readonly model: Model,
  ) {}

  async make(): Promise<void> {
    const { machine, model } = this
    const { app, life } = machine
    if (!app || !life) return
    const made = { path: join(machine.folder, `${++this.#count}.age`), known: structuredClone(model.documents) }
    const damaged = await Promise.race([this.#write(app, life, made.path).catch(noteRefusal), machine.gone])
    if (damaged === undefined) return
    this.#made.push(made)
    // A clock that jumps ends the hold on files: then the backup says what it lacks.
    if (damaged.length > 0 && model.largestJumpMs === 0) model.violate(`a backup lacks ${damaged.length} files`)
  }

  /** The files that it lacks. The world waits for this work, except where it waits at a port. */
  async #write(app: App, life: Life, path: string): Promise<string[]> {
    const { world, machine } = this
    let end = aside(world)
    let waiting = 0
    let isOver = false
    // Also two at once: the hold on files is renewed while others go on.
    const outside = async <T>(work: () => Promise<T>): Promise<T> => {
      waiting++
      end()
      try {
        return await work()
      } finally {
        if (--waiting === 0 && !isOver) end = aside(world)
      }
    }
    const fileSystem = machine.fileSystemAtOnce()
    const services: App = {
      ...app,
      fileSystem,
      storage: new FolderStore(join(app.config.dataFolder, 'files'), { ...app, fileSystem }, {}),
      writeUnsynced: (...given) => outside(() => app.writeUnsynced(...given)),
    }
    const others = async () => {
      for (let i = world.chance.below(MAX_STEPS_BETWEEN); i > 0 && world.isBusy; i--) await world.wait(life, 'backup')
      await world.sleep(life, world.chance.between(1, MAX_MS_BETWEEN))
    }
    try {
      const to = { recipients: [await identityToRecipient(await backupIdentity())] }
      const { damaged } = await makeBackup(services, { path, to, afterCopy: () => outside(others) })
      world.trace.say(world.nowMs, life.name, 'has made a backup')
      return damaged
    } finally {
      isOver = true
      end()
    }
  }

  /** Restores each one elsewhere. */
  async check(): Promise<void> {
    for (const { path, known } of this.#made) {
      const dataFolder = `${path}.restored`
      await restoreBackup({
        path,
        by: { identities: [await backupIdentity()] },
        config: { dataFolder, environment: 'test', masterKeyFile: undefined },
        fileSystem: THIS_MACHINE.fileSystem,
        now: () => this.machine.now(),
        random: THIS_MACHINE.random,
        say: () => {},
      })
      await this.#checkRestored(dataFolder, known)
      rmSync(dataFolder, { recursive: true })
    }
  }

  async #checkRestored(folder: string, known: readonly KnownDocument[]): Promise<void> {
    const database = new Database(join(folder, 'signet.db'))
    const rows = new Map(
      database
        .query<Row, []>('SELECT id, status, sha256_original AS original, sha256_sealed AS sealed FROM documents')
        .all()
        .map(row => [row.id, row]),
    )
    for (const before of known) this.#checkDocument(folder, before, rows.get(before.id ?? ''))
    await this.model.checkLog(async sql => database.query<never, []>(sql).all())
    database.close()
  }

  #checkDocument(folder: string, before: KnownDocument, row: Row | undefined): void {
    const { model } = this
    const { id, title, created, number } = before
    const isGone = model.documents[number]?.deleted !== 'no' || (id !== undefined && model.erased.has(id))
    if (id === undefined || created !== 'yes' || isGone) return
    if (!row) {
      model.violate(`a backup lacks “${title}”`)
      return
    }
    const isDraft = row.status === 'draft'
    if (before.sent === 'yes' && isDraft) model.violate(`“${title}” was sent, and is a draft in a backup`)
    if (before.voided === 'yes' && row.status !== 'voided')
      model.violate(`“${title}” was voided, and is ${row.status} in a backup`)
    for (const sha256 of [row.original, row.sealed]) {
      if (sha256 !== null && model.largestJumpMs === 0 && !isWhole(join(folder, 'files', `${sha256}.pdf`), sha256))
        model.violate(`a backup lacks a file of “${title}”`)
    }
  }
}

interface Row {
  id: string
  status: string
  original: string
  sealed: string | null
}

const isWhole = (path: string, sha256: string): boolean =>
  existsSync(path) && createHash('sha256').update(readFileSync(path)).digest('hex') === sha256

const SUSPENDED = 'did not answer for minutes'

/** A disk that is full or fails, or a machine that was suspended. */
function noteRefusal(error: unknown): undefined {
  const isExplained = error instanceof BackupError && (error.kind === 'disk-full' || error.message.includes(SUSPENDED))
  if (!isExplained && !isDiskError(error)) throw error
}

/** The world waits until the returned function is called. */
function aside(world: World): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  void world.settle(() => promise)
  return resolve
}
