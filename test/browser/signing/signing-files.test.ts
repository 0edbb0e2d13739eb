/**
 * Photos and files that a signer adds, in a real browser: chosen, sent with progress, shown,
 * replaced and removed; with and without a script, by touch and by keys.
 */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { PHOTO, photoOf, pngOfPhoto } from '../../image/signature-photo.ts'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, ON_A_PHONE, press, words } from '../../support/browser.ts'
import { SIGNATURE, samplePdf } from '../../support/sample.ts'
import { at, enterSaved, signTyped, useSigningScene } from '../../support/signing-scene.ts'

const { place, open: openWith, fieldsOf, statusOf } = useSigningScene()

const IMAGE = { type: 'image', label: 'Identity card', ...at(20, { height: 12 }) }
const INCOME = { type: 'attachment', label: 'Proof of income', accept: ['application/pdf'], ...at(36) }
const OTHER = { type: 'attachment', label: 'Anything else', required: false, ...at(42) }
const FIELDS = [IMAGE, INCOME, OTHER, { type: 'text', label: 'Town', ...at(50) }, { ...SIGNATURE, y: 80 }]

const png = (seed: number) => ({
  name: `card ${seed}.png`,
  mimeType: 'image/png',
  buffer: Buffer.from(pngOfPhoto(photoOf({ ...PHOTO, width: 300, height: 200, pen: 5 }, seed))),
})
const pdf = async (name = 'payslip.pdf') => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(await samplePdf(), 'base64'),
})

const open = (options = {}, fields: unknown[] = FIELDS, person = {}) => openWith(options, fields, person)
const entry = (page: Page, label: string) => page.locator('.entry', { has: page.locator('label', { hasText: label }) })
const input = (page: Page, label: string) => entry(page, label).locator('input[type="file"]')
const act = (page: Page, label: string, name: string) => entry(page, label).getByRole('button', { name: new RegExp(name) })
const filesOf = async (id: string) => Object.fromEntries((await fieldsOf(id)).map(({ label = '', file = null }) => [label, file]))

