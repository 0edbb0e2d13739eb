/**
 * What people do, in a real browser against the executable: a new administrator, a signer on a
 * phone without scripts, somebody without a mouse.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { plainPng } from '../../evidence/sample.ts'
import { download, NO_BROWSER, ON_A_PHONE, openBrowser, openWindow, press, words } from '../../support/browser.ts'
import { demandBinary, emptyFolder, run, type Serving, serve, until } from '../../support/executable.ts'
import { fill } from '../../support/fill.ts'
import { ADMIN, client, FIELDS, letters, letterTo, linkIn, makeKey, send, setUp } from '../../support/people.ts'
import { ADA, BOB, samplePdf } from '../../support/sample.ts'

let folder: ReturnType<typeof emptyFolder>
let serving: Serving
let browser: Browser
let api: ReturnType<typeof client>
const data = () => join(folder.path, 'data')

beforeAll(async () => {
  if (NO_BROWSER) return
  demandBinary()
  folder = emptyFolder()
  serving = await serve(folder.path)
  browser = await openBrowser()
  api = client(serving.url, run(folder.path, ['key', 'create', '--name', 'test']).out.trim())
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await serving?.end('SIGTERM')
  folder?.remove()
})

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail address').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await press(page, 'Sign in')
}

describe.skipIf(NO_BROWSER)('a new administrator', () => {
  test('goes from the set-up link to a key, a sent, reminded and voided document, the mails, and out', async () => {
    const { page, watch } = await openWindow(browser, serving.url)
    const link = await until('the set-up link', async () => /http\S+\/setup\/[\w-]{43}/.exec(serving.greeting)?.[0])
    await setUp(page, link)
    const key = await makeKey(page, 'HR system')
    expect(await words(page)).toContain('not be shown again')
    const own = client(serving.url, key)
    expect((await own('GET', '/me')).environment).toBe('test')
    const { id } = await own('POST', '/documents', {
      title: 'Lease of the mill',
      fileName: 'lease.pdf',
      file: await samplePdf(),
      recipients: [ADA],
    })

    await press(page, 'Documents', 'link')
    await press(page, 'Lease of the mill', 'link')
    expect(await words(page)).toContain('Draft')
    await press(page, 'Continue', 'link')
    await press(page, 'Send for signature')
    await page.getByLabel('send the document anyway').check()
    await press(page, 'Send for signature')
    expect(await words(page)).toContain('Waiting')
    await letterTo(data(), ADA.email, 'Lease')
    await press(page, 'Remind')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    const file = await download(page, /original/i)
    expect(readFileSync(file).toString('base64')).toBe(await samplePdf())

    await press(page, 'Settings', 'link')
    await press(page, 'E-mail', 'link')
    expect(await words(page)).toContain('E-mails are not sent')
    await press(page, 'E-mails sent', 'link')
    await press(page, 'Invitation', 'link')
    expect(await words(page)).toContain('Grace Hopper (Acme Ltd) asks you to sign “Lease of the mill”.')

    await page.goto(`/documents/${id}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.locator('.menu-item', { hasText: 'Void' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('Wrong file')
    await press(page, /^Void/)
    expect(await words(page)).toContain('Voided')
    expect((await own('GET', `/documents/${id}`)).status).toBe('voided')

    await page.getByRole('button', { name: /^Account:/ }).click()
    await press(page, 'Sign out')
    await page.goto('/settings/tokens')
    expect(await words(page)).not.toContain('HR system')
    await signIn(page)
    expect(page.url()).toBe(`${serving.url}/settings/tokens`)
    expect(await words(page)).toContain('HR system')
    expect([watch.foreign, watch.complaints]).toEqual([[], []])
  }, 120_000)
})

describe.skipIf(NO_BROWSER)('an administrator', () => {
  test('names the organisation, gives it a logo, and takes home a test page that shows both and that pdfsig calls valid', async () => {
    const { page, watch } = await openWindow(browser, serving.url)
    await page.goto('/settings/organisation')
    await signIn(page)
    await page.getByLabel('Name', { exact: true }).fill('Łódzka Spółka')
    await page.getByLabel('Language').selectOption('Polski')
    await Promise.all([page.waitForEvent('load'), page.locator('form[action="/settings/organisation"] button.primary').click()])
    expect(await words(page)).toContain('The organisation was saved.')
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer: plainPng(64, 16, [200, 30, 30, 255]) }
    await page.getByLabel('Picture').setInputFiles(logo)
    await press(page, 'Upload logo')
    const shown = page.getByRole('img', { name: /logo/ })
    expect(await shown.evaluate(img => (img as HTMLImageElement).naturalWidth)).toBe(64)

    await press(page, 'Seal', 'link')
    await press(page, 'Seal a test page')
    expect(await words(page)).toContain('The test page was sealed. Its seal is valid')
    const file = await download(page, 'Download the test page')
    expect(Bun.spawnSync(['pdfsig', file]).stdout.toString()).toContain('Signature is Valid')
    expect(Bun.spawnSync(['pdftotext', file, '-']).stdout.toString()).toContain('Certyfikat audytu')
    expect(Bun.spawnSync(['pdfimages', '-list', file]).stdout.toString()).toMatch(/\s64\s+16\s/)
    const certificates = await download(page, 'Download the certificates')
    expect(readFileSync(certificates, 'utf8')).toStartWith('-----BEGIN CERTIFICATE-----')
    expect([watch.foreign, watch.complaints]).toEqual([[], []])
  }, 60_000)
})

async function onAPhone(): Promise<Page> {
  return (await openWindow(browser, serving.url, { ...ON_A_PHONE, javaScriptEnabled: false })).page
}

describe.skipIf(NO_BROWSER)('a signer on a phone without scripts', () => {
  test('reads, fills in, sees errors at their fields, finishes, and gets a sealed file that pdfsig calls valid', async () => {
    const id = await send(api, { title: 'Contract of work', locale: 'en', recipients: [{ ...ADA, fields: FIELDS }] })
    const page = await onAPhone()
    await page.goto(linkIn(await letterTo(data(), ADA.email, 'Contract of work')))
    expect(await words(page)).toContain('asks you to sign this document')
    await press(page, 'Open the document')
    expect(page.url()).not.toContain('/s/')
    const read = await download(page, /^Download the PDF/)
    expect(readFileSync(read).toString('base64')).toBe(await samplePdf())

    await fill(page)
    await page.getByLabel(/^Hours a week/).fill('many')
    await press(page, 'Sign and finish')
    const hours = page.getByLabel(/^Hours a week/)
    expect(await hours.getAttribute('aria-invalid')).toBe('true')
    const message = page.locator(`[id="${await hours.getAttribute('aria-describedby')}"]`)
    expect(await message.textContent()).toBe('Hours a week: please enter a number such as 1250 or 12.50.')
    const [error, input] = [await message.boundingBox(), await hours.boundingBox()]
    expect((input?.y ?? 0) - ((error?.y ?? 0) + (error?.height ?? 0))).toBeLessThan(12)
    expect(await hours.inputValue()).toBe('many')
    expect(await page.getByLabel(/^Place/).inputValue()).toBe('Zürich')
    expect(await page.getByLabel(/^Term/).inputValue()).toBe('2 years')
    expect(await page.getByLabel(/price list/).isChecked()).toBe(true)
    expect(await page.getByLabel('I have read this and agree.').isChecked()).toBe(true)
    expect(await page.getByLabel(/^Your full name/).inputValue()).toBe('Ada Lovelace')
    expect((await api('GET', `/documents/${id}`)).recipients[0].status).toBe('viewed')

    await hours.fill('38.5')
    await press(page, 'Sign and finish')
    expect(await words(page)).toContain('Thank you')
    await page.goto(linkIn(await letterTo(data(), ADA.email, 'Completed: Contract of work')))
    await press(page, 'Open the sealed document')
    const sealed = await download(page, 'Download the sealed document')
    const pdfsig = Bun.spawnSync(['pdfsig', sealed]).stdout.toString()
    expect(pdfsig).toContain('Signature is Valid')
    expect(pdfsig).toContain('Total document signed')
  }, 120_000)

  test('declines with a reason, which the sender can read', async () => {
    const id = await send(api, { title: 'Order 88', recipients: [BOB] })
    const page = await onAPhone()
    await page.goto(linkIn(await letterTo(data(), BOB.email, 'Order 88')))
    await press(page, 'Open the document')
    await page.locator('summary', { hasText: 'I do not want to sign' }).tap()
    await page.getByLabel('Your reason').fill('   ')
    await press(page, 'Decline')
    expect(await words(page)).toContain('Please say in a few words why you decline.')
    expect((await api('GET', `/documents/${id}`)).status).toBe('sent')
    await page.getByLabel('Your reason').fill('The price is too high.')
    await press(page, 'Decline')
    expect(await words(page)).toContain('You have declined')
    expect(await page.getByRole('link', { name: /Download/ }).count()).toBe(0)
    const { status, recipients } = await api('GET', `/documents/${id}`)
    expect([status, recipients[0].declineReason]).toEqual(['declined', 'The price is too high.'])
  }, 60_000)

  test('is asked for the access code first, and sees how many tries are left', async () => {
    const cora = { email: 'cora@example.com', name: 'Cora Code', accessCode: 'tulip-42' }
    await send(api, { title: 'Letter with a code', recipients: [cora] })
    const page = await onAPhone()
    await page.goto(linkIn(await letterTo(data(), cora.email, 'code')))
    await page.getByLabel('Access code').fill('rose-41')
    await press(page, 'Open the document')
    expect(await words(page)).toContain('You have 4 tries left.')
    expect(page.url()).toContain('/s/')
    await page.getByLabel('Access code').fill('tulip-42')
    await press(page, 'Open the document')
    expect(await words(page)).toContain('Agree and finish')
  }, 60_000)
})

/**
 * Goes from field to field until the one with this name has the focus, which has to be seen at
 * every step.
 */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps++) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate(() => {
      const element = document.activeElement
      if (!(element instanceof HTMLElement) || element === document.body) return undefined
      if (element.classList.contains('marker')) return { name: `marker ${element.getAttribute('aria-label')}`, seen: true }
      const labels = 'labels' in element ? (element as HTMLInputElement).labels : null
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return {
        name: labels?.[0]?.textContent ?? element.textContent ?? '',
        seen: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
      }
    })
    if (!focus) continue
    expect(focus).toMatchObject({ seen: true })
    if (focus.name.trim().startsWith(name)) return
  }
  throw new Error(`“${name}” cannot be reached by the keyboard on ${page.url()}`)
}

