/** The public answers about the instance: alive, ready, and the certificates that seal. */
import { countAlerts } from '../alerts/queries.ts'
import { latestVersion } from '../db/migrate.ts'
import { MAX_CLOCK_DIFFERENCE_MS } from '../db/postgresql/server-check.ts'
import { mayWrite } from '../db/postgresql/server-report.ts'
import { CachedProbe, within } from '../lib/async-work.ts'
import type { DiskLevel } from '../lib/disk.ts'
import { errorMessage } from '../lib/log.ts'
import type { App } from '../ports.ts'
import { allSealCertificates, ownRevocationList, sealCertificateEnd } from '../settings/seal-certificate.ts'
import { sendingPause } from '../settings/sending-pause.ts'

export function healthResponse(): Response {
  return Response.json({ status: 'alive' })
}

type SealCheck = 'ok' | 'expired' | 'missing' | 'unknown'
type DiskCheck = 'ok' | 'low' | 'full' | 'read-only' | 'unreadable'

/** A balancer waits for an answer about 2 s. A check that takes longer has failed. */
export const MAX_CHECK_MS = 1500
const tooLate = () => new Error(`no answer within ${MAX_CHECK_MS} ms`)
/** Two heartbeats are missing, and the other nodes do not yet take the work of this one. */
const MAX_SILENCE_MS = 12_000

interface Leaving {
  readonly leaving: boolean
  readonly stopping: boolean
}

/** The answers of `/readyz`: whether a balancer should send requests to this node. */
export class Readiness {
  readonly #app: App
  readonly #state: Leaving
  readonly #fileStore: CachedProbe
  readonly #dataFolder: CachedProbe

  constructor(app: App, state: Leaving) {
    this.#app = app
    this.#state = state
    const times = { freshMs: 15_000, failureMs: 2000, patienceMs: MAX_CHECK_MS }
    const options = { now: app.now, timers: app.timers, ...times }
    this.#fileStore = new CachedProbe(() => pingFileStore(app), options)
    this.#dataFolder = new CachedProbe(() => requireWritableDisk(app), options)
  }

  /**
   * 503 `not-ready` where the instance cannot work or is stopping. Damaged files, a disk that is
   * nearly full, paused sending, a seal certificate that has ended and a file store that fails make
   * it `degraded`, with 200: the rest works, and a store that fails all nodes must not take all of
   * them from the balancer.
   */
  async response(): Promise<Response> {
    const app = this.#app
    const stopping = this.#state.leaving || this.#state.stopping
    const [sealCertificate, disk, damagedFiles, sending, shared] = await Promise.all([
      checkSealCertificate(app),
      this.#checkDisk(),
      countDamagedFiles(app),
      checkSending(app),
      app.node.isAlone ? undefined : this.#checkShared(),
    ])
    const isDamaged = app.damage.databaseProblem() !== undefined
    const hasDisk = disk === 'ok' || disk === 'low'
    const { fileStore = 'ok', ...needed } = shared ?? {}
    const isFit = Object.values(needed).every(check => check === 'ok')
    const hasSeal = sealCertificate === 'ok' || sealCertificate === 'expired'
    const isReady = hasSeal && hasDisk && !isDamaged && isFit && !stopping
    const isDegraded =
      sealCertificate === 'expired' || damagedFiles !== 0 || disk !== 'ok' || sending !== 'ok' || fileStore !== 'ok'
    const body = {
      status: isReady ? (isDegraded ? 'degraded' : 'ready') : 'not-ready',
      node: app.config.nodeName,
      checks: {
        database: databaseCheck(isDamaged, sealCertificate),
        files: damagedFiles === undefined ? 'unknown' : damagedFiles === 0 ? 'ok' : 'damaged',
        damagedFiles: damagedFiles ?? null,
        sealCertificate,
        disk,
        sending,
        ...shared,
        stopping,
      },
    }
    return Response.json(body, { status: isReady ? 200 : 503 })
  }

