/** In Chromium, the verify page of a service: with a script, and by the form without one. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { catalogueOf } from '../../../src/locales/index.ts'
import { localVerifyTextsOf } from '../../../src/locales/local-verify.ts'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE, press, words } from '../../support/browser.ts'
import { ADA, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'
import { signAs } from '../../support/story.ts'

setDefaultTimeout(120_000)
const place = useSigningService()

async function sealed(): Promise<Buffer> {
  const { id } = await place.send({ recipients: [{ ...ADA, fields: [SIGNATURE] }] }, ADA.email)
  await signAs(place.t, ADA.email, 'Ada')
  await place.t.drain()
  return Buffer.from((await place.t.api('GET', `/documents/${id}/file`)).body)
}

/** Drops the file anywhere on the page. */
async function verify(bytes: Buffer, locale: 'en' | 'de' | 'ar' = 'en') {
  const { page, watch } = await place.window({ locale })
  await page.goto('/verify')
  await page.locator('#local-files').waitFor()
  const dropped = await page.evaluateHandle(base64 => {
    const transfer = new DataTransfer()
    const file = Uint8Array.from(atob(base64), c => c.charCodeAt(0))
    transfer.items.add(new File([file], 'contract.pdf', { type: 'application/pdf' }))
    return transfer
  }, bytes.toString('base64'))
  await page.dispatchEvent('h1', 'drop', { dataTransfer: dropped })
  const heading = page.locator('.verdict h2')
  await heading.waitFor()
  const shape = await page.locator('.verdict-head .icon').innerHTML()
  return { page, shape, heading: await heading.textContent(), complaints: watch.complaints }
}

/** What the browser sent of a file, or of its SHA-256. */
const sent = () => place.asked.filter(({ method }) => method === 'POST').map(({ path }) => path)

test.skipIf(NO_BROWSER)(
  'a file sealed here, a changed one and one without a signature differ in word and shape, and none is sent',
  async () => {
    const own = await sealed()
    const before = sent().length
    const valid = await verify(own)
    expect(valid.heading).toBe('Valid')
    const organisation = (await words(valid.page)).match(/not sent to (.*?)\./)?.[1] ?? ''
    const local = localVerifyTextsOf('en')
    expect(await words(valid.page)).toContain(local.trust.instance(organisation))
    expect(await valid.page.getByRole('link', { name: local.keep }).getAttribute('href')).toBe('/verify.html')
    const changed = await verify(Buffer.concat([own, Buffer.from('\n')]))
    expect(changed.heading).toBe('Not valid')
    const unsigned = await verify(Buffer.from(await samplePdf(), 'base64'))
    expect(unsigned.heading).toBe('Not signed')
    expect(new Set([valid.shape, changed.shape, unsigned.shape]).size).toBe(3)
    expect(sent().slice(before)).toEqual([])
    // The record is asked by the SHA-256 alone, which tells no name; the file is sent on demand.
    const { page } = valid
    await page.getByRole('button', { name: local.record.ask(organisation) }).click()
    await page.getByText(/The record of .* has exactly this file: it was completed on 20 November 2026/).waitFor()
    expect(sent().slice(before)).toEqual(['/verify/record'])
    const body = new URLSearchParams(place.asked.at(-1)?.body)
    expect([...body.keys()]).toEqual(['csrf', 'sha256'])
    expect(await words(page)).not.toContain('Ada')
    await page.getByRole('button', { name: local.record.upload }).click()
    await page.getByText('Ada Lovelace').waitFor()
    expect([await page.locator('#verdict').textContent(), place.uploads.at(-1)?.equals(own)]).toEqual(['Valid', true])
    await changed.page.getByRole('button', { name: local.record.ask(organisation) }).click()
    await changed.page.getByText(local.record.unknown).waitFor()
    expect([valid, changed, unsigned].flatMap(({ complaints }) => complaints)).toEqual([])
  },
)

test.skipIf(NO_BROWSER)(
  'remarks of the verifier are behind closed details; the page reads from the right in Arabic',
  async () => {
    const changed = Buffer.concat([await sealed(), Buffer.from('\n')])
    for (const locale of ['de', 'ar'] as const) {
      const { page, heading, complaints } = await verify(changed, locale)
      expect(heading).toBe(catalogueOf(locale).verify.verdicts.notValid.heading)
      const remark = page.locator('.verdict details li').first()
      expect(await remark.isVisible()).toBe(false)
      await page.locator('.verdict summary').click()
      expect(await remark.isVisible()).toBe(true)
      expect(await problemsAtAllSizes(page)).toEqual([])
      const [icon, text] = await Promise.all([
        page.locator('.verdict-head .icon').boundingBox(),
        page.locator('.verdict h2').boundingBox(),
      ])
      expect((icon?.x ?? 0) > (text?.x ?? 0)).toBe(locale === 'ar')
      expect(complaints).toEqual([])
    }
  },
)

test.skipIf(NO_BROWSER)(
  'without a script, a phone chooses a file and reads the verdict; the form has no violations either',
  async () => {
    const own = await sealed()
    const { page } = await place.window({ locale: 'ar', javaScriptEnabled: false, ...ON_A_PHONE })
    await page.goto('/verify')
    await page.setViewportSize({ width: 320, height: 700 })
    const input = await page.locator('#file').boundingBox()
    expect([(input?.x ?? -1) >= 0, (input?.x ?? 0) + (input?.width ?? 999) <= 320]).toEqual([true, true])
    await page.setInputFiles('#file', { name: 'contract.pdf', mimeType: 'application/pdf', buffer: own })
    await press(page, catalogueOf('ar').verify.submit)
    expect(await page.locator('#verdict').textContent()).toBe(catalogueOf('ar').verify.verdicts.validHere.heading)
    const { page: form } = await place.window({ locale: 'ar' })
    await form.goto('/verify')
    expect(await problemsAtAllSizes(form)).toEqual([])
  },
)
