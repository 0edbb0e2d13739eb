/**
 * One installation on SQLite: its data folder and disk outlive its processes. A process is one
 * life: it starts as `signet serve` does, and ends by a stop, a kill or a loss of power.
 */

import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { closeSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApp } from '../../src/app.ts'
import { makeBackup } from '../../src/backups/write.ts'
import { readConfig } from '../../src/config.ts'
import { checkDatabase } from '../../src/db/check.ts'
import { createRequestLimits } from '../../src/http/api/pipeline.ts'
import { buildServer } from '../../src/http/server.ts'
import { HANDLERS } from '../../src/jobs/handlers.ts'
import { runScheduled, SCHEDULE } from '../../src/jobs/schedule.ts'
import { Worker } from '../../src/jobs/worker.ts'
import type { Machine, Threads } from '../../src/lib/machine.ts'
import type { App, AppHandle } from '../../src/ports.ts'
import { Authority } from './authority.ts'
import { Chance } from './chance.ts'
import { forgetLock, SimulatedDatabase } from './database.ts'
import { SimulatedDisk, simulatedFileSystem } from './file-system.ts'
import { RSA_KEYS } from './keys.ts'
import type { MailServer, Receiver } from './network.ts'
import { type ChildWay, simulatedPdfTools } from './pdf.ts'
import { Life, type World } from './world.ts'

export const BASE_URL = 'http://127.0.0.1:3000'

/** The process ended before it answered, or none runs: a client learns nothing. */
export class ConnectionLostError extends Error {
  constructor(readonly wasSent: boolean) {
    super(wasSent ? 'the connection was lost before an answer came' : 'the connection was refused')
  }
}

export interface Surroundings {
  mails: MailServer
  receiver: Receiver
  /** Undefined: seals have no time-stamp. */
  authority: Authority | undefined
}

interface Process {
  life: Life
  handle: AppHandle | undefined
  server: ReturnType<typeof buildServer> | undefined
  worker: Worker | undefined
  /** Requests whose answer has not come. */
  pending: Set<(error: ConnectionLostError) => void>
  descriptors: Set<number>
  /** Settles when the process is gone: what it was asked to do may never settle. */
  gone: PromiseWithResolvers<void>
}

export class Installation {
  readonly disk: SimulatedDisk
  /** What the machine's clock shows beyond the true time. */
  clockOffsetMs = 0
  childWay: ChildWay = 'works'
  lives = 0
  readonly #database: SimulatedDatabase
  #process: Process | undefined

  constructor(
    readonly world: World,
    readonly folder: string,
    readonly around: Surroundings,
  ) {
    mkdirSync(join(folder, 'data'), { recursive: true, mode: 0o700 })
    this.disk = new SimulatedDisk(folder)
    this.#database = new SimulatedDatabase(join(folder, 'data'))
  }

  get app(): App | undefined {
    return this.#process?.server && this.#process.handle?.app
  }

  get life(): Life | undefined {
    return this.#process?.life
  }

  /** For the oracle, which asks in words of its own. */
  get raw() {
    return this.#database.raw
  }

  now(): Date {
    return new Date(this.world.nowMs + this.clockOffsetMs)
  }

  /** Starts a process. Does not settle if it is killed meanwhile. */
  async start(): Promise<void> {
    const { world } = this
    const life = new Life(`process ${++this.lives}`)
    const process: Process = {
      life,
      handle: undefined,
      server: undefined,
      worker: undefined,
      pending: new Set(),
      descriptors: new Set(),
      gone: Promise.withResolvers(),
    }
    this.#process = process
    world.trace.say(world.nowMs, life.name, `starts, its clock shows ${this.now().toISOString()}`)
    const config = readConfig({}, { ...SETTINGS, ...this.#timestampSettings(), SIGNET_DATA: join(this.folder, 'data') })
    process.handle = await openApp(config, {
      command: [],
      exclusive: true,
      lockHolder: 'a simulation',
      machine: this.#machine(process),
      log: (level, what, facts = {}) => {
        if (level === 'error' && !life.isDead) world.trace.say(world.nowMs, life.name, `logs “${what}” ${JSON.stringify(facts)}`)
      },
      connectMail: this.around.mails.connect(life),
      pdf: simulatedPdfTools(
        world,
        life,
        () => this.childWay,
        () => this.disk.madeByChildren(join(this.folder, 'data', 'files', '.making')),
      ),
      withDatabase: this.#database.wrap(world, life),
      checkDatabase: async mode => checkDatabase(join(this.folder, 'data', 'signet.db'), mode),
      makeBackup: itself => async (path, to) => {
        const { bytes, manifest, damaged } = await makeBackup(itself(), { path, to })
        return { bytes, documents: manifest.documents, hasMasterKey: manifest.masterKey.isIncluded, damaged }
      },
    })
    const { app } = process.handle
    const worker = new Worker(app, HANDLERS)
    app.wake = worker.wake
    await app.node.start()
    await app.clock.isBelieved()
    process.worker = worker
    process.server = buildServer(app, createRequestLimits(app))
    await worker.start()
    world.trace.say(world.nowMs, life.name, 'serves')
  }

  #timestampSettings(): Record<string, string> {
    const { authority } = this.around
    if (!authority) return {}
    const roots = join(this.folder, 'roots.pem')
    writeFileSync(roots, authority.root)
    return { SIGNET_TSA_URL: Authority.url, SIGNET_TSA_CA_FILE: roots }
  }

  /** Settles when the present process is gone. */
  get gone(): Promise<void> {
    return this.#process?.gone.promise ?? Promise.resolve()
  }

  get isServing(): boolean {
    return this.#process?.server !== undefined
  }

  #machine({ life, descriptors }: Process): Machine {
    const { world } = this
    const chance = new Chance(world.chance.below(2 ** 31), life.name)
    const bornMs = world.nowMs
    const now = () => this.now()
    const call = <T>(what: string, effect: () => T) => world.call(life, what, effect)
    return {
      now,
      steadyMs: () => world.nowMs - bornMs,
      timers: {
        after: (ms, run) => world.after(life, ms, run),
        every: (ms, run) => world.every(life, ms, run),
        sleep: ms => world.sleep(life, ms),
        yield: () => world.wait(life, 'turn'),
      },
      random: bytes => chance.bytes(bytes),
      fileSystem: simulatedFileSystem(this.disk, { call, now, descriptors }),
      threads: threads(call),
      send: outgoing => {
        const { authority, receiver } = this.around
        return authority?.isAskedBy(outgoing) ? authority.send(life, outgoing) : receiver.send(life)(outgoing)
      },
      fetch: () => Promise.reject(new Error('no bucket in this world')),
      s3Client: () => {
        throw new Error('no bucket in this world')
      },
      lookup: async host => [{ address: host, family: 4 }],
      ownAddresses: () => ['127.0.0.1'],
      exit: code => {
        world.trace.say(world.nowMs, life.name, `ends itself with code ${code}`)
        this.#wantsEnd = life
      },
    }
  }

