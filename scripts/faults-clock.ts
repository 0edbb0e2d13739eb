/**
 * Starts the executable on its data with the clock a year ahead, by libfaketime: nothing may expire
 * or be erased. Then with the right clock and an answer. Prints what it found; exits 1 if broken.
 */
import { existsSync } from 'node:fs'
import { demandBinary, emptyFolder, run, type Serving, serve, until } from '../test/support/executable.ts'
import { SIGNATURE, samplePdf } from '../test/support/sample.ts'
import { exitCode, report } from './faults-report.ts'

const LIBRARY = ['x86_64', 'aarch64'].map(name => `/usr/lib/${name}-linux-gnu/faketime/libfaketime.so.1`).find(existsSync)
const OPEN = 20
/** Two rounds of the schedule beside the one at the start. */
const WATCHED_MS = 75_000
const SEAL = { SIGNET_SEAL_KEY: 'ec-p256' }

async function statuses(serving: Serving, headers: Record<string, string>): Promise<string> {
  const { data } = (await (await serving.fetch('/api/v1/documents?limit=100', { headers })).json()) as {
    data: { status: string }[]
  }
  const counts = Map.groupBy(data, ({ status }) => status)
  return [...counts].map(([status, { length }]) => `${length} ${status}`).join(', ')
}

demandBinary()
if (LIBRARY === undefined) {
  console.error('libfaketime is needed (Debian: apt-get install libfaketime)')
  process.exit(1)
}
const ahead = { ...SEAL, LD_PRELOAD: LIBRARY, FAKETIME: '+400d', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
const folder = emptyFolder()
try {
  const serving = await serve(folder.path, { env: SEAL })
  const key = run(folder.path, ['key', 'create', '--name', 'faults']).out.trim().split(/\s+/).at(-1) ?? ''
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const file = await samplePdf()
  for (let n = 0; n < OPEN; n++) {
    const recipients = [{ email: `signer-${n}@example.com`, name: `Signer ${n}`, fields: [SIGNATURE] }]
    const body = JSON.stringify({ fileName: 'contract.pdf', file, recipients, send: true })
    const made = await serving.fetch('/api/v1/documents', { method: 'POST', headers, body })
    if (made.status !== 201) throw new Error(`a creation answered ${made.status}: ${await made.text()}`)
  }
  await serving.end('SIGTERM')

  const wrong = await serve(folder.path, { env: ahead })
  const shown = await until('the doubt', async () => {
    const { out } = run(folder.path, ['clock'], { env: ahead })
    return out.includes('doubted') ? out : undefined
  })
  await Bun.sleep(WATCHED_MS)
  const left = await statuses(wrong, headers)
  report(`clock ahead at start, ${OPEN} open documents`, left === `${OPEN} sent`, left)
  report('both times are shown', /20\d\d-.*20\d\d-/s.test(shown), shown.split('\n')[1] ?? '')
  const early = run(folder.path, ['clock', '--corrected'], { env: ahead })
  report('a correction is refused while the clock is as it was', early.code !== 0, early.err.trim().split('\n')[0] ?? '')
  await wrong.end('SIGTERM')

  const right = await serve(folder.path, { env: SEAL })
  const answered = run(folder.path, ['clock', '--corrected'])
  report('a correction is taken when it shows', answered.code === 0 && answered.out.includes('believed'), answered.out.trim())
  const after = await statuses(right, headers)
  report('after the correction', after === `${OPEN} sent`, after)
  await right.end('SIGTERM')
} finally {
  folder.remove()
}
process.exit(exitCode())
