/** Typing a mark: handwriting while it is typed, three hands, the person's own name by one tap. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE, press, words } from '../../support/browser.ts'
import { SIGNATURE } from '../../support/sample.ts'
import { enterSaved, finish, marker, useSigningScene } from '../../support/signing-scene.ts'

const { place, open, statusOf } = useSigningScene()
const FIELDS = [
  { ...SIGNATURE, y: 60 },
  { type: 'initials', page: 1, x: 60, y: 70, width: 10, height: 4 },
]

const mark = (page: Page, name = 'signature') => page.locator(`[data-mark="${name}"]`)
const hands = (page: Page, name?: string) => mark(page, name).locator('.hands label:not([hidden]) img')
const own = (page: Page, name?: string) => mark(page, name).locator('.own')
const type = (page: Page, name = 'signature') => page.locator(`[name="${name}Method"][value="typed"]`).check({ force: true })

/** The pictures, once they have come for a text of so many hands. */
async function drawn(page: Page, count: number, before: string[] = []): Promise<string[]> {
  await page.waitForFunction(
    ([wanted, old]) => {
      const shown = [...document.querySelectorAll<HTMLImageElement>('[data-mark="signature"] .hands label:not([hidden]) img')]
      const isDrawn = shown.every(({ src, naturalWidth }) => src.startsWith('data:') && naturalWidth > 0 && !old.includes(src))
      return shown.length === wanted && isDrawn
    },
    [count, before] as const,
  )
  return hands(page).evaluateAll(all => all.map(picture => (picture as HTMLImageElement).src))
}

const markOf = async (column: 'signature' | 'initials') => {
  const row = await place.t.app.db.selectFrom('recipients').select(column).orderBy('id', 'desc').executeTakeFirst()
  return JSON.parse(row?.[column] ?? 'null')
}

describe.skipIf(NO_BROWSER)('a typed signature', () => {
  test('is drawn in its hands while it is typed, and only in those that the name has', async () => {
    const { page, complaints } = await open({}, FIELDS, { name: 'Ada Lovelace' })
    await marker(page, /^Signature/).click()
    await type(page)
    const entry = page.getByLabel('Your full name')
    expect(await hands(page).first().isVisible()).toBe(false)
    await entry.pressSequentially('Ada')
    const first = await drawn(page, 3)
    await entry.pressSequentially(' Kin')
    await drawn(page, 3, first)
    await entry.fill('Γεώργιος')
    await drawn(page, 1)
    await entry.fill('')
    expect(await hands(page).first().isVisible()).toBe(false)
    expect(complaints).toEqual([])
  }, 60_000)

  test('takes the person’s own name by one tap, is placed in the chosen hand, and sealed so', async () => {
    const { id, page, complaints } = await open({}, FIELDS, { name: 'Anna-Lena von Berg' })
    await marker(page, /^Signature/).click()
    await type(page)
    expect(await own(page).textContent()).toBe('Use “Anna-Lena von Berg”')
    await own(page).click()
    expect(await page.getByLabel('Your full name').inputValue()).toBe('Anna-Lena von Berg')
    expect(await own(page).isVisible()).toBe(false)
    await marker(page, 'Signature, page 1: filled in').waitFor()
    await drawn(page, 3)
    await enterSaved(page, 'signatureHand=2', () => mark(page).getByRole('radio', { name: 'Handwriting 2' }).check())
    expect(await page.getByRole('textbox', { name: 'Your initials' }).inputValue()).toBe('ALvB')
    const third = mark(page, 'initials').getByRole('radio', { name: 'Handwriting 3' })
    await enterSaved(page, 'initialsHand=3', () => third.check())
    await page.reload()
    await page.locator('.marker').first().waitFor()
    expect(await mark(page).getByRole('radio', { name: 'Handwriting 2' }).isChecked()).toBe(true)
    await page.getByLabel('I have read this and agree.').check()
    await finish(page)
    expect(await words(page)).toContain('You are done')
    expect(await markOf('signature')).toEqual({ kind: 'typed', text: 'Anna-Lena von Berg', hand: 2 })
    expect(await markOf('initials')).toEqual({ kind: 'typed', text: 'ALvB', hand: 3 })
    expect(await statusOf(id)).toBe('completed')
    expect(complaints).toEqual([])
  }, 60_000)

  test('is chosen by keys alone: arrows go through the hands', async () => {
    const { page } = await open({}, FIELDS, { name: 'Ada Lovelace' })
    await marker(page, /^Signature/).focus()
    await page.keyboard.press('Enter')
    await type(page)
    await own(page).focus()
    await page.keyboard.press('Enter')
    await drawn(page, 3)
    // A text field would open the keyboard of a phone over the hands.
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('signatureMethod')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await mark(page).getByRole('radio', { name: 'Handwriting 3' }).isChecked()).toBe(true)
  }, 60_000)

  test('without a connection keeps the pictures before, and the name is taken as it is', async () => {
    const { page } = await open({}, FIELDS, { name: 'Ada Lovelace' })
    await marker(page, /^Signature/).click()
    await type(page)
    await page.getByLabel('Your full name').fill('Ada')
    const before = await drawn(page, 3)
    place.instead = (_, path) => (path.endsWith('/hands') ? new Response(null, { status: 503 }) : undefined)
    const refused = page.waitForResponse(response => response.url().endsWith('/hands'))
    await page.getByLabel('Your full name').fill('Ada King')
    await refused
    expect(await drawn(page, 3)).toEqual(before)
    expect(await page.getByLabel('Your full name').inputValue()).toBe('Ada King')
  }, 60_000)

  test('is accessible at all sizes, in Arabic and for a name in Han', async () => {
    for (const [locale, name, count] of [
      ['en', '山田 太郎', 2],
      ['ar', 'محمد علي', 3],
    ] as const) {
      const { page, complaints } = await open(ON_A_PHONE, FIELDS, { name, locale })
      await page.locator('.marker').first().tap()
      await page.locator('[name="signatureMethod"][value="typed"]').tap()
      await own(page).tap()
      await drawn(page, count)
      await mark(page).locator('.hands label:not([hidden]) input').nth(1).tap()
      expect([name, await problemsAtAllSizes(page, 'page')]).toEqual([name, []])
      expect(complaints).toEqual([])
      await page.context().close()
    }
  }, 120_000)

  test('without a script is written in a hand that was chosen by its picture', async () => {
    const { page } = await open({ ...ON_A_PHONE, javaScriptEnabled: false }, FIELDS, { name: 'Ada Lovelace' })
    await mark(page).locator('.hands input').nth(2).tap()
    await page.getByLabel('Your full name').fill('Ada Lovelace')
    await page.getByLabel('I have read this and agree.').check()
    await press(page, 'Sign and finish')
    expect(await words(page)).toContain('You are done')
    expect(await markOf('signature')).toEqual({ kind: 'typed', text: 'Ada Lovelace', hand: 3 })
  }, 60_000)
})
