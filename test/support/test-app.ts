/** A fresh instance per test: own folder, fixed clock, recording mailer, worker on demand. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { insertKey } from '../../src/accounts/queries.ts'
import { type AppOptions, openApp } from '../../src/app.ts'
import { makeBackup } from '../../src/backups/write.ts'
import { readConfig } from '../../src/config.ts'
import { daysAfter } from '../../src/core/document/document.ts'
import { checkDatabase } from '../../src/db/check.ts'
import { createRequestLimits } from '../../src/http/api/pipeline.ts'
import { buildServer } from '../../src/http/server.ts'
import { HANDLERS } from '../../src/jobs/handlers.ts'
import { Worker } from '../../src/jobs/worker.ts'
import { newApiKey, prefixFor } from '../../src/lib/api-key.ts'
import type { DiskSpace } from '../../src/lib/disk.ts'
import type { Log } from '../../src/lib/log.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import type { Mailer, MailMessage, MailVerdict } from '../../src/mailer/message.ts'
import { newMasterKey } from '../../src/master-key.ts'
import { type App, SCOPES, type Scope } from '../../src/ports.ts'
import type { PdfTools } from '../../src/sandbox/pdf-tools.ts'
import { databaseOfApp, type RunSql } from './engine.ts'
import { temporaryFolder } from './folders.ts'
import { writeMigratedFile } from './migrated-file.ts'
import { pdfTools } from './pdf-tools.ts'
import { CHEAP_HASHES } from './small-app.ts'
import { asTested } from './write-twice.ts'

export const START = new Date('2026-11-20T17:25:00.000Z')

export interface TestClock {
  /** To set it alone is a jump of the clock, through which the process has not lived. */
  now: Date
  /** Time passes; a negative span sets the clock back. */
  pass(span: { seconds?: number; minutes?: number; hours?: number; days?: number }): void
}

export interface TestOptions {
  env?: Record<string, string>
  mailer?: Mailer
  pdf?: PdfTools
  /** The free space on the disk, plenty by default. */
  disk?: DiskSpace
  withDatabase?: AppOptions['withDatabase']
  /** Keeps the files in a bucket, whatever engine the database is of. */
  filesUrl?: string
}

export interface TestApp extends AsyncDisposable {
  app: App
  clock: TestClock
  mails: MailMessage[]
  /** The outcomes of the next mails; empty: accepted. */
  mailVerdicts: MailVerdict[]
  logged: { level: string; what: string; facts: Record<string, unknown> }[]
  /** Runs all due jobs. */
  drain(): Promise<void>
  /** Sends a request to the server. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Answers a request of an HTTP server. */
  serve(request: Request): Promise<Response>
  /** A key acting for the instance. */
  key(options?: KeyOptions): Promise<string>
  api: Api
  /** Past the application. */
  sql: RunSql
  folder: string
  close(): Promise<void>
}

export interface ApiAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
  headers: Headers
}

/** Calls with a key of all scopes. */
export type Api = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<ApiAnswer>

/** The clock may pass days while work measures how long it takes, and how long it has to pause. */
const shortSleep = (ms: number) => THIS_MACHINE.timers.sleep(Math.min(ms, 50))

export const ORIGIN = 'http://127.0.0.1:3000'

export const ROOMY: DiskSpace = { freeBytes: 1e12, totalBytes: 2e12 }

function masterKeyIn(folder: string, key: Uint8Array): string {
  const path = join(folder, 'master.key')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(path, `${Buffer.from(key).toString('base64')}\n`, { mode: 0o600 })
  return path
}

interface KeyOptions {
  scopes?: Scope[]
  expiresInDays?: number
}

/** Without an entry in the audit log, which would be the first one of every test. */
async function insertTestKey(app: App, { scopes = [], expiresInDays }: KeyOptions): Promise<string> {
  const key = newApiKey(prefixFor(app.instance.environment), THIS_MACHINE.random)
  await app.write(tx =>
    insertKey(tx, {
      id: app.newId('key'),
      ownerId: undefined,
      name: 'test',
      sha256: sha256Hex(key),
      prefix: prefixFor(app.instance.environment),
      lastFour: key.slice(-4),
      scopes: scopes.length > 0 ? scopes : [...SCOPES],
      createdAt: app.now(),
      expiresAt: expiresInDays === undefined ? undefined : daysAfter(app.now(), expiresInDays),
      revokedAt: undefined,
      lastUsedAt: undefined,
      lastUsedIp: undefined,
      endNotedAt: undefined,
    }),
  )
  return key
}

