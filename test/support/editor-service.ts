/** The field editor of a draft in a browser, opened by a signed-in person. */
import { expect } from 'bun:test'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { createAdmin, openSession } from '../../src/accounts/people.ts'
import { userByEmail } from '../../src/accounts/queries.ts'
import { samplePdf } from './sample.ts'
import { type SigningService, useSigningService } from './signing-service.ts'

export const ANNA = { name: 'Anna Berg', email: 'anna@example.com' }
export const BO = { name: 'Bo Lund', email: 'bo@example.com' }

export interface OpenedEditor {
  id: string
  page: Page
  complaints: string[]
  foreign: string[]
}

interface DraftOptions {
  /** Base64. */
  file?: string
  pages?: number
  recipients?: Record<string, unknown>[]
  window?: BrowserContextOptions
  /** Name of the signed-in person. */
  as?: string
}

export function useEditorService() {
  const place = useSigningService()
  return {
    place,
    async draft({ file, pages = 3, recipients = [ANNA, BO] }: DraftOptions = {}): Promise<string> {
      const body = { fileName: 'lease.pdf', title: 'Lease of a flat', file: file ?? (await samplePdf(pages)), recipients }
      const created = await place.t.api('POST', '/documents', body)
      expect(created.status).toBe(201)
      return created.body.id
    },
    /** Opens the editor of a draft. */
    async open(id: string, { window = {}, as = 'Grace Hopper' }: DraftOptions = {}): Promise<OpenedEditor> {
      const { context, page, watch } = await place.window(window)
      const value = await sessionToken(place, as)
      await context.addCookies([{ name: 'signet_session', value, url: place.url }])
      page.on('pageerror', error => void watch.complaints.push(error.message))
      await page.goto(`/documents/${id}/fields`)
      await page.locator('.page canvas').first().waitFor()
      return { id, page, complaints: watch.complaints, foreign: watch.foreign }
    },
    /** The fields of the document as the API says, by person. */
    async fields(id: string): Promise<ApiField[]> {
      const { body } = await place.t.api('GET', `/documents/${id}`)
      const people = body.recipients as { name: string; fields: ApiField[] }[]
      return people.flatMap(person => person.fields.map(field => ({ ...field, person: person.name })))
    },
  }
}

export interface ApiField {
  id: string
  person: string
  type: string
  page: number
  x: number
  y: number
  width: number
  height: number
  required: boolean
  readOnly: boolean
  label: string | null
  value: string | null
  options?: string[]
}

const PASSWORD = 'four plain words here'

async function sessionToken({ t }: SigningService, name: string): Promise<string> {
  const email = `${name.toLowerCase().replace(/\W+/g, '.')}@example.com`
  if (!(await userByEmail(t.app.db, email))) await createAdmin(t.app, { name, email, password: PASSWORD })
  const user = await userByEmail(t.app.db, email)
  if (!user) throw new Error(`${name} has no account`)
  return (await openSession(t.app, user, { ip: '127.0.0.1', userAgent: 'test' })).token
}

export const kind = (page: Page, name: string) => page.locator('.kind', { hasText: name })
export const field = (page: Page, name: string | RegExp): Locator =>
  page.locator('.field').and(page.getByRole('button', { name }))
export const sheet = (page: Page, number = 1) => page.locator(`.page[data-page="${number}"]`)

export const saved = (page: Page) => page.locator('.save-state[data-state="saved"]').waitFor()

/** A point of a page in points. */
export async function at(page: Page, number: number, x: number, y: number, [width, height] = [595.28, 841.89]) {
  const box = await sheet(page, number).boundingBox()
  if (!box) throw new Error(`page ${number} is not shown`)
  return { x: box.x + (x / width!) * box.width, y: box.y + (y / height!) * box.height }
}

/** The box of an element in points of its page. */
export async function boxOf(page: Page, target: Locator, number = 1, [width, height] = [595.28, 841.89]) {
  const [own, paper] = [await target.boundingBox(), await sheet(page, number).boundingBox()]
  if (!own || !paper) throw new Error('it is not shown')
  return {
    x: ((own.x - paper.x) / paper.width) * width!,
    y: ((own.y - paper.y) / paper.height) * height!,
    width: (own.width / paper.width) * width!,
    height: (own.height / paper.height) * height!,
  }
}
