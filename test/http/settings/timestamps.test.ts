/** Settings → Seal → Time-stamps by forms alone, with a time-stamp authority on loopback. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { certificateSummary, readCertificate } from '../../../src/pki/x509.ts'
import { readServiceSettings } from '../../../src/settings/service-settings.ts'
import { readTimestampSettings } from '../../../src/settings/timestamp-settings.ts'
import { cookieOf, formsOf, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { openTestAuthority, type TestAuthority } from '../../support/tsa.ts'
import { useTestApp } from '../../support/use-app.ts'
import { newAdministrator } from '../../support/visitors.ts'

const SEAL = '/settings/seal'
const HERE = `${SEAL}/time-stamps`

const t = useTestApp()
let visitor: Visitor
let authority: TestAuthority
beforeEach(async () => {
  authority = openTestAuthority()
  // An authority stamps the time of the machine.
  t.clock.now = new Date()
  visitor = await newAdministrator(t)
})
afterEach(() => authority.close())

const save = async (values: Record<string, string>, roots?: string): Promise<Page> => {
  const file = roots === undefined ? undefined : { name: 'roots.pem', bytes: Buffer.from(roots) }
  return visitor.upload(await visitor.get(HERE), HERE, file, values)
}

test('an authority is saved, asked for a test time-stamp, and gives the test page the highest level', async () => {
  const saved = await save({ url1: authority.url }, authority.root)
  expect(textOf(saved)).toContain('The settings were saved.')
  expect(textOf(saved)).toContain('1 certificate is trusted: CN=Root of tests')
  const tested = textOf(await visitor.submit(saved, {}, `${HERE}/test`))
  expect(tested).toMatch(/Time-stamp of .* Signed by CN=tsa of tests Issued by CN=Root of tests Valid until/)
  const sealed = await visitor.submit(await visitor.get(SEAL), {}, `${SEAL}/test`)
  expect(textOf(sealed)).toContain('It reaches PAdES B-LTA.')
})

test('an authority that does not answer is named with the reason, beside one that does', async () => {
  await save({ url1: 'http://127.0.0.1:9/tsa' })
  await save({ url2: authority.url })
  const tested = textOf(await visitor.submit(await visitor.get(HERE), {}, `${HERE}/test`))
  expect(tested).toMatch(/http:\/\/127\.0\.0\.1:9\/tsa It could not be reached: /)
  expect(tested).toContain('Signed by CN=tsa of tests')
})

test('an authority of another root than the trusted one is refused', async () => {
  const other = openTestAuthority()
  await save({ url1: authority.url }, other.root)
  expect(textOf(await visitor.submit(await visitor.get(HERE), {}, `${HERE}/test`))).not.toContain('Signed by')
  await other.close()
})

test('passwords stay with their address and user name, in any order, and are never shown', async () => {
  await save({ url1: 'https://a.example/', user1: 'ada', tsaPassword1: 'geheim, 100 %' })
  const page = await save({ url1: 'https://b.example/', user1: '', url2: 'https://a.example/', user2: 'ada' })
  expect((await readTimestampSettings(t.app)).authorities).toEqual([
    { url: 'https://b.example/', user: undefined, password: undefined },
    { url: 'https://a.example/', user: 'ada', password: 'geheim, 100 %' },
  ])
  expect(page.html).not.toContain('geheim')
  const refused = await save({ url2: 'https://c.example/' })
  expect(textOf(refused)).toContain('The password of authority 2 must be entered for this address and user name.')
  expect(formsOf(refused.html).find(({ action }) => action === HERE)?.values).toMatchObject({ url2: 'https://c.example/' })
})

test('what is wrong is refused at its field, and nothing is stored', async () => {
  expect(textOf(await save({ url1: 'tsa.example.com' }))).toContain('The address of authority 1 must be an address such as')
  expect(textOf(await save({ sealLevel: 'B-T' }))).toContain('needs a time-stamp authority')
  expect(textOf(await save({ url1: authority.url }, 'no certificate'))).toContain('must hold certificates in PEM or DER')
  const { tsaUrl, sealLevel } = await readServiceSettings(t.app)
  expect([tsaUrl.source, sealLevel.source]).toEqual(['default', 'default'])
})

test('trusted roots are removed by a tick', async () => {
  await save({ url1: authority.url }, authority.root)
  expect(textOf(await save({ removeRoots: 'on' }))).toContain('None yet.')
  expect((await readTimestampSettings(t.app)).roots).toBeUndefined()
})

test('what others install is the root of the seal, with the fingerprints that their programs show', async () => {
  const page = textOf(await visitor.get(SEAL))
  const response = await t.fetch('/settings/seal/root.cer', {
    headers: { cookie: cookieOf(visitor) },
  })
  const der = new Uint8Array(await response.arrayBuffer())
  const { subject, issuer, sha256 } = certificateSummary(der)
  expect(subject).toBe(issuer)
  expect(readCertificate(der).notAfter.getTime()).toBeGreaterThan(t.clock.now.getTime())
  expect(page).toContain(sha256.toUpperCase().replace(/..(?=.)/g, '$&:'))
  expect(page).toContain('Adobe Acrobat and Reader')
})
