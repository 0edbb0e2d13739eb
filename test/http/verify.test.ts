/**
 * Verification by the API and on the public page: the same verdicts, three kinds of answers,
 * nothing kept.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SYSTEM } from '../../src/ports.ts'
import { describeSealCertificate, renewSealCertificate } from '../../src/settings/seal-certificate.ts'
import { revokeSealCertificate } from '../../src/settings/seal-root.ts'
import { openVisitor, textOf } from '../support/browser-less.ts'
import { makePdf } from '../support/make-pdf.ts'
import { ADA, SIGNATURE, samplePdf } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { ORIGIN, openTestApp, type TestApp } from '../support/test-app.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { sealTiny } from '../verify/tiny-pdf.ts'

let t: TestApp
beforeEach(async () => {
  t = await openTestApp()
})
afterEach(() => t.close())

async function sealed(): Promise<{ id: string; bytes: Buffer }> {
  const id = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE] }] })
  await signAs(t, ADA.email, 'Ada')
  await t.drain()
  return { id, bytes: Buffer.from((await t.api('GET', `/documents/${id}/file`)).body) }
}

const verify = (bytes: Uint8Array, headers: Record<string, string> = {}) =>
  t.api('POST', '/verify', { file: Buffer.from(bytes).toString('base64') }, headers)

/** As a browser sends the form. */
async function byPage(bytes: Uint8Array | undefined, language = 'en') {
  const visitor = openVisitor(t.fetch)
  const form = await visitor.get('/verify')
  const csrf = /name="csrf" value="([^"]+)"/.exec(form.html)?.[1] ?? ''
  const body = new FormData()
  body.set('csrf', csrf)
  body.set('file', new File(bytes ? [new Uint8Array(bytes)] : [], 'contract.pdf', { type: 'application/pdf' }))
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await t.fetch('/verify', {
    method: 'POST',
    body,
    headers: { cookie, origin: ORIGIN, 'accept-language': language },
  })
  return { status: response.status, html: await response.text(), url: '', headers: response.headers }
}

test('a file sealed here is valid, its signer trusted, and known to the record', async () => {
  const { id, bytes } = await sealed()
  const { status, body } = await verify(bytes)
  expect(status).toBe(200)
  expect(body).toMatchObject({ verdict: 'valid', record: { known: true, documentId: id }, additions: [], reasons: [] })
  expect(body.signatures).toMatchObject([{ kind: 'signature', level: 'B-B', integrity: 'intact', trust: 'trusted' }])
  const text = textOf(await byPage(bytes))
  expect(text).toContain(
    'Valid Nothing in this file was changed since this service sealed it. Who signed it, and when, is listed below.',
  )
  expect(text).toContain('Sealed by this service Yes. The document was completed')
  expect(text).not.toContain(id)
  expect(text).toContain('Electronic seal Sealed by Signet Seal (TEST)')
  // Whoever holds the file reads the same on its audit certificate.
  expect(text).toContain('Who signed Ada Lovelace signed on 20 November 2026')
})

test('who signed is not said of a file that differs by one byte', async () => {
  const { bytes } = await sealed()
  expect(textOf(await byPage(Buffer.concat([bytes, Buffer.from('\n')])))).not.toContain('Ada')
})

test('one byte more and it is neither valid nor known, with the reason', async () => {
  const { bytes } = await sealed()
  const { body } = await verify(Buffer.concat([bytes, Buffer.from('\n')]))
  expect(body).toMatchObject({ verdict: 'not-valid', record: { known: false } })
  expect([...body.reasons, ...body.signatures[0].reasons].length).toBeGreaterThan(0)
  const text = textOf(await byPage(Buffer.concat([bytes, Buffer.from('\n')])))
  expect(text).toContain('Not valid This file was changed after it was signed')
  expect(text).toContain('Sealed by this service No, not in exactly this form.')
})

test('an unsigned PDF, and a file that is no PDF, are reported as such', async () => {
  const plain = Buffer.from(await samplePdf(), 'base64')
  expect((await verify(plain)).body).toMatchObject({ verdict: 'not-signed', signatures: [] })
  expect(textOf(await byPage(plain))).toContain('Not signed This file has no electronic signature')
  expect((await verify(Buffer.from('hello'))).body).toMatchObject({ verdict: 'unreadable', reason: expect.any(String) })
  expect(textOf(await byPage(Buffer.from('hello')))).toContain('The file cannot be read The file is not a PDF')
})

test('a file that is too large is said to be so beside the form, with the size and what to do', async () => {
  const small = await openTestApp({ env: { SIGNET_MAX_PDF_MB: '1' } })
  const standard = t
  t = small
  const large = await byPage(Buffer.alloc(35_000_000, 37), 'de')
  expect([large.status, textOf(large)]).toEqual([
    422,
    expect.stringContaining('hat mehr als 33 MB, und größere werden hier nicht geprüft. Nehmen Sie dafür signet verify'),
  ])
  t = standard
  await small.close()
})

