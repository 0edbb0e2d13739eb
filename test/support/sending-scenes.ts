/** The pages from a file to a sent document, and contacts, in every state. */
import { PDFDocument } from 'pdf-lib'
import type { Page } from 'playwright-core'
import { press, pressToSee, visit } from './browser.ts'
import type { Client } from './people.ts'
import { samplePdf } from './sample.ts'
import type { Look } from './scenes.ts'

const pdf = async (name: string, pages = 1) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(await samplePdf(pages), 'base64'),
})

const member = (page: Page, i: number, name: string) => page.locator(`[name="recipients[${i}].${name}"]`)
const saved = (page: Page) => page.locator('[data-save-status][data-state="saved"]').waitFor()

/** `page`: of a signed-in person. */
export async function sendingScenes(page: Page, api: Client, look: Look): Promise<void> {
  await uploads(page, look)
  await people(page, look)
  await conflict(page, api, look)
  await table(page, look)
  await review(page, look)
  await contacts(page, look)
}

async function uploads(page: Page, look: Look): Promise<void> {
  await visit(page, '/documents/new', 'new-document', look)
  await page.setInputFiles('#file', [{ name: 'Angebot.docx', mimeType: 'application/zip', buffer: Buffer.from('PK') }])
  await page.locator('.error').waitFor()
  await look('new-document-error', page)
  await page.setInputFiles('#file', [
    await pdf('Rahmendienstleistungsvertrag_Stadtwerke_final_final_v12.pdf', 2),
    await pdf('Annex A.pdf'),
  ])
  await page.locator('.upload-files li').first().waitFor()
  await look('new-document-several', page)
  await page.goto('/documents/new')
  const active = await PDFDocument.load(Buffer.from(await samplePdf(), 'base64'))
  active.addJavaScript('greeting', 'app.alert("Hello")')
  const buffer = Buffer.from(await active.save())
  await page.setInputFiles('#file', [{ name: 'Lease of the mill.pdf', mimeType: 'application/pdf', buffer }])
  await page.waitForURL(/\/people/)
}

async function people(page: Page, look: Look): Promise<void> {
  await look('people', page)
  await pressToSee(page, 'Continue', 'people-errors', look)
  await member(page, 0, 'name').fill('Bo Li')
  await member(page, 0, 'email').fill('bo@example.com')
  await page.locator('button[value="add"]').click()
  await member(page, 1, 'name').fill('Maximiliane-Katharina von Hohenlohe-Waldenburg')
  await member(page, 1, 'email').fill('maximiliane-katharina.hohenlohe@waldenburg.example.org')
  await page.getByLabel('One after another').check()
  await page.locator('[data-person] summary').nth(1).click()
  await saved(page)
  await look('people-several', page)
  await member(page, 1, 'email').fill('maximiliane@')
  await member(page, 1, 'email').blur()
  await look('people-unfinished', page)
  await member(page, 1, 'email').fill('maximiliane@example.org')
  await member(page, 1, 'email').blur()
  await saved(page)
}

const idOf = (page: Page) => /doc_[0-9a-z]{26}/.exec(page.url())?.[0] ?? ''

async function conflict(page: Page, api: Client, look: Look): Promise<void> {
  const id = idOf(page)
  const { recipients } = await api('GET', `/documents/${id}`)
  const [first, second] = recipients.map((r: { id: string }) => r.id)
  await api('PATCH', `/documents/${id}`, { recipients: [{ id: first, name: 'Robert Li' }, { id: second }] })
  await member(page, 0, 'name').fill('Bo Lee')
  await member(page, 0, 'name').blur()
  await page.locator('[data-save-status].bad').waitFor()
  await look('people-conflict', page)
  await pressToSee(page, 'Continue', 'people-conflict-question', look)
  await press(page, 'Save my version')
}

async function table(page: Page, look: Look): Promise<void> {
  const address = `/documents/${idOf(page)}/fields?as=table`
  await visit(page, address, 'fields-table-empty', look)
  await press(page, 'Add a field')
  await page.goto(address)
  await page.locator('[name="fields[0].x"]').fill('95')
  await pressToSee(page, 'Save', 'fields-table-errors', look)
  await page.locator('[name="fields[0].x"]').fill('10')
  await press(page, 'Save')
}

async function review(page: Page, look: Look): Promise<void> {
  await visit(page, `/documents/${idOf(page)}/review`, 'review', look)
  await page.locator('.review-more summary').click()
  await page.locator('#message').fill('Dear Bo,\n\nplease look at clause 4 before you sign.\n\nThank you!\nGrace')
  await page.locator('#message').blur()
  await saved(page)
  await look('review-settings', page)
  await pressToSee(page, 'Send for signature', 'review-errors', look)
  await page.getByLabel('I have checked').check()
  await press(page, 'Send for signature')
}

async function contacts(page: Page, look: Look): Promise<void> {
  await visit(page, '/contacts', 'contacts', look)
  await visit(page, '/contacts?q=nobody', 'contacts-none-found', look)
  await page.goto('/contacts/new')
  await pressToSee(page, 'Save', 'contact-errors', look)
  await page.goto('/contacts')
  await page.getByRole('link', { name: 'Delete Bo Lee' }).click()
  await page.waitForURL(/forget/)
  await look('contact-delete', page)
}
