/**
 * Settings → Organisation and Settings → Seal by forms alone: access, errors at fields, changes.
 */
import { beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES } from '../../../src/core/language.ts'
import { updateAlerts } from '../../../src/health/watch.ts'
import { sha256Hex } from '../../../src/lib/sha256.ts'
import { catalogueOf } from '../../../src/locales/index.ts'
import { keyTypeText } from '../../../src/pki/key.ts'
import { readOrganisation } from '../../../src/settings/organisation.ts'
import { describeSealCertificate, describeSealCertificates, trustedRoots } from '../../../src/settings/seal-certificate.ts'
import { sectionsFor } from '../../../views/settings/settings-layout.tsx'
import { plainPng } from '../../evidence/sample.ts'
import { formsOf, type Page, textOf } from '../../support/browser-less.ts'
import { pkcs12File } from '../../support/pkcs12.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'
import { GRACE, newVisitor } from '../../support/visitors.ts'
import { hasOpenssl } from '../../verify/tools.ts'

const t = useTestApp()
const visitor = useAdministrator(t)

const ORGANISATION = '/settings/organisation'
const SEAL = '/settings/seal'

const auditEntries = async () => {
  const rows = await t.app.db.selectFrom('events').select('entry').execute()
  const entries = rows.map(({ entry }) => JSON.parse(entry) as { type: string; actor: string })
  return entries.filter(({ type }) => type !== 'user.created' && type !== 'user.signed_in')
}
const valuesIn = (page: Page, action: string) => formsOf(page.html).find(f => f.action === action)?.values ?? {}

