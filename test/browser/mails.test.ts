/** E-mails in Chromium: what is seen first on a phone, in every language, light and dark. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { NO_BROWSER, openBrowser } from '../support/browser.ts'
import { COLOUR, showHtml, shownMails } from '../support/mail-scenes.ts'

/** A small phone, of which the mail program's own head takes a third. */
const PHONE = { width: 360, height: 640 }
const FOLD = 440

let browser: Browser
let page: Page
const asked: string[] = []
beforeAll(async () => {
  if (NO_BROWSER) return
  browser = await openBrowser()
  page = await browser.newPage({ viewport: PHONE })
  page.on('request', request => {
    if (!request.url().startsWith('data:')) asked.push(request.url())
  })
})
afterAll(() => browser?.close())

const MAILS = shownMails()

describe.skipIf(NO_BROWSER)('e-mails on a phone', () => {
  test('no e-mail asks for anything, its button is seen at once, and it fits', async () => {
    const wrong: string[] = []
    for (const { name, mail } of MAILS) {
      await showHtml(page, mail)
      const bottom = await page.evaluate(() => document.querySelector('.act')?.getBoundingClientRect().bottom ?? 0)
      if (bottom > FOLD) wrong.push(`${name}: the button ends at ${Math.round(bottom)} px`)
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      if (over > 0) wrong.push(`${name}: ${over} px too wide`)
    }
    expect(wrong).toEqual([])
    expect(asked).toEqual([])
  }, 120_000)

  test('the preview line is not shown, and the button has the colour of the organisation', async () => {
    const { mail } = MAILS[0] ?? {}
    await page.emulateMedia({ colorScheme: 'light' })
    await showHtml(page, mail!)
    expect(await page.locator('body > div').first().isVisible()).toBe(false)
    const ground = await page.locator('.act').evaluate(cell => getComputedStyle(cell).backgroundColor)
    expect(ground).toBe(`rgb(${[1, 3, 5].map(i => Number.parseInt(COLOUR.slice(i, i + 2), 16)).join(', ')})`)
    await page.emulateMedia({ colorScheme: 'dark' })
    const card = await page.locator('.card').evaluate(cell => getComputedStyle(cell).backgroundColor)
    expect(card).toBe('rgb(22, 28, 40)')
  })

  test('axe-core finds nothing, light or dark', async () => {
    const wrong: string[] = []
    for (const { name, mail } of MAILS.filter(each => /-en|-ar$|-de$/.test(each.name))) {
      await showHtml(page, mail)
      for (const found of await axeViolations(page, 'mail')) wrong.push(`${name}: ${found}`)
    }
    expect(wrong).toEqual([])
  }, 60_000)
})
