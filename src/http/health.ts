/** What anyone may ask: alive, ready, and the certificate that seals. */
import { countAlerts } from '../alerts/queries.ts'
import type { DiskLevel } from '../lib/disk.ts'
import type { App } from '../ports.ts'
import { allSealCertificates, hasSealCertificate, ownRevocationList } from '../settings/seal-certificate.ts'

type Found = 'yes' | 'no' | 'failing'

function json(status: number, value: unknown): Response {
  return Response.json(value, { status })
}

export function healthResponse(): Response {
  return json(200, { status: 'alive' })
}

/**
 * Database, stored files, disk and seal certificate, each told apart. 503 when one keeps the instance from working or the process ends; damaged
 * files and a disk that is nearly full leave it `degraded`, with 200: everything else works.
 */
export async function readinessResponse(app: App, state: { stopping: boolean }): Promise<Response> {
  const seal = await asked(app, 'database', () => hasSealCertificate(app.db))
  const disk = await diskLevel(app)
  const damagedFiles = await countDamagedFiles(app)
  const isDamaged = app.damage.databaseProblem() !== undefined
  const ready = seal === 'yes' && disk !== 'reserve' && disk !== 'failing' && !isDamaged && !state.stopping
  return json(ready ? 200 : 503, {
    status: ready ? (damagedFiles === 0 && disk === 'ok' ? 'ready' : 'degraded') : 'not ready',
    checks: {
      database: isDamaged ? 'damaged' : seal === 'failing' ? 'cannot be read' : 'ok',
      files: damagedFiles === undefined ? 'not known' : damagedFiles === 0 ? 'ok' : `damaged: ${damagedFiles}`,
      seal: { yes: 'ok', no: 'no certificate', failing: 'not known' }[seal],
      disk: { ok: 'ok', low: 'low: uploads are refused', reserve: 'full', failing: 'cannot be read' }[disk],
      stopping: state.stopping,
    },
  })
}

async function diskLevel(app: App): Promise<DiskLevel | 'failing'> {
  try {
    return (await app.disk.measure()).level
  } catch (error) {
    app.log('error', 'not ready', { what: 'disk', error: String(error) })
    return 'failing'
  }
}

/** How many stored files are known to be damaged; undefined when the database does not say. */
async function countDamagedFiles(app: App): Promise<number | undefined> {
  try {
    return await countAlerts(app.db, 'file_damaged')
  } catch (error) {
    app.damage.noteError(error)
    return undefined
  }
}

/** Whatever goes wrong while asking is the answer here; its cause stands in the log alone. */
async function asked(app: App, what: string, ask: () => Promise<boolean>): Promise<Found> {
  try {
    return (await ask()) ? 'yes' : 'no'
  } catch (error) {
    app.log('error', 'not ready', { what, error: String(error) })
    app.damage.noteError(error)
    return 'failing'
  }
}

export async function sealCertificateResponse(app: App): Promise<Response> {
  const headers = { 'content-type': 'application/x-pem-file' }
  return new Response(await allSealCertificates(app.db), { headers })
}

/** The revocation list of an own root, the one under which is sealed unless another is named (RFC 5280 §5; RFC 2585 §4.2). */
export async function revocationListResponse(app: App, root: string | undefined): Promise<Response> {
  const headers = { 'content-type': 'application/pkix-crl' }
  return new Response((await ownRevocationList(app, root)) as Uint8Array<ArrayBuffer>, { headers })
}