describe.skipIf(NO_BROWSER)('a file', () => {
  test('is sent at once, shown with its name and size, a photo as a picture and in the document, signed and sealed', async () => {
    const { id, page, complaints } = await open()
    const count = page.locator('#bar .count')
    expect(await entry(page, 'Proof of income').textContent()).toContain('PDF, up to 20 MB.')
    expect(await count.textContent()).toBe('0 of 4 done')
    await input(page, 'Identity card').setInputFiles(png(1))
    await entry(page, 'Identity card').locator('.file-name', { hasText: 'card 1.png' }).waitFor()
    await page.waitForFunction(() => {
      const picture = document.querySelector<HTMLImageElement>('.entry .picture:not([hidden])')
      return picture?.complete && picture.naturalWidth > 0
    })
    expect(await entry(page, 'Identity card').getByRole('img').getAttribute('alt')).toBe('Preview of card 1.png')
    await input(page, 'Proof of income').setInputFiles(await pdf())
    await entry(page, 'Proof of income').locator('.file-name', { hasText: 'payslip.pdf' }).waitFor()
    expect(await count.textContent()).toBe('2 of 4 done')
    const town = page.locator('#panel').getByLabel('Town')
    await enterSaved(page, 'Bern', () => town.fill('Bern'))
    await page.reload()
    await page.locator('.marker').first().waitFor()
    expect(await entry(page, 'Proof of income').locator('.file-name').textContent()).toMatch(/^payslip\.pdf .+ kB$/)
    expect(await town.inputValue()).toBe('Bern')
    await signTyped(page)
    await Promise.all([page.waitForEvent('load'), page.locator('#bar .end').click()])
    expect(await words(page)).toContain('You are done')
    expect(await filesOf(id)).toMatchObject({
      'Identity card': { fileName: 'card 1.png', mediaType: 'image/png' },
      'Proof of income': { fileName: 'payslip.pdf', mediaType: 'application/pdf' },
      'Anything else': null,
    })
    // The files were sent once, not again with the form.
    const form = place.asked.findLast(({ path }) => path.endsWith('/finish'))
    expect(form?.body).not.toContain('%PDF')
    expect(await statusOf(id)).toBe('completed')
    expect(complaints).toEqual([])
  }, 60_000)

  test('that is of another type or too large is refused beside its field before it is sent; one that only the server can refuse, after; the rest is kept', async () => {
    const { page } = await open({}, [{ ...INCOME, maxBytes: 2_000 }, { ...OTHER, required: true }, ...FIELDS.slice(3)])
    await page.locator('#panel').getByLabel('Town').fill('Bern')
    const error = (label: string) => entry(page, label).locator('.field-error')
    await input(page, 'Proof of income').setInputFiles(png(1))
    expect(await error('Proof of income').textContent()).toBe('Proof of income: please choose a file of this type: PDF.')
    await input(page, 'Proof of income').setInputFiles({
      name: 'a.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.alloc(2_001),
    })
    expect(await error('Proof of income').textContent()).toContain('this file is larger than 2 kB')
    expect(place.asked.filter(({ path }) => path.includes('/files/'))).toEqual([])
    await input(page, 'Anything else').setInputFiles({
      name: 'b.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('no PDF'),
    })
    await error('Anything else').filter({ hasText: 'Anything else: please choose a file' }).waitFor()
    expect(await page.locator('#panel').getByLabel('Town').inputValue()).toBe('Bern')
    await input(page, 'Anything else').setInputFiles(await pdf('c.pdf'))
    await entry(page, 'Anything else').locator('.file-name', { hasText: 'c.pdf' }).waitFor()
    expect(await error('Anything else').isVisible()).toBe(false)
  }, 60_000)

  test('that was refused where none is required does not keep the person from finishing', async () => {
    const { id, page } = await open({}, [OTHER, ...FIELDS.slice(3)])
    await input(page, 'Anything else').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
    await entry(page, 'Anything else').locator('.field-error', { hasText: 'please choose a file of this type' }).waitFor()
    await page.locator('#panel').getByLabel('Town').fill('Bern')
    await signTyped(page)
    await Promise.all([page.waitForEvent('load'), page.locator('#bar .end').click()])
    expect(await statusOf(id)).toBe('completed')
  }, 60_000)

  test('can be dropped on its entry', async () => {
    const { page } = await open({}, [OTHER, ...FIELDS.slice(3)])
    const dropped = await page.evaluateHandle(
      text => {
        const transfer = new DataTransfer()
        const bytes = Uint8Array.from(atob(text), character => character.charCodeAt(0))
        transfer.items.add(new File([bytes], 'dropped.pdf', { type: 'application/pdf' }))
        return transfer
      },
      await samplePdf(),
    )
    await entry(page, 'Anything else').dispatchEvent('drop', { dataTransfer: dropped })
    await entry(page, 'Anything else').locator('.file-name', { hasText: 'dropped.pdf' }).waitFor()
  }, 60_000)

  test('is replaced by another, and removed, by keys alone; the focus stays in the entry and the change is announced', async () => {
    const { page } = await open({}, [OTHER, ...FIELDS.slice(3)])
    const heard = entry(page, 'Anything else').locator('[role="status"]')
    const chooser = page.waitForEvent('filechooser')
    await act(page, 'Anything else', 'Choose a file').focus()
    await page.keyboard.press('Enter')
    await (await chooser).setFiles(await pdf('first.pdf'))
    await heard.filter({ hasText: 'first.pdf has been added.' }).waitFor()
    expect(await act(page, 'Anything else', 'Replace').evaluate(e => e === document.activeElement)).toBe(true)
    const again = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    await (await again).setFiles(await pdf('second.pdf'))
    await heard.filter({ hasText: 'second.pdf has been added.' }).waitFor()
    await act(page, 'Anything else', 'Remove').focus()
    await page.keyboard.press('Enter')
    await heard.filter({ hasText: 'second.pdf has been removed.' }).waitFor()
    expect(await act(page, 'Anything else', 'Choose a file').evaluate(e => e === document.activeElement)).toBe(true)
  }, 60_000)

  test('on its way shows its progress, and can be cancelled', async () => {
    const { page } = await open({}, [{ ...INCOME }, ...FIELDS.slice(3)])
    const held = Promise.withResolvers<undefined>()
    place.instead = (_, path) => (path.includes('/files/') ? held.promise : undefined)
    await input(page, 'Proof of income').setInputFiles(await pdf())
    await entry(page, 'Proof of income').getByRole('progressbar').waitFor()
    await act(page, 'Proof of income', 'Cancel').click()
    expect(await act(page, 'Proof of income', 'Choose a file').isVisible()).toBe(true)
    held.resolve(undefined)
    expect(await entry(page, 'Proof of income').locator('.file-name').isVisible()).toBe(false)
  }, 60_000)

  test('on its way is waited for by “Sign and finish”, which says so and then goes on by itself', async () => {
    const { id, page } = await open({}, [{ ...INCOME }, ...FIELDS.slice(3)])
    await page.locator('#panel').getByLabel('Town').fill('Bern')
    await signTyped(page)
    const held = Promise.withResolvers<undefined>()
    place.instead = (_, path) => (path.includes('/files/') ? held.promise : undefined)
    await input(page, 'Proof of income').setInputFiles(await pdf())
    await page.locator('#bar .end').click()
    await page.locator('#bar [role="status"]', { hasText: 'Your file is still being sent. We will finish as soon' }).waitFor()
    expect(await page.locator('#bar .end').getAttribute('aria-disabled')).toBe('true')
    expect(await page.locator('#summary').count()).toBe(0)
    const done = page.waitForEvent('load')
    held.resolve(undefined)
    await done
    expect(await words(page)).toContain('You are done')
    expect(await filesOf(id)).toMatchObject({ 'Proof of income': { fileName: 'payslip.pdf' } })
  }, 60_000)

  test('with a picture of the signature is waited for too', async () => {
    const { id, page } = await open({}, FIELDS.slice(3))
    await page.locator('#panel').getByLabel('Town').fill('Bern')
    await page.getByLabel('I have read this and agree.').check()
    await page.locator('[name="signatureMethod"][value="uploaded"]').check({ force: true })
    const held = Promise.withResolvers<undefined>()
    place.instead = (method, path) => (method === 'POST' && path.endsWith('/picture') ? held.promise : undefined)
    await page.locator('#signatureFile').setInputFiles(png(1))
    await page.locator('#bar .end').click()
    await page.locator('#bar .save', { hasText: 'Your file is still being sent.' }).waitFor()
    const done = page.waitForEvent('load')
    held.resolve(undefined)
    await done
    expect(await statusOf(id)).toBe('completed')
  }, 60_000)

  test('that is the second picture of a signature is waited for as well: it takes the place of the first', async () => {
    const { id, page } = await open({}, FIELDS.slice(3))
    await page.locator('#panel').getByLabel('Town').fill('Bern')
    await page.getByLabel('I have read this and agree.').check()
    await page.locator('[name="signatureMethod"][value="uploaded"]').check({ force: true })
    const [first, second] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
    const answers = [first.promise, second.promise]
    place.instead = (method, path) => (method === 'POST' && path.endsWith('/picture') ? answers.shift() : undefined)
    await page.locator('#signatureFile').setInputFiles(png(1))
    await page.locator('#signatureFile').setInputFiles(png(2))
    const shown = page.waitForRequest(/\/picture\?for=signature/)
    first.resolve(undefined)
    await shown
    await page.locator('#bar .end').click()
    await page.locator('#bar .save', { hasText: 'Your file is still being sent.' }).waitFor()
    const done = page.waitForEvent('load')
    second.resolve(undefined)
    await done
    expect(await statusOf(id)).toBe('completed')
  }, 60_000)

  test('that is refused while “Sign and finish” waits, or cancelled, brings the person back to it, though none is required', async () => {
    const { id, page } = await open({}, [OTHER, ...FIELDS.slice(3)])
    await page.locator('#panel').getByLabel('Town').fill('Bern')
    await signTyped(page)
    const send = async () => {
      const held = Promise.withResolvers<undefined>()
      place.instead = (_, path) => (path.includes('/files/') ? held.promise : undefined)
      const file = { name: 'x.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no PDF') }
      await input(page, 'Anything else').setInputFiles(file)
      await page.locator('#bar .end').click()
      await page.locator('#bar .save', { hasText: 'Your file is still being sent.' }).waitFor()
      return held
    }
    const refused = await send()
    refused.resolve(undefined)
    await page.locator('#summary a', { hasText: 'Anything else: please choose a file' }).waitFor()
    expect(await entry(page, 'Anything else').locator('.field-error').isVisible()).toBe(true)
    const cancelled = await send()
    await act(page, 'Anything else', 'Cancel').click()
    await page.locator('#bar .end:not([aria-disabled])').waitFor()
    cancelled.resolve(undefined)
    expect(await statusOf(id)).toBe('sent')
    await Promise.all([page.waitForEvent('load'), page.locator('#bar .end').click()])
    expect(await statusOf(id)).toBe('completed')
  }, 60_000)

  test('over a lost connection says so, and can be sent again', async () => {
    const { page } = await open({}, [{ ...INCOME }, ...FIELDS.slice(3)])
    await page.context().setOffline(true)
    await input(page, 'Proof of income').setInputFiles(await pdf())
    await entry(page, 'Proof of income').locator('.field-error', { hasText: 'could not be sent' }).waitFor()
    await page.context().setOffline(false)
    await input(page, 'Proof of income').setInputFiles(await pdf())
    await entry(page, 'Proof of income').locator('.file-name', { hasText: 'payslip.pdf' }).waitFor()
    expect(await entry(page, 'Proof of income').locator('.field-error').isVisible()).toBe(false)
  }, 60_000)

  test('is added on a phone by touch; every state is accessible at all sizes, also from right to left', async () => {
    for (const locale of ['en', 'ar']) {
      const { page, complaints } = await open(ON_A_PHONE, FIELDS, { locale })
      await page.locator('.marker').first().tap()
      const chooser = page.waitForEvent('filechooser')
      await page.locator('.entry.current button').first().tap()
      await (await chooser).setFiles(png(2))
      await page.locator('.entry.current .file-name').waitFor()
      await page.locator('#bar .all').tap()
      await page
        .locator('#sign input[type="file"]')
        .nth(1)
        .setInputFiles({ name: 'x.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') })
      await page.locator('.field-error:not([hidden])').first().waitFor()
      expect([locale, await problemsAtAllSizes(page, 'page')]).toEqual([locale, []])
      expect(complaints).toEqual([])
      await page.context().close()
    }
  }, 120_000)
})

