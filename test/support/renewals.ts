/** A completed document, and years of its renewals by the clock of the test. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { augmentAllDue } from '../../src/documents/sealing/augment.ts'
import { renewWhenDue } from '../../src/settings/seal-certificate.ts'
import { temporaryFolder } from './folders.ts'
import { openRotatingTsa, type RotatingTsa } from './rotating-tsa.ts'
import { signedDocument } from './story.ts'
import { openTestApp, START, type TestApp } from './test-app.ts'

const DAY_MS = 86_400_000
/** More than any schedule needs; ends one that would never end. */
const MAX_RUNS = 200

export const inYears = (years: number): Date => new Date(START.getTime() + Math.floor(years * 365) * DAY_MS)

export interface Renewals {
  t: TestApp
  tsa: RotatingTsa
  /** What the schedule does, at once for all that is due. */
  runSchedule(): Promise<void>
  /** When the file is due next. */
  plannedAt(): Promise<Date>
  /** Runs the schedule whenever it is due. Returns the pauses in ms. */
  runUntil(end: Date): Promise<number[]>
  /** What the verifier says of the file at the time of the clock. */
  report(): Promise<{ verdict: string; level: string | undefined; timestamps: number; bytes: number }>
  close(): Promise<void>
}

/** The authority's certificates are valid for `days`, and overlap by `rotatesBeforeEndMs`. */
export async function openRenewals(days: number, rotatesBeforeEndMs: number): Promise<Renewals> {
  const folder = temporaryFolder()
  const clock = { now: () => START }
  const tsa = openRotatingTsa({ now: () => clock.now(), days, rotatesBeforeEndMs })
  writeFileSync(join(folder, 'roots.pem'), tsa.root)
  const t = await openTestApp({ env: { SIGNET_TSA_URL: tsa.url, SIGNET_TSA_CA_FILE: join(folder, 'roots.pem') } })
  clock.now = () => t.clock.now
  const id = await signedDocument(t)
  const runSchedule = async () => {
    await renewWhenDue(t.app)
    await augmentAllDue(t.app)
    await t.drain()
  }
  const plannedAt = async () => {
    const newest = t.app.db.selectFrom('sealed_versions').select('augment_at').where('augment_at', 'is not', null)
    return new Date((await newest.executeTakeFirstOrThrow()).augment_at ?? 0)
  }
  return {
    t,
    tsa,
    runSchedule,
    plannedAt,
    async runUntil(end) {
      const pauses: number[] = []
      for (let at = await plannedAt(); at < end && pauses.length < MAX_RUNS; at = await plannedAt()) {
        pauses.push(at.getTime() - t.clock.now.getTime())
        t.clock.now = at
        await runSchedule()
      }
      t.clock.now = end
      return pauses
    },
    async report() {
      const { body: file } = await t.api('GET', `/documents/${id}/file`)
      const { body } = await t.api('POST', '/verify', { file: Buffer.from(file).toString('base64') })
      const { verdict, signatures } = body as { verdict: string; signatures: { level?: string }[] }
      return { verdict, level: signatures[0]?.level, timestamps: signatures.length - 1, bytes: (file as Uint8Array).length }
    },
    async close() {
      await t.close()
      await tsa.close()
      rmSync(folder, { recursive: true })
    },
  }
}
