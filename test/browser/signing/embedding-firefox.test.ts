/** In Firefox, the signing page in a frame of another site, listed and not listed. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Frame, Page } from 'puppeteer-core'
import { WIDE } from '../../support/browser.ts'
import { until } from '../../support/executable.ts'
import { type Firefox, NO_FIREFOX, openFirefox } from '../../support/firefox.ts'
import { heardIn, messagesIn, usePortal } from '../../support/portal.ts'
import { type SigningService, serveSigning } from '../../support/signing-service.ts'

setDefaultTimeout(120_000)
const place = { asked: [], uploads: [] } as unknown as SigningService
let close = () => Promise.resolve()
beforeAll(async () => {
  if (!NO_FIREFOX) close = await serveSigning(place)
})
afterAll(() => close())
const portal = usePortal(place)
const { sites, handedOut, component, plain, verdictOf } = portal

let opened: Firefox | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

async function host(site: string, html: string): Promise<Firefox> {
  portal.show(html)
  opened = await openFirefox(WIDE)
  await opened.page.goto(site)
  return opened
}

const OPEN = 'main form button[type="submit"]'
const ours = (page: Page): Promise<Frame> => page.waitForFrame(frame => frame.url().startsWith(place.url))
const hears = (page: Page, name: string) =>
  until(`the event “${name}”`, async () => ((await page.evaluate(heardIn)).includes(name) ? true : undefined))

async function press(frame: Frame, selector: string): Promise<void> {
  const element = await frame.waitForSelector(selector, { visible: true })
  await element?.click()
}

describe.skipIf(NO_FIREFOX)('a page of another site, in Firefox', () => {
  test('that is listed signs inside its frame to a valid seal, hears of it, and keeps no cookie', async () => {
    const { id, url } = await handedOut()
    const { page, complaints } = await host(sites.listed, component(url))
    const frame = await ours(page)
    await hears(page, 'ready')
    await Promise.all([frame.waitForSelector('.marker'), press(frame, OPEN)])
    await press(frame, '#sign [name="signatureMethod"][value="typed"] + *')
    await press(frame, '#signature')
    await page.keyboard.type('Ada Lovelace')
    await press(frame, '#consent')
    // Until then the bar may still grow by a line.
    await press(frame, '#bar:has(.save[data-state="saved"]) .end:not(.plain)')
    await hears(page, 'signed')
    expect(await page.evaluate(heardIn)).toEqual(['ready', 'signed'])
    expect(new Set((await page.evaluate(messagesIn)).map(([origin]) => origin))).toEqual(new Set([place.url]))
    expect(await verdictOf(id)).toBe('valid')
    await frame.waitForSelector('a[data-sealed]')
    expect([await page.browserContext().cookies(), complaints]).toEqual([[], []])
  })

  test('that is not listed sees nothing, hears nothing and uses nothing up', async () => {
    const { url } = await handedOut()
    for (const html of [component(url), plain(url)]) {
      const { page } = await host(sites.unlisted, html)
      const frame = await page.waitForFrame(each => each.url().startsWith('about:neterror?e=cspBlocked'))
      expect(await frame.evaluate(() => document.documentElement.textContent)).not.toContain('Lease')
      expect([await page.evaluate(heardIn), await page.evaluate(messagesIn)]).toEqual([[], []])
      await opened?.close()
    }
    const { page } = await host(sites.listed, component(url))
    await (await ours(page)).waitForSelector(OPEN)
  })
})
