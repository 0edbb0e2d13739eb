/** An approver in a browser: nothing to sign, with and without a script, on a phone, in a frame. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { pageProblems } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE } from '../../support/browser.ts'
import { usePortal } from '../../support/portal.ts'
import { ADA, newDocument, samplePdf } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'

setDefaultTimeout(120_000)
const place = useSigningService()
const portal = usePortal(place)
let people = 0

async function opened(options = {}, locale = 'en') {
  const email = `ben${++people}@example.com`
  const recipients = [{ name: 'Ben Belegprüfer', email, role: 'approver' }]
  const { id, link } = await place.send({ file: await samplePdf(), recipients, locale }, email)
  const { page, watch } = await place.window(options)
  await page.goto(link)
  await Promise.all([page.waitForEvent('load'), page.locator('main form button[type="submit"]').click()])
  return { id, page, watch }
}

async function recipientOf(id: string) {
  await place.t.drain()
  const { status, recipients } = (await place.t.api('GET', `/documents/${id}`)).body
  return [status, recipients[0].status]
}

describe.skipIf(NO_BROWSER)('an approver', () => {
  for (const [name, options, locale] of [
    ['on a wide screen', {}, 'en'],
    ['on a phone in German', ON_A_PHONE, 'de'],
  ] as const)
    test(`${name} ticks the consent and is done`, async () => {
      const { id, page, watch } = await opened(options, locale)
      await page.locator('#bar .end').waitFor()
      expect(await page.locator('[data-mark]').count()).toBe(0)
      await page.locator('#bar .end').click()
      await page.locator('#consent').waitFor()
      expect(await page.locator('.approval strong').textContent()).toBe('Ben Belegprüfer')
      expect(await page.locator('.approval').isVisible()).toBe(true)
      expect(await pageProblems(page)).toEqual([])
      await page.locator('#consent').check()
      await Promise.all([page.waitForEvent('load'), page.locator('#bar .end').click()])
      expect(await recipientOf(id)).toEqual(['completed', 'signed'])
      expect(watch.complaints).toEqual([])
    })

  test('without a script ticks the consent and is done', async () => {
    const { id, page } = await opened({ javaScriptEnabled: false })
    await page.locator('#consent').check()
    await page.getByRole('button', { name: 'Approve and finish' }).click()
    await page.getByText('Thank you').first().waitFor()
    expect(await recipientOf(id)).toEqual(['completed', 'signed'])
  })

  test('in a frame of another site ticks the consent and is done', async () => {
    const recipients = [{ ...ADA, email: 'framed@example.com', role: 'approver', deliverBy: 'link' }]
    const body = await newDocument({ recipients, file: await samplePdf(), title: 'Budget', send: true })
    const { id, recipients: made } = (await place.t.api('POST', '/documents', body)).body
    const { url } = (await place.t.api('POST', `/documents/${id}/recipients/${made[0].id}/signing-link`)).body
    portal.show(portal.component(url))
    const { page } = await place.window()
    await page.goto(portal.sites.listed)
    const frame = page.frameLocator('iframe[title="Signing"]')
    await frame.locator('main form button[type="submit"]').first().click()
    await frame.locator('input[name="consent"]').check()
    await frame.getByRole('button', { name: 'Approve and finish' }).click()
    await frame.getByRole('link', { name: /^Download the/ }).waitFor()
    expect(await recipientOf(id)).toEqual(['completed', 'signed'])
  })
})
