/**
 * Verification by the API and on the public page: the same verdicts, three kinds of answers,
 * nothing kept.
 */
import { afterAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument } from 'pdf-lib'
import { type Role, SYSTEM } from '../../../src/ports.ts'
import { describeSealCertificate, renewSealCertificate } from '../../../src/settings/seal-certificate.ts'
import { revokeSealCertificate } from '../../../src/settings/seal-root.ts'
import { tokenOfNew } from '../../support/accounts.ts'
import { openVisitor, textOf } from '../../support/browser-less.ts'
import { makePdf } from '../../support/make-pdf.ts'
import { samplePdf } from '../../support/sample.ts'
import { signedDocument } from '../../support/story.ts'
import { ORIGIN, openTestApp } from '../../support/test-app.ts'
import { sharedAuthority } from '../../support/test-pki.ts'
import { useTestApp } from '../../support/use-app.ts'
import { cmsByOpenssl, foreignSigner, removeForeignSigners } from '../../verify/foreign-signer.ts'
import { sealTiny, withRevision } from '../../verify/tiny-pdf.ts'

const t = useTestApp()
afterAll(removeForeignSigners)

async function sealed(service = t): Promise<{ id: string; bytes: Buffer }> {
  const id = await signedDocument(service)
  return { id, bytes: Buffer.from((await service.api('GET', `/documents/${id}/file`)).body) }
}

