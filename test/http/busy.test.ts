/** A busy machine: 503 with Retry-After for files, nothing stored, and a later request works. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { busyRefusal } from '../../src/core/refusal.ts'
import { SYSTEM } from '../../src/ports.ts'
import type { PdfTools } from '../../src/sandbox/pdf-tools.ts'
import { changeLogo } from '../../src/settings/logo.ts'
import { readOrganisation } from '../../src/settings/organisation.ts'
import { plainPng } from '../evidence/sample.ts'
import { fetchAs, finishForm, openVisitor, postFile } from '../support/browser-less.ts'
import { pdfTools } from '../support/pdf-tools.ts'
import { ADA, BOB, newDocument, samplePdf } from '../support/sample.ts'
import { openLinkAs, sentDocument, signAs } from '../support/story.ts'
import { openTestApp, START, type TestApp } from '../support/test-app.ts'

let t: TestApp
let isBusy = false
beforeEach(async () => {
  isBusy = false
  const real = pdfTools()
  const orBusy =
    <Order, Answer>(work: (order: Order) => Promise<Answer>) =>
    (order: Order): Promise<Answer> =>
      isBusy ? Promise.reject(busyRefusal()) : work(order)
  const pdf: PdfTools = {
    ...real,
    inspect: orBusy(real.inspect),
    prepare: orBusy(real.prepare),
    verify: orBusy(real.verify),
    writeOverlay: orBusy(real.writeOverlay),
    readPageBoxes: orBusy(real.readPageBoxes),
    cleanSignature: orBusy(real.cleanSignature),
    checkLogo: orBusy(real.checkLogo),
    examineFile: orBusy(real.examineFile),
  }
  t = await openTestApp({ pdf })
})
afterEach(() => t.close())

const BUSY = { error: { code: 'overloaded', message: expect.stringContaining('busy'), requestId: expect.any(String) } }

test('a creation gets 503, and its Idempotency-Key works afterwards', async () => {
  const body = JSON.stringify(await newDocument())
  const key = { 'idempotency-key': 'attempt-1' }
  isBusy = true
  for (let i = 0; i < 2; i++) {
    const refused = await t.api('POST', '/documents', body, key)
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([503, '10', BUSY])
  }
  isBusy = false
  const created = await t.api('POST', '/documents', body, key)
  expect([created.status, created.headers.get('idempotency-replayed')]).toEqual([201, null])
  expect((await t.app.db.selectFrom('documents').select('id').execute()).length).toBe(1)
})

test('verifying a file gets 503 from the API and on the page', async () => {
  const file = await samplePdf(1)
  const visitor = openVisitor(t.fetch)
  const form = await visitor.get('/verify')
  isBusy = true
  const byApi = await t.api('POST', '/verify', { file })
  expect([byApi.status, byApi.headers.get('retry-after'), byApi.body]).toEqual([503, '10', BUSY])
  const byPage = await visitor.upload(form, '/verify', { name: 'contract.pdf', bytes: Buffer.from(file, 'base64') })
  expect([byPage.status, byPage.headers.get('retry-after')]).toEqual([503, '10'])
  expect(byPage.html).toContain('busy')
})

test('a signer gets the message in their language, for a signature image and for the signature on a page', async () => {
  await sentDocument(t, {
    recipients: [{ ...ADA, locale: 'de', fields: [{ type: 'signature', page: 1, x: 1, y: 1, width: 9, height: 9 }] }],
  })
  const { visitor, page } = await openLinkAs(t, ADA.email)
  const { base, values } = finishForm(page)
  const { csrf = '' } = values
  await visitor.post(`${base}/form-values`, { csrf, signature: 'Ada' })
  isBusy = true
  const answers = [
    await postFile(t, visitor, `${base}/picture`, { csrf, for: 'signature' }, new Uint8Array(10)),
    await fetchAs(t, visitor, `${base}/marks?page=1`),
  ]
  for (const answer of answers) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10'])
    expect(await answer.text()).toContain('Der Dienst ist im Moment ausgelastet')
  }
})

test('a logo is refused as busy, not as an invalid image, and not stored', async () => {
  const png = plainPng(8, 8, [30, 30, 200, 255])
  isBusy = true
  await expect(changeLogo(t.app, SYSTEM, png)).rejects.toMatchObject({ reason: 'overloaded', retryAfterS: 10 })
  expect((await readOrganisation(t.app.db)).logoSha256).toBeUndefined()
  isBusy = false
  await changeLogo(t.app, SYSTEM, png)
  expect((await readOrganisation(t.app.db)).logoSha256).toBeDefined()
})

test('a signed document reports that the machine is busy, and is sealed within a minute after that', async () => {
  const id = await sentDocument(t)
  await signAs(t, ADA.email, 'Ada Lovelace')
  await signAs(t, BOB.email, 'Bob Søndergård')
  isBusy = true
  // Many attempts: the pause does not grow.
  for (let i = 0; i < 8; i++) {
    await t.drain()
    t.clock.pass({ seconds: 60 })
  }
  await t.drain()
  const waiting = (await t.api('GET', `/documents/${id}`)).body
  expect([waiting.status, waiting.sealingError]).toEqual(['sealing', expect.stringContaining('machine is too busy')])
  isBusy = false
  t.clock.pass({ seconds: 60 })
  await t.drain()
  const sealed = (await t.api('GET', `/documents/${id}`)).body
  expect([sealed.status, sealed.sealingError]).toEqual(['completed', null])
  expect(t.clock.now.getTime() - START.getTime()).toBeLessThan(600_000)
})