test('a certificate that has expired since, without a proven time, leaves the signer open; the record still knows the file', async () => {
  const { bytes } = await sealed()
  t.clock.pass({ days: 5 * 366 + 1 })
  const { body } = await verify(bytes)
  expect(body).toMatchObject({ verdict: 'signer-unknown', record: { known: true }, signatures: [{ trust: 'expired' }] })
  const text = textOf(await byPage(bytes))
  expect(text).toContain('Unchanged, but the certificate has expired')
  expect(text).toContain('Sealed by this service Yes. The document was completed')
})

test('a certificate that was revoked here is reported as revoked, though the file contains no list', async () => {
  const { bytes } = await sealed()
  const { sha256 } = await describeSealCertificate(t.app.db)
  await renewSealCertificate(t.app, SYSTEM)
  await revokeSealCertificate(t.app, SYSTEM, sha256, 'keyCompromise')
  const { body } = await verify(bytes)
  expect(body).toMatchObject({
    verdict: 'signer-unknown',
    record: { known: true },
    signatures: [{ trust: 'revoked', integrity: 'intact', subIndication: 'REVOKED_NO_POE' }],
  })
  expect(textOf(await byPage(bytes))).toContain('Unchanged, but the certificate was revoked')
})

test('a file of an unknown signer says how to find out who it is', async () => {
  const { key } = await sharedAuthority()
  const bytes = await sealTiny({ base: makePdf(), key })
  expect((await verify(bytes)).body).toMatchObject({ verdict: 'signer-unknown', record: { known: false } })
  const text = textOf(await byPage(bytes))
  expect(text).toContain('Unchanged, but the signer is unknown')
  expect(text).toContain('Ask the signer for the fingerprint of the certificate, for example by telephone.')
})

test('the page gives its reasons in German to a visitor who reads German', async () => {
  const { bytes } = await sealed()
  const changed = textOf(await byPage(Buffer.concat([bytes, Buffer.from('\n% more\n')]), 'de'))
  expect(changed).toContain('was sie ändern, ist durch diese Unterschrift nicht geschützt.')
  const { key } = await sharedAuthority()
  const unknown = textOf(await byPage(await sealTiny({ base: makePdf(), key }), 'de'))
  expect(unknown).toContain('Kein Pfad führt von')
  const noPdf = textOf(await byPage(Buffer.from('no PDF'), 'de'))
  expect(noPdf).toContain('Sie beginnt nicht mit „%PDF-“ wie jedes PDF')
  for (const text of [changed, unknown, noPdf]) expect(text).not.toMatch(/\b(the|which|signed|cannot)\b/i)
})

test('nothing of it is kept, and an Idempotency-Key keeps nothing apart', async () => {
  const { bytes } = await sealed()
  const before = readdirSync(join(t.app.config.dataFolder, 'files')).sort()
  expect((await verify(bytes, { 'idempotency-key': 'k1' })).status).toBe(200)
  expect((await verify(Buffer.from('hello'), { 'idempotency-key': 'k1' })).status).toBe(200)
  await byPage(bytes)
  expect(readdirSync(join(t.app.config.dataFolder, 'files')).sort()).toEqual(before)
})

test('the page asks for a file when none was chosen, and takes no form of a foreign page', async () => {
  const asked = await byPage(undefined)
  expect([asked.status, textOf(asked).includes('must be chosen')]).toEqual([422, true])
  const body = new FormData()
  body.set('file', new File(['x'], 'a.pdf'))
  expect((await t.fetch('/verify', { method: 'POST', body, headers: { origin: 'https://evil.example' } })).status).toBe(403)
})

test('guessing at the record by many files gets slow, and a file over the limit is not even received', async () => {
  const statuses: number[] = []
  for (let i = 0; i < 22; i++) statuses.push((await byPage(Buffer.from(`guess ${i}`))).status)
  expect(statuses.slice(-1)).toEqual([429])
  let pulled = 0
  // The first chunk is pulled by the stream itself, before anybody reads.
  const endless = new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(1024 * ++pulled)) })
  const headers = { origin: ORIGIN, 'content-type': 'multipart/form-data; boundary=x' }
  const refused = await t.fetch('/verify', { method: 'POST', body: endless, headers })
  expect([refused.status, pulled]).toEqual([429, 1])
  expect(await refused.text()).toContain('Too many files were verified')
})

test('the revocation list of the own root is served, and openssl takes it for what it is', async () => {
  const response = await t.fetch('/seal.crl')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pkix-crl'])
  const folder = t.folder
  await Bun.write(join(folder, 'seal.crl'), await response.bytes())
  await Bun.write(join(folder, 'seal.pem'), await (await t.fetch('/seal-certificate.pem')).bytes())
  const command = ['openssl', 'crl', '-inform', 'DER', '-in', 'seal.crl', '-noout', '-CAfile', 'seal.pem']
  expect(String(Bun.spawnSync(command, { cwd: folder, timeout: 20_000 }).stderr)).toContain('verify OK')
  expect((await t.fetch('/seal.crl?root=crt_unknown')).status).toBe(404)
})
