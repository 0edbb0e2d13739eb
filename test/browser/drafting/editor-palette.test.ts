/** The words of the palette, whole or hyphenated, in the languages of the web app. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { NO_BROWSER } from '../../support/browser.ts'
import { PHONE_390, useEditorService } from '../../support/editor-service.ts'

setDefaultTimeout(60_000)
const editor = useEditorService()

const DESKS = [
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
]

/** Words that go on in the next line without a hyphen, as `Ta|ble`. */
function brokenWords(page: Page): Promise<string[]> {
  return page.locator('.kind > span').evaluateAll(spans =>
    spans.flatMap(({ firstChild }) => {
      if (!(firstChild instanceof Text)) throw new Error('a kind has no name')
      const { data } = firstChild
      const range = document.createRange()
      const lineOf = (i: number) => {
        range.setStart(firstChild, i)
        range.setEnd(firstChild, i + 1)
        return range.getBoundingClientRect().bottom
      }
      // A soft hyphen that is not used has no line of its own.
      const letters = [...data].keys().filter(i => !/[\s\u00AD-]/.test(data[i]!))
      return [...letters].flatMap((i, n, all) => {
        const isSameWord = n > 0 && all[n - 1] === i - 1
        return isSameWord && lineOf(i) > lineOf(i - 1) + 3 ? [`${data.slice(0, i)}|${data.slice(i)}`] : []
      })
    }),
  )
}

describe.skipIf(NO_BROWSER)('no word of the palette is broken without a hyphen', () => {
  test.each(['en-GB', 'de-DE'])('%s, on two desks and a phone', async locale => {
    const id = await editor.draft()
    const wanted = async (page: Page, maxHeight: number) => {
      expect(await page.locator('.kind').count()).toBe(13)
      expect(await brokenWords(page)).toEqual([])
      const sender = await page.locator('.person-choice', { has: page.locator('.sender-hint') }).boundingBox()
      expect(sender?.height).toBeLessThan(maxHeight)
    }
    const desk = await editor.open(id, { window: { locale } })
    for (const viewport of DESKS) {
      await desk.page.setViewportSize(viewport)
      // The hint beside the sender has at most two lines, on a phone one.
      await wanted(desk.page, 76)
    }
    const phone = await editor.open(id, { window: { ...PHONE_390, locale } })
    await wanted(phone.page, 56)
    expect([desk, phone].flatMap(({ complaints }) => complaints)).toEqual([])
  })
})
