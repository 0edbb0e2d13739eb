/**
 * One machine of an installation: its data folder and disk outlive its processes. A process is one
 * life: it starts as `signet serve` does, and ends by a stop, a kill or a loss of power.
 */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { closeSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AppOptions, openApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { createRequestLimits } from '../../src/http/api/pipeline.ts'
import { buildServer } from '../../src/http/server.ts'
import { HANDLERS } from '../../src/jobs/handlers.ts'
import { runScheduled, SCHEDULE } from '../../src/jobs/schedule.ts'
import { Worker } from '../../src/jobs/worker.ts'
import type { Clocks, FileSystem, Machine, Threads } from '../../src/lib/machine.ts'
import type { App, AppHandle } from '../../src/ports.ts'
import { Authority } from './authority.ts'
import { Chance } from './chance.ts'
import { forgetLock } from './database.ts'
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
  /** Says that something is broken. */
  violate(sentence: string): void
}

/** Where processes keep what they store: in their own folder, or where several nodes share it. */
export interface Stores {
  settings: Record<string, string>
  options(life: Life): Pick<AppOptions, 'connections' | 'withDatabase' | 'checkDatabase' | 'makeBackup'>
  network(life: Life): Pick<Machine, 'fetch' | 's3Client'>
  /** So many transactions were committed; where several nodes share them, nobody counts. */
  commits?(): number
  /** Below the data folder: what a loss of power damages. */
  folders: readonly string[]
  /** Before anything is opened. @throws what keeps this process from serving */
  admit(life: Life, clocks: Clocks): Promise<void>
  /** The process is gone. Returns a sentence about what a loss of power took, besides files. */
  end(life: Life, power: Chance | undefined): Promise<string | undefined>
}

interface Process {
  life: Life
  handle: AppHandle | undefined
  server: ReturnType<typeof buildServer> | undefined
  worker: Worker | undefined
  /** Requests whose answer has not come. */
  pending: Set<(error: ConnectionLostError) => void>
  /** Jobs of the schedule that run. */
  scheduled: Set<Promise<void>>
  descriptors: Set<number>
  /** Settles when the process is gone: what it was asked to do may never settle. */
  gone: PromiseWithResolvers<void>
}

export class Installation {
  readonly disk: SimulatedDisk
  /** What the machine's clock shows beyond the true time. */
  clockOffsetMs = 0
  /** True time when it was set last. */
  clockSetMs = 0
  childWay: ChildWay = 'works'
  lives = 0
  readonly #power = new Life('machine')
  #process: Process | undefined

  constructor(
    readonly world: World,
    readonly folder: string,
    readonly around: Surroundings,
    readonly stores: Stores,
    /** Of a node among several. */
    readonly name = '',
  ) {
    mkdirSync(join(folder, 'data'), { recursive: true, mode: 0o700 })
    this.disk = new SimulatedDisk(folder)
  }

  get app(): App | undefined {
    return this.#process?.server && this.#process.handle?.app
  }

  get life(): Life | undefined {
    return this.#process?.life
  }

  now(): Date {
    return new Date(this.world.nowMs + this.clockOffsetMs)
  }

  /** Starts a process. Does not settle if it is killed meanwhile. */
  async start(): Promise<void> {
    const { world, stores } = this
    const life = new Life(`${this.name}process ${++this.lives}`)
    const process: Process = {
      life,
      handle: undefined,
      server: undefined,
      worker: undefined,
      pending: new Set(),
      scheduled: new Set(),
      descriptors: new Set(),
      gone: Promise.withResolvers(),
    }
    this.#process = process
    world.trace.say(world.nowMs, life.name, `starts, its clock shows ${this.now().toISOString()}`)
    const settings = {
      ...SETTINGS,
      ...this.#timestampSettings(),
      ...stores.settings,
      SIGNET_DATA: join(this.folder, 'data'),
    }
    const machine = this.#machine(process)
    await stores.admit(life, machine)
    process.handle = await openApp(readConfig({}, settings), {
      command: [],
      exclusive: true,
      lockHolder: 'a simulation',
      machine,
      log: (level, what, facts = {}) => {
        if (level === 'error' && !life.isDead) world.trace.say(world.nowMs, life.name, `logs “${what}” ${JSON.stringify(facts)}`)
      },
      connectMail: this.around.mails.connect(life),
      pdf: simulatedPdfTools(
        world,
        life,
        () => this.childWay,
        () => this.disk.madeByChildren(this.#making),
      ),
      onSchemaTooNew: () => machine.exit(3),
      ...stores.options(life),
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

  /** Of files that are being made, by this process and its children. */
  get #making(): string {
    return join(this.folder, 'data', this.stores.folders[0] ?? '')
  }

  /** The machine stops and goes on later, as one that was suspended. */
  freeze(ms: number): void {
    const { world } = this
    const life = this.#process?.life
    if (!life || life.isFrozen) return
    life.isFrozen = true
    world.trace.say(world.nowMs, life.name, `is frozen for ${ms / 1000} s`)
    world.after(this.#power, ms, () => {
      life.isFrozen = false
    })
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

  /** Whether a request waits for its answer. */
  get isAnswering(): boolean {
    return (this.#process?.pending.size ?? 0) > 0
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
      fileSystem: simulatedFileSystem(this.disk, { call, now, descriptors, pause: ms => world.sleep(life, ms) }),
      threads: threads(call),
      send: outgoing => {
        const { authority, receiver } = this.around
        return authority?.isAskedBy(outgoing) ? authority.send(life, outgoing) : receiver.send(life)(outgoing)
      },
      ...this.stores.network(life),
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

  /** Of the present process: its calls wait for nothing. */
  fileSystemAtOnce(): FileSystem {
    const descriptors = this.#process?.descriptors ?? new Set<number>()
    const call = async <T>(_: string, effect: () => T) => effect()
    return simulatedFileSystem(this.disk, { call, now: () => this.now(), descriptors, pause: async () => {} })
  }

  /** One request of a client outside. @throws ConnectionLostError */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const process = this.#process
    if (!process?.server) return Promise.reject(new ConnectionLostError(false))
    const { server, pending, life } = process
    return new Promise((resolve, reject) => {
      pending.add(reject)
      const url = path.startsWith('http') ? path : BASE_URL + path
      const handle = async () => {
        // A frozen machine takes the connection and reads nothing.
        if (life.isFrozen) await this.world.wait(life, 'a request')
        return server.handle(new Request(url, init))
      }
      handle().then(response => {
        if (pending.delete(reject)) resolve(response)
      }, reject)
    })
  }

  /** Of all its processes, so far. */
  get commits(): number {
    return this.stores.commits?.() ?? 0
  }

  /** Runs the entries of the schedule, one after another. */
  async runSchedule(): Promise<void> {
    const process = this.#process
    const app = this.app
    if (!app || !process) return
    for (const entry of SCHEDULE) {
      // A stop waits for the job that runs, and begins no other.
      if (process.life.isDead || !process.server) return
      const job = runScheduled(app, entry)
      process.scheduled.add(job)
      await Promise.race([job, process.gone.promise])
      process.scheduled.delete(job)
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
    const lostOfStores = await this.stores.end(process.life, power ? world.chance : undefined)
    const data = join(this.folder, 'data')
    forgetLock(data)
    if (power) {
      const folders = [...this.stores.folders, 'outbox'].map(name => join(data, name))
      const lost = [...this.disk.losePower(world.chance, folders), ...(lostOfStores === undefined ? [] : [lostOfStores])]
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
      await Promise.all([worker.stop(), ...process.scheduled])
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