/** Another page size, as large as before. */
function oneByte(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const at = copy.indexOf('/MediaBox [0 0 ') + '/MediaBox [0 0 '.length
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

const verify = (bytes: Uint8Array, headers: Record<string, string> = {}) =>
  t.api('POST', '/verify', { file: Buffer.from(bytes).toString('base64') }, headers)

/** As a browser sends the form. */
async function byPage(bytes: Uint8Array | undefined, language = 'en', service = t) {
  const visitor = openVisitor(service.fetch, ORIGIN, { 'accept-language': language })
  return visitor.upload(await visitor.get('/verify'), '/verify', bytes && { name: 'contract.pdf', bytes })
}

test('a file sealed here is valid, its signer trusted, and known to the record', async () => {
  const { id, bytes } = await sealed()
  const { status, body } = await verify(bytes)
  expect(status).toBe(200)
  expect(body).toMatchObject({ verdict: 'valid', record: { known: true, documentId: id }, additions: [], reasons: [] })
  expect(body.signatures).toMatchObject([{ kind: 'signature', level: 'B-B', integrity: 'intact', trust: 'trusted' }])
  const text = textOf(await byPage(bytes))
  expect(text).toContain('Valid This is exactly the file that Signet sealed on 20 November 2026, 17:25 UTC.')
  expect(text).toContain('Document agreement File contract.pdf Sealed by Signet')
  expect(text).not.toContain(id)
  // Whoever holds the file reads the same on its audit certificate.
  expect(text).toContain('Who signed Ada Lovelace signed on 20 November 2026')
})

test('by its SHA-256 alone the record says when the file was completed, and no title and no name', async () => {
  const { bytes } = await sealed()
  const page = await t.fetch('/verify')
  const [, csrf = ''] = /"csrf":"([^"]+)"/.exec(await page.text()) ?? []
  const headers = { origin: ORIGIN, cookie: (page.headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
  const ask = async (of: Uint8Array | string) => {
    const sha256 = typeof of === 'string' ? of : new Bun.CryptoHasher('sha256').update(of).digest('hex')
    const body = new URLSearchParams({ csrf, sha256 })
    const response = await t.fetch('/verify/record', { method: 'POST', body, headers })
    return [response.status, await response.text()]
  }
  expect(await ask(bytes)).toEqual([200, JSON.stringify({ known: true, completedAt: '2026-11-20T17:25:00.000Z' })])
  expect(await ask(oneByte(bytes))).toEqual([200, JSON.stringify({ known: false })])
  expect((await ask('no SHA-256'))[0]).toBe(404)
  const body = new URLSearchParams({ sha256: '0'.repeat(64) })
  expect((await t.fetch('/verify/record', { method: 'POST', body, headers: { origin: 'https://evil.example' } })).status).toBe(
    403,
  )
})

test('the page tells its script whom this service trusts, nothing secret, and lets it start a worker of its own', async () => {
  await sealed()
  const response = await t.fetch('/verify')
  const [, json = ''] = /id="verify-data"[^>]*>([^<]*)</.exec(await response.text()) ?? []
  const { trusted, csrf, ...data } = JSON.parse(json)
  expect(data).toEqual({ organisation: 'Signet', language: 'en', timeZone: 'UTC', recordUrl: '/verify/record' })
  expect([trusted.trust.length > 0, trusted.trust.join('').includes('PRIVATE'), typeof csrf]).toEqual([true, false, 'string'])
  expect(response.headers.get('content-security-policy')).toContain("worker-src 'self'")
})

test('of a file whose document was erased it says that its seal is genuine, and names nobody', async () => {
  const { id, bytes } = await sealed()
  expect((await t.api('DELETE', `/documents/${id}`)).status).toBe(200)
  const page = await byPage(bytes)
  expect(textOf(page)).toContain(
    'Valid This file is unchanged since Signet sealed it. This service has no record of this file, or no longer',
  )
  expect(page.html).not.toMatch(/Ada|agreement/)
})

test('the record of a document of others is none for the key of a member, and one for that of an auditor', async () => {
  const { bytes } = await sealed()
  const recordFor = async (role: Role) => {
    return (await verify(bytes, await tokenOfNew(t, role, role))).body
  }
  expect(await recordFor('member')).toMatchObject({ verdict: 'valid', record: { known: false } })
  expect(await recordFor('auditor')).toMatchObject({ verdict: 'valid', record: { known: true } })
})

test('one byte more, less or other and it is neither valid nor known, with the reason, and names no signer', async () => {
  const { bytes } = await sealed()
  const more = Buffer.concat([bytes, Buffer.from('\n')])
  const { body } = await verify(more)
  expect(body).toMatchObject({ verdict: 'not-valid', record: { known: false } })
  expect([...body.reasons, ...body.signatures[0].reasons].length).toBeGreaterThan(0)
  for (const other of [more, bytes.subarray(0, -1), oneByte(bytes)])
    expect((await byPage(other)).html).not.toMatch(/Ada|agreement|Sealed by/)
  expect(textOf(await byPage(more))).toContain('Not valid This file was changed after it was signed or sealed')
})

test('an unsigned PDF, and a file that is no PDF, are reported as such', async () => {
  const plain = Buffer.from(await samplePdf(), 'base64')
  expect((await verify(plain)).body).toMatchObject({ verdict: 'not-signed', signatures: [] })
  expect(textOf(await byPage(plain))).toContain('Not signed This file has no electronic signature and no seal')
  expect((await verify(Buffer.from('hello'))).body).toMatchObject({ verdict: 'unreadable', reason: expect.any(String) })
  expect(textOf(await byPage(Buffer.from('hello')))).toContain('Cannot be read This file is not a PDF')
})

test('a file that is too large is said to be so beside the form, with the size and what to do', async () => {
  await using small = await openTestApp({ env: { SIGNET_MAX_PDF_MB: '1' } })
  const large = await byPage(Buffer.alloc(35_000_000, 37), 'de', small)
  expect([large.status, textOf(large)]).toEqual([
    422,
    expect.stringContaining('PDF-Datei: Diese Datei ist zu groß. Bitte wählen Sie eine mit höchstens 33 MB.'),
  ])
})

test('a certificate that has expired since, without a proven time, leaves the signer open; the record still knows the file', async () => {
  const { bytes } = await sealed()
  t.clock.pass({ days: 5 * 366 + 1 })
  const { body } = await verify(bytes)
  expect(body).toMatchObject({ verdict: 'signer-unknown', record: { known: true }, signatures: [{ trust: 'expired' }] })
  const text = textOf(await byPage(bytes))
  expect(text).toContain('Unchanged, but the certificate has expired')
  expect(text).toContain('The record of this service knows exactly this file: Signet sealed it on 20 November 2026')
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
  expect(text).toContain('Unchanged, but of unknown origin')
  expect(text).toContain('ask the sender for the fingerprint of the certificate, at a telephone number that you already know')
})

test('a file sealed by another service of the same name is never valid here, and names none of our signers', async () => {
  await using other = await openTestApp()
  const { bytes: forged } = await sealed(other)
  await sealed()
  expect((await verify(forged)).body).toMatchObject({ verdict: 'signer-unknown', record: { known: false } })
  const { html } = await byPage(forged)
  expect(html).toContain('verdict-head warn')
  expect(html).not.toMatch(/Ada|agreement|Sealed by/)
})

test('pages of an audit certificate in another document are no signature of it, and the page warns of them', async () => {
  const { bytes } = await sealed()
  const other = await PDFDocument.load(Buffer.from(await samplePdf(), 'base64'))
  const from = await PDFDocument.load(bytes)
  for (const page of await other.copyPages(from, from.getPageIndices().slice(1))) other.addPage(page)
  const page = await byPage(await other.save())
  expect(textOf(page)).toContain('Not signed This file has no electronic signature and no seal')
  expect(textOf(page)).toContain('nor a page that looks like an audit certificate protects a file')
  expect(page.html).not.toMatch(/Ada|agreement|Sealed by/)
})

test('an update that redraws a page of a sealed file is not valid, and the page names neither seal nor signers', async () => {
  const { bytes } = await sealed()
  const text = bytes.toString('latin1')
  const number = Number(/(\d+) 0 obj\s*<<\s*\/Type \/Page\b/.exec(text)?.[1])
  const parent = /\/Parent (\d+) 0 R/.exec(text)?.[1]
  const blank = `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 9 9] /Resources << >> >>`
  const redrawn = withRevision(bytes, new Map([[number, blank]]))
  const { html } = await byPage(redrawn)
  expect(html).toContain('verdict-head bad')
  expect(html).not.toMatch(/Ada|agreement|Sealed by|Trusted here/)
  const german = textOf(await byPage(redrawn, 'de'))
  expect(german).toMatch(
    /Nach dem Unterschreiben geändert, in Fassung \d+: Geändert wurde: Seite \d+ \(Objekt \d+\), und zwar \//,
  )
})

test('marks that turn the reading direction, in a stranger’s certificate, are not on the page', async () => {
  const { key } = await sharedAuthority()
  const curve = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256']
  const signer = foreignSigner(curve, ['-utf8', '-subj', '/CN=Acme\u202eVALID'])
  const cms = async (_: Uint8Array, signed: Uint8Array) => cmsByOpenssl(signer, signed, '-cades')
  const { html } = await byPage(await sealTiny({ base: makePdf(), key, cms }))
  expect(html).toContain('whether it really comes from “Acme?VALID”')
  expect(html).not.toContain('\u202e')
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

test('the page asks for a file when none was chosen or it is empty, and takes no form of a foreign page', async () => {
  const asked = await byPage(undefined)
  expect([asked.status, textOf(asked)]).toEqual([422, expect.stringContaining('PDF file: please choose a file.')])
  const empty = await byPage(new Uint8Array())
  expect([empty.status, textOf(empty)]).toEqual([422, expect.stringContaining('PDF file: this file is empty.')])
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
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await refused.text()).toContain('Too many files were sent in a short time.')
})

test('the revocation list of the own root is served, and openssl takes it for what it is', async () => {
  const response = await t.fetch('/seal.crl')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pkix-crl'])
  const folder = t.folder
  await Bun.write(join(folder, 'seal.crl'), await response.bytes())
  await Bun.write(join(folder, 'seal-chain.pem'), await (await t.fetch('/seal-chain.pem')).bytes())
  const command = ['openssl', 'crl', '-inform', 'DER', '-in', 'seal.crl', '-noout', '-CAfile', 'seal-chain.pem']
  expect(String(Bun.spawnSync(command, { cwd: folder, timeout: 20_000 }).stderr)).toContain('verify OK')
  expect((await t.fetch('/seal.crl?root=crt_unknown')).status).toBe(404)
})