describe('the sections under Settings', () => {
  const sections = (page: Page) => /<nav class="settings-list".*?<\/nav>/s.exec(page.html)?.[0]

  test('lead to one another for administrators, the present one marked, with one way from everywhere', async () => {
    const groups = sectionsFor({ opens: ['session', 'sender', 'auditor', 'admin'] })
    const all: string[] = groups.flatMap(group => group.sections.map(({ href }) => href))
    for (const path of ['/settings/tokens', ORGANISATION, SEAL]) {
      const page = await visitor.get(path)
      expect(page.status).toBe(200)
      const links = [...(sections(page) ?? '').matchAll(/<a href="([^"]+)"( aria-current="page")?>/g)]
      expect(links.map(([, href]) => href)).toEqual(all)
      expect(links.filter(([, , current]) => current).map(([, href]) => href)).toEqual([path])
      const header = page.html.split('</header>')[0] ?? ''
      expect(header.match(/href="\/settings[^"]*"/g)).toEqual(['href="/settings"'])
      expect(header).toContain('href="/settings" aria-current="page"')
    }
  })

  test('that are for administrators are not shown to members', async () => {
    const page = await (await newVisitor(t, 'member')).get('/settings/tokens')
    expect(textOf(page)).toContain('API tokens')
    const shown = [...(sections(page) ?? '').matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)
    expect(shown).toEqual(['/profile', '/settings/tokens', '/settings/webhooks'])
    const refused = await (await newVisitor(t, 'auditor')).get(ORGANISATION)
    expect(textOf(refused)).toContain('Only administrators can see and change these settings.')
  })
})

describe('Settings → Organisation', () => {
  const ENTERED = { name: 'Acme & Söhne', contact: 'legal@acme.example', timeZone: 'Europe/Berlin', language: 'de' }

  test('saves the values, confirms it, and shows them from then on', async () => {
    const saved = await visitor.submit(await visitor.get(ORGANISATION), ENTERED, ORGANISATION)
    expect(textOf(saved)).toContain('The organisation was saved.')
    expect(await readOrganisation(t.app.db)).toMatchObject(ENTERED)
    expect(valuesIn(saved, ORGANISATION)).toMatchObject({ name: 'Acme & Söhne', contact: 'legal@acme.example' })
    expect(saved.html).toMatch(/<option value="Europe\/Berlin" selected/)
    expect(saved.html).toMatch(/<option value="de" selected[^>]*>Deutsch</)
    expect(saved.html).toMatch(/<option value="offered" selected/)
    expect(saved.html.match(/<option[^>]* selected/g)).toHaveLength(3)
    expect(await auditEntries()).toMatchObject([{ type: 'organisation.changed', actor: expect.stringMatching(/^user:usr_/) }])
  })

  test('shows the sample e-mail in one language: that of the organisation', async () => {
    for (const language of LANGUAGES) {
      await visitor.submit(await visitor.get(ORGANISATION), { ...ENTERED, language }, ORGANISATION)
      const { mail } = catalogueOf(language)
      const shown = textOf(await visitor.get(`${ORGANISATION}/mail`))
      const words = [mail.sample.document, mail.sample.message, mail.open, mail.forYouAlone]
      // French has spaces that do not break.
      for (const each of words) expect(shown).toContain(each.replace(/\s/g, ' '))
    }
  })

  test('shows errors at their fields, and keeps the values', async () => {
    const wrong = { ...ENTERED, name: 'Acme \u{1f600}', contact: 'nobody' }
    const page = await visitor.submit(await visitor.get(ORGANISATION), wrong, ORGANISATION)
    expect(page.status).toBe(422)
    expect(page.html).toMatch(/id="name-error"[^>]*>Name contains characters that cannot be printed/)
    expect(page.html).toMatch(/id="contact-error"[^>]*>Contact must be an e-mail address/)
    expect(valuesIn(page, ORGANISATION)).toMatchObject({ name: wrong.name, contact: 'nobody' })
    expect(page.html).toMatch(/<option value="Europe\/Berlin" selected/)
    expect((await readOrganisation(t.app.db)).name).toBe('Signet')
    expect(await auditEntries()).toEqual([])
  })

  test('offers a zone that is set though no list has it', async () => {
    await visitor.submit(await visitor.get(ORGANISATION), { ...ENTERED, timeZone: 'US/Pacific' }, ORGANISATION)
    expect((await visitor.get(ORGANISATION)).html).toMatch(/<option value="US\/Pacific" selected/)
  })

  test('takes a logo, shows it as it is, also to those asked to sign, and removes it', async () => {
    const bytes = plainPng(64, 16, [200, 30, 30, 128])
    expect((await visitor.get('/logo')).status).toBe(404)
    const page = await visitor.upload(await visitor.get(ORGANISATION), '/logo', { name: 'logo.png', bytes })
    expect(textOf(page)).toContain('The logo was saved.')
    const address = /<img src="([^"]+)"/.exec(page.html)?.[1] ?? ''
    const shown = await t.fetch(address)
    expect(shown.headers.get('content-type')).toBe('image/png')
    expect(shown.headers.get('content-security-policy')).toContain('sandbox')
    expect(Buffer.from(await shown.bytes()).equals(bytes)).toBe(true)
    const link = await (await t.fetch(`/s/rcp_01h00000000000000000000000.${'A'.repeat(43)}`)).text()
    expect(link).toContain(`<img class="brand-logo" src="${address}" alt="Signet"`)
    expect((await visitor.get('/verify')).html).not.toContain('brand-logo')
    const removed = await visitor.submit(page, {}, '/logo/remove')
    expect(textOf(removed)).toContain('The logo was removed.')
    expect(removed.html).not.toContain('<img')
    expect((await readOrganisation(t.app.db)).logoSha256).toBeUndefined()
  })

  test('refuses a file that is no logo, and a missing file, at the field', async () => {
    const start = await visitor.get(ORGANISATION)
    const text = await visitor.upload(start, '/logo', { name: 'logo.png', bytes: Buffer.from('no picture') })
    expect(text.status).toBe(422)
    expect(text.html).toMatch(/id="file-error"[^>]*>The logo must be a PNG or a JPEG/)
    const large = await visitor.upload(start, '/logo', { name: 'l.png', bytes: new Uint8Array(3_000_000) })
    expect(large.html).toMatch(/id="file-error"[^>]*>The logo must have at most 2 MB/)
    const none = await visitor.upload(start, '/logo', undefined)
    expect(none.html).toMatch(/id="file-error"[^>]*>The logo must be chosen/)
    expect((await readOrganisation(t.app.db)).logoSha256).toBeUndefined()
  })
})

