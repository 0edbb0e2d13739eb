/** A field of several choices in the editor: one field, a box for each choice. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { NO_BROWSER } from '../../support/browser.ts'
import { ANNA, at, boxOf, field, kind, PHONE_390, said, saved, useEditorService } from '../../support/editor-service.ts'

setDefaultTimeout(60_000)
const editor = useEditorService()

interface Choice {
  value: string
  page: number
  x: number
  y: number
}

async function choicesOf(id: string): Promise<Choice[]> {
  const [radio] = (await editor.fields(id)).filter(({ type }) => type === 'radio')
  return (radio?.options ?? []) as unknown as Choice[]
}

const middle = async (target: Locator) => {
  const box = (await target.boundingBox())!
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

async function drag(page: Page, from: { x: number; y: number }, dx: number, dy: number): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + dx / 2, from.y + dy / 2, { steps: 4 })
  await page.mouse.move(from.x + dx, from.y + dy, { steps: 4 })
  await page.mouse.up()
}

const near = (a: number, b: number, by = 1) => expect(Math.abs(a - b)).toBeLessThanOrEqual(by)
const choice = (page: Page, n: number, count: number) => field(page, new RegExp(`^Choice ${n} of ${count},`))

describe.skipIf(NO_BROWSER)('with the mouse', () => {
  test('two choices are placed below each other; a third is added; one moves alone, the grip moves all', async () => {
    const id = await editor.draft()
    const { page, complaints } = await editor.open(id)
    await kind(page, 'Choice of one').click()
    const point = await at(page, 1, 200, 300)
    await page.mouse.click(point.x, point.y)
    await page.getByLabel('Label').fill('Payment')
    await field(page, 'Choice 1 of 2, Payment, Anna Berg, required').waitFor()
    const [first, second] = [await boxOf(choice(page, 1, 2)), await boxOf(choice(page, 2, 2))]
    near(first.x, second.x, 0.2)
    near(second.y - first.y, 22, 0.5)
    await page.getByRole('button', { name: 'Add a choice' }).click()
    await said(page, /^Choice 3 of 3, Payment, Anna Berg, required, Page 1, 193 left, 337 top/)
    await page.keyboard.down('Control')
    await drag(page, await middle(choice(page, 3, 3)), 60, 0)
    await page.keyboard.up('Control')
    const third = await boxOf(choice(page, 3, 3))
    expect(third.x - first.x).toBeGreaterThan(30)
    near((await boxOf(choice(page, 1, 3))).x, first.x, 0.2)
    await drag(page, await middle(page.locator('.choices-grip')), 0, 80)
    await said(page, /^Page 1, 193 left/)
    const moved = await boxOf(choice(page, 1, 3))
    expect(moved.y - first.y).toBeGreaterThan(40)
    near((await boxOf(choice(page, 3, 3))).y - third.y, moved.y - first.y, 0.3)
    await saved(page)
    expect((await choicesOf(id)).map(({ value }) => value)).toEqual(['Choice 1', 'Choice 2', 'Choice 3'])
    await page.keyboard.press('Control+z')
    await said(page, 'Undone: moved')
    await saved(page)
    const again = await choicesOf(id)
    near((again[0]!.y / 100) * 841.89, first.y, 0.3)
    expect(complaints).toEqual([])
  })

  test('values are edited, must differ, and one of three can be removed, but no second of two', async () => {
    const id = await editor.draft()
    const { page, complaints } = await editor.open(id)
    await kind(page, 'Choice of one').click()
    const point = await at(page, 1, 200, 300)
    await page.mouse.click(point.x, point.y)
    await page.getByRole('button', { name: 'Add a choice' }).click()
    const value = (n: number) => page.getByRole('textbox', { name: `Choice ${n} of 3` })
    await value(1).fill('Monthly')
    await value(1).press('Tab')
    await value(2).fill('Monthly')
    await value(2).press('Tab')
    await page.getByText('Enter a value that no other choice has.').waitFor()
    await value(2).fill('Yearly')
    await value(2).press('Tab')
    await page.getByLabel('Filled in beforehand').selectOption('Yearly')
    await page.getByRole('button', { name: 'Remove: Choice 1 of 3' }).click()
    await said(page, 'Choice removed')
    await saved(page)
    expect((await choicesOf(id)).map(({ value }) => value)).toEqual(['Yearly', 'Choice 3'])
    expect(await editor.fields(id)).toMatchObject([{ type: 'radio', value: 'Yearly' }])
    await choice(page, 1, 2).click()
    await page.keyboard.press('Delete')
    await said(page, /At least two choices stay/)
    expect(complaints).toEqual([])
  })
})

describe.skipIf(NO_BROWSER)('by keys alone', () => {
  test('Tab reaches each choice, arrows move one, G and arrows all; Delete removes the whole; undo after a reload', async () => {
    const id = await editor.draft()
    const { page, complaints } = await editor.open(id)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await kind(page, 'Choice of one').focus()
    await press('Enter')
    const [before, second] = [await boxOf(choice(page, 1, 2)), await boxOf(choice(page, 2, 2))]
    await press('Tab')
    expect(await choice(page, 2, 2).evaluate(button => button === document.activeElement)).toBe(true)
    await press('g')
    await said(page, /^Choice 2 of 2, Choice of one, Anna Berg, required/)
    await press('Shift+ArrowRight')
    await said(page, /^x \d+$/)
    near((await boxOf(choice(page, 2, 2))).x - second.x, 10, 0.3)
    near((await boxOf(choice(page, 1, 2))).x, before.x, 0.2)
    await press('g')
    await said(page, '2 selected')
    await press('Shift+ArrowDown')
    near((await boxOf(choice(page, 1, 2))).y - before.y, 10, 0.3)
    near((await boxOf(choice(page, 2, 2))).y - second.y, 10, 0.3)
    await press('PageDown')
    await said(page, 'Page 2')
    await saved(page)
    expect((await choicesOf(id)).map(each => each.page)).toEqual([2, 2])
    await press('Control+d')
    await said(page, '1 pasted, page 2')
    await press('Delete')
    await said(page, 'Choice of one removed')
    await saved(page)
    await page.reload()
    await page.locator('.page canvas').first().waitFor()
    await page.locator('.pages').focus()
    await press('Control+z')
    await said(page, 'Undone: removed')
    await saved(page)
    expect((await editor.fields(id)).map(({ type }) => type)).toEqual(['radio', 'radio'])
    expect(complaints).toEqual([])
  })
})

describe.skipIf(NO_BROWSER)('by touch on a phone', () => {
  test('taps place it and choose one box; a finger on the grip moves all choices', async () => {
    const id = await editor.draft({ recipients: [ANNA] })
    const { page, complaints } = await editor.open(id, { window: PHONE_390 })
    await kind(page, 'Choice of one').tap()
    const point = await at(page, 1, 300, 400)
    await page.touchscreen.tap(point.x, point.y)
    await choice(page, 2, 2).waitFor()
    await choice(page, 2, 2).tap()
    await page.locator('.handles').waitFor({ state: 'attached' })
    const touch = await page.context().newCDPSession(page)
    const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
    const before = [await boxOf(choice(page, 1, 2)), await boxOf(choice(page, 2, 2))]
    const grip = await middle(page.locator('.choices-grip'))
    await finger('touchStart', grip.x, grip.y)
    for (let i = 1; i <= 8; i++) await finger('touchMove', grip.x + 4 * i, grip.y + 6 * i)
    await finger('touchEnd')
    const after = [await boxOf(choice(page, 1, 2)), await boxOf(choice(page, 2, 2))]
    expect(after[0]!.y - before[0]!.y).toBeGreaterThan(20)
    near(after[1]!.y - before[1]!.y, after[0]!.y - before[0]!.y, 0.5)
    await saved(page)
    expect(await choicesOf(id)).toHaveLength(2)
    expect(complaints).toEqual([])
  })
})
