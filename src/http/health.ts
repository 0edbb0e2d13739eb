/** What anyone may ask: alive, ready, and the certificate that seals. */
import { roomIn } from '../lib/disk.ts'
import type { App } from '../ports.ts'
import { allSealCertificates, hasSealCertificate, ownRevocationList } from '../settings/seal-certificate.ts'

type Found = 'yes' | 'no' | 'failing'

function json(status: number, value: unknown): Response {
  return Response.json(value, { status })
}

export function healthAnswer(): Response {
  return json(200, { status: 'alive' })
}

/** Database, disk and seal certificate, each told apart; 503 when one is not ready or the process ends. */
export async function readyAnswer(app: App, state: { stopping: boolean }): Promise<Response> {
  const seal = await asked(app, 'database', () => hasSealCertificate(app.db))
  const disk = await asked(app, 'disk', async () => !(await roomIn(app.config.dataFolder)).isScarce)
  const ready = seal === 'yes' && disk === 'yes' && !state.stopping
  return json(ready ? 200 : 503, {
    status: ready ? 'ready' : 'not ready',
    checks: {
      database: seal === 'failing' ? 'cannot be read' : 'ok',
      seal: { yes: 'ok', no: 'no certificate', failing: 'not known' }[seal],
      disk: { yes: 'ok', no: 'less than 500 MiB or a twentieth free', failing: 'cannot be read' }[disk],
      stopping: state.stopping,
    },
  })
}

/** Whatever goes wrong while asking is the answer here; its cause stands in the log alone. */
async function asked(app: App, what: string, ask: () => Promise<boolean>): Promise<Found> {
  try {
    return (await ask()) ? 'yes' : 'no'
  } catch (error) {
    app.log('error', 'not ready', { what, error: String(error) })
    return 'failing'
  }
}

export async function certificateAnswer(app: App): Promise<Response> {
  const headers = { 'content-type': 'application/x-pem-file' }
  return new Response(await allSealCertificates(app.db), { headers })
}

/** The revocation list of an own root, the one under which is sealed unless another is named (RFC 5280 §5; RFC 2585 §4.2). */
export async function revocationListAnswer(app: App, root: string | undefined): Promise<Response> {
  const headers = { 'content-type': 'application/pkix-crl' }
  return new Response((await ownRevocationList(app, root)) as Uint8Array<ArrayBuffer>, { headers })
}
