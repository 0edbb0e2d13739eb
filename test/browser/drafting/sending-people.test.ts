/** The page of people by script: it saves itself, takes pasted lists, moves rows, and merges. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { NO_BROWSER, press } from '../../support/browser.ts'
import { ADA, newDocument, samplePdf } from '../../support/sample.ts'
import { useSigningService } from '../../support/signing-service.ts'
import { sentDocument } from '../../support/story.ts'

setDefaultTimeout(60_000)
const place = useSigningService()

async function draft(page: Page): Promise<string> {
  await page.goto('/documents/new')
  const buffer = Buffer.from(await samplePdf(), 'base64')
  await page.setInputFiles('#file', [{ name: 'Lease.pdf', mimeType: 'application/pdf', buffer }])
  await page.waitForURL(/\/people/)
  return /doc_[0-9a-z]{26}/.exec(page.url())?.[0] ?? ''
}

interface Person {
  id: string
  name: string
  email: string
  order: number
}

const stored = async (id: string): Promise<Person[]> => (await place.t.api('GET', `/documents/${id}`)).body.recipients
const member = (page: Page, i: number, name: string) => page.locator(`[name="recipients[${i}].${name}"]`)
const status = (page: Page, text: string) => page.locator('[data-save-status]', { hasText: text }).waitFor()
const announced = (page: Page, text: string) => page.locator('[data-announce]', { hasText: text }).waitFor({ state: 'attached' })
const valued = (page: Page, i: number, name: string, value: string) =>
  page.waitForFunction(
    ([entry, expected]) => document.querySelector<HTMLInputElement>(`[name="${entry}"]`)?.value === expected,
    [`recipients[${i}].${name}`, value],
  )
const saved = (page: Page) => page.locator('[data-save-status][data-state="saved"]').waitFor()
const paste = (page: Page, i: number, name: string, text: string) =>
  member(page, i, name).evaluate((input, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', pasted)
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

describe.skipIf(NO_BROWSER)('the page of people', () => {
  test('saves what is typed, one request at a time, also when it is left at once', async () => {
    const { page, complaints } = await place.signedIn()
    const id = await draft(page)
    await member(page, 0, 'name').fill('Bo Li')
    await member(page, 0, 'email').fill('bo@example.com')
    await saved(page)
    expect(await stored(id)).toMatchObject([{ name: 'Bo Li', email: 'bo@example.com' }])
    await page.locator('#title').fill('Lease of the mill')
    await page.locator('#title').blur()
    await page.getByRole('link', { name: 'Contacts' }).click()
    await page.waitForURL(/contacts/)
    expect((await place.t.api('GET', `/documents/${id}`)).body.title).toBe('Lease of the mill')
    await page.goto(`/documents/${id}/people`)
    expect(await member(page, 0, 'name').inputValue()).toBe('Bo Li')
    expect(complaints).toEqual([])
  })

  test('tells a half address beside its field and saves the rest', async () => {
    const { page } = await place.signedIn()
    const id = await draft(page)
    await member(page, 0, 'name').fill('Bo Li')
    await member(page, 0, 'email').fill('bo@')
    await status(page, 'check the marked entries')
    expect(await member(page, 0, 'email').getAttribute('aria-invalid')).toBeNull()
    await member(page, 0, 'email').blur()
    await page.locator('[name="recipients[0].email"][aria-invalid]').waitFor()
    expect(await page.locator('[id="recipients[0].email-error"]').textContent()).toContain('ada@example.com')
    expect(await member(page, 0, 'email').getAttribute('aria-invalid')).toBe('true')
    expect(await stored(id)).toMatchObject([{ name: 'Bo Li', email: '' }])
    await member(page, 0, 'email').fill('bo@example.com')
    await saved(page)
    expect(await member(page, 0, 'email').getAttribute('aria-invalid')).toBeNull()
  })

  test('splits pasted text into name and address, and a list into rows', async () => {
    const { page } = await place.signedIn()
    const id = await draft(page)
    await paste(page, 0, 'email', 'Bo Li <bo@example.com>; "Berg, Ann" <ann@example.com>\ncy@example.com')
    await saved(page)
    expect((await stored(id)).map(({ name, email }) => `${name}|${email}`)).toEqual([
      'Bo Li|bo@example.com',
      'Berg, Ann|ann@example.com',
      '|cy@example.com',
    ])
    await announced(page, '3 people were added.')
    await member(page, 2, 'name').fill('<img src=x onerror=alert(1)>')
    await member(page, 2, 'name').blur()
    await saved(page)
    expect(await page.locator('img[src="x"]').count()).toBe(0)
  })

  test('is completed from contacts, with the name', async () => {
    const { page } = await place.signedIn()
    await sentDocument(place.t, { recipients: [ADA] })
    const first = await draft(page)
    await paste(page, 0, 'name', 'Zoë Quist <zoe@example.com>')
    await page.locator('[data-person] summary').click()
    await member(page, 0, 'locale').selectOption('fr')
    await saved(page)
    await press(page, 'Continue')
    await page.goto(`/documents/${first}/review`)
    await page.getByLabel('I have checked').check()
    await press(page, 'Send for signature')
    const id = await draft(page)
    expect(await page.locator('#contacts option').evaluateAll(all => all.map(o => o.getAttribute('value')))).toContain(
      'Zoë Quist <zoe@example.com>',
    )
    await member(page, 0, 'name').fill('Zoë Quist <zoe@example.com>')
    await valued(page, 0, 'email', 'zoe@example.com')
    await saved(page)
    expect(await stored(id)).toMatchObject([{ name: 'Zoë Quist', email: 'zoe@example.com', locale: 'fr' }])
    await page.locator('button[value="add"]').click()
    await member(page, 0, 'name').fill('')
    await member(page, 1, 'email').focus()
    await page
      .getByRole('button', { name: /^Remove / })
      .first()
      .click()
    await announced(page, 'was removed')
    await member(page, 0, 'email').fill('ZOE@example.com')
    await member(page, 0, 'email').blur()
    await valued(page, 0, 'name', 'Zoë Quist')
  })

  test('rows move by keys, by number and by drag; the places keep their numbers, and moves are announced', async () => {
    const { page, complaints } = await place.signedIn()
    const id = await draft(page)
    await paste(page, 0, 'name', 'Ann <ann@example.com>, Bo <bo@example.com>, Cy <cy@example.com>')
    await page.getByLabel('One after another').check()
    await saved(page)
    const names = async () => (await stored(id)).map(({ name, order }) => `${order} ${name}`)
    await page.getByRole('button', { name: 'Move Cy up' }).focus()
    await page.keyboard.press('Enter')
    await announced(page, 'Cy is now at place 2 of 3.')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Move Cy up')
    await saved(page)
    await page.reload()
    expect(await names()).toEqual(['1 Ann', '2 Cy', '3 Bo'])
    await member(page, 0, 'order').fill('9')
    await member(page, 0, 'order').blur()
    await saved(page)
    expect(await names()).toEqual(['2 Cy', '3 Bo', '9 Ann'])
    await member(page, 2, 'order').fill('none')
    await member(page, 2, 'order').blur()
    await page.locator('[id="recipients[2].order-error"]', { hasText: 'whole number' }).waitFor()
    expect(await names()).toEqual(['2 Cy', '3 Bo', '9 Ann'])
    await member(page, 2, 'order').fill('9')
    await member(page, 2, 'order').blur()
    await saved(page)
    const grip = await page.locator('.grip').nth(2).boundingBox()
    const top = await page.locator('[data-person]').first().boundingBox()
    if (!grip || !top) throw new Error('the rows are not shown')
    await page.mouse.move(grip.x + 5, grip.y + 5)
    await page.mouse.down()
    await page.mouse.move(grip.x + 5, top.y + 2, { steps: 8 })
    await page.mouse.up()
    await valued(page, 0, 'name', 'Ann')
    await saved(page)
    await page.reload()
    expect(await names()).toEqual(['2 Ann', '3 Cy', '9 Bo'])
    expect(complaints).toEqual([])
  })

  test('removes a row, adds the sender once, and asks before fields go with a person', async () => {
    const { page } = await place.signedIn()
    const id = await draft(page)
    await member(page, 0, 'name').fill('Bo')
    await member(page, 0, 'email').fill('bo@example.com')
    await page.getByRole('button', { name: 'I sign too' }).click()
    await saved(page)
    expect(await page.getByRole('button', { name: 'I sign too' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Remove Grace Hopper' }).click()
    await saved(page)
    expect(await page.getByRole('button', { name: 'I sign too' }).isVisible()).toBe(true)
    expect(await stored(id)).toHaveLength(1)
    const [bo] = await stored(id)
    const field = { recipientId: bo?.id, type: 'text', page: 1, x: 1, y: 1, width: 9, height: 2 }
    await place.t.api('PATCH', `/documents/${id}`, { fields: [field] })
    await page.reload()
    await page.locator('button[value="add"]').click()
    await page.getByRole('button', { name: 'Remove Bo' }).click()
    await page.getByText('1 field of this person will be removed too').waitFor()
    await saved(page)
    expect(await stored(id)).toHaveLength(1)
    await page.getByRole('button', { name: 'Remove the person and the fields' }).click()
    await announced(page, 'Bo was removed.')
    expect(await stored(id)).toEqual([])
  })

  test('keeps empty rows while others are saved, and makes people of those that are filled', async () => {
    const { page } = await place.signedIn()
    const id = await draft(page)
    for (const n of [2, 3]) {
      await page.locator('button[value="add"]').click()
      await page
        .locator('[data-person]')
        .nth(n - 1)
        .waitFor()
    }
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('recipients[2].name')
    await member(page, 2, 'name').fill('Cy')
    await member(page, 2, 'email').fill('cy@example.com')
    await member(page, 0, 'name').fill('Bo')
    await member(page, 0, 'name').blur()
    await saved(page)
    expect((await stored(id)).map(({ name, order }) => `${order} ${name}`)).toEqual(['1 Bo', '3 Cy'])
    expect(await member(page, 1, 'name').inputValue()).toBe('')
    expect(await member(page, 2, 'name').inputValue()).toBe('Cy')
  })

  test('what is typed while the service answers stays, also in a row that moves, and is saved afterwards', async () => {
    const { page, complaints } = await place.signedIn()
    const id = await draft(page)
    await paste(page, 0, 'name', 'Bo <bo@example.com>, Ann <ann@example.com>')
    await page.getByLabel('One after another').check()
    await saved(page)
    const held = Promise.withResolvers<undefined>()
    const arrived = Promise.withResolvers<void>()
    place.instead = (method, path) => {
      if (method !== 'POST' || !path.endsWith('/people')) return undefined
      arrived.resolve()
      return held.promise
    }
    await page.getByRole('button', { name: 'Move Ann up' }).click()
    await arrived.promise
    await member(page, 0, 'name').fill('Bo Li Chen')
    place.instead = undefined
    held.resolve(undefined)
    await announced(page, 'Ann is now at place 1 of 2.')
    expect(await member(page, 1, 'name').inputValue()).toBe('Bo Li Chen')
    await saved(page)
    expect((await stored(id)).map(({ name, order }) => `${order} ${name}`)).toEqual(['1 Ann', '2 Bo Li Chen'])
    expect(complaints).toEqual([])
  })

  test('does once what was pressed several times while the service could not be reached', async () => {
    const { page } = await place.signedIn()
    await draft(page)
    place.instead = (method, path) =>
      method === 'POST' && path.endsWith('/people') ? new Response('', { status: 502 }) : undefined
    for (let n = 0; n < 3; n++) {
      await page.locator('button[value="add"]').click()
      await status(page, 'retrying')
    }
    place.instead = undefined
    await saved(page)
    expect(await page.locator('[data-person]').count()).toBe(2)
  })

  test('says when nothing can be saved, keeps what is typed, and saves when the service is back', async () => {
    const { page } = await place.signedIn()
    const id = await draft(page)
    place.instead = (method, path) =>
      method === 'POST' && path.endsWith('/people') ? new Response('', { status: 502 }) : undefined
    await member(page, 0, 'name').fill('Bo Li')
    await member(page, 0, 'name').blur()
    await status(page, 'retrying')
    place.instead = undefined
    await saved(page)
    expect(await stored(id)).toMatchObject([{ name: 'Bo Li' }])
  })
})

describe.skipIf(NO_BROWSER)('two windows on one draft', () => {
  test('changes to different parts merge, and the page says so', async () => {
    const { page } = await place.signedIn()
    const id = await draft(page)
    await member(page, 0, 'name').fill('Bo')
    await saved(page)
    await place.t.api('PATCH', `/documents/${id}`, { message: 'From elsewhere' })
    await member(page, 0, 'name').fill('Bo Li')
    await status(page, 'their changes were kept')
    const { body } = await place.t.api('GET', `/documents/${id}`)
    expect(body).toMatchObject({ message: 'From elsewhere', recipients: [{ name: 'Bo Li' }] })
  })

  test('changes to the people are never overwritten in silence: the person compares and decides', async () => {
    const [one, two] = [await place.signedIn(), await place.signedIn()]
    const id = await draft(one.page)
    await member(one.page, 0, 'name').fill('Bo')
    await saved(one.page)
    await two.page.goto(`/documents/${id}/people`)
    await member(two.page, 0, 'name').fill('Robert')
    await saved(two.page)
    await member(one.page, 0, 'email').fill('bo@example.com')
    await status(one.page, 'changed elsewhere')
    expect(await stored(id)).toMatchObject([{ name: 'Robert', email: '' }])
    await press(one.page, 'Continue')
    expect(await one.page.locator('main').textContent()).toContain('The person Robert: changed by you, in another window')
    expect(await member(one.page, 0, 'email').inputValue()).toBe('bo@example.com')
    // Until then nothing saves itself.
    await member(one.page, 0, 'email').fill('bo.li@example.com')
    await member(one.page, 0, 'email').blur()
    await two.page.reload()
    expect(await member(two.page, 0, 'email').inputValue()).toBe('')
    await member(one.page, 0, 'email').fill('bo@example.com')
    await press(one.page, 'Save my version')
    expect(await stored(id)).toMatchObject([{ name: 'Bo', email: 'bo@example.com' }])
    expect([one.complaints, two.complaints]).toEqual([[], []])
  })

  test('a document sent in one cannot be changed in the other', async () => {
    const { page } = await place.signedIn()
    const { body } = await place.t.api('POST', '/documents', await newDocument())
    await page.goto(`/documents/${body.id}/people`)
    await place.t.api('POST', `/documents/${body.id}/send`)
    await member(page, 0, 'name').fill('Eve')
    await status(page, 'has been sent')
    expect((await stored(body.id))[0]?.name).toBe('Ada Lovelace')
  })
})