test.skipIf(NO_BROWSER)(
  'without a script files go with the form: those received are named after a refusal, one is removed, one replaced, and all is sealed',
  async () => {
    const { id, page } = await open({ ...ON_A_PHONE, javaScriptEnabled: false })
    const fill = async () => {
      await page.getByLabel('Your full name').fill('Ada Lovelace')
      await page.getByLabel('I have read this and agree.').check()
    }
    await input(page, 'Identity card').setInputFiles(png(1))
    await input(page, 'Proof of income').setInputFiles({
      name: 'a.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('no PDF'),
    })
    await input(page, 'Anything else').setInputFiles(png(3))
    await page.getByLabel(/^Town/).fill('Bern')
    await fill()
    await press(page, 'Sign and finish')
    expect(await page.locator('#summary a').allTextContents()).toEqual([
      expect.stringContaining('Proof of income: please choose a file of one of these types: PDF'),
    ])
    expect(await entry(page, 'Identity card').locator('.received').textContent()).toContain('Received: card 1.png')
    expect(await page.getByLabel(/^Town/).inputValue()).toBe('Bern')
    await input(page, 'Identity card').setInputFiles(png(2))
    await input(page, 'Proof of income').setInputFiles(await pdf())
    await entry(page, 'Anything else').getByLabel('Remove this file').check()
    await fill()
    await press(page, 'Sign and finish')
    expect(await words(page)).toContain('You are done')
    expect(await filesOf(id)).toMatchObject({
      'Identity card': { fileName: 'card 2.png' },
      'Proof of income': { fileName: 'payslip.pdf' },
      'Anything else': null,
    })
    expect(await statusOf(id)).toBe('completed')
  },
  60_000,
)
