/** The field editor of a draft in a browser, opened by a signed-in person. */
import { expect } from 'bun:test'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { createAdmin } from '../../src/accounts/people.ts'
import { userByEmail } from '../../src/accounts/queries.ts'
import { until } from './executable.ts'
import { samplePdf } from './sample.ts'
import { sessionCookie } from './sign-in.ts'
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
      await context.addCookies([await cookieOf(place, as)])
      page.on('pageerror', error => void watch.complaints.push(error.message))
      await page.clock.install()
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
  fontSize: number | null
  dateFormat: string | null
  align: string | null
  options?: string[]
}

const PASSWORD = 'four plain words here'

/** Of a person of this name, who has an account then. */
async function cookieOf({ t, url }: SigningService, name: string) {
  const email = `${name.toLowerCase().replace(/\W+/g, '.')}@example.com`
  if (!(await userByEmail(t.app.db, email))) await createAdmin(t.app, { name, email, password: PASSWORD })
  return sessionCookie(t.app, email, url)
}

export const kind = (page: Page, name: string) => page.locator('.kind', { hasText: name })
export const field = (page: Page, name: string | RegExp): Locator =>
  page.locator('.field').and(page.getByRole('button', { name }))
export const sheet = (page: Page, number = 1) => page.locator(`.page[data-page="${number}"]`)

/** At once: what is saved half a second later is due now. */
export async function saved(page: Page): Promise<void> {
  await page.clock.fastForward(500)
  await page.locator('#editor[data-save="saved"]').waitFor()
}

/** The place in the window of a point of a page, after scrolling to it. */
export async function at(
  page: Page,
  number: number,
  x: number,
  y: number,
  [width, height]: readonly number[] = [595.28, 841.89],
) {
  await sheet(page, number).evaluate(
    (section, [part, partX]) => {
      const scroller = section.closest('.pages')!
      const { top, bottom } = scroller.getBoundingClientRect()
      const wanted = section.getBoundingClientRect().top + part * section.clientHeight
      if (wanted < top + 40 || wanted > bottom - 140) scroller.scrollTop += wanted - (top + bottom) / 2
      const { left, right } = scroller.getBoundingClientRect()
      const across = section.getBoundingClientRect().left + partX * section.clientWidth
      if (across < left + 40 || across > right - 40) scroller.scrollLeft += across - (left + right) / 2
    },
    [y / height!, x / width!] as const,
  )
  const box = await sheet(page, number).boundingBox()
  if (!box) throw new Error(`page ${number} is not shown`)
  return { x: box.x + (x / width!) * box.width, y: box.y + (y / height!) * box.height }
}

/** The box of an element in points of its page. Both are measured at the same time. */
export function boxOf(target: Locator, number = 1, [width, height]: readonly number[] = [595.28, 841.89]) {
  return target.evaluate(
    (element, { number, width, height }) => {
      const own = element.getBoundingClientRect()
      const paper = document.querySelector(`.page[data-page="${number}"]`)!.getBoundingClientRect()
      const [across, down] = [width / paper.width, height / paper.height]
      return {
        x: (own.x - paper.x) * across,
        y: (own.y - paper.y) * down,
        width: own.width * across,
        height: own.height * down,
      }
    },
    { number, width: width!, height: height! },
  )
}

/** What the live region says, at once. */
export async function said(page: Page, sentence: string | RegExp): Promise<void> {
  await page.clock.fastForward(300)
  const text = typeof sentence === 'string' ? new RegExp(`^${RegExp.escape(sentence)}\\s?$`) : sentence
  await page.locator('[data-announcer]').filter({ hasText: text }).waitFor({ state: 'attached' })
}

export const PHONE_390: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
}

/** What the browser keeps of a draft, as soon as it is so. */
export function stored(page: Page, id: string, isSo: (record: Kept) => boolean): Promise<true> {
  const read = () =>
    page.evaluate(
      key =>
        new Promise<Kept | undefined>(resolve => {
          const opening = indexedDB.open('signet-editor')
          opening.onsuccess = () => {
            const reading = opening.result.transaction('drafts').objectStore('drafts').get(key)
            reading.onsuccess = () => {
              opening.result.close()
              resolve(reading.result)
            }
          }
        }),
      `/documents/${id}`,
    )
  return until('the record of the draft', async () => {
    const record = await read()
    return record && isSo(record) ? true : undefined
  })
}

interface Kept {
  pending: unknown[]
  dismissed: number[]
}
