/** The stream of the page after signing: one document, nothing of its content, until its end. */
import { expect, test } from 'bun:test'
import type { Visitor } from '../../support/browser-less.ts'
import { cookieOf } from '../../support/browser-less.ts'
import { LiveReader } from '../../support/live.ts'
import { ADA, SIGNATURE } from '../../support/sample.ts'
import { openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const BOB = { name: 'Bob', email: 'bob@example.com', fields: [SIGNATURE] }
const t = useTestApp()

/** Ada has signed and Bob has not. */
async function signed() {
  const id = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE] }, BOB] })
  const { visitor, page } = await openLinkAs(t, ADA.email)
  await visitor.submit(page, { signature: 'Ada', consent: 'on' }, '/finish')
  return { id, visitor, path: page.url }
}

async function listen(visitor: Visitor, path: string): Promise<LiveReader> {
  const cookie = cookieOf(visitor)
  const response = await t.fetch(path, { headers: { cookie } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  return new LiveReader(response)
}

test('each change of the document is an event without content, the last one is its end', async () => {
  const { visitor, path } = await signed()
  const reader = await listen(visitor, `${path}/live`)
  await signAs(t, BOB.email, 'Bob')
  const events = []
  await t.drain()
  for (let event = await reader.next(); event; event = await reader.next()) {
    events.push(event)
    await t.app.eventStreams.beat()
  }
  expect(events.length).toBeGreaterThan(0)
  expect(events.every(({ event, data }) => event === 'changed' && Object.keys(data).length === 0)).toBe(true)
  expect(t.app.eventStreams.size).toBe(0)
})

test('changes of other documents are no events', async () => {
  const { id, visitor, path } = await signed()
  const reader = await listen(visitor, `${path}/live?after=${await t.app.changes.position()}`)
  await sentDocument(t, { recipients: [BOB] })
  await t.api('POST', `/documents/${id}/void`, { reason: 'wrong file' })
  expect((await reader.next())?.id).toBe(await t.app.changes.position())
  await t.app.eventStreams.beat()
  expect(await reader.next()).toBeUndefined()
})

test('a page that has missed the end of the document learns of it when it connects again', async () => {
  const { id, visitor, path } = await signed()
  const known = await t.app.changes.position()
  await t.api('POST', `/documents/${id}/void`, { reason: 'wrong file' })
  const reader = await listen(visitor, `${path}/live?after=${known}`)
  expect((await reader.next())?.event).toBe('changed')
  const late = await listen(visitor, `${path}/live?after=${await t.app.changes.position()}`)
  expect(await late.next()).toBeUndefined()
})

test('the stream ends when the link does', async () => {
  const id = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE] }, BOB] })
  const { visitor, page } = await openLinkAs(t, ADA.email)
  const reader = await listen(visitor, `${page.url}/live`)
  const { recipients } = (await t.api('GET', `/documents/${id}`)).body
  const corrected = { email: 'ada.lovelace@example.com' }
  expect((await t.api('PATCH', `/documents/${id}/recipients/${recipients[0].id}`, corrected)).status).toBe(200)
  await t.app.eventStreams.beat()
  expect(await reader.next()).toBeUndefined()
})
