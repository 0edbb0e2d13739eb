/** What is entered while the service has too many requests or an error, on the signing page. */
import { describe, expect, test } from 'bun:test'
import { PHOTO, photoOf, pngOfPhoto } from '../../image/signature-photo.ts'
import { NO_BROWSER, words } from '../../support/browser.ts'
import { SIGNATURE } from '../../support/sample.ts'
import { at, finish, panel, signTyped, useSigningScene } from '../../support/signing-scene.ts'

const { place, open, valuesOf } = useSigningScene()

const FIELDS = [
  { type: 'text', label: 'Town', ...at(20) },
  { type: 'image', label: 'Photo', required: false, ...at(30, { height: 10 }) },
  { ...SIGNATURE, y: 80 },
]
const PNG = {
  name: 'me.png',
  mimeType: 'image/png',
  buffer: pngOfPhoto(photoOf({ ...PHOTO, width: 500, height: 375, pen: 5 }, 5)),
}

const tooMany = () => new Response('', { status: 429, headers: { 'retry-after': '3' } })
const failure = () => new Response('', { status: 500 })

/** Answers this many posts to addresses with this end; the service answers those that follow. */
function answer(end: string, answers: (() => Response)[]): void {
  place.instead = (method, path) => (method === 'POST' && path.includes(end) ? answers.shift()?.() : undefined)
}

const BUSY = 'Not saved: too many requests. Trying again in 3 seconds.'
const FAILED = 'Not saved: the service has an error. Your entries stay in this window. Trying again in 2 seconds.'

describe.skipIf(NO_BROWSER)('what is typed', () => {
  test('while there are too many requests is shown as that, with the time the service names, and is saved then', async () => {
    const { id, page } = await open({}, FIELDS)
    await page.clock.install()
    answer('/form-values', [tooMany])
    await panel(page).getByLabel('Town').fill('Bern')
    await page.locator('#bar .save', { hasText: BUSY }).waitFor()
    expect(await page.locator('#bar').getByRole('status').textContent()).toBe(BUSY)
    await page.clock.fastForward(3_000)
    await page.locator('#bar .save', { hasText: /^Saved$/ }).waitFor()
    await signTyped(page)
    await finish(page)
    expect(await valuesOf(id)).toMatchObject({ Town: 'Bern' })
  }, 60_000)

  test('while the service has an error is shown as that and kept; “Finish” says so, sends nothing, and works later', async () => {
    const { id, page } = await open({}, FIELDS)
    answer('/form-values', [failure, failure])
    await panel(page).getByLabel('Town').fill('Bern')
    await page.locator('#bar .save', { hasText: FAILED }).waitFor()
    place.instead = (_, path) => (path.endsWith('/form-values') ? failure() : undefined)
    await signTyped(page)
    await page.locator('#bar .end').click()
    await page
      .locator('#bar .save', { hasText: /^Not sent: the service has an error\. Your entries stay in this window/ })
      .waitFor()
    expect(place.asked.filter(({ path }) => path.endsWith('/finish'))).toEqual([])
    expect(await panel(page).getByLabel('Town').inputValue()).toBe('Bern')
    place.instead = undefined
    await finish(page)
    expect([await words(page), await valuesOf(id)]).toEqual([
      expect.stringContaining('You are done'),
      expect.objectContaining({ Town: 'Bern' }),
    ])
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('a file', () => {
  test('is sent again by itself, and what it waits for is shown', async () => {
    const { page } = await open({}, FIELDS)
    await page.clock.install()
    answer('/files/', [tooMany, failure])
    await panel(page).locator('[data-entry^="fields."] input[type="file"]').setInputFiles(PNG)
    const state = panel(page).locator('.file-state')
    await state.filter({ hasText: 'Too many requests. It is sent again in 3 seconds.' }).waitFor()
    await page.clock.fastForward(3_000)
    await state
      .filter({ hasText: 'The service has an error. The file stays in this window and is sent again in 4 seconds.' })
      .waitFor()
    await page.clock.fastForward(4_000)
    await panel(page).locator('.file-name', { hasText: 'me.png' }).waitFor()
    expect(place.asked.filter(({ method, path }) => method === 'POST' && path.includes('/files/'))).toHaveLength(3)
  }, 60_000)

  test('that waits can be cancelled, and is not sent again', async () => {
    const { page } = await open({}, FIELDS)
    await page.clock.install()
    answer('/files/', [failure])
    await panel(page).locator('[data-entry^="fields."] input[type="file"]').setInputFiles(PNG)
    await panel(page).locator('.file-state', { hasText: 'The service has an error.' }).waitFor()
    await panel(page)
      .getByRole('button', { name: /^Cancel/ })
      .click()
    await page.clock.fastForward(120_000)
    expect(
      await panel(page)
        .getByRole('button', { name: /Choose or take a photo/ })
        .isVisible(),
    ).toBe(true)
    expect(place.asked.filter(({ method, path }) => method === 'POST' && path.includes('/files/'))).toHaveLength(1)
  }, 60_000)

  test('is given up after four tries, with what to do', async () => {
    const { page } = await open({}, FIELDS)
    await page.clock.install()
    answer('/files/', [failure, failure, failure, failure])
    await panel(page).locator('[data-entry^="fields."] input[type="file"]').setInputFiles(PNG)
    for (const seconds of [2, 4, 8]) {
      await panel(page)
        .locator('.file-state', { hasText: `in ${seconds} seconds.` })
        .waitFor()
      await page.clock.fastForward(seconds * 1000)
    }
    await panel(page).getByText('Photo: the service could not do this now. Please try again in a minute.').waitFor()
  }, 60_000)
})

test.skipIf(NO_BROWSER)(
  'the picture of a signature is sent again by itself, and what it waits for is shown',
  async () => {
    const { page } = await open({}, FIELDS)
    await page.clock.install()
    answer('/picture', [tooMany])
    const mark = panel(page).locator('[data-mark="signature"]')
    await mark.getByRole('radio', { name: 'Upload' }).check({ force: true })
    await mark.locator('input[type="file"]').setInputFiles(PNG)
    await mark.getByText('Too many requests. It is sent again in 3 seconds.').waitFor()
    await page.clock.fastForward(3_000)
    await mark.getByText('Your signature has been placed.').waitFor()
  },
  60_000,
)
