/** Templates and bulk sending in every state, in the language of the browser. */
import type { Page } from 'playwright-core'
import { createdTemplate } from '../templates/scene.ts'
import type { AppServer } from './app-server.ts'
import { rounds, sendAll } from './batches.ts'
import { visit } from './browser.ts'
import { LEASE_HEADER, leaseTemplate, tenantRows, westernCsv } from './bulk-scenes.ts'
import { newDocument } from './sample.ts'
import type { Look } from './scenes.ts'

/** Presses a button or link, and waits for the page behind it. */
async function press(page: Page, selector: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.locator(selector).last().click()])
}

const field = (page: Page, name: string) => page.locator(`main [name="${name}"]`)
const act = (value: string) => `main button:visible[name="do"][value="${value}"]`

/** `page`: of a signed-in person. */
export async function walkTemplates(server: AppServer, page: Page, look: Look): Promise<void> {
  await visit(page, '/templates', 'list-empty', look)
  await making(server, page, look)
  await using(server, page, look)
  await bulk(server, page, look)
}

async function making({ t }: AppServer, page: Page, look: Look): Promise<void> {
  await visit(page, '/templates/new', 'new', look)
  const { body } = await t.api('POST', '/documents', await newDocument({ title: 'Contract of work' }))
  await page.goto(`/documents/${body.id}`)
  await page.locator('[popovertarget="document-menu"]').click()
  await press(page, `form[action="/documents/${body.id}/template"] button`)
  await look('made-from-a-document', page)
  await press(page, act('continue'))
  await page.locator('.page .field').first().waitFor()
  await look('fields', page)
  await visit(page, page.url().replace(/fields.*$/, 'settings'), 'settings', look)
  await visit(page, page.url().replace(/\/settings.*$/, ''), 'page', look)
}

async function using({ t }: AppServer, page: Page, look: Look): Promise<void> {
  const id = await createdTemplate(t)
  await visit(page, '/templates', 'list', look)
  await visit(page, '/templates?q=nothing', 'list-none-found', look)
  await visit(page, `/templates/${id}`, 'page-whole', look)
  await visit(page, `/templates/${id}/use`, 'use', look)
  await press(page, act('continue'))
  await look('use-errors', page)
  await field(page, 'recipients[0].name').fill('Anna Berg')
  await field(page, 'recipients[0].email').fill('anna@example.com')
  await field(page, 'recipients[1].name').fill('Bo Chen')
  await field(page, 'recipients[1].email').fill('bo@example.com')
  for (const values of await page.locator('details.use-values:not([open]) summary').all()) await values.click()
  await page.locator('.use-sender input').first().fill('1200')
  await page.locator('.use-sender input[type="date"]').fill('2027-01-01')
  await page.locator('.use-roles .person').nth(1).locator('.value-grid :is(input:not([type]), [type="text"])').last().fill('4b')
  await look('use-filled', page)
  await press(page, act('continue'))
  await look('use-review', page)
}

const csv = (rows: string[][], name = 'Mieter.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(westernCsv(rows)) })

/** Three faulty rows, an unknown column and dates that could be two days. */
function muddled(count: number): string[][] {
  const rows = tenantRows(count).map(row => [...row, '03/04/2027', '030 12345'])
  rows[2]![1] = 'nobody'
  rows[3]![0] = ''
  rows[5]![4] = '1.23E+12'
  return [[...LEASE_HEADER, 'Begin', 'Phone'], ...rows]
}

async function bulk(server: AppServer, page: Page, look: Look): Promise<void> {
  const { t } = server
  const id = await leaseTemplate(t)
  const upload = async (file: ReturnType<typeof csv>) => {
    await page.goto(`/templates/${id}/bulk`)
    await page.locator('input[type="file"]').setInputFiles(file)
    await press(page, `main form[action="/templates/${id}/bulk"] button.primary`)
  }
  await visit(page, `/templates/${id}/bulk`, 'bulk', look)
  await upload({ ...csv([]), name: 'Mieter.xlsx', buffer: Buffer.from('PK\x03\x04 no list') })
  await look('bulk-unreadable', page)
  await upload(csv(muddled(16)))
  await look('bulk-questions', page)
  for (const select of await page.locator('select[name^="column."]').all())
    if ((await select.inputValue()) === '') await select.selectOption('ignored')
  await page.locator('input[type="radio"][name^="order."]').first().check()
  await press(page, 'form[action$="/reading"] button')
  await look('bulk-errors', page)
  await press(page, 'form[action$="/send"] button')
  await look('bulk-errors-not-left-out', page)
  await field(page, 'leaveOut').check()
  await press(page, 'form[action$="/send"] button')
  await look('batch-started', page)
  await rounds(t, 2)
  await page.reload()
  await page.locator('#stop > summary').click()
  await look('batch-stop', page)
  await press(page, 'form[action$="/stop"] button')
  await look('batch-stopped', page)
  await press(page, 'form[action$="/retry"] button')
  await sendAll(t)
  await page.reload()
  await look('batch-finished', page)
  await upload(csv([LEASE_HEADER, ...tenantRows(3)]))
  await look('bulk-ready', page)
  await press(page, 'form[action$="/send"] button')
  await sendAll(t)
  await upload(csv([LEASE_HEADER, ...tenantRows(3)]))
  await press(page, 'form[action$="/send"] button')
  await look('bulk-sent-before', page)
  await visit(page, `/templates/${id}/bulk`, 'bulk-list', look)
}
