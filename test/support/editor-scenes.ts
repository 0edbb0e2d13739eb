/** The field editor in every state, on a fresh instance. */
import type { Page } from 'playwright-core'
import { PHONE, WIDE } from './browser.ts'
import { field, kind } from './editor-service.ts'
import { type Client, client, makeKey, setUp } from './people.ts'
import { samplePdf } from './sample.ts'
import type { Look, Place } from './scenes.ts'
import { taggedPdf } from './tagged-pdf.ts'

const ANNA = { name: 'Anna Berg', email: 'anna@example.com' }
const LONG = { name: 'Maximiliane-Katharina von Hohenlohe-Waldenburg', email: 'max.kat@waldenburg.example.org' }
const TOWN = { type: 'text', page: 1, x: 10, y: 30, width: 30, height: 3, label: 'Town' }
const choice = (value: string, y: number) => ({ value, page: 1, x: 10, y, width: 2.4, height: 1.7 })
const FIELDS = [
  TOWN,
  { type: 'checkbox', page: 1, x: 10, y: 38, width: 3, height: 2.1, label: 'I have read this' },
  { type: 'dropdown', page: 1, x: 50, y: 30, width: 30, height: 3, label: 'Floor', options: ['Ground', 'First'] },
  { type: 'signature', page: 1, x: 10, y: 48, width: 27, height: 6 },
  { type: 'radio', name: 'Rent', label: 'Rent', options: [choice('Monthly', 66), choice('Yearly', 73)] },
  {
    type: 'paragraph',
    page: 1,
    x: 40,
    y: 68,
    width: 50,
    height: 8,
    label: 'Remarks',
    showIf: { field: 'Rent', is: 'Yearly' },
  },
  { type: 'attachment', page: 1, x: 10, y: 82, width: 30, height: 3, label: 'Passport' },
  { type: 'date', page: 1, x: 45, y: 50, width: 16, height: 2.6 },
]
const OTHERS = [
  { type: 'signature', page: 1, x: 10, y: 60, width: 27, height: 6 },
  { type: 'initials', page: 1, x: 45, y: 62, width: 9, height: 4 },
]
const TAGS = [
  { text: '{{signature:1}}', x: 72, y: 560 },
  { text: '{{date:1}}', x: 300, y: 560 },
  { text: '{{signature:2}}', x: 72, y: 480 },
  { text: '{{signature:3}}', x: 72, y: 400 },
]

export async function walkEditor({ url, setupLink }: Place, open: () => Promise<Page>, look: Look): Promise<void> {
  const page = await open()
  await setUp(page, setupLink)
  await page.goto('/settings/tokens')
  const api = client(url, await makeKey(page, 'HR system'))
  await noPeople(page, api, look)
  await fields(page, api, look)
  await proposals(page, api, look)
  await meanwhile(page, api, look)
}

async function draft(api: Client, recipients: unknown[], file?: string): Promise<string> {
  const body = { title: 'Lease of a flat', fileName: 'lease.pdf', file: file ?? (await samplePdf(3)), recipients }
  return (await api('POST', '/documents', body)).id
}

const people = () => [
  { ...ANNA, fields: FIELDS },
  { ...LONG, fields: OTHERS },
]

async function edit(page: Page, id: string): Promise<void> {
  await page.setViewportSize(WIDE)
  await page.goto(`/documents/${id}/fields`)
  await page.locator('.page canvas').first().waitFor()
}

async function noPeople(page: Page, api: Client, look: Look): Promise<void> {
  const id = await draft(api, [ANNA])
  await api('PATCH', `/documents/${id}`, { recipients: [] })
  await edit(page, id)
  await look('editor-no-people', page)
}

async function fields(page: Page, api: Client, look: Look): Promise<void> {
  await edit(page, await draft(api, people()))
  await look('editor', page)
  await kind(page, 'Signature').click()
  await look('editor-placing', page)
  await page.keyboard.press('Escape')
  await field(page, /Floor/).click()
  await page.getByLabel('Label', { exact: true }).waitFor()
  await look('editor-selected', page)
  await field(page, /^Choice 2 of 2, Rent/).click()
  await page.getByRole('button', { name: 'Add a choice' }).waitFor()
  await look('editor-choices', page)
  await field(page, /Remarks/).click()
  await page.getByLabel('Show only if').waitFor()
  await look('editor-condition', page)
  await page.getByRole('button', { name: /Sender/ }).click()
  await field(page, /Passport/).click()
  await page.getByLabel('Largest file in MB').waitFor()
  await look('editor-attachment', page)
  await page.keyboard.press('Control+a')
  await look('editor-several', page)
  await page.keyboard.press('Escape')
  await page.setViewportSize(PHONE)
  await field(page, /Town/).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.locator('.editor.sheet-open').waitFor()
  await look('editor-sheet', page)
}

async function proposals(page: Page, api: Client, look: Look): Promise<void> {
  const file = Buffer.from(await taggedPdf(TAGS)).toString('base64')
  await edit(page, await draft(api, [ANNA, LONG], file))
  await page.locator('.ghost').first().waitFor()
  await look('editor-proposals', page)
}

/** What others did is not announced: the editor learns it when it saves. */
async function meanwhile(page: Page, api: Client, look: Look): Promise<void> {
  await page.route('**/live', route => route.fulfill({ status: 204 }))
  const id = await draft(api, people())
  await edit(page, id)
  const [anna] = (await api('GET', `/documents/${id}`)).recipients
  const town = anna.fields.find(({ label }: { label: string }) => label === 'Town')
  await api('PATCH', `/documents/${id}`, { fields: [{ id: town.id, label: 'Village' }] })
  await relabel(page, /Town/, 'City')
  await page.getByRole('button', { name: 'Use mine' }).waitFor()
  await look('editor-conflict', page)
  const sent = await draft(api, people())
  await edit(page, sent)
  await api('POST', `/documents/${sent}/send`)
  await relabel(page, /Town/, 'City')
  await page.getByText('This document is no longer a draft.').waitFor()
  await look('editor-sent-meanwhile', page)
  await page.unroute('**/live')
}

async function relabel(page: Page, name: RegExp, text: string): Promise<void> {
  await field(page, name).click()
  await page.getByLabel('Label', { exact: true }).fill(text)
}
