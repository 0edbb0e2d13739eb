/** The field editor by mouse, by keys alone and by touch. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { NO_BROWSER } from '../../support/browser.ts'
import { at, boxOf, field, kind, PHONE_390, said, saved, sheet, useEditorService } from '../../support/editor-service.ts'

setDefaultTimeout(60_000)
const editor = useEditorService()

async function clickAt(page: Page, number: number, x: number, y: number): Promise<void> {
  const point = await at(page, number, x, y)
  await page.mouse.click(point.x, point.y)
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 })
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
}

const near = (a: number, b: number, by = 1) => expect(Math.abs(a - b)).toBeLessThanOrEqual(by)
const points = (stored: { x: number; y: number; width: number; height: number }) => ({
  x: (stored.x / 100) * 595.28,
  y: (stored.y / 100) * 841.89,
  width: (stored.width / 100) * 595.28,
  height: (stored.height / 100) * 841.89,
})

describe.skipIf(NO_BROWSER)('with the mouse', () => {
  test('a kind and a click place a field centred on the pointer, saved where it is shown', async () => {
    const id = await editor.draft()
    const { page, complaints, foreign } = await editor.open(id)
    await kind(page, 'Signature').click()
    await clickAt(page, 1, 200, 300)
    await field(page, 'Signature, Anna Berg, required').waitFor()
    await said(page, 'Signature for Anna Berg, page 1, 120 left, 276 top')
    await saved(page)
    const [stored] = await editor.fields(id)
    expect(stored).toMatchObject({ person: 'Anna Berg', type: 'signature', page: 1 })
    const shown = await boxOf(field(page, /Signature/))
    for (const side of ['x', 'y', 'width', 'height'] as const) near(points(stored!)[side], shown[side])
    near(shown.width, 160)
    expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] })
  })

  test('a kind and a drawing place that box; the next field of the kind has its size', async () => {
    const id = await editor.draft()
    const { page, complaints } = await editor.open(id)
    await kind(page, 'Text').click()
    await drag(page, await at(page, 1, 100, 200), await at(page, 1, 320, 233))
    await kind(page, 'Text').click()
    await clickAt(page, 1, 400, 420)
    await saved(page)
    const [first, second] = (await editor.fields(id)).map(points)
    near(first!.x, 100)
    near(first!.width, 220)
    near(first!.height, 33)
    near(second!.width, 220)
    expect(complaints).toEqual([])
  })

  test('a field is dragged to another page, resized by a handle, and all of it is undone and done again', async () => {
    const id = await editor.draft()
    const { page, complaints } = await editor.open(id, { window: { viewport: { width: 1400, height: 1300 } } })
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await kind(page, 'Date').click()
    await clickAt(page, 1, 200, 600)
    const date = field(page, /Date/)
    await drag(page, await at(page, 1, 200, 600), await at(page, 2, 220, 140))
    await saved(page)
    const [moved] = await editor.fields(id)
    expect(moved?.page).toBe(2)
    near(points(moved!).x, 172, 2)
    const box = await date.boundingBox()
    const handle = page.locator('.handle[data-x="1"][data-y="0"]')
    const grip = (await handle.boundingBox())!
    await drag(page, { x: grip.x + 14, y: grip.y + 14 }, { x: grip.x + 14 + 60, y: grip.y + 14 })
    near((await date.boundingBox())!.width, box!.width + 60, 8)
    await saved(page)
    for (const [left, step] of [
      [1, 'resized'],
      [1, 'moved'],
      [0, 'placed'],
    ] as const) {
      await page.keyboard.press('Control+z')
      await said(page, `Undone: ${step}`)
      expect(await page.locator('.field').count()).toBe(left)
    }
    for (let i = 0; i < 3; i++) await page.keyboard.press('Control+Shift+z')
    await saved(page)
    expect((await editor.fields(id))[0]).toMatchObject({ page: 2, type: 'date' })
    expect(complaints).toEqual([])
  })

  test('a kind is dragged onto a page', async () => {
    const id = await editor.draft()
    const { page } = await editor.open(id)
    const box = (await kind(page, 'Initials').boundingBox())!
    await drag(page, { x: box.x + 20, y: box.y + 10 }, await at(page, 1, 300, 400))
    await field(page, /Initials/).waitFor()
    await saved(page)
    expect(await editor.fields(id)).toMatchObject([{ type: 'initials', page: 1 }])
  })

  test('a frame selects, the selection is aligned, given to another person and removed, each as one step', async () => {
    const id = await editor.draft()
    const { page } = await editor.open(id)
    for (const y of [200, 250, 300]) {
      await kind(page, 'Text').click()
      await clickAt(page, 1, 200 + y / 10, y)
    }
    await drag(page, await at(page, 1, 20, 150), await at(page, 1, 400, 420))
    await said(page, '3 selected')
    await page.getByRole('button', { name: 'Align left edges' }).click()
    await saved(page)
    const aligned = await editor.fields(id)
    expect(new Set(aligned.map(({ x }) => x)).size).toBe(1)
    await page.getByRole('combobox', { name: 'Person', exact: true }).selectOption({ label: 'Bo Lund' })
    await saved(page)
    expect((await editor.fields(id)).map(({ person }) => person)).toEqual(['Bo Lund', 'Bo Lund', 'Bo Lund'])
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await said(page, '3 fields removed')
    await page.keyboard.press('Control+z')
    await saved(page)
    expect(await editor.fields(id)).toHaveLength(3)
  })

  test('copies go to all pages, skip what is there, and a signature is offered to the other signer', async () => {
    const id = await editor.draft({ pages: 5 })
    const { page } = await editor.open(id)
    await kind(page, 'Initials').click()
    await clickAt(page, 1, 500, 780)
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await said(page, '4 added')
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await said(page, '0 added, 4 there already')
    await kind(page, 'Signature').click()
    await clickAt(page, 1, 150, 600)
    await page.locator('.strip-note').getByRole('button', { name: 'Bo Lund' }).click()
    await saved(page)
    const stored = await editor.fields(id)
    expect(stored.filter(({ type }) => type === 'initials')).toHaveLength(5)
    expect(stored.filter(({ type }) => type === 'signature').map(({ person }) => person)).toEqual(['Anna Berg', 'Bo Lund'])
  })

  test('properties are saved: label, example, value that cannot be changed, choices, size, format', async () => {
    const id = await editor.draft()
    const { page, complaints } = await editor.open(id)
    await kind(page, 'Text').click()
    await clickAt(page, 1, 200, 300)
    await page.getByLabel('Label').fill('Town')
    await page.getByLabel('Filled in beforehand').fill('Bern')
    await page.getByLabel('The person cannot change it').check()
    await page.getByText('Text and format').click()
    await page.getByLabel('Size of the text').selectOption('12')
    await page.getByLabel('Alignment of the text').selectOption('right')
    await kind(page, 'Dropdown').click()
    await clickAt(page, 1, 200, 400)
    await page.getByLabel('Choices, one on each line').fill('1 year\n2 years\n')
    await kind(page, 'Date').click()
    await clickAt(page, 1, 200, 500)
    await page.getByText('Text and format').click()
    await page.getByLabel('Format of the date').selectOption('DD.MM.YYYY')
    await saved(page)
    const byType = Object.fromEntries((await editor.fields(id)).map(each => [each.type, each]))
    expect(byType.text).toMatchObject({ label: 'Town', value: 'Bern', readOnly: true, fontSize: 12, align: 'right' })
    expect(byType.dropdown).toMatchObject({ options: ['1 year', '2 years'] })
    expect(byType.date).toMatchObject({ dateFormat: 'DD.MM.YYYY' })
    expect(complaints).toEqual([])
  })
})

describe.skipIf(NO_BROWSER)('by keys alone', () => {
  test('a field is placed, moved, resized, named, copied, given away and removed; Tab leads out of the editor', async () => {
    const id = await editor.draft()
    const { page, complaints } = await editor.open(id)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await kind(page, 'Signature').focus()
    await press('Enter')
    const signature = field(page, /Signature, Anna/)
    expect(await signature.evaluate(button => button === document.activeElement)).toBe(true)
    const before = await boxOf(signature)
    await press('ArrowRight', 'ArrowRight', 'Shift+ArrowDown')
    await said(page, /^y \d+$/)
    const after = await boxOf(signature)
    near(after.x - before.x, 2, 0.3)
    near(after.y - before.y, 10, 0.3)
    await press('Alt+ArrowRight', 'Alt+Shift+ArrowDown')
    const larger = await boxOf(signature)
    near(larger.width - after.width, 1, 0.3)
    near(larger.height - after.height, 10, 0.3)
    await press('Control+d')
    await said(page, '1 pasted, page 1')
    await press('Shift+2')
    await said(page, '1 now for Bo Lund')
    await press('PageDown')
    await said(page, 'Page 2')
    await press('Control+a', 'Control+a')
    await said(page, '2 selected')
    await press('Escape')
    expect(await page.locator('.field.selected').count()).toBe(0)
    await press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-x')
    await page.keyboard.type('72')
    await press('Tab')
    await press('Escape')
    await press('Delete')
    await said(page, 'Signature removed')
    await press('Control+z')
    await saved(page)
    const stored = await editor.fields(id)
    expect(stored.map(({ person, page: number }) => [person, number])).toEqual([
      ['Anna Berg', 1],
      ['Bo Lund', 2],
    ])
    await page.locator('.field').first().focus()
    let isOut = false
    for (let i = 0; i < 60 && !isOut; i++) {
      await press('Tab')
      isOut = await page.evaluate(() => !document.activeElement?.closest('.editor'))
    }
    expect(isOut).toBe(true)
    expect(complaints).toEqual([])
  })

  test('Tab walks the fields in reading order over pages that were not in the document, F6 changes areas', async () => {
    const id = await editor.draft({
      pages: 40,
      recipients: [
        {
          name: 'Anna Berg',
          email: 'anna@example.com',
          fields: [
            { type: 'text', page: 40, x: 10, y: 10, width: 20, height: 3, label: 'last' },
            { type: 'text', page: 1, x: 50, y: 10, width: 20, height: 3, label: 'second' },
            { type: 'text', page: 1, x: 10, y: 10, width: 20, height: 3, label: 'first' },
            { type: 'text', page: 20, x: 10, y: 50, width: 20, height: 3, label: 'third' },
          ],
        },
      ],
    })
    const { page } = await editor.open(id)
    expect(await page.locator('.page').count()).toBeLessThan(8)
    await page.locator('.pages').focus()
    const names: string[] = []
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press('Tab')
      names.push(await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? ''))
    }
    expect(names.map(name => /“(.*)”/.exec(name)?.[1])).toEqual(['first', 'second', 'third', 'last'])
    await sheet(page, 40).locator('canvas').waitFor()
    await page.keyboard.press('F6')
    expect(await page.evaluate(() => document.activeElement?.closest('.editor-side') !== null)).toBe(true)
    await page.keyboard.press('Shift+F6')
    expect(await page.evaluate(() => document.activeElement?.closest('.pages') !== null)).toBe(true)
  })
})

describe.skipIf(NO_BROWSER)('by touch on a phone', () => {
  test('a tap places, one finger scrolls over an unselected field, a selected field is dragged, a long press takes hold', async () => {
    const id = await editor.draft()
    const { page, complaints } = await editor.open(id, { window: PHONE_390 })
    await kind(page, 'Signature').tap()
    const point = await at(page, 1, 300, 400)
    await page.touchscreen.tap(point.x, point.y)
    const signature = field(page, /Signature, Anna/)
    await signature.waitFor()
    const touch = await page.context().newCDPSession(page)
    const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
    const swipe = async (from: { x: number; y: number }, dx: number, dy: number) => {
      await finger('touchStart', from.x, from.y)
      for (let i = 1; i <= 8; i++) await finger('touchMove', from.x + (dx * i) / 8, from.y + (dy * i) / 8)
      await finger('touchEnd')
    }
    const middle = async () => {
      const box = (await signature.boundingBox())!
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    }
    const before = await boxOf(signature)
    await swipe(await middle(), 40, 50)
    const dragged = await boxOf(signature)
    expect(dragged.x - before.x).toBeGreaterThan(20)
    await page.getByRole('button', { name: 'Done' }).tap()
    const scrolled = () => page.locator('.pages').evaluate(pages => pages.scrollTop)
    const top = await scrolled()
    const ended = page.evaluate(
      () => new Promise(resolve => document.querySelector('.pages')!.addEventListener('scrollend', resolve, { once: true })),
    )
    await swipe(await middle(), 0, -120)
    await ended
    expect(await scrolled()).toBeGreaterThan(top + 40)
    near((await boxOf(signature)).y, dragged.y, 0.5)
    const held = await middle()
    await finger('touchStart', held.x, held.y)
    await page.clock.fastForward(500)
    await page.locator('.pages.dragging').waitFor()
    await finger('touchMove', held.x - 20, held.y - 20)
    await finger('touchMove', held.x - 40, held.y - 40)
    await finger('touchEnd')
    expect((await boxOf(signature)).y).toBeLessThan(dragged.y - 10)
    await saved(page)
    expect(await editor.fields(id)).toHaveLength(1)
    expect(complaints).toEqual([])
  })
})
