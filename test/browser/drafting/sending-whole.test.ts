/** From set-up to a sealed document in a real browser; counts clicks and time to "sent". */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { NO_BROWSER, openBrowser, openWindow, press, type Watch, WIDE } from '../../support/browser.ts'
import { demandBinary, emptyFolder, run, type Serving, serve, until } from '../../support/executable.ts'
import { ADMIN, client, letterTo, linkIn, setUp } from '../../support/people.ts'
import { samplePdf } from '../../support/sample.ts'

setDefaultTimeout(120_000)

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
}
const MAX_CLICKS = 8
const MAX_SECONDS = 60
/** A person who has not seen the page: to find and press a button, and to type a character. */
const SECONDS_PER_CLICK = 3
const SECONDS_PER_CHARACTER = 0.25

let folder: ReturnType<typeof emptyFolder>
let serving: Serving
let browser: Browser
let api: ReturnType<typeof client>
const data = () => join(folder.path, 'data')

beforeAll(async () => {
  if (NO_BROWSER) return
  demandBinary()
  folder = emptyFolder()
  serving = await serve(folder.path, { env: { SIGNET_RATE_PER_MINUTE: '10000000' } })
  browser = await openBrowser()
  api = client(serving.url, run(folder.path, ['key', 'create', '--name', 'test']).out.trim())
  const { page, context } = await openWindow(browser, serving.url)
  const link = await until('the set-up link', async () => /http\S+\/setup\/[\w-]{43}/.exec(serving.greeting)?.[0])
  await setUp(page, link)
  await context.close()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await serving?.end('SIGTERM')
  folder?.remove()
})

async function signedIn(options: BrowserContextOptions = {}): Promise<{ page: Page; watch: Watch }> {
  const { page, watch } = await openWindow(browser, serving.url, options)
  await page.goto('/sign-in')
  await page.getByLabel('E-mail address').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await press(page, 'Sign in')
  return { page, watch }
}

const file = async (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(await samplePdf(), 'base64') })

/** Counts what a person does. */
class Person {
  clicks = 0
  characters = 0

  async click(target: Locator): Promise<void> {
    this.clicks++
    await target.click()
  }

  async type(target: Locator, text: string): Promise<void> {
    this.characters += text.length
    await target.pressSequentially(text)
  }
}

const idOf = (page: Page) => /doc_[0-9a-z]{26}/.exec(page.url())?.[0] ?? ''
const isSent = async (page: Page) => {
  await page.waitForURL(/notice=sent/)
  expect((await api('GET', `/documents/${idOf(page)}`)).status).toBe('sent')
}

/** The signer signs with a typed name; the sealed file is one that the verifier accepts. */
async function signAndVerify(id: string, email: string, title: string, isInField: boolean): Promise<void> {
  const link = linkIn(await letterTo(data(), email, title))
  const { page, watch } = await openWindow(browser, serving.url, { javaScriptEnabled: false })
  await page.goto(link)
  await press(page, 'Open the document')
  await page.getByLabel(/^Your full name/).fill('Bo Li')
  await page.getByLabel('I have read this and agree.').check()
  await press(page, 'Sign and finish')
  expect([watch.foreign, watch.complaints]).toEqual([[], []])
  await until('the seal', async () => ((await api('GET', `/documents/${id}`)).status === 'completed' ? true : undefined))
  const { recipients } = await api('GET', `/documents/${id}`)
  expect(recipients[0].fields.map((f: { type: string }) => f.type)).toEqual(isInField ? ['signature'] : [])
  const key = run(folder.path, ['key', 'create', '--name', 'file']).out.trim()
  const answer = await serving.fetch(`/api/v1/documents/${id}/file`, { headers: { authorization: `Bearer ${key}` } })
  const path = join(folder.path, `${id}.pdf`)
  await Bun.write(path, await answer.bytes())
  const root = join(folder.path, 'root.pem')
  await Bun.write(root, await (await serving.fetch('/seal-certificate.pem')).bytes())
  expect(run(folder.path, ['verify', path, '--trust', root]).code).toBe(0)
}

const kindButton = (page: Page) => page.locator('.kind', { hasText: 'Signature' }).first()
const editorSaved = (page: Page) => page.locator('.save-state[data-state="saved"]').waitFor()
const fieldOnPage = (page: Page) => page.locator('.page .field').first()

/** The middle of the first page, where it can be seen. */
async function onPage(page: Page): Promise<{ x: number; y: number }> {
  const sheet = page.locator('.page[data-page="1"]')
  await sheet.locator('canvas').first().waitFor()
  const box = await sheet.boundingBox()
  if (!box) throw new Error('the first page is not shown')
  return { x: box.x + box.width / 2, y: box.y + Math.min(box.height, 300) / 2 }
}

