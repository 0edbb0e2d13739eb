/** A part of an App for modules: a real database, a fixed clock, counted ids. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import { SingleNode } from '../../src/db/nodes.ts'
import { createInMemoryServices } from '../../src/in-memory.ts'
import type { Log } from '../../src/lib/log.ts'
import { secretBox } from '../../src/lib/secret-box.ts'
import { ServiceMetrics } from '../../src/lib/service-metrics.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { releaseLeases } from '../../src/outbox/queries.ts'
import type { App } from '../../src/ports.ts'
import { openFolderStore } from '../../src/storage/folder-store.ts'
import { openWriting } from '../../src/writing.ts'
import { openTestDatabase, type TestDatabase } from './engine.ts'
import { temporaryFolder } from './folders.ts'
import { asTested } from './write-twice.ts'

export const START = new Date('2026-11-20T17:25:00.000Z')

/** The real cost of a hash has tests of its own. Here it would be paid for each administrator. */
export const CHEAP_HASHES = {
  ...THIS_MACHINE.threads,
  hashPassword: (password: string) => Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 }),
}

export interface SmallApp {
  app: App
  database: TestDatabase
  folder: string
  clock: { now: Date; pass(span: { seconds?: number; minutes?: number; hours?: number; days?: number }): void }
  logged: { level: string; what: string; facts: Record<string, unknown> }[]
  /** Transactions begun so far. */
  writes(): number
  /** The App of a later boot on the same folder. */
  rebooted(): Promise<App>
  close(): Promise<void>
}

function notProvided(): never {
  throw new Error('this part is not provided in the test')
}

/** The members that are given; each other one may not be used. */
const withoutOthers = <Part extends object>(given: Partial<Part>): Part =>
  new Proxy(given as Part, { get: (part, name) => Reflect.get(part, name) ?? notProvided })

export async function openSmallApp(env: Record<string, string> = {}): Promise<SmallApp> {
  const folder = temporaryFolder()
  const database = asTested(await openTestDatabase(folder))
  const config = readConfig({}, { SIGNET_DATA: folder, ...env })
  let steadyMs = 0
  const clock: SmallApp['clock'] = {
    now: START,
    pass({ seconds = 0, minutes = 0, hours = 0, days = 0 }) {
      const ms = 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)))
      clock.now = new Date(clock.now.getTime() + ms)
      steadyMs += Math.max(ms, 0)
    },
  }
  const logged: SmallApp['logged'] = []
  const log: Log = (level, what, facts = {}) => void logged.push({ level, what, facts })
  let ids = 0
  let writes = 0
  const newNode = () =>
    new SingleNode({
      name: 'node-1',
      version: '0',
      now: () => clock.now,
      steadyMs: () => steadyMs,
      random: THIS_MACHINE.random,
      timers: THIS_MACHINE.timers,
      log,
      db: database.db,
      write: work => database.write(work),
      writeUnsynced: work => database.write(work),
      admit: async () => {},
      release: releaseLeases,
    })
  const node = newNode()
  await node.join()
  const writing = openWriting(
    {
      write: (work, options) => {
        writes++
        return database.write(work, options)
      },
    },
    { log, committed: tx => app.changes.committed(tx), wake: () => app.wake(), onSyncError: () => {} },
  )
  const app: App = {
    config,
    instance: {
      id: 'ins_1',
      environment: config.environment,
      isProduction: config.environment === 'production',
      version: '0',
    },
    node,
    db: database.db,
    ...createInMemoryServices({ ...THIS_MACHINE, threads: CHEAP_HASHES, db: database.db, log, metrics: new ServiceMetrics() }),
    ...writing,
    writeAtAnyClock: writing.write,
    storage: await openFolderStore(join(folder, 'files'), THIS_MACHINE),
    mailer: { send: notProvided, close() {} },
    connectMail: notProvided,
    pdf: withoutOthers<App['pdf']>({ load: () => ({ running: 0, waiting: 0 }), close: async () => {} }),
    compact: async () => {},
    checks: { start: notProvided, settled: async () => {}, close: async () => {} },
    damage: {
      databaseProblem: () => undefined,
      checkDatabase: async () => [],
      noteError() {},
      noteFile() {},
      noteDocument() {},
      checkAfterStart() {},
      checkWhenDue: async () => {},
      checkFiles: async () => {},
      recheck: async () => {},
      settled: async () => {},
      close: async () => {},
    },
    makeBackup: notProvided,
    disk: {
      measure: notProvided,
      requireSpaceForUpload: async () => {},
      requireSpaceForChange: async () => {},
      updateAlert: async () => {},
    },
    sealKey: notProvided,
    secrets: secretBox(Buffer.alloc(32, 7), THIS_MACHINE.random),
    linkKey: Buffer.alloc(32, 9),
    unprintable: () => [],
    ...THIS_MACHINE,
    now: () => clock.now,
    steadyMs: () => steadyMs,
    clock: { isBelieved: async () => true, guarded: guarded => guarded },
    newId: prefix => `${prefix}_${String(++ids).padStart(26, '0')}`,
    log,
    wake: () => {},
  }
  return {
    app,
    database,
    folder,
    clock,
    logged,
    writes: () => writes,
    async rebooted() {
      const later = newNode()
      await later.join()
      return { ...app, node: later }
    },
    async close() {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
