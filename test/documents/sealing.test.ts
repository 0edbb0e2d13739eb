/** Sealing happens once, whatever fails in between, and other programs verify the seal. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { InvalidSealError } from '../../src/documents/sealing/seal-file.ts'
import { storedText } from '../../src/locales/de/app/stored-text.ts'
import { COMMAND_LINE } from '../../src/ports.ts'
import type { PdfTools } from '../../src/sandbox/pdf-tools.ts'
import { describeSealCertificate, renewSealCertificate } from '../../src/settings/seal-certificate.ts'
import { pdfTools } from '../support/pdf-tools.ts'
import { ADA, BOB, SIGNATURE } from '../support/sample.ts'
import { openLinkAs, sentDocument, signAs } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
let fail: { prepare?: Error; verify?: Error } = {}
beforeEach(async () => {
  fail = {}
  const real = pdfTools()
  const pdf: PdfTools = {
    ...real,
    prepare: order => (fail.prepare ? Promise.reject(fail.prepare) : real.prepare(order)),
    verify: order => (fail.verify ? Promise.reject(fail.verify) : real.verify(order)),
  }
  t = await openTestApp({ pdf })
})
afterEach(() => t.close())

async function signedByAll(overrides: Record<string, unknown> = {}): Promise<string> {
  const id = await sentDocument(t, overrides)
  await signAs(t, ADA.email, 'Ada Lovelace')
  await signAs(t, BOB.email, 'Bob Søndergård')
  return id
}

const events = async (id: string) =>
  (await t.api('GET', `/documents/${id}/audit`)).body.events.map((e: { type: string }) => e.type)

test('a failure stores its cause and creates one event, and sealing succeeds afterwards', async () => {
  const id = await signedByAll()
  fail.prepare = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  await t.drain()
  let { body } = await t.api('GET', `/documents/${id}`)
  expect(body.status).toBe('sealing')
  expect(body.sealingError).toContain('disk is full')
  t.clock.pass({ minutes: 1 })
  await t.drain()
  expect((await events(id)).filter((e: string) => e === 'document.sealing_failed')).toHaveLength(1)
  fail = {}
  t.clock.pass({ hours: 2 })
  await t.drain()
  body = (await t.api('GET', `/documents/${id}`)).body
  expect([body.status, body.sealingError]).toEqual(['completed', null])
  expect((await events(id)).filter((e: string) => e === 'document.completed')).toHaveLength(1)
})

test('a certificate that has ended seals nothing: the sender reads what to do, the document waits', async () => {
  const id = await signedByAll()
  t.clock.pass({ days: 6 * 366 })
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}`)
  expect(body.status).toBe('sealing')
  expect(body.sealingError).toBe(
    'The seal certificate cannot be used: It ended on 2031-11-20T17:25:00.000Z: renew it, or import its successor. Sealing then continues.',
  )
  expect(storedText(body.sealingError)).toContain('Es ist am 2031-11-20T17:25:00.000Z abgelaufen')
  await renewSealCertificate(t.app, COMMAND_LINE)
  t.clock.pass({ hours: 2 })
  await t.drain()
  expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
})

test('a sealed file that does not pass the check is a sentence for the sender, without the verdict', async () => {
  const id = await signedByAll()
  fail.verify = new InvalidSealError('it is not-valid, not valid; TOTAL-FAILED HASH_FAILURE')
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}`)
  expect(body.sealingError).toContain('did not pass the check before publishing')
  expect(body.sealingError).not.toMatch(/TOTAL|not-valid|HASH/)
  expect(storedText(body.sealingError)).toContain('Es wird von selbst erneut versucht')
})

test('a crash between file and row repeats the work and publishes once', async () => {
  const id = await signedByAll()
  fail.verify = new Error('the process died here')
  await t.drain()
  fail = {}
  t.clock.pass({ hours: 2 })
  await Promise.all([t.drain(), t.drain()])
  expect((await events(id)).filter((e: string) => e === 'document.completed')).toHaveLength(1)
  const sealed = await t.app.db.selectFrom('files').selectAll().execute()
  expect(sealed).toHaveLength(2)
})

test('an original that changed on disk is never sealed', async () => {
  const id = await signedByAll()
  const { body } = await t.api('GET', `/documents/${id}`)
  const path = await t.app.storage.localPath(body.sha256.original)
  const bytes = await Bun.file(path).bytes()
  await Bun.write(path, Buffer.concat([bytes, Buffer.from('% changed')]))
  await t.drain()
  expect((await t.api('GET', `/documents/${id}`)).body.sealingError).toContain('original file has changed')
  await Bun.write(path, bytes)
  t.clock.pass({ hours: 1 })
  await t.drain()
  expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
})

test('twenty last signatures at once make one seal', async () => {
  const id = await sentDocument(t)
  await signAs(t, ADA.email, 'Ada')
  const forms = await Promise.all(Array.from({ length: 20 }, () => openLinkAs(t, BOB.email)))
  const done = await Promise.all(
    forms.map(({ visitor, page }) => visitor.submit(page, { signature: 'Bob', consent: 'on' }, '/finish')),
  )
  expect(done.map(page => page.status)).toEqual(Array(20).fill(200))
  await t.drain()
  expect((await events(id)).filter((e: string) => e === 'document.completed')).toHaveLength(1)
  expect((await events(id)).filter((e: string) => e === 'recipient.signed')).toHaveLength(2)
})

function run(command: string[]): { code: number; text: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command)
  return { code: exitCode, text: `${stdout}${stderr}` }
}

describe('the sealed file', () => {
  test('is valid for pdfsig and qpdf, with the marks and the audit certificate', async () => {
    const fields = [
      SIGNATURE,
      { type: 'text', page: 1, x: 10, y: 30, width: 40, height: 4, label: 'Place', value: 'Zürich', readOnly: true },
    ]
    const id = await signedByAll({
      recipients: [
        { ...ADA, fields },
        { ...BOB, fields: [{ ...SIGNATURE, x: 55 }] },
      ],
    })
    await t.drain()
    const { body } = await t.api('GET', `/documents/${id}/file`)
    const path = join(t.folder, 'sealed.pdf')
    await Bun.write(path, body)
    const pdfsig = run(['pdfsig', path])
    expect(pdfsig.text).toContain('Signature is Valid')
    expect(pdfsig.text).toContain('Total document signed')
    expect(run(['qpdf', '--check', path]).code).toBe(0)
    const text = run(['pdftotext', '-layout', path, '-']).text
    for (const words of ['Zürich', 'Ada Lovelace', 'Bob Søndergård', id, 'TEST', ADA.email]) expect(text).toContain(words)
    const { chain } = await describeSealCertificate(t.app.db)
    const report = await pdfTools().verify({ path, trust: [chain], originalPath: undefined })
    expect(report).toMatchObject({ verdict: 'valid' })
  })
})