  async #checkDisk(): Promise<DiskCheck> {
    try {
      const { level } = await this.#app.disk.measure()
      return (await this.#dataFolder.isOk()) ? DISK_CHECKS[level] : 'read-only'
    } catch (error) {
      this.#app.log('error', 'not ready', { what: 'disk', error: String(error) })
      return 'unreadable'
    }
  }

  /** What a node shares with others. The heartbeat shows that the database can be written. */
  async #checkShared() {
    const { silenceMs, clockDifferenceMs } = this.#app.node.health()
    const [schema, hasFiles] = await Promise.all([checkSchema(this.#app), this.#fileStore.isOk()])
    return {
      schema,
      fileStore: hasFiles ? 'ok' : 'unavailable',
      heartbeat: silenceMs <= MAX_SILENCE_MS ? 'ok' : 'late',
      clock: Math.abs(clockDifferenceMs) <= MAX_CLOCK_DIFFERENCE_MS ? 'ok' : 'differs',
    }
  }
}

function databaseCheck(isDamaged: boolean, sealCertificate: SealCheck): 'ok' | 'damaged' | 'unreadable' {
  if (isDamaged) return 'damaged'
  return sealCertificate === 'unknown' ? 'unreadable' : 'ok'
}

async function checkSchema(app: App): Promise<'ok' | 'too-new' | 'unknown'> {
  try {
    return (await within(app.timers, MAX_CHECK_MS, mayWrite(app.db, latestVersion()), tooLate)) ? 'ok' : 'too-new'
  } catch (error) {
    app.log('error', 'not ready', { what: 'schema', error: errorMessage(error) })
    return 'unknown'
  }
}

async function pingFileStore({ storage, log }: App): Promise<void> {
  try {
    await storage.ping()
  } catch (error) {
    log('error', 'degraded', { what: 'file store', error: errorMessage(error) })
    throw error
  }
}

const DISK_CHECKS: Record<DiskLevel, DiskCheck> = { ok: 'ok', low: 'low', reserve: 'full' }

async function requireWritableDisk({ fileSystem, config, log }: App): Promise<void> {
  try {
    await fileSystem.requireWritable(config.dataFolder)
  } catch (error) {
    log('error', 'not ready', { what: 'data folder', error: errorMessage(error) })
    throw error
  }
}

async function checkSending(app: App): Promise<'ok' | 'paused' | 'unknown'> {
  try {
    return (await within(app.timers, MAX_CHECK_MS, sendingPause(app.db), tooLate)) ? 'paused' : 'ok'
  } catch (error) {
    app.damage.noteError(error)
    return 'unknown'
  }
}

/** Undefined when the database cannot be read. */
async function countDamagedFiles(app: App): Promise<number | undefined> {
  try {
    return await within(app.timers, MAX_CHECK_MS, countAlerts(app.db, 'file_damaged'), tooLate)
  } catch (error) {
    app.damage.noteError(error)
    return undefined
  }
}

/** `unknown` when the database cannot be read. The response omits the cause; the log has it. */
async function checkSealCertificate(app: App): Promise<SealCheck> {
  try {
    const end = await within(app.timers, MAX_CHECK_MS, sealCertificateEnd(app.db), tooLate)
    if (end === undefined) return 'missing'
    return end > app.now() ? 'ok' : 'expired'
  } catch (error) {
    app.log('error', 'not ready', { what: 'database', error: String(error) })
    app.damage.noteError(error)
    return 'unknown'
  }
}

export async function sealCertificateResponse(app: App, part: 'certificates' | 'issuers'): Promise<Response> {
  const headers = { 'content-type': 'application/x-pem-file' }
  return new Response((await allSealCertificates(app.db))[part], { headers })
}

/** The list of the named own root, or of the root in use (RFC 5280 §5; RFC 2585 §4.2). */
export async function revocationListResponse(app: App, root: string | undefined): Promise<Response> {
  const headers = { 'content-type': 'application/pkix-crl' }
  return new Response((await ownRevocationList(app, root)) as Uint8Array<ArrayBuffer>, { headers })
}