describe('Settings → Seal', () => {
  const active = () => describeSealCertificate(t.app.db)
  const sound = 'The test page was sealed. Its seal is valid'

  test('shows the certificate that seals, how long it lasts, where it is had, and what is set for time-stamps', async () => {
    const page = await visitor.get(SEAL)
    const { subject, issuer, serial, sha256, algorithm } = await active()
    for (const fact of [subject, issuer, serial, sha256, keyTypeText(algorithm)]) expect(textOf(page)).toContain(fact)
    expect(textOf(page)).toContain('19 Nov 2026, 17:25 UTC')
    expect(textOf(page)).toContain('It expires in 1,826 days. It is renewed automatically 90 days before it expires.')
    expect(textOf(page)).toContain('none: the time in a seal comes from the server’s clock')
    for (const [, href = ''] of page.html.matchAll(/href="(\/seal[^"]*)" download/g))
      expect((await visitor.get(href)).status).toBe(200)
    expect(page.html).toContain('href="/seal-certificate.pem"')
    expect(page.html).toContain('href="/seal.crl"')
  })

  test('names time-stamp authorities without their credentials', async () => {
    t.app.config.fixed.tsaUrl = 'https://me:geheim@tsa.example.com/x?token=t0k3n'
    t.app.config.fixed.tsaFallback = 'wait'
    const page = await visitor.get(SEAL)
    expect(textOf(page)).toContain('https://tsa.example.com/x')
    expect(textOf(page)).toContain('PAdES B-LTA')
    expect(textOf(page)).toContain('sealing waits')
    const timestamps = await visitor.get(`${SEAL}/time-stamps`)
    expect(textOf(timestamps)).toContain('SIGNET_TSA_URL')
    expect(timestamps.html).toMatch(/<input[^>]*name="url1"[^>]*disabled/)
    expect(page.html + timestamps.html).not.toMatch(/geheim|t0k3n/)
  })

  test('renews and revokes, with a reason of the list', async () => {
    const first = (await active()).sha256
    const offered = await visitor.get(SEAL)
    expect(textOf(offered)).toContain('must get the new one')
    const renewed = await visitor.submit(offered, {}, '/renew')
    expect(textOf(renewed)).toContain('The certificate was renewed.')
    expect((await active()).sha256).not.toBe(first)
    const nonsense = await visitor.submit(renewed, { reason: 'whim' }, `/${first}/revoke`)
    expect([nonsense.status, (await describeSealCertificates(t.app.db))[1]?.revokedAt]).toEqual([422, undefined])
    const revoked = await visitor.submit(renewed, { reason: 'keyCompromise' }, `/${first}/revoke`)
    expect(textOf(revoked)).toContain('added to the revocation list')
    expect(textOf(revoked)).toMatch(/revoked on 20 Nov 2026, 17:\d\d UTC: the key may be compromised/)
    expect(revoked.html).not.toContain(`/${first}/revoke`)
    expect((await auditEntries()).map(e => e.type)).toEqual(['seal_certificate.renewed', 'seal_certificate.revoked'])
  })

  test('seals a test page like a document, verifies it, and offers it for download; nothing of it is kept', async () => {
    const page = await visitor.submit(await visitor.get(SEAL), {}, '/test')
    expect(textOf(page)).toContain(`${sound} and its certificate is trusted here. It reaches PAdES B-B.`)
    const [, base64 = ''] = /href="data:application\/pdf;base64,([^"]+)"/.exec(page.html) ?? []
    const file = Buffer.from(base64, 'base64')
    const path = join(t.folder, 'test-page.pdf')
    writeFileSync(path, file)
    const report = await t.app.pdf.verify({ path, trust: await trustedRoots(t.app.db), originalPath: undefined })
    expect(report).toMatchObject({ verdict: 'valid', sha256: sha256Hex(file), signatures: [{ level: 'B-B' }] })
    expect(file.toString('latin1')).toContain('Nobody has signed this page.')
    expect(await t.app.db.selectFrom('files').selectAll().execute()).toEqual([])
    expect(await Array.fromAsync(new Bun.Glob('*').scan({ cwd: join(t.app.config.dataFolder, 'files'), dot: true }))).toEqual([])
    expect(await auditEntries()).toEqual([])
  })

  test.each([
    ['later', 'However, it only reaches PAdES B-B, not PAdES B-LTA.'],
    ['wait', 'No time-stamp authority gave a time-stamp:'],
  ])('reports a test page whose time-stamp authority does not answer (%s)', async (fallback, says) => {
    t.app.config.fixed.tsaUrl = 'http://127.0.0.1:9/'
    t.app.config.fixed.tsaFallback = fallback
    const page = await visitor.submit(await visitor.get(SEAL), {}, '/test')
    expect(textOf(page)).toContain(says)
    expect(page.html.includes('data:application/pdf')).toBe(fallback === 'later')
    expect(page.html).toContain('<section class="error"')
  })

  describe.skipIf(!hasOpenssl)('imports a PKCS#12 file (needs openssl)', () => {
    const SECRET = 'geheime losung 47'
    const file = () => ({ name: 'key.p12', bytes: pkcs12File(SECRET, 'Trust Service') })
    beforeEach(async () => {
      t.clock.now = new Date(Date.now() + 3_600_000)
      await visitor.submit(await visitor.get('/sign-in'), { email: GRACE.email, password: GRACE.password })
    })

    test('after a test seal, and shows it as imported, with nothing to renew here', async () => {
      const before = (await active()).sha256
      const page = await visitor.upload(await visitor.get(SEAL), '/import', file(), { passphrase: SECRET })
      expect(textOf(page)).toContain('The certificate was imported and its test page is valid')
      expect(await active()).toMatchObject({ subject: 'CN=Trust Service', source: 'imported' })
      expect(textOf(page)).toContain('It expires in 364 days. Import a new one before then.')
      expect(page.html).not.toContain('/renew')
      expect(page.html).toContain(`/${before}/revoke`)
      expect(await auditEntries()).toMatchObject([{ type: 'seal_certificate.imported' }])
      expect(textOf(await visitor.submit(page, {}, '/test'))).toContain(sound)
    })

    test('and before its end every page asks the administrator for a successor, with a link', async () => {
      await visitor.upload(await visitor.get(SEAL), '/import', file(), { passphrase: SECRET })
      const endsIn = async (days: number) => {
        const end = new Date(t.clock.now.getTime() + days * 86_400_000 + 3_600_000)
        await t.app.write(tx =>
          tx.updateTable('seal_certificates').set({ not_after: end.toISOString() }).where('active', '=', 1).execute(),
        )
        await updateAlerts(t.app)
        return visitor.get('/verify')
      }
      expect((await endsIn(31)).html).not.toContain('class="strip"')
      const page = await endsIn(12)
      expect(textOf(page)).toContain('The seal certificate ends within 14 days. Open the seal settings')
      expect(page.html).toContain(`<a href="${SEAL}">Open the seal settings</a>`)
      expect(textOf(await endsIn(-2))).toContain('The seal certificate has ended')
      const mended = await visitor.submit(await visitor.get(SEAL), {}, '/test')
      expect(textOf(mended)).toContain('The seal certificate has ended')
      await t.app.write(tx =>
        tx.updateTable('seal_certificates').set({ not_after: '2030-01-01T00:00:00.000Z' }).where('active', '=', 1).execute(),
      )
      await visitor.submit(mended, {}, '/test')
      // A form of an administrator looks again at once.
      expect((await visitor.get('/verify')).html).not.toContain('class="strip"')
    })

    test('and shows at the field why a file cannot be imported, never the pass-phrase', async () => {
      const before = await describeSealCertificates(t.app.db)
      const start = await visitor.get(SEAL)
      const wrong = await visitor.upload(start, '/import', file(), { passphrase: 'falsche losung 48' })
      expect(wrong.status).toBe(422)
      expect(wrong.html).toMatch(/id="passphrase-error"[^>]*>The pass-phrase is wrong, or the file is damaged\.</)
      const other = await visitor.upload(start, '/import', { name: 'a.p12', bytes: Buffer.from('%PDF') }, { passphrase: SECRET })
      expect(other.html).toMatch(/id="file-error"[^>]*>The file is damaged or no PKCS#12 file/)
      const none = await visitor.upload(start, '/import', undefined, { passphrase: SECRET })
      expect(none.html).toMatch(/id="file-error"[^>]*>The file must be chosen/)
      const large = await visitor.upload(
        start,
        '/import',
        { name: 'a.p12', bytes: new Uint8Array(1_500_000) },
        { passphrase: SECRET },
      )
      expect(large.html).toMatch(/id="file-error"[^>]*>The file is larger than 1 MB/)
      for (const page of [wrong, other, none, large]) expect(page.html).not.toMatch(/losung/)
      expect(JSON.stringify(t.logged)).not.toContain('losung')
      expect(await describeSealCertificates(t.app.db)).toEqual(before)
      expect(await auditEntries()).toEqual([])
    })
  })
})
