/** Seals at the levels above B-B: made at once or augmented later, renewed in time, never lost. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { augmentAllDue } from '../../src/documents/sealing/augment.ts'
import { answerClock, DataClockWatch } from '../../src/health/clock-watch.ts'
import { runSchedule } from '../../src/jobs/schedule.ts'
import { remark } from '../../src/locales/remarks.ts'
import { type App, SYSTEM } from '../../src/ports.ts'
import { signedDocument } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { openTestAuthority, type TestAuthority } from '../support/tsa.ts'
import { run } from '../verify/tools.ts'

const YEAR_MS = 365 * 86_400_000

let authority: TestAuthority
let t: TestApp

async function open(env: Record<string, string> = {}): Promise<void> {
  t = await openTestApp({
    env: { SIGNET_TSA_URL: authority.url, SIGNET_TSA_CA_FILE: join(authority.folder, 'root.pem'), ...env },
  })
  // The authority uses the machine's clock.
  t.clock.now = new Date()
}

beforeEach(() => {
  authority = openTestAuthority()
})
afterEach(async () => {
  await t.close()
  await authority.close()
})

const document = async (id: string) => (await t.api('GET', `/documents/${id}`)).body
const file = async (id: string): Promise<Uint8Array> => (await t.api('GET', `/documents/${id}/file`)).body

/** Makes all files due. The test clock cannot do that, because the authority uses the machine's. */
async function augmentNow(): Promise<void> {
  const now = t.clock.now.toISOString()
  await t.app.write(tx =>
    tx.updateTable('sealed_versions').set({ augment_at: now }).where('augment_at', 'is not', null).execute(),
  )
  await augmentAllDue(t.app)
  await t.drain()
}

async function levelOf(id: string) {
  const { body } = await t.api('POST', '/verify', { file: Buffer.from(await file(id)).toString('base64') })
  return body
}

test('with an authority a document is completed at B-LTA, and other tools accept it', async () => {
  await open()
  const id = await signedDocument(t)
  expect(await document(id)).toMatchObject({ status: 'completed', sealLevel: 'B-LTA' })
  const report = await levelOf(id)
  expect(report).toMatchObject({ verdict: 'valid', record: { known: true, documentId: id } })
  expect(report.signatures.map((s: { kind: string; level?: string }) => [s.kind, s.level])).toEqual([
    ['signature', 'B-LTA'],
    ['document-timestamp', undefined],
  ])
  expect(report.signatures[0].time.timestamp).toMatchObject({ trusted: true, authority: 'tsa of tests' })
  const path = join(t.folder, 'sealed.pdf')
  writeFileSync(path, await file(id))
  expect(run(['pdfsig', path]).text).toContain('Signature is Valid')
  expect(run(['qpdf', '--check', path]).code).toBe(0)
})

test.each(['B-T', 'B-LT'] as const)('%s is reached, and no more is asked for', async level => {
  await open({ SIGNET_SEAL_LEVEL: level })
  const id = await signedDocument(t)
  expect(await document(id)).toMatchObject({ status: 'completed', sealLevel: level })
  expect((await levelOf(id)).signatures).toHaveLength(1)
  // One for the seal, one for the receipt of the person who signed.
  expect(authority.requests.filter(path => path === '/tsa')).toHaveLength(2)
})

