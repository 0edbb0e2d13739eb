/** Bulk sending in Chromium: a list read, asked about, sent, watched, stopped and sent again. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { rounds, sendAll } from '../../support/batches.ts'
import { NO_BROWSER, press, type Watch } from '../../support/browser.ts'
import { LEASE_HEADER, leaseTemplate, tenantRows, westernCsv } from '../../support/bulk-scenes.ts'
import { useAppServer } from '../../support/use-app-server.ts'

let template: string

const server = useAppServer(async ({ t }) => {
  template = await leaseTemplate(t)
})

const CLEAN: Watch = { foreign: [], complaints: [] }

const file = (rows: string[][], name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(westernCsv(rows)) })

async function choose(page: Page, rows: string[][], name = 'tenants.csv'): Promise<void> {
  await page.goto(`/templates/${template}/bulk`)
  await page.locator('input[type="file"]').setInputFiles(file(rows, name))
  await press(page, 'Read the list')
}

/** Two rows with errors, an unknown column and dates that could be two days. */
function muddledList(): string[][] {
  const rows = tenantRows(40).map(row => [...row, '03/04/2027', '030 12345'])
  rows[6]![1] = 'nobody'
  rows[11]![0] = ''
  rows[11]![4] = '1.23E+12'
  return [[...LEASE_HEADER, 'Begin', 'Phone'], ...rows]
}

describe.skipIf(NO_BROWSER)('a list', () => {
  test('of an office is read, asked about, and sent without its faulty rows', async () => {
    const { page, watch } = await server.signedIn()
    await page.goto(`/templates/${template}/bulk`)
    await choose(page, muddledList())
    expect(await page.getByLabel('Encoding').inputValue()).toBe('windows-1252')
    expect(await page.getByLabel('Separator of the columns').inputValue()).toBe(';')
    expect(await page.getByRole('cell', { name: 'Jörg Müller' }).count()).toBe(1)
    await page.getByRole('link', { name: /Phone/ }).click()
    await page.getByLabel('What is the column “Phone” used for?').selectOption('ignored')
    await page.getByRole('radio', { name: '3 April 2027' }).check()
    await press(page, 'Apply')
    await page.getByRole('heading', { name: '2 rows with errors' }).waitFor()
    await page.getByRole('link', { name: '2 rows with errors' }).click()
    expect(page.url()).toEndWith('#errors-title')
    expect(await page.getByRole('heading', { name: 'Lease of', exact: false }).count()).toBe(3)
    await press(page, 'Send the 38 good ones')
    await page.getByText('Tick that they are left out').first().waitFor()
    await page.getByLabel('Leave out the 2 rows with errors').check()
    await press(page, 'Send the 38 good ones')
    await page.getByText('38 documents are being sent.').waitFor()
    await sendAll(server.t)
    expect(watch).toEqual(CLEAN)
    await page.context().close()
  }, 90_000)
})

describe.skipIf(NO_BROWSER)('the page of a batch', () => {
  test('follows what is sent, is stopped after a question, and sends the rest', async () => {
    const { t } = server
    const { page, watch } = await server.signedIn()
    await choose(page, [LEASE_HEADER, ...tenantRows(60)], 'sixty.csv')
    await press(page, 'Send 60 documents')
    await page.getByText('0 of 60 sent').waitFor()
    await rounds(t, 3)
    await page.getByText(/^[1-9]\d* of 60 sent$/).waitFor()
    await page.locator('#stop > summary').click()
    const dialog = page.getByRole('dialog', { name: 'Stop sending?' })
    await dialog.getByText('are not sent').waitFor()
    await dialog.getByRole('button', { name: 'Stop sending' }).click()
    await page.getByText('Sending was stopped.').waitFor()
    await page.getByRole('button', { name: /^Send the other \d+ documents$/ }).click()
    await page.getByText('What had failed or was stopped is being sent.').waitFor()
    await sendAll(t)
    await page.getByText('60 of 60 sent').waitFor()
    await page.getByText('Finished').first().waitFor()
    await page.getByRole('link', { name: 'Open the document of line 2', exact: true }).click()
    await page.getByRole('heading', { name: 'Lease of Jörg Müller' }).waitFor()
    expect(watch).toEqual(CLEAN)
    await page.context().close()
  }, 90_000)

  test('works without a script', async () => {
    const { page } = await server.signedIn({ javaScriptEnabled: false })
    await choose(page, [LEASE_HEADER, ...tenantRows(3)], 'three.csv')
    await press(page, 'Send 3 documents')
    await page.getByText('0 of 3 sent').waitFor()
    await page.locator('#stop > summary').click()
    await press(page, 'Stop sending')
    await page.getByText('Sending was stopped.').waitFor()
    await press(page, 'Send the other 3 documents')
    await sendAll(server.t)
    await page.reload()
    await page.getByText('3 of 3 sent').waitFor()
    await page.context().close()
  }, 60_000)
})