describe.skipIf(NO_BROWSER)('a document is sent, signed and sealed', () => {
  test('by mouse, in at most 8 clicks from sign-in and less than a minute', async () => {
    const { page, watch } = await signedIn({ viewport: WIDE })
    await page.goto('/documents')
    const person = new Person()
    const begun = performance.now()
    await person.click(page.getByRole('link', { name: /^(Send a document|New document)$/ }).first())
    const choosing = page.waitForEvent('filechooser')
    await person.click(page.locator('.file-drop label').first())
    await (await choosing).setFiles([await file('Lease by mouse.pdf')])
    await page.waitForURL(/\/people/)
    await person.type(page.getByLabel('Name', { exact: true }), 'Bo Li')
    await page.keyboard.press('Tab')
    await person.type(page.getByLabel('E-mail address'), 'bo.mouse@example.com')
    await person.click(page.getByRole('button', { name: 'Continue' }))
    await page.waitForURL(/\/fields/)
    const { x, y } = await onPage(page)
    await person.click(kindButton(page))
    person.clicks++
    await page.mouse.click(x, y)
    await fieldOnPage(page).waitFor()
    await person.click(page.getByRole('button', { name: 'Continue' }))
    await page.waitForURL(/\/review/)
    await person.click(page.getByRole('button', { name: 'Send for signature' }))
    await isSent(page)
    const measured = (performance.now() - begun) / 1000
    const seconds = measured + person.clicks * SECONDS_PER_CLICK + person.characters * SECONDS_PER_CHARACTER
    console.log(
      `from sign-in to sent: ${person.clicks} clicks, ${person.characters} characters; ${measured.toFixed(1)} s by the machine, ${seconds.toFixed(0)} s at human speed`,
    )
    expect(person.clicks).toBeLessThanOrEqual(MAX_CLICKS)
    expect(seconds).toBeLessThan(MAX_SECONDS)
    expect([watch.foreign, watch.complaints]).toEqual([[], []])
    await signAndVerify(idOf(page), 'bo.mouse@example.com', 'Lease by mouse', true)
  })

  test('by touch, on a phone', async () => {
    const { page, watch } = await signedIn(PHONE)
    await page.goto('/documents/new')
    const choosing = page.waitForEvent('filechooser')
    await page.locator('.file-drop label').first().tap()
    await (await choosing).setFiles([await file('Lease by touch.pdf')])
    await page.waitForURL(/\/people/)
    await page.getByLabel('Name', { exact: true }).fill('Bo Li')
    await page.getByLabel('E-mail address').fill('bo.touch@example.com')
    await page.getByRole('button', { name: 'Continue' }).tap()
    await page.waitForURL(/\/fields/)
    const { x, y } = await onPage(page)
    await kindButton(page).tap()
    await page.touchscreen.tap(x, y)
    await fieldOnPage(page).waitFor()
    await editorSaved(page)
    await page.getByRole('button', { name: 'Continue' }).tap()
    await page.waitForURL(/\/review/)
    await page.getByRole('button', { name: 'Send for signature' }).tap()
    await isSent(page)
    expect([watch.foreign, watch.complaints]).toEqual([[], []])
    await signAndVerify(idOf(page), 'bo.touch@example.com', 'Lease by touch', true)
  })

  test('by keys alone', async () => {
    const { page, watch } = await signedIn({ viewport: WIDE })
    await page.goto('/documents')
    const isFocused = (selector: string) => page.evaluate(s => document.activeElement?.matches(s) ?? false, selector)
    const tabTo = async (selector: string) => {
      for (let i = 0; i < 80; i++) {
        if (await isFocused(selector)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`${selector} cannot be reached by the keyboard`)
    }
    await page.keyboard.press('n')
    await page.waitForURL(/\/documents\/new/)
    await tabTo('input[type="file"]')
    const choosing = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    await (await choosing).setFiles([await file('Lease by keys.pdf')])
    await page.waitForURL(/\/people/)
    await tabTo('[name="recipients[0].name"]')
    await page.keyboard.type('Bo Li')
    await page.keyboard.press('Tab')
    await page.keyboard.type('bo.keys@example.com')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/fields/)
    await onPage(page)
    await tabTo('.kind')
    await page.keyboard.press('Enter')
    await fieldOnPage(page).waitFor()
    await editorSaved(page)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await tabTo('button.continue')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/review/)
    await tabTo('[data-send]')
    await page.keyboard.press('Enter')
    await isSent(page)
    expect([watch.foreign, watch.complaints]).toEqual([[], []])
    await signAndVerify(idOf(page), 'bo.keys@example.com', 'Lease by keys', true)
  })

  test('without JavaScript, on a phone', async () => {
    const { page } = await signedIn({ ...PHONE, javaScriptEnabled: false })
    await page.goto('/documents/new')
    await page.setInputFiles('#file', [await file('Lease by forms.pdf'), await file('Annex.pdf')])
    await press(page, 'Upload and continue')
    await page.getByLabel('Name', { exact: true }).fill('Bo Li <bo.forms@example.com>')
    await press(page, 'Add a person')
    await page.getByLabel('Name', { exact: true }).nth(1).fill('Ann Berg')
    await press(page, 'Continue')
    expect(await page.locator('main').textContent()).toContain('Enter the e-mail address.')
    await press(page, 'Remove Ann Berg')
    await press(page, 'Continue')
    await press(page, 'Add a field')
    await page.getByLabel('Page', { exact: true }).fill('1')
    await page.getByLabel('From the top (%)').fill('60,5')
    await press(page, 'Continue')
    await press(page, 'Send for signature')
    await isSent(page)
    const { recipients } = await api('GET', `/documents/${idOf(page)}`)
    expect(recipients[0].fields[0]).toMatchObject({ type: 'signature', page: 1, y: 60.5 })
    await signAndVerify(idOf(page), 'bo.forms@example.com', 'Lease by forms', true)
  })
})
