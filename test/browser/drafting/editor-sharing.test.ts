/** The field editor with others: two people in one draft, lost connections, reloads. */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { NO_BROWSER } from '../../support/browser.ts'
import { ANNA, at, BO, field, kind, said, saved, stored, useEditorService } from '../../support/editor-service.ts'

setDefaultTimeout(60_000)
const editor = useEditorService()
const { place } = editor

const TEXT = { type: 'text', page: 1, width: 30, height: 3 }
const RECIPIENTS = [
  {
    ...ANNA,
    fields: [
      { ...TEXT, x: 10, y: 30, label: 'Town' },
      { ...TEXT, x: 10, y: 40, label: 'Street' },
    ],
  },
  BO,
]

const label = (page: Page) => page.getByLabel('Label', { exact: true })

async function relabel(page: Page, name: RegExp, text: string): Promise<void> {
  await field(page, name).click()
  await label(page).fill(text)
}

const labels = async (id: string) => (await editor.fields(id)).map(({ label }) => label)
const drafts = () => place.asked.filter(({ method, path }) => method === 'POST' && path.endsWith('/draft'))

/** Nothing of the other person is announced before this one's own change is saved. */
async function openUnannounced(id: string) {
  const opened = await editor.open(id)
  place.instead = (_, path) => (path.endsWith('/live') ? new Response(null, { status: 204 }) : undefined)
  await opened.page.reload()
  await field(opened.page, /Town/).waitFor()
  return opened
}

/** The editor of a draft that was sent before the change was saved. */
async function changedTooLate(id: string): Promise<Page> {
  const { page } = await openUnannounced(id)
  expect((await place.t.api('POST', `/documents/${id}/send`)).status).toBe(200)
  await relabel(page, /Town/, 'City')
  await page.getByText('This document is no longer a draft.').waitFor()
  return page
}

describe.skipIf(NO_BROWSER)('two people in one draft', () => {
  test('see each other’s changes; changes of different fields are both kept, and each is named', async () => {
    const id = await editor.draft({ recipients: RECIPIENTS })
    const grace = await editor.open(id)
    const bo = await editor.open(id, { as: 'Bo Hansen' })
    await relabel(grace.page, /Town/, 'City')
    await saved(grace.page)
    await field(bo.page, /City/).waitFor()
    await bo.page.getByText('This draft is also being edited by Grace Hopper.').waitFor()
    await relabel(bo.page, /Street/, 'Road')
    await field(grace.page, /Road/).waitFor()
    expect((await labels(id)).sort()).toEqual(['City', 'Road'])
    expect([...grace.complaints, ...bo.complaints]).toEqual([])
  })

  test('of the same field theirs is shown and mine is offered; “Use mine” saves it', async () => {
    const id = await editor.draft({ recipients: RECIPIENTS })
    const { page, complaints } = await openUnannounced(id)
    const [town] = await editor.fields(id)
    const patched = await place.t.api('PATCH', `/documents/${id}`, { fields: [{ id: town!.id, label: 'Village' }] })
    expect(patched.status).toBe(200)
    await relabel(page, /Town/, 'City')
    await page.getByText(/same field was changed by .*: Text “Village”/).waitFor()
    expect(await labels(id)).toContain('Village')
    await page.getByRole('button', { name: 'Use mine' }).click()
    await saved(page)
    expect(await labels(id)).toContain('City')
    expect(complaints).toEqual([])
  })

  test('a draft that was sent meanwhile: nothing is overwritten, and the page says so with a way out', async () => {
    const id = await editor.draft({ recipients: RECIPIENTS })
    const page = await changedTooLate(id)
    expect(await labels(id)).toContain('Town')
    expect(await page.getByRole('link', { name: 'Open the document' }).getAttribute('href')).toBe(`/documents/${id}`)
  })

  test('the changes that were not saved can be copied to a new draft', async () => {
    const id = await editor.draft({ recipients: RECIPIENTS })
    const { page, complaints } = await editor.open(id)
    place.instead = (_, path) => (path.endsWith('/live') ? new Response(null, { status: 204 }) : undefined)
    await page.reload()
    await field(page, /Town/).waitFor()
    // The person changes, adds and removes a field while nothing reaches the server.
    await page.context().setOffline(true)
    await relabel(page, /Town/, 'City')
    await page.getByRole('button', { name: /^Bo Lund/ }).click()
    await kind(page, 'Signature').click()
    const point = await at(page, 1, 300, 600)
    await page.mouse.click(point.x, point.y)
    await field(page, /Street/).click()
    await page.keyboard.press('Delete')
    expect((await place.t.api('POST', `/documents/${id}/send`)).status).toBe(200)
    await page.context().setOffline(false)
    await page.getByText('Your last changes were not saved: 3.').waitFor()
    const drafts = async () => {
      const { body } = await place.t.api('GET', '/documents?status=draft')
      return body.data.map(({ id }: { id: string }) => id).sort()
    }
    const before = await drafts()
    place.instead = (method, path) =>
      method === 'GET' && path.endsWith('/draft') ? new Response(null, { status: 503 }) : undefined
    await page.getByRole('button', { name: 'Copy to a new draft' }).click()
    await page.getByText('could not be copied').waitFor()
    place.instead = undefined
    await page.getByRole('button', { name: 'Copy to a new draft' }).click()
    await page.waitForURL(url => url.pathname.endsWith('/fields') && !url.pathname.includes(id))
    await field(page, /City/).waitFor()
    const [copy = ''] = /doc_\w+/.exec(page.url()) ?? []
    expect(await drafts()).toEqual([...before, copy].sort())
    expect(await editor.fields(copy)).toMatchObject([
      { person: 'Anna Berg', type: 'text', label: 'City' },
      { person: 'Bo Lund', type: 'signature' },
    ])
    expect((await labels(id)).sort()).toEqual(['Street', 'Town'])
    expect(complaints.filter(complaint => !/ERR_INTERNET_DISCONNECTED|503/.test(complaint))).toEqual([])
  })

  test('what the new draft refuses is not lost: its editor shows it', async () => {
    const id = await editor.draft({ recipients: RECIPIENTS })
    const page = await changedTooLate(id)
    const refusal = { error: { code: 'invalid', details: [{ path: 'fields[0].label', message: 'label: is too long.' }] } }
    place.instead = (method, path) =>
      method === 'POST' && path.endsWith('/draft') ? Response.json(refusal, { status: 422 }) : undefined
    await page.getByRole('button', { name: 'Copy to a new draft' }).click()
    await page.waitForURL(url => url.pathname.endsWith('/fields') && !url.pathname.includes(id))
    await field(page, /City/).click()
    await page.getByText('label: is too long.').waitFor()
  })
})

