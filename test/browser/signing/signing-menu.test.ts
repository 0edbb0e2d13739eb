/** The menu of the signing page next to an organisation's logo. */
import { expect, test } from 'bun:test'
import { SYSTEM } from '../../../src/ports.ts'
import { changeLogo } from '../../../src/settings/logo.ts'
import { plainPng } from '../../evidence/sample.ts'
import { NO_BROWSER, ON_A_PHONE } from '../../support/browser.ts'
import { useSigningScene } from '../../support/signing-scene.ts'

const { open, place } = useSigningScene()

for (const locale of ['en', 'ar'])
  test.skipIf(NO_BROWSER)(
    `with a logo, the menu and its entries are within every window, and both are at the end of the line: ${locale}`,
    async () => {
      await changeLogo(place.t.app, SYSTEM, plainPng(256, 64, [20, 80, 140, 255]))
      const { page } = await open(ON_A_PHONE, undefined, { locale })
      await page.locator('#title img').waitFor()
      for (const [width, height] of [
        [360, 640],
        [768, 1024],
        [1280, 800],
      ] as const) {
        await page.setViewportSize({ width, height })
        await page.waitForFunction(height => document.body.clientHeight === height, height)
        await page.locator('#more summary').click()
        const boxes = await page.locator('#title img, #more, #more > div, #more a').evaluateAll(all =>
          all.map(each => {
            const { left, right, top, bottom } = each.getBoundingClientRect()
            return { left, right, top, bottom }
          }),
        )
        const isWithin = boxes.map(box => box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height)
        const distances = boxes.slice(0, 2).map(({ left, right }) => (locale === 'ar' ? left : width - right))
        expect([width, boxes.length, isWithin.includes(false)]).toEqual([width, 6, false])
        expect([width, Math.min(...distances) < 24, Math.max(...distances) < 240]).toEqual([width, true, true])
        await page.keyboard.press('Escape')
      }
    },
    60_000,
  )