/** Presses Enter on what has the focus and waits for the page behind it. */
async function enter(page: Page): Promise<void> {
  const arrived = page.waitForEvent('load')
  await page.keyboard.press('Enter')
  await arrived
}

async function type(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.type(text)
}

describe.skipIf(NO_BROWSER)('somebody without a mouse', () => {
  test('signs by the keyboard alone, with the focus always in sight', async () => {
    const dora = { email: 'dora@example.com', name: 'Dora Keys' }
    const id = await send(api, { title: 'Keyboard contract', recipients: [{ ...dora, fields: FIELDS }] })
    const { page } = await openWindow(browser, serving.url)
    await page.goto(linkIn(await letterTo(data(), dora.email, 'Keyboard')))
    await tabTo(page, 'Open the document')
    await enter(page)
    // The place on the page leads to its entry.
    await page.locator('.marker').first().waitFor()
    await tabTo(page, 'marker Place')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent)).toStartWith('Place')
    await page.keyboard.type('Bern')
    await type(page, 'Hours a week', 'many')
    await type(page, 'Term', '2')
    await tabTo(page, 'I have received the price list')
    await page.keyboard.press('Space')
    await type(page, 'Your full name', 'Dora Keys')
    await type(page, 'Your initials', 'DK')
    await tabTo(page, 'I have read this')
    await page.keyboard.press('Space')
    await tabTo(page, 'Sign and finish')
    await page.keyboard.press('Enter')

    // The focus lies on what is wrong, and its link leads to the field.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('alert')
    await tabTo(page, 'Hours a week: please enter a number')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toStartWith('fields.fld_')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('40')
    await tabTo(page, 'Sign and finish')
    await enter(page)
    expect(await words(page)).toMatch(/Thank you|The document is completed/)
    const fields = (await api('GET', `/documents/${id}`)).recipients[0].fields as { label: string; value: string }[]
    expect(fields.find(f => f.label === 'Hours a week')?.value).toBe('40')
    expect(fields.find(f => f.label === 'Term')?.value).toBe('2 years')
  }, 60_000)

  test('opens the methods to decline and to void', async () => {
    const id = await send(api, { title: 'Void by keys', recipients: [{ email: 'vera@example.com', name: 'Vera' }] })
    const { page } = await openWindow(browser, serving.url)
    await page.goto(linkIn(await letterTo(data(), 'vera@example.com', 'Void by keys')))
    await tabTo(page, 'Open the document')
    await enter(page)
    await tabTo(page, 'I do not want to sign')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Your reason')

    await page.goto(`/documents/${id}`)
    await type(page, 'E-mail address', ADMIN.email)
    await type(page, 'Password', ADMIN.password)
    await enter(page)
    expect(page.url()).toEndWith(`/documents/${id}`)
    await tabTo(page, 'More')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Void')
    await page.keyboard.press('Enter')
    await type(page, 'Reason', 'Wrong file')
    await tabTo(page, 'Void the document')
    await enter(page)
    expect((await api('GET', `/documents/${id}`)).status).toBe('voided')
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('a scanner', () => {
  test('that only loads the link in a browser leaves nothing viewed, and the signer can still sign', async () => {
    const otto = { email: 'otto@example.com', name: 'Otto Open' }
    const id = await send(api, { title: 'Scanned letter', recipients: [otto] })
    const link = linkIn(await letterTo(data(), otto.email, 'Scanned'))
    const scanner = await openWindow(browser, serving.url)
    await scanner.page.goto(link, { waitUntil: 'networkidle' })
    await scanner.page.reload({ waitUntil: 'networkidle' })
    await scanner.context.close()
    const { recipients } = await api('GET', `/documents/${id}`)
    expect([recipients[0].status, recipients[0].viewedAt]).toEqual(['sent', null])
    const { events } = await api('GET', `/documents/${id}/audit`)
    expect(events.map((e: { type: string }) => e.type)).not.toContain('document.viewed')

    const { page } = await openWindow(browser, serving.url)
    await page.goto(link)
    await press(page, 'Open the document')
    expect((await api('GET', `/documents/${id}`)).recipients[0].status).toBe('viewed')
    expect((await letters(data())).filter(m => m.to === otto.email)).toHaveLength(1)
  }, 60_000)
})