describe('while no authority answers', () => {
  const down = () => authority.behave('/tsa', () => new Response('', { status: 503 }))

  test('the seal does not wait, and is augmented once one does', async () => {
    await open()
    down()
    const id = await signedDocument(t)
    expect(await document(id)).toMatchObject({ status: 'completed', sealLevel: 'B-B' })
    const before = Buffer.from(await file(id))
    authority.behave('/tsa', undefined)
    await augmentNow()
    const after = Buffer.from(await file(id))
    expect(await document(id)).toMatchObject({ sealLevel: 'B-LTA' })
    expect(after.subarray(0, before.length).equals(before)).toBe(true)
    expect(await levelOf(id)).toMatchObject({ verdict: 'valid', record: { known: true } })
    const { body } = await t.api('GET', `/documents/${id}/audit`)
    expect(body.events.filter((e: { type: string }) => e.type === 'document.completed')).toHaveLength(1)
    expect(body.events.at(-1)).toMatchObject({ type: 'document.seal_augmented', data: { sealLevel: 'B-LTA' } })
    // The file of before is still known here.
    const old = await t.api('POST', '/verify', { file: before.toString('base64') })
    expect(old.body).toMatchObject({ verdict: 'valid', record: { known: true, documentId: id } })
  })

  test('also one that was made while the clock was a year ahead, when the clock is right again', async () => {
    await open()
    const { now } = t.clock
    t.clock.now = new Date(now.getTime() + YEAR_MS)
    const id = await signedDocument(t)
    expect(await document(id)).toMatchObject({ status: 'completed', sealLevel: 'B-B' })
    t.clock.now = now
    const app: App = { ...t.app }
    app.clock = new DataClockWatch(app)
    await runSchedule(app)
    expect(await answerClock(app, 'right', SYSTEM)).toBe(true)
    await augmentAllDue(app)
    await t.drain()
    expect(await document(id)).toMatchObject({ sealLevel: 'B-LTA' })
    const [plan] = await t.sql<{ at: string }>('SELECT augment_at AS at FROM sealed_versions WHERE augment_at IS NOT NULL')
    expect(new Date(plan?.at ?? '').getTime()).toBeLessThan(now.getTime() + YEAR_MS)
  })

  test('the seal waits if so configured, gives the reason, and is made once one answers', async () => {
    await open({ SIGNET_TSA_FALLBACK: 'wait' })
    down()
    const id = await signedDocument(t)
    expect(await document(id)).toMatchObject({ status: 'sealing', sealLevel: null })
    expect((await document(id)).sealingError).toContain('answered 503')
    authority.behave('/tsa', undefined)
    t.clock.pass({ minutes: 1 })
    await t.drain()
    expect(await document(id)).toMatchObject({ status: 'completed', sealLevel: 'B-LTA', sealingError: null })
  })
})

test('without revocation data the seal is B-T, and is augmented once there is some', async () => {
  await open()
  authority.behave('/ocsp', () => new Response('', { status: 500 }))
  authority.behave('/root.crl', () => new Response('', { status: 500 }))
  const id = await signedDocument(t)
  expect(await document(id)).toMatchObject({ status: 'completed', sealLevel: 'B-T' })
  authority.behave('/ocsp', undefined)
  await augmentNow()
  expect(await document(id)).toMatchObject({ sealLevel: 'B-LTA' })
})

test('the next renewal is planned before the authority’s certificate expires', async () => {
  await open()
  await signedDocument(t)
  const { augment_at: planned } = await t.app.db.selectFrom('sealed_versions').selectAll().executeTakeFirstOrThrow()
  const days = (new Date(planned ?? 0).getTime() - t.clock.now.getTime()) / 86_400_000
  // The authority's certificate is valid for 30 days.
  expect(days).toBeGreaterThan(20)
  expect(days).toBeLessThan(24)
})

test('an augmented file that is not valid is not published, and the one before stays', async () => {
  await open()
  const id = await signedDocument(t)
  const before = (await document(id)).sha256.sealed
  await t.app.write(tx => tx.updateTable('sealed_versions').set({ level: 'B-T' }).execute())
  const verify = t.app.pdf.verify
  t.app.pdf.verify = async order => {
    const report = await verify(order)
    return report.verdict === 'unreadable'
      ? report
      : { ...report, verdict: 'not-valid' as const, reasons: [remark('no_signature')] }
  }
  await augmentNow()
  t.app.pdf.verify = verify
  expect(t.logged.filter(l => l.what === 'seal not augmented')).toHaveLength(1)
  expect((await document(id)).sha256.sealed).toBe(before)
  expect(readFileSync(await t.app.storage.localPath(before)).length).toBe((await file(id)).length)
})
