/** Steps of a document's life, for tests that begin in the middle. */
import { expect } from 'bun:test'
import { openVisitor, type Page, type Visitor } from './browser-less.ts'
import { newDocument } from './sample.ts'
import type { TestApp } from './test-app.ts'

/** Creates and sends a document. Returns its id. */
export async function sentDocument(t: TestApp, overrides: Record<string, unknown> = {}): Promise<string> {
  const created = await t.api('POST', '/documents', await newDocument(overrides))
  expect(created.status).toBe(201)
  const sent = await t.api('POST', `/documents/${created.body.id}/send`)
  expect(sent.status).toBe(200)
  await t.drain()
  return created.body.id
}

/** The path of the link in the latest mail to this address. */
export function linkTo(t: Pick<TestApp, 'mails'>, email: string): string {
  const mail = t.mails.findLast(m => m.to.address === email && /\/s\//.test(m.text))
  const link = /https?:\/\/\S+?(\/s\/\S+)/.exec(mail?.text ?? '')?.[1]
  if (!link) throw new Error(`no mail with a link went to ${email}`)
  return link
}

/** Opens a link by its button. */
export async function openLinkAs(t: TestApp, email: string): Promise<{ visitor: Visitor; page: Page }> {
  const visitor = openVisitor(t.fetch, t.app.config.baseUrl)
  const landing = await visitor.get(linkTo(t, email))
  return { visitor, page: await visitor.submit(landing) }
}

/** Opens the document, fills in the form and signs. */
export async function signAs(t: TestApp, email: string, signature: string, values: Record<string, string> = {}): Promise<Page> {
  const { visitor, page } = await openLinkAs(t, email)
  return visitor.submit(page, { signature, consent: 'on', ...values }, '/finish')
}