  #wantsEnd: Life | undefined

  /** Whether the process has called for its own end. */
  get hasExited(): boolean {
    return this.#wantsEnd !== undefined && this.#wantsEnd === this.#process?.life
  }

  /** One request of a client outside. @throws ConnectionLostError */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const process = this.#process
    if (!process?.server) return Promise.reject(new ConnectionLostError(false))
    const { server, pending } = process
    return new Promise((resolve, reject) => {
      pending.add(reject)
      const url = path.startsWith('http') ? path : BASE_URL + path
      Promise.resolve(server.handle(new Request(url, init))).then(response => {
        if (pending.delete(reject)) resolve(response)
      }, reject)
    })
  }

  /** Runs an entry of the schedule, as its cron would. */
  async runSchedule(names: readonly string[]): Promise<void> {
    const process = this.#process
    const app = this.app
    if (!app || !process) return
    for (const entry of SCHEDULE) {
      if (process.life.isDead) return
      if (names.includes(entry.name)) await Promise.race([runScheduled(app, entry), process.gone.promise])
    }
  }

  /** The process ends at once. With a loss of power, what was not synced may be lost. */
  async kill(power: boolean): Promise<void> {
    const process = this.#process
    if (!process) return
    const { world } = this
    world.bury(process.life)
    this.#process = undefined
    for (const descriptor of process.descriptors) closeSync(descriptor)
    world.trace.say(world.nowMs, process.life.name, power ? 'loses power' : 'is killed')
    const lostBytes = await this.#database.end(power ? world.chance : undefined)
    forgetLock(join(this.folder, 'data'))
    if (power) {
      const data = join(this.folder, 'data')
      const lost = this.disk.losePower(world.chance, [join(data, 'files'), join(data, 'files', '.making'), join(data, 'outbox')])
      if (lostBytes > 0) lost.push(`${lostBytes} bytes of the log of the database`)
      if (lost.length > 0) world.trace.say(world.nowMs, 'disk', `lost: ${lost.join('; ')}`)
    }
    process.gone.resolve()
    for (const reject of process.pending) reject(new ConnectionLostError(true))
  }

  /** As SIGTERM: running work ends first. */
  async stop(): Promise<void> {
    const process = this.#process
    if (!process?.handle || !process.worker) return
    const { worker, handle, life, pending } = process
    process.server = undefined
    const ended = async () => {
      while (pending.size > 0) await this.world.sleep(life, 100)
      await worker.stop()
      await handle.close()
    }
    await Promise.race([ended(), process.gone.promise])
    if (life.isDead) return
    this.world.bury(process.life)
    process.gone.resolve()
    this.#process = undefined
    this.world.trace.say(this.world.nowMs, process.life.name, 'has stopped')
  }

  async remove(): Promise<void> {
    await this.kill(false)
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const SETTINGS = {
  SIGNET_SEAL_KEY: 'rsa-3072',
  SIGNET_SMTP_URL: 'smtp://mail.example:25?security=none',
  SIGNET_MAIL_FROM: 'sign@example.com',
  SIGNET_WEBHOOK_ALLOW: '127.0.0.0/8',
  SIGNET_RATE_PER_MINUTE: '1000000',
}

/** Keys come from a list, and a hash of a password costs nothing. */
function threads(call: <T>(what: string, effect: () => T) => Promise<T>): Threads {
  let keys = 0
  return {
    sign: (data, key) => call('sign', () => new Uint8Array(sign('sha256', data, key))),
    generateKeyPair: () =>
      call('generate a key', () => {
        const der = Buffer.from(RSA_KEYS[keys++ % RSA_KEYS.length] ?? '', 'base64')
        const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
        return { privateKey, publicKey: createPublicKey(privateKey) }
      }),
    hashPassword: password => call('hash a password', () => `simulated:${password}`),
    verifyPassword: (password, hash) => call('compare a password', () => hash === `simulated:${password}`),
  }
}
