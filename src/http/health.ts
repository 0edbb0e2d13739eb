/** What anyone may ask: alive, ready, and the certificate that seals. */
import { statfs } from 'node:fs/promises'
import type { App } from '../ports.ts'
import { allSealCertificates, hasSealCertificate } from '../settings/seal-certificate.ts'

const LEAST_FREE_BYTES = 500 * 1024 * 1024

function json(status: number, value: unknown): Response {
  return Response.json(value, { status, headers: { 'cache-control': 'no-store' } })
}

export function healthAnswer(): Response {
  return json(200, { status: 'alive' })
}

/** Database, disk and seal certificate, each told apart; 503 when one is not ready or the process ends. */
export async function readyAnswer(app: App, state: { stopping: boolean }): Promise<Response> {
  const seal = await hasSealCertificate(app.db)
  const { bavail, bsize } = await statfs(app.config.dataFolder)
  const disk = bavail * bsize >= LEAST_FREE_BYTES
  const ready = seal && disk && !state.stopping
  return json(ready ? 200 : 503, {
    status: ready ? 'ready' : 'not ready',
    checks: {
      database: 'ok',
      seal: seal ? 'ok' : 'no certificate',
      disk: disk ? 'ok' : 'less than 500 MiB free',
      stopping: state.stopping,
    },
  })
}

export async function certificateAnswer(app: App): Promise<Response> {
  const headers = { 'content-type': 'application/x-pem-file', 'cache-control': 'no-cache' }
  return new Response(await allSealCertificates(app.db), { headers })
}
