/** Templates in a real browser: made from a document, used in two pages, signed and sealed. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, press } from '../../support/browser.ts'
import { newDocument, SIGNATURE } from '../../support/sample.ts'
import { useAppServer } from '../../support/use-app-server.ts'
import { box, createdTemplate } from '../../templates/scene.ts'

setDefaultTimeout(120_000)

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
}
const MAX_CLICKS = 3

const server = useAppServer()

const idIn = (page: Page, prefix: string) => new RegExp(`${prefix}_[0-9a-z]{26}`).exec(page.url())?.[0] ?? ''
const entry = (page: Page, i: number, member: string) => page.locator(`[name="recipients[${i}].${member}"]`)

/** A template with one role, as most are. */
async function oneRole(title: string): Promise<string> {
  const roles = [{ name: 'Supplier', fields: [SIGNATURE] }]
  return createdTemplate(server.t, { title, message: null, senderFields: [], signingOrder: 'parallel', roles })
}

/** The mailed link is signed without a script; then the document is sealed. */
async function signAndSeal(page: Page, name: string, email: string): Promise<void> {
  const { t } = server
  await page.waitForURL(/notice=sent/)
  const id = idIn(page, 'doc')
  await t.drain()
  const mail = t.mails.findLast(({ to }) => to.address === email)
  const link = /http\S+\/s\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''
  const signer = await server.window({ javaScriptEnabled: false })
  await signer.page.goto(link)
  await press(signer.page, 'Open the document')
  await signer.page.getByLabel(/^Your full name/).fill(name)
  await signer.page.getByLabel('I have read this and agree.').check()
  await press(signer.page, 'Sign and finish')
  await signer.context.close()
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}`)
  expect(body).toMatchObject({ status: 'completed', recipients: [{ status: 'signed' }], sha256: { sealed: expect.any(String) } })
}

describe.skipIf(NO_BROWSER)('a template is used in two pages, signed and sealed', () => {
  test('made from a document, by mouse, in at most 3 clicks from the list to "sent"', async () => {
    const { t } = server
    const { body } = await t.api('POST', '/documents', await newDocument({ title: 'Contract of work' }))
    await t.api('PATCH', `/documents/${body.id}`, { recipients: [{ id: body.recipients[0].id }] })
    const { page, watch } = await server.signedIn()
    await page.goto(`/documents/${body.id}`)
    await page.getByRole('button', { name: 'More' }).click()
    await press(page, 'Save as template')
    // The notice is beside the button, not on it.
    const isFree = await page.getByRole('button', { name: 'Continue' }).evaluate(button => {
      button.scrollIntoView({ block: 'end' })
      const { left, top, width, height } = button.getBoundingClientRect()
      return button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    })
    expect([await page.getByText('The template was made.').isVisible(), isFree]).toEqual([true, true])
    await entry(page, 0, 'name').fill('Contractor')
    await press(page, 'Continue')
    await page.locator('.page .field').first().waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(/\/settings$/)
    await page.locator('#message').fill('Dear {{Contractor}}, please sign.')
    await press(page, 'Done')
    await page.goto('/templates')
    let clicks = 0
    const click = async (target: Locator) => {
      clicks++
      await target.click()
    }
    await click(page.getByRole('row', { name: /Contract of work/ }).getByRole('link', { name: /^Use/ }))
    await page.waitForURL(/\/use$/)
    // The name has the focus.
    await page.keyboard.type('Bo Li')
    await page.keyboard.press('Tab')
    await page.keyboard.type('bo.mouse@example.com')
    await click(page.getByRole('button', { name: 'Continue' }))
    await page.waitForURL(/\/review\?from=/)
    await page.getByText('Dear Bo Li, please sign.').first().waitFor()
    await click(page.getByRole('button', { name: 'Send for signature' }))
    await signAndSeal(page, 'Bo Li', 'bo.mouse@example.com')
    console.log(`template by mouse: ${clicks} clicks from the list to "sent"`)
    expect(clicks).toBeLessThanOrEqual(MAX_CLICKS)
    expect([watch.foreign, watch.complaints]).toEqual([[], []])
  })

  test('by a form that is pressed twice, and again after its answer was lost', async () => {
    const id = await oneRole('Pressed agreement')
    const { page } = await server.signedIn()
    const document = async () => (await server.t.api('GET', `/documents?q=${encodeURIComponent('Pressed')}`)).body.data
    await page.goto(`/templates/${id}/use`)
    await entry(page, 0, 'name').fill('Bo Li')
    await entry(page, 0, 'email').fill('bo.twice@example.com')
    // The browser stays on the page.
    await page.route(/\/use$/, route => route.fulfill({ status: 204 }))
    const answered = page.waitForResponse(/\/use$/)
    await page.getByRole('button', { name: 'Continue' }).click()
    await answered
    await page.unroute(/\/use$/)
    await page.getByRole('button', { name: 'Continue' }).dblclick()
    await page.waitForURL(/\/review\?from=/)
    expect(await document()).toHaveLength(1)
  })

  test('by touch on a phone, with a person known from before', async () => {
    const id = await oneRole('Touched agreement')
    const { page, watch } = await server.signedIn(PHONE)
    await page.goto('/templates')
    await page.locator(`a[href="/templates/${id}/use"]`).first().tap()
    await page.waitForURL(/\/use$/)
    await entry(page, 0, 'email').tap()
    await entry(page, 0, 'email').fill('bo.mouse@example.com')
    await entry(page, 0, 'email').blur()
    expect(await entry(page, 0, 'name').inputValue()).toBe('Bo Li')
    await page.getByRole('button', { name: 'Continue' }).tap()
    await page.waitForURL(/\/review\?from=/)
    await page.getByRole('button', { name: 'Send for signature' }).tap()
    await signAndSeal(page, 'Bo Li', 'bo.mouse@example.com')
    expect([watch.foreign, watch.complaints]).toEqual([[], []])
  })

  test('by keys alone', async () => {
    await oneRole('Typed agreement')
    const { page, watch } = await server.signedIn()
    await page.goto('/templates?q=Typed')
    const focus = async (target: Locator) => {
      for (let i = 0; i < 60 && !(await target.evaluate(element => element === document.activeElement)); i++)
        await page.keyboard.press('Tab')
      await expect(target.evaluate(element => element === document.activeElement)).resolves.toBe(true)
    }
    await focus(page.getByRole('row', { name: /Typed agreement/ }).getByRole('link', { name: /^Use/ }))
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/use$/)
    await focus(entry(page, 0, 'name'))
    await page.keyboard.type('Ada Keys')
    await page.keyboard.press('Tab')
    await page.keyboard.type('ada.keys@example.com')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/review\?from=/)
    await focus(page.getByRole('button', { name: 'Send for signature' }))
    await page.keyboard.press('Enter')
    await signAndSeal(page, 'Ada Keys', 'ada.keys@example.com')
    expect([watch.foreign, watch.complaints]).toEqual([[], []])
  })

  test('what is wrong loses its mark when it is corrected, and the check lists the values', async () => {
    const senderFields = [
      { type: 'number', name: 'Rent', ...box(10) },
      { type: 'date', name: 'Begin', ...box(15) },
    ]
    const roles = [{ name: 'Tenant', fields: [SIGNATURE, { type: 'text', name: 'Unit', readOnly: true, ...box(20) }] }]
    const id = await createdTemplate(server.t, { title: 'Corrected lease', message: null, senderFields, roles })
    const { page, watch } = await server.signedIn()
    await page.goto(`/templates/${id}/use`)
    await entry(page, 0, 'name').fill('Ada Right')
    await page.getByLabel('E-mail address').fill('ada@')
    await page.getByLabel(/^Rent/).fill('much')
    await press(page, 'Continue')
    const wrong = () => page.locator('[aria-invalid]').evaluateAll(all => all.map(({ id }) => id.split('.')[0]))
    expect(await wrong()).toEqual(['recipients[0]', 'values', 'values', 'values'])
    await page.getByLabel('E-mail address').fill('ada.right@example.com')
    await page.getByLabel(/^Rent/).fill('1200')
    await page.getByLabel(/^Begin/).fill('2027-01-01')
    await page.getByLabel(/^Unit/).fill('4b')
    expect(await wrong()).toEqual([])
    expect(await page.locator('.use .field-error:visible').count()).toBe(0)
    await press(page, 'Continue')
    await page.getByRole('heading', { name: 'Values in the document' }).waitFor()
    expect(await problemsAtAllSizes(page)).toEqual([])
    expect([watch.foreign, watch.complaints]).toEqual([[], []])
  })

  test('without a script', async () => {
    await oneRole('Plain agreement')
    const { page, watch } = await server.signedIn({ javaScriptEnabled: false })
    await page.goto('/templates?q=Plain')
    await press(page, /^Use/, 'link')
    await press(page, 'Continue')
    expect(await page.locator('#summary a').count()).toBe(2)
    await entry(page, 0, 'name').fill('Cy Plain')
    await entry(page, 0, 'email').fill('cy.plain@example.com')
    await press(page, 'Continue')
    await press(page, 'Send for signature')
    await signAndSeal(page, 'Cy Plain', 'cy.plain@example.com')
    expect(watch.complaints).toEqual([])
  })
})

describe.skipIf(NO_BROWSER)('the page of use', () => {
  test('leads back, also by the browser, to the same document with what was entered', async () => {
    const id = await oneRole('Agreement to return to')
    const { page } = await server.signedIn()
    await page.goto(`/templates/${id}/use`)
    await entry(page, 0, 'name').fill('Dee Back')
    await entry(page, 0, 'email').fill('dee@example.com')
    await press(page, 'Continue')
    const made = idIn(page, 'doc')
    await press(page, 'Back', 'link')
    expect(await entry(page, 0, 'name').inputValue()).toBe('Dee Back')
    await entry(page, 0, 'name').fill('Dee Again')
    await press(page, 'Continue')
    expect(idIn(page, 'doc')).toBe(made)
    for (let i = 0; i < 3; i++) await page.goBack()
    await page.waitForURL(new RegExp(`document=${made}`))
    expect(await entry(page, 0, 'name').inputValue()).toBe('Dee Again')
    await page.getByRole('button', { name: 'I sign myself' }).click()
    await press(page, 'Continue')
    expect(idIn(page, 'doc')).toBe(made)
    const { recipients } = (await server.t.api('GET', `/documents/${made}`)).body
    expect(recipients.map((r: { name: string }) => r.name)).toEqual(['Grace Hopper'])
  })

  test('asks for no value of the sender that a condition hides', async () => {
    const id = await createdTemplate(server.t, {
      title: 'Flat with conditions',
      message: null,
      senderFields: [
        { type: 'checkbox', name: 'Furnished', label: 'Furnished', ...box(10) },
        { type: 'text', label: 'List of furniture', showIf: { field: 'Furnished', is: 'true' }, ...box(15) },
      ],
      roles: [{ name: 'Tenant', fields: [SIGNATURE] }],
    })
    const { page } = await server.signedIn()
    await page.goto(`/templates/${id}/use`)
    const list = page.getByLabel(/^List of furniture/)
    expect(await list.isVisible()).toBe(false)
    await page.getByLabel(/^Furnished/).check()
    expect(await list.isVisible()).toBe(true)
    await page.getByLabel(/^Furnished/).uncheck()
    await entry(page, 0, 'name').fill('Eve')
    await entry(page, 0, 'email').fill('eve@example.com')
    await press(page, 'Continue')
    await page.waitForURL(/\/review\?from=/)
  })
})

describe.skipIf(NO_BROWSER)('the page of a template', () => {
  test('has no violation of axe with a question open, and fits', async () => {
    const { page } = await server.signedIn()
    const id = await createdTemplate(server.t, { title: 'Lease of {{Tenant}}' })
    for (const address of [`/${id}?open=delete`, `/${id}?open=replace`]) {
      await page.goto(`/templates${address}`)
      expect([address, await problemsAtAllSizes(page)]).toEqual([address, []])
    }
  })

  test('shows where its fields are', async () => {
    const id = await createdTemplate(server.t)
    const { page } = await server.signedIn()
    await page.goto(`/templates/${id}`)
    const city = page.locator('.field-box', { hasText: 'City' })
    await city.waitFor()
    const [sheet, place] = [await page.locator('.page').first().boundingBox(), await city.boundingBox()]
    expect(((place?.y ?? 0) - (sheet?.y ?? 0)) / (sheet?.height ?? 1)).toBeCloseTo(0.3, 2)
    expect(((place?.x ?? 0) - (sheet?.x ?? 0)) / (sheet?.width ?? 1)).toBeCloseTo(0.1, 2)
  })
})
