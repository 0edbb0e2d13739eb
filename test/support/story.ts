/** Steps of a document's life, for tests that begin in the middle. */
import { expect } from 'bun:test'
import { SYSTEM } from '../../src/ports.ts'
import { changeServiceSettings, type SettingChanges } from '../../src/settings/service-settings.ts'
import { openVisitor, type Page, type Visitor } from './browser-less.ts'
import { ADA, newDocument, ONE } from './sample.ts'
import type { ApiAnswer, TestApp } from './test-app.ts'

/** Creates and sends a document. Returns its id. */
export async function sentDocument(t: TestApp, overrides: Record<string, unknown> = {}): Promise<string> {
  const created = await t.api('POST', '/documents', await newDocument(overrides))
  expect(created.status).toBe(201)
  const sent = await t.api('POST', `/documents/${created.body.id}/send`)
  expect(sent.status).toBe(200)
  await t.drain()
  return created.body.id
}

/** What the API answers for the document. */
export const documentOf = async ({ api }: Pick<TestApp, 'api'>, id: string): Promise<ApiAnswer['body']> =>
  (await api('GET', `/documents/${id}`)).body

/** The entries of its audit trail, of one type if one is named. */
export async function eventsOf({ api }: Pick<TestApp, 'api'>, id: string, type?: string): Promise<ApiAnswer['body'][]> {
  const { events } = (await api('GET', `/documents/${id}/audit`)).body
  return type === undefined ? events : events.filter((event: { type: string }) => event.type === type)
}

export const typesOf = async (t: Pick<TestApp, 'api'>, id: string): Promise<string[]> =>
  (await eventsOf(t, id)).map(({ type }) => type)

/** Changes settings of the service, as their pages do. */
export const configure = (t: Pick<TestApp, 'app'>, changes: SettingChanges): Promise<unknown> =>
  t.app.write(tx => changeServiceSettings(tx, t.app, SYSTEM, changes))

/** What a signer enters who has one signature to give. */
export const SIGNED = { signature: 'Ada Lovelace', consent: 'on' }

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

/** A document that was sent, and that this recipient has opened. */
export async function openedDocument(
  t: TestApp,
  overrides: Record<string, unknown> = ONE,
  email = ADA.email,
): Promise<{ id: string; visitor: Visitor; page: Page }> {
  const id = await sentDocument(t, overrides)
  return { id, ...(await openLinkAs(t, email)) }
}

/** A document that Ada has signed, sealed if nobody else has to act. */
export async function signedDocument(t: TestApp, overrides: Record<string, unknown> = ONE): Promise<string> {
  const id = await sentDocument(t, overrides)
  await signAs(t, ADA.email, ADA.name)
  await t.drain()
  return id
}

/** Opens the document, fills in the form and signs. */
export async function signAs(t: TestApp, email: string, signature: string, values: Record<string, string> = {}): Promise<Page> {
  const { visitor, page } = await openLinkAs(t, email)
  return visitor.submit(page, { signature, consent: 'on', ...values }, '/finish')
}
