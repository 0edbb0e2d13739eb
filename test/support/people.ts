/** Users and API clients of an instance, and its mails, for browser tests and screenshots. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import PostalMime from 'postal-mime'
import { press } from './browser.ts'
import { until } from './executable.ts'
import { SIGNATURE, samplePdf } from './sample.ts'

export const ADMIN = { name: 'Grace Hopper', email: 'grace@example.com', password: 'four plain words here' }

export const FIELDS = [
  { ...SIGNATURE, page: 1 },
  { type: 'initials', page: 1, x: 60, y: 70, width: 10, height: 4 },
  { type: 'date', page: 1, x: 75, y: 70, width: 20, height: 4 },
  { type: 'name', page: 1, x: 10, y: 20, width: 40, height: 4 },
  { type: 'text', page: 1, x: 10, y: 25, width: 40, height: 4, label: 'Place', placeholder: 'The town you sign in' },
  { type: 'number', page: 1, x: 10, y: 30, width: 40, height: 4, label: 'Hours a week', required: false },
  { type: 'dropdown', page: 1, x: 10, y: 35, width: 40, height: 4, label: 'Term', options: ['1 year', '2 years'] },
  { type: 'checkbox', page: 1, x: 10, y: 40, width: 4, height: 3, label: 'I have received the price list' },
  { type: 'text', page: 1, x: 10, y: 45, width: 40, height: 4, label: 'Order number', value: 'A-2026-117', readOnly: true },
]

/** Calls the API with this key. Returns the body or throws. */
export function client(url: string, key: string) {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return async (method: string, path: string, body?: unknown): Promise<any> => {
    const init: RequestInit = { method, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } }
    if (body !== undefined) init.body = JSON.stringify(body)
    const response = await fetch(`${url}/api/v1${path}`, init)
    const answer = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }
}

export type Client = ReturnType<typeof client>

export async function send(api: Client, overrides: Record<string, unknown>): Promise<string> {
  const { id } = await api('POST', '/documents', { fileName: 'agreement.pdf', file: await samplePdf(), ...overrides })
  await api('POST', `/documents/${id}/send`)
  return id
}

export interface Letter {
  to: string
  subject: string
  text: string
  html: string
}

/** The mails of the outbox folder, oldest first, with both parts. */
export async function letters(dataFolder: string): Promise<Letter[]> {
  const folder = join(dataFolder, 'outbox')
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter(name => name.endsWith('.eml'))
  const mails = await Promise.all(names.sort().map(name => PostalMime.parse(readFileSync(join(folder, name)))))
  return mails.map(m => ({
    to: m.to?.[0]?.address ?? '',
    subject: m.subject ?? '',
    text: m.text ?? '',
    html: typeof m.html === 'string' ? m.html : '',
  }))
}

/** Waits for the letter with this subject. */
export function letterTo(dataFolder: string, email: string, subject: string): Promise<Letter> {
  return until(`the mail “${subject}” to ${email}`, async () =>
    (await letters(dataFolder)).find(m => m.to === email && m.subject.includes(subject)),
  )
}

/** The signing link in a letter. */
export function linkIn(letter: Letter): string {
  const link = /https?:\/\/\S+\/s\/\S+/.exec(letter.text)?.[0]
  if (!link) throw new Error(`no link in “${letter.subject}”`)
  return link
}

export async function setUp(page: Page, setupLink: string, password = ADMIN.password): Promise<void> {
  await page.goto(setupLink)
  await page.getByLabel('Organisation', { exact: true }).fill('Acme Ltd')
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  await page.getByLabel('Your name').fill(ADMIN.name)
  await page.getByLabel('Your e-mail address').fill(ADMIN.email)
  await page.getByLabel('Password').fill(password)
  await press(page, 'Set up')
}

export async function makeKey(page: Page, name: string): Promise<string> {
  if (!page.url().endsWith('/settings/tokens')) await page.goto('/settings/tokens')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('radio', { name: 'Everything' }).check()
  await press(page, 'Create API token')
  return ((await page.locator('.key').textContent()) ?? '').trim()
}
