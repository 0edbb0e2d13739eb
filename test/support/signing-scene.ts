/** A document with every kind of field, opened by its one signer in a browser. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { ADA, SIGNATURE, samplePdf } from './sample.ts'
import { type SigningService, useSigningService } from './signing-service.ts'

/** A box on the first page, this far below its top. */
export const at = (y: number, more: Record<string, unknown> = {}) => ({ page: 1, x: 10, y, width: 40, height: 3, ...more })

export const PET = {
  type: 'radio',
  name: 'pet',
  label: 'Do you have a pet?',
  options: [
    { ...at(15, { width: 3, height: 2 }), value: 'yes' },
    { ...at(15, { width: 3, height: 2, x: 20 }), value: 'no' },
  ],
}
export const KIND = { type: 'text', label: 'Kind of pet', showIf: { field: 'pet', is: 'yes' }, ...at(20) }
export const FIELDS = [
  PET,
  KIND,
  { type: 'paragraph', label: 'Remarks', maxLength: 200, ...at(26, { height: 10 }), required: false },
  { type: 'number', label: 'Persons', min: 1, max: 10, ...at(40) },
  { type: 'radio', label: 'Parking', required: false, options: [{ ...at(45, { width: 3 }), value: 'Garage' }] },
  { ...SIGNATURE, y: 80 },
]

interface OpenDocument {
  id: string
  page: Page
  complaints: string[]
}

export interface SigningScene {
  place: SigningService
  /** Sends a document with these fields to a person of their own, and opens it as they do. */
  open(options?: BrowserContextOptions, fields?: unknown[], person?: Record<string, unknown>): Promise<OpenDocument>
  /** The signer's fields as the API has them. */
  fieldsOf(id: string): Promise<{ label?: string; type: string; value: string | null; file?: { fileName: string } | null }[]>
  /** The values by label, or by type. */
  valuesOf(id: string): Promise<Record<string, string | null>>
  /** The document's status after everything that follows the last signature. */
  statusOf(id: string): Promise<string>
}

/** Call it once in a test file. */
export function useSigningScene(host?: string): SigningScene {
  const place = useSigningService(host)
  let people = 0
  const documentOf = async (id: string) => (await place.t.api('GET', `/documents/${id}`)).body
  const fieldsOf: SigningScene['fieldsOf'] = async id => (await documentOf(id)).recipients[0].fields
  return {
    place,
    async open(options = {}, fields = FIELDS, person = {}) {
      // The mail about an earlier document must not be taken for the invitation.
      const email = `ada${++people}@example.com`
      const recipients = [{ ...ADA, email, fields, ...person }]
      const { id, link } = await place.send({ file: await samplePdf(), recipients }, email)
      const { page, watch } = await place.window(options)
      page.on('pageerror', error => void watch.complaints.push(error.message))
      await page.goto(link)
      await Promise.all([page.waitForEvent('load'), page.locator('main form button[type="submit"]').click()])
      if (options.javaScriptEnabled !== false) await page.locator('.marker').first().waitFor()
      return { id, page, complaints: watch.complaints }
    },
    fieldsOf,
    valuesOf: async id => Object.fromEntries((await fieldsOf(id)).map(({ label, type, value }) => [label ?? type, value])),
    async statusOf(id) {
      await place.t.drain()
      return (await documentOf(id)).status
    },
  }
}

export const panel = (page: Page) => page.locator('#panel')
export const marker = (page: Page, name: string | RegExp) => page.locator('.marker').and(page.getByRole('button', { name }))
export const next = (page: Page) => page.locator('#bar .next')
export const count = (page: Page) => page.locator('#bar .count').textContent()
export const focusedValue = (page: Page) => page.evaluate(() => (document.activeElement as HTMLInputElement).value)

/** Types the signature and agrees, with the script of the page. */
export async function signTyped(page: Page): Promise<void> {
  await panel(page).getByLabel('Type').first().check({ force: true })
  await page.getByLabel('Your full name').fill('Ada Lovelace')
  await page.getByLabel('I have read this and agree.').check()
}

/** Does `enter`, and waits until the form values that have this text are saved. */
export async function enterSaved(page: Page, text: string, enter: () => Promise<unknown>): Promise<void> {
  const saved = page.waitForResponse(response => {
    return response.url().endsWith('/form-values') && (response.request().postData() ?? '').includes(text)
  })
  await enter()
  if (!(await saved).ok()) throw new Error(`The form values with “${text}” were not saved`)
}

export async function finish(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.locator('#bar .end').click()])
}
