/** A key of the signer's own device in Chromium, with a virtual authenticator. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE } from '../../support/browser.ts'
import { ADA, newDocument, SIGNATURE } from '../../support/sample.ts'
import { finish, useSigningScene } from '../../support/signing-scene.ts'
import { configure, eventsOf } from '../../support/story.ts'
import { plugIn } from '../../support/virtual-authenticator.ts'

const { open, place, statusOf } = useSigningScene('localhost')

const HTML = { 'content-type': 'text/html' }

const use = (page: Page) => page.locator('form[data-device-key] button[data-credential]')
const said = (page: Page) => page.locator('[data-device-key-state]')
const proofOf = async (id: string) => (await eventsOf(place.t, id, 'recipient.signed'))[0]?.data.deviceKey

describe.skipIf(NO_BROWSER)('a key of the device', () => {
  test('is offered where the device has one, made at its first use, and known at the next', async () => {
    const { id, page, complaints } = await open(ON_A_PHONE, [SIGNATURE])
    const phone = await plugIn(page)
    await page.reload()
    await page.locator('.marker').first().waitFor()
    await page.locator('#bar .next').tap()
    await page.locator('[name="signatureMethod"][value="typed"]').tap()
    await page.locator('[data-mark="signature"] .own').tap()
    await page.locator('#bar .end').tap()
    await page.locator('#consent').tap()
    await page.getByLabel('Also sign with a key of this device').check()
    await finish(page)
    await use(page).waitFor()
    expect(await problemsAtAllSizes(page)).toEqual([])
    await phone.setUserVerified(false)
    await use(page).click()
    await expectText(page, 'Your device has not signed.')
    expect(await statusOf(id)).toBe('sent')
    await phone.setUserVerified(true)
    await Promise.all([page.waitForURL(/./), page.waitForEvent('load'), use(page).click()])
    expect([await statusOf(id), await proofOf(id)]).toEqual([
      'completed',
      { origin: place.url, userVerified: true, crossOrigin: false },
    ])
    expect((await phone.credentials()).length).toBe(1)
    expect(complaints).toEqual([])
  }, 60_000)

  test('signs in a frame of another site too, and is asked for where it is required', async () => {
    using site = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(around, { headers: HTML }) })
    await configure(place.t, { signingLinks: 'on', embedOrigins: `http://127.0.0.1:${site.port}` })
    const recipients = [{ ...ADA, email: 'framed@example.com', deliverBy: 'link', fields: [SIGNATURE], deviceKey: 'required' }]
    const { id, recipients: made } = (await place.t.api('POST', '/documents', await newDocument({ recipients, send: true }))).body
    const { url } = (await place.t.api('POST', `/documents/${id}/recipients/${made[0].id}/signing-link`)).body
    const around = `<!doctype html><title>Portal</title><script type="module" src="${place.url}/embed.js"></script>
      <signet-signing src="${url}" label="Signing"></signet-signing>`
    const { page } = await place.window()
    await plugIn(page)
    await page.goto(`http://127.0.0.1:${site.port}/`)
    const frame = page.frameLocator('iframe')
    await frame.locator('main form button[type="submit"]').click()
    await frame.locator('.marker').first().waitFor()
    await frame.locator('#panel').getByLabel('Type').first().check({ force: true })
    await frame.getByLabel('Your full name').fill('Ada Lovelace')
    await frame.getByLabel('I have read this and agree.').check()
    await frame.locator('#bar .end').click()
    await frame.locator('form[data-device-key] button[data-credential]').click()
    await frame.getByRole('heading', { name: 'Thank you' }).or(frame.locator('#done-state')).first().waitFor()
    expect([await statusOf(id), await proofOf(id)]).toEqual([
      'completed',
      { origin: place.url, userVerified: true, crossOrigin: true },
    ])
  }, 60_000)

  test('is not offered where the device has none, and without a script not at all', async () => {
    const { page } = await open({}, [SIGNATURE])
    expect(await page.getByLabel('Also sign with a key of this device').isVisible()).toBe(false)
    const plain = await open({ javaScriptEnabled: false }, [SIGNATURE])
    expect(await plain.page.getByLabel('Also sign with a key of this device').isVisible()).toBe(false)
  }, 60_000)
})

const expectText = async (page: Page, text: string) => {
  await said(page).filter({ hasText: text }).waitFor()
}
