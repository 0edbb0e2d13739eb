/** In Chromium, the signing page in a frame of another site, listed and not listed. */
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { FrameLocator, Page } from 'playwright-core'
import { SYSTEM } from '../../src/ports.ts'
import { changeServiceSettings } from '../../src/settings/service-settings.ts'
import { NO_BROWSER, PHONE } from '../support/browser.ts'
import { ADA, newDocument, SIGNATURE, samplePdf } from '../support/sample.ts'
import { useSigningService } from '../support/signing-service.ts'

setDefaultTimeout(120_000)
const place = useSigningService()

/** Sites of their own: browsers do not take a name and an address for the same one. */
const sites = { listed: '', unlisted: '' }
let close = () => Promise.resolve()
let shown = ''

beforeAll(() => {
  const serve = () => Bun.serve({ port: 0, fetch: () => new Response(shown, { headers: { 'content-type': 'text/html' } }) })
  const [one, other] = [serve(), serve()]
  sites.listed = `http://localhost:${one.port}`
  sites.unlisted = `http://localhost:${other.port}`
  close = async () => {
    await Promise.all([one.stop(true), other.stop(true)])
  }
})
afterAll(() => close())
beforeEach(() =>
  place.t.app.write(tx => changeServiceSettings(tx, place.t.app, SYSTEM, { signingLinks: 'on', embedOrigins: sites.listed })),
)

let people = 0

async function handedOut(): Promise<{ id: string; url: string }> {
  const recipients = [{ ...ADA, email: `ada${++people}@example.com`, deliverBy: 'link', fields: [{ ...SIGNATURE, page: 2 }] }]
  const body = await newDocument({ recipients, file: await samplePdf(3), title: 'Lease of the mill', send: true })
  const { id, recipients: made } = (await place.t.api('POST', '/documents', body)).body
  const { url } = (await place.t.api('POST', `/documents/${id}/recipients/${made[0].id}/signing-link`)).body
  return { id, url }
}

/** What the page around hears: events of the element, and every message of the frame. */
const around = (inner: string) => `<!doctype html><html lang="en"><title>Portal</title>
  <style>body{margin:0 auto;max-width:70rem;padding:1rem;font-family:sans-serif}</style>
  <h1>Your lease</h1>${inner}<p>Questions? Call us.</p>
  <script>
    window.heard = []; window.messages = []
    for (const name of ['ready', 'signed', 'declined', 'closed']) addEventListener(name, () => heard.push(name))
    addEventListener('message', ({ origin, data }) => messages.push([origin, data.type]))
  </script>`
const component = (url: string) =>
  around(
    `<script type="module" src="${place.url}/embed.js"></script><signet-signing src="${url}" label="Signing"></signet-signing>`,
  )
const plain = (url: string) => around(`<iframe src="${url}" title="Signing" style="width:100%;height:40rem"></iframe>`)

async function host(site: string, html: string, options = {}): Promise<{ page: Page; frame: FrameLocator }> {
  shown = html
  const { page } = await place.window(options)
  await page.goto(site)
  return { page, frame: page.frameLocator('iframe[title="Signing"]') }
}

/** Chromium shows an error of its own in the frame, once it has read the policy of the page. */
async function refused(site: string, html: string): Promise<Page> {
  shown = html
  const { page } = await place.window()
  const error = page.waitForEvent('framenavigated', frame => frame.url().startsWith('chrome-error:'))
  await page.goto(site)
  expect(await (await error).locator('body').textContent()).not.toContain('Lease')
  return page
}

const heard = (page: Page) => page.evaluate(() => (window as unknown as { heard: string[] }).heard)
const messages = (page: Page) => page.evaluate(() => (window as unknown as { messages: string[][] }).messages)

async function sign(frame: FrameLocator, isPhone = false): Promise<void> {
  await frame.locator('main form button[type="submit"]').first().click()
  if (isPhone) await frame.locator('#bar .all').click()
  await frame.locator('input[name="signature"]').fill('Ada Lovelace')
  await frame.locator('input[name="consent"]').check()
  await frame.getByRole('button', { name: 'Sign and finish' }).click()
  await frame.getByRole('link', { name: /^Download/ }).waitFor()
}

async function verdictOf(id: string): Promise<string> {
  await place.t.drain()
  const { body: file } = await place.t.api('GET', `/documents/${id}/file?version=sealed`)
  const { body } = await place.t.api('POST', '/verify', { file: Buffer.from(file).toString('base64') })
  return body.verdict
}

describe.skipIf(NO_BROWSER)('a page of another site', () => {
  for (const [size, viewport] of [
    ['wide', { width: 1280, height: 900 }],
    ['phone', PHONE],
  ] as const) {
    test(`that is listed signs inside its frame to a valid seal, and hears of it: ${size}`, async () => {
      const { id, url } = await handedOut()
      const { page, frame } = await host(sites.listed, component(url), { viewport })
      await frame.getByRole('heading', { name: 'Lease of the mill' }).waitFor()
      await page.waitForFunction(() => (window as unknown as { heard: string[] }).heard.includes('ready'))
      await sign(frame, size === 'phone')
      await page.waitForFunction(() => (window as unknown as { heard: string[] }).heard.includes('signed'))
      expect(await heard(page)).toEqual(['ready', 'signed'])
      expect(new Set((await messages(page)).map(([origin]) => origin))).toEqual(new Set([place.url]))
      expect(await page.context().cookies()).toEqual([])
      expect(await verdictOf(id)).toBe('valid')
      await frame.getByRole('link', { name: 'Download the sealed document' }).waitFor()
      const height = await page.locator('iframe').evaluate(each => (each as HTMLElement).offsetHeight)
      expect(height).toBeLessThanOrEqual(viewport.height)
      expect(height).toBeGreaterThan(300)
    })
  }

  test('needs no script for it', async () => {
    const { id, url } = await handedOut()
    const { frame } = await host(sites.listed, plain(url), { javaScriptEnabled: false })
    await sign(frame)
    expect(await verdictOf(id)).toBe('valid')
  })

  test('hears when the person declines, and when a link cannot be opened any more', async () => {
    const { url } = await handedOut()
    const { page, frame } = await host(sites.listed, component(url))
    await frame.locator('main form button[type="submit"]').first().click()
    await frame.locator('form[action$="/decline"]').waitFor({ state: 'attached' })
    await frame.locator('form[action$="/decline"]').evaluate(form => {
      const reason = form.querySelector<HTMLTextAreaElement>('[name="reason"]')
      if (reason) reason.value = 'The rent is too high.'
      ;(form as HTMLFormElement).submit()
    })
    await page.waitForFunction(() => (window as unknown as { heard: string[] }).heard.includes('declined'))
    const again = await host(sites.listed, component(url))
    await again.page.waitForFunction(() => (window as unknown as { heard: string[] }).heard.includes('closed'))
  })

  test('that is not listed sees nothing, hears nothing and uses nothing up', async () => {
    const { url } = await handedOut()
    const page = await refused(sites.unlisted, component(url))
    expect([await heard(page), await messages(page)]).toEqual([[], []])
    const listed = await host(sites.listed, component(url))
    await listed.frame.getByRole('heading', { name: 'Lease of the mill' }).waitFor()
  })

  test('cannot show the page of a link that was mailed, although it is listed', async () => {
    const email = `bob${++people}@example.com`
    const recipients = [{ ...ADA, email, fields: [SIGNATURE] }]
    const { link } = await place.send({ recipients }, email)
    await refused(sites.listed, plain(link.startsWith('http') ? link : place.url + link))
  })
})