export async function openTestApp({
  env = {},
  mailer,
  pdf = pdfTools(),
  disk = ROOMY,
  withDatabase = asTested,
  filesUrl,
}: TestOptions = {}): Promise<TestApp> {
  const folder = temporaryFolder()
  let steadyMs = 0
  const clock: TestClock = {
    now: START,
    pass({ seconds = 0, minutes = 0, hours = 0, days = 0 }) {
      const ms = 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)))
      clock.now = new Date(clock.now.getTime() + ms)
      steadyMs += Math.max(ms, 0)
    },
  }
  const mails: MailMessage[] = []
  const mailVerdicts: MailVerdict[] = []
  const recording: Mailer = {
    async send(message) {
      const verdict = mailVerdicts.shift() ?? { outcome: 'accepted', reply: '250 2.0.0 Ok: queued as TEST' }
      if (verdict.outcome === 'accepted') mails.push(message)
      return verdict
    },
    close() {},
  }
  const logged: TestApp['logged'] = []
  const log: Log = (level, what, facts = {}) => {
    if (level === 'error' && process.env.SIGNET_TEST_LOG) console.error(what, facts)
    logged.push({ level, what, facts })
  }
  const shared: PdfTools = { ...pdf, close: async () => {} }
  const data = join(folder, 'data')
  const { connections, sql, end } = await databaseOfApp(data)
  // Several nodes share a key, which none of them creates.
  const shares = connections && { SIGNET_MASTER_KEY_FILE: masterKeyIn(folder, Buffer.alloc(32, 7)) }
  if (!connections) {
    masterKeyIn(join(data, 'keys'), newMasterKey(THIS_MACHINE.random))
    writeMigratedFile(join(data, 'signet.db'), { now: () => START })
  }
  const config = readConfig({}, { SIGNET_DATA: data, SIGNET_SEAL_KEY: 'ec-p256', ...shares, ...env })
  if (filesUrl !== undefined) config.filesUrl = filesUrl
  const { app, close } = await openApp(config, {
    command: [],
    connections,
    exclusive: true,
    lockHolder: 'a test',
    machine: {
      now: () => clock.now,
      steadyMs: () => steadyMs,
      timers: { ...THIS_MACHINE.timers, sleep: shortSleep },
      threads: CHEAP_HASHES,
    },
    log,
    mailer: mailer ?? recording,
    pdf: shared,
    withDatabase,
    makeBackup: itself => async (path, to) => {
      const { bytes, manifest, damaged } = await makeBackup(itself(), { path, to })
      return { bytes, documents: manifest.documents, hasMasterKey: manifest.masterKey.isIncluded, damaged }
    },
    measureDisk: async () => disk,
    checkDatabase: async mode => checkDatabase(join(data, 'signet.db'), mode),
  })
  const worker = new Worker(app, HANDLERS)
  const server = buildServer(app, createRequestLimits({ ...app, config: { ...config, requestsPerMinute: 60_000 } }))
  const fetch = (path: string, init: RequestInit = {}) =>
    Promise.resolve(server.handle(new Request(path.startsWith('http') ? path : config.baseUrl + path, init)))
  const key = (options: KeyOptions = {}) => insertTestKey(app, options)
  let ownKey: string | undefined
  const api: Api = async (method, path, body, headers = {}) => {
    ownKey ??= await key()
    const init: RequestInit = { method, headers: { authorization: `Bearer ${ownKey}`, ...headers } }
    if (body !== undefined) {
      init.body = typeof body === 'string' ? body : JSON.stringify(body)
      init.headers = { 'content-type': 'application/json', ...(init.headers as Record<string, string>) }
    }
    const response = await fetch(`/api/v1${path}`, init)
    const isJson = response.headers.get('content-type') === 'application/json'
    return { status: response.status, body: isJson ? await response.json() : await response.bytes(), headers: response.headers }
  }
  const closeAll = async () => {
    await worker.stop()
    await close()
    await end()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    app,
    clock,
    mails,
    mailVerdicts,
    logged,
    drain: () => worker.drain(),
    fetch,
    serve: request => Promise.resolve(server.handle(request)),
    key,
    api,
    sql,
    folder,
    close: closeAll,
    [Symbol.asyncDispose]: closeAll,
  }
}
