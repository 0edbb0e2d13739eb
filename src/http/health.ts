/** The public answers about the instance: alive, ready, and the certificates that seal. */
import { countAlerts } from '../alerts/queries.ts'
import type { DiskLevel } from '../lib/disk.ts'
import type { App } from '../ports.ts'
import { allSealCertificates, hasSealCertificate, ownRevocationList } from '../settings/seal-certificate.ts'

export function healthResponse(): Response {
  return Response.json({ status: 'alive' })
}

type SealCheck = 'ok' | 'missing' | 'unknown'
type DiskCheck = 'ok' | 'low' | 'full' | 'unreadable'

/**
 * 503 `not-ready` where the instance cannot work or is stopping. Damaged files and a disk that is
 * nearly full make it `degraded`, with 200: everything else works.
 */
export async function readinessResponse(app: App, state: { stopping: boolean }): Promise<Response> {
  const sealCertificate = await checkSealCertificate(app)
  const disk = await checkDisk(app)
  const damagedFiles = await countDamagedFiles(app)
  const isDamaged = app.damage.databaseProblem() !== undefined
  const hasDisk = disk === 'ok' || disk === 'low'
  const isReady = sealCertificate === 'ok' && hasDisk && !isDamaged && !state.stopping
  const isDegraded = damagedFiles !== 0 || disk !== 'ok'
  const body = {
    status: isReady ? (isDegraded ? 'degraded' : 'ready') : 'not-ready',
    checks: {
      database: isDamaged ? 'damaged' : sealCertificate === 'unknown' ? 'unreadable' : 'ok',
      files: damagedFiles === undefined ? 'unknown' : damagedFiles === 0 ? 'ok' : 'damaged',
      damagedFiles: damagedFiles ?? null,
      sealCertificate,
      disk,
      stopping: state.stopping,
    },
  }
  return Response.json(body, { status: isReady ? 200 : 503 })
}

const DISK_CHECKS: Record<DiskLevel, DiskCheck> = { ok: 'ok', low: 'low', reserve: 'full' }

async function checkDisk(app: App): Promise<DiskCheck> {
  try {
    return DISK_CHECKS[(await app.disk.measure()).level]
  } catch (error) {
    app.log('error', 'not ready', { what: 'disk', error: String(error) })
    return 'unreadable'
  }
}

/** Undefined when the database cannot be read. */
async function countDamagedFiles(app: App): Promise<number | undefined> {
  try {
    return await countAlerts(app.db, 'file_damaged')
  } catch (error) {
    app.damage.noteError(error)
    return undefined
  }
}

/** `unknown` when the database cannot be read. The response omits the cause; the log has it. */
async function checkSealCertificate(app: App): Promise<SealCheck> {
  try {
    return (await hasSealCertificate(app.db)) ? 'ok' : 'missing'
  } catch (error) {
    app.log('error', 'not ready', { what: 'database', error: String(error) })
    app.damage.noteError(error)
    return 'unknown'
  }
}

export async function sealCertificateResponse(app: App): Promise<Response> {
  const headers = { 'content-type': 'application/x-pem-file' }
  return new Response(await allSealCertificates(app.db), { headers })
}

/** The list of the named own root, or of the root in use (RFC 5280 §5; RFC 2585 §4.2). */
export async function revocationListResponse(app: App, root: string | undefined): Promise<Response> {
  const headers = { 'content-type': 'application/pkix-crl' }
  return new Response((await ownRevocationList(app, root)) as Uint8Array<ArrayBuffer>, { headers })
}