describe.skipIf(NO_BROWSER)('a lost connection', () => {
  test('is named, nothing is lost, and everything is saved once it is back', async () => {
    const id = await editor.draft({ recipients: RECIPIENTS })
    const { page } = await editor.open(id)
    await page.context().setOffline(true)
    await relabel(page, /Town/, 'City')
    await page.getByText('Not saved, retrying').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Some changes are not saved yet.').waitFor()
    expect(await labels(id)).toContain('Town')
    await page.context().setOffline(false)
    await saved(page)
    expect(await labels(id)).toContain('City')
  })

  test('over a reload keeps what was not saved', async () => {
    const id = await editor.draft({ recipients: RECIPIENTS })
    const { page } = await editor.open(id)
    place.instead = (method, path) =>
      method === 'POST' && path.endsWith('/draft') ? new Response('{}', { status: 503 }) : undefined
    await relabel(page, /Town/, 'City')
    await page.getByText('Not saved, retrying').waitFor()
    await stored(page, id, ({ pending }) => pending.length === 1)
    place.instead = undefined
    await page.reload()
    await field(page, /City/).waitFor()
    await saved(page)
    expect(await labels(id)).toContain('City')
  })
})

describe.skipIf(NO_BROWSER)('a reload', () => {
  test('keeps the steps of undo, and undo shows the page of the change', async () => {
    const id = await editor.draft({ pages: 9, recipients: RECIPIENTS })
    const { page, complaints } = await editor.open(id)
    await kind(page, 'Signature').click()
    const point = await at(page, 1, 300, 500)
    await page.mouse.click(point.x, point.y)
    await saved(page)
    await page.reload()
    await field(page, /Signature/).waitFor()
    await page.locator('.pages').evaluate(pages => {
      pages.scrollTop = pages.scrollHeight
    })
    await page.locator('.page[data-page="9"] canvas').waitFor()
    await page.locator('.pages').focus()
    await page.keyboard.press('Control+z')
    await said(page, 'Undone: placed')
    await page.locator('.page[data-page="1"]').waitFor()
    expect(await field(page, /Signature/).count()).toBe(0)
    await page.keyboard.press('Control+y')
    await saved(page)
    expect((await editor.fields(id)).filter(({ type }) => type === 'signature')).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  test('Continue waits for the last change', async () => {
    const id = await editor.draft({ recipients: RECIPIENTS })
    const { page } = await editor.open(id)
    await relabel(page, /Town/, 'City')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL(`**/documents/${id}/review`)
    expect(await labels(id)).toContain('City')
    expect(drafts()).toHaveLength(1)
  })
})
