/** The editor at every zoom and on every screen; snapping and its guides; WCAG in both themes. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { displayedSize } from '../../../src/core/field/geometry.ts'
import { axeViolations } from '../../support/axe.ts'
import { NO_BROWSER } from '../../support/browser.ts'
import { ANNA, at, BO, boxOf, field, kind, PHONE_390, saved, sheet, useEditorService } from '../../support/editor-service.ts'
import { GEOMETRY_PAGES, geometryPdf } from '../../support/geometry-pdf.ts'

setDefaultTimeout(120_000)
const editor = useEditorService()

/** A page of each rotation, half of them with a larger user unit, all with crop boxes. */
const PAGES = GEOMETRY_PAGES.filter(({ name }, i) => /cropped|negative/.test(name) && i % 2 === (/cropped/.test(name) ? 0 : 1))

async function zoomTo(page: Page, percent: number): Promise<void> {
  const level = async () => Number((await page.locator('.zoom-level').textContent())?.match(/(\d+) %/)?.[1])
  await page.locator('.pages').focus()
  for (let n = 0; n < 40; n++) {
    const now = await level()
    if (percent === 100 ? now === 100 : percent > 100 ? now >= percent : now <= percent) return
    await page.keyboard.press(now < percent ? '+' : '-')
    await page.waitForFunction(before => !document.querySelector('.zoom-level')?.textContent?.includes(`${before} %`), now)
  }
}

describe.skipIf(NO_BROWSER)('a placed box', () => {
  // Both ends of the zoom, and both kinds of screens.
  for (const [deviceScaleFactor, percent] of [
    [1, 25],
    [2, 400],
  ] as const)
    test(`is where the API then has it, at ${percent} % and ${deviceScaleFactor} device pixels, rotated and cropped`, async () => {
      const id = await editor.draft({ file: Buffer.from(geometryPdf(PAGES)).toString('base64'), recipients: [ANNA] })
      const { page, complaints } = await editor.open(id, { window: { deviceScaleFactor } })
      await zoomTo(page, percent)
      let largest = 0
      for (const [i, { box }] of PAGES.entries()) {
        const number = i + 1
        await page.locator('#editor-page').fill(String(number))
        await page.locator('#editor-page').press('Enter')
        await sheet(page, number).locator('canvas').first().waitFor()
        const { width, height } = displayedSize(box)
        const size = [width * box.userUnit, height * box.userUnit]
        await kind(page, 'Initials').click()
        const point = await at(page, number, 0.2 * size[0]!, 0.15 * size[1]!, size)
        await page.keyboard.down('Control')
        await page.mouse.click(point.x, point.y)
        await page.keyboard.up('Control')
        const target = sheet(page, number).locator('.field')
        await target.waitFor()
        await saved(page)
        const stored = (await editor.fields(id)).find(field => field.page === number)!
        const shown = await boxOf(target, number, size)
        for (const [side, length] of [
          ['x', 0],
          ['y', 1],
          ['width', 0],
          ['height', 1],
        ] as const)
          largest = Math.max(largest, Math.abs((stored[side] / 100) * size[length]! - shown[side]))
      }
      console.log(`${percent} %, ${deviceScaleFactor} device pixels: at most ${largest.toFixed(3)} pt apart`)
      expect(largest).toBeLessThanOrEqual(1)
      expect(complaints).toEqual([])
    })
})

describe.skipIf(NO_BROWSER)('the view', () => {
  test('begins at the top of the first page and stays there when it is enlarged', async () => {
    const { page } = await editor.open(await editor.draft())
    const scrolled = () => page.locator('.pages').evaluate(pages => pages.scrollTop)
    expect(await scrolled()).toBe(0)
    await zoomTo(page, 150)
    expect(await scrolled()).toBe(0)
  })

  test('leaves the page number alone while a person types it, and follows the pages again afterwards', async () => {
    const { page } = await editor.open(await editor.draft({ pages: 5 }))
    const number = page.locator('#editor-page')
    const current = page.locator('.thumbnail[aria-current] .thumbnail-number')
    const scrollTo = async (top: number, expected: number) => {
      await page.locator('.pages').evaluate((pages, to) => pages.scrollTo({ top: to, behavior: 'instant' }), top)
      await current.and(page.locator(`[data-words="${expected}"]`)).waitFor()
      // The number is drawn in the frame after the mark.
      await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    }
    await number.fill('4')
    await scrollTo(900, 2)
    expect(await number.inputValue()).toBe('4')
    await number.press('Enter')
    await sheet(page, 4).locator('canvas').first().waitFor()
    // The same number again is no change.
    await number.fill('3')
    await number.fill('4')
    await number.blur()
    await scrollTo(0, 1)
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('#editor-page')?.value === '1')
  })
})

describe.skipIf(NO_BROWSER)('snapping', () => {
  const recipients = [{ ...ANNA, fields: [{ type: 'text', page: 1, x: 20, y: 40, width: 30, height: 3 }] }, BO]

  test('draws exactly the rule it applied; Ctrl and the switch suspend it', async () => {
    const id = await editor.draft({ recipients })
    const { page } = await editor.open(id)
    const first = await boxOf(field(page, /Text/))
    await kind(page, 'Name').click()
    const near = await at(page, 1, first.x + 80 + 3, 500)
    await page.mouse.move(near.x, near.y)
    const guide = page.locator('.guide.upright')
    await guide.first().waitFor()
    const line = await boxOf(guide.first())
    const ghost = await boxOf(page.locator('.ghost-box'))
    expect(Math.abs(ghost.x - first.x)).toBeLessThan(0.3)
    expect(Math.min(Math.abs(line.x - first.x), Math.abs(line.x - first.x - first.width))).toBeLessThan(1)
    await page.keyboard.down('Control')
    await page.mouse.move(near.x + 1, near.y)
    await page.waitForFunction(() => document.querySelectorAll('.guide').length === 0)
    await page.keyboard.up('Control')
    await page.getByRole('button', { name: 'Snap to guides' }).click()
    await page.mouse.move(near.x, near.y)
    await page.locator('.ghost-box').waitFor()
    expect(await page.locator('.guide').count()).toBe(0)
  })
})

describe.skipIf(NO_BROWSER)('axe finds nothing', () => {
  const fields = [
    { type: 'signature', page: 1, x: 20, y: 40, width: 30, height: 6 },
    { type: 'text', page: 1, x: 20, y: 60, width: 30, height: 3, label: 'Town' },
    { type: 'checkbox', page: 1, x: 60, y: 60, width: 3, height: 2 },
    { type: 'dropdown', page: 1, x: 20, y: 70, width: 30, height: 3, options: ['A', 'B'] },
  ]
  const many = Array.from({ length: 9 }, (_, i) => ({
    name: `Person ${i}`,
    email: `p${i}@example.com`,
    fields: [{ type: 'text', page: 1, x: 60, y: 3 + 5 * i, width: 30, height: 3 }],
  }))
  for (const [device, options] of [
    ['wide', {}],
    ['phone', PHONE_390],
  ] as const)
    test(`${device}: empty, with a selection, with properties, with many people`, async () => {
      const id = await editor.draft({ recipients: [{ ...ANNA, fields }, BO, ...many] })
      const { page, complaints } = await editor.open(id, { window: options })
      expect(await axeViolations(page)).toEqual([])
      const press = async (target: ReturnType<typeof field>) => (device === 'phone' ? target.tap() : target.click())
      await at(page, 1, 200, 600)
      await press(field(page, /Dropdown/))
      if (device === 'phone') await page.getByRole('button', { name: 'Edit' }).tap()
      await page.getByText('Text and format').click()
      expect(await axeViolations(page)).toEqual([])
      expect(complaints).toEqual([])
    })
})
