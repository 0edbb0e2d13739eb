/** A lost connection to the database: what is answered, and what a repeated request does. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { auditEventsOf } from '../../../src/audit/log.ts'
import { textOf } from '../../support/browser-less.ts'
import { FailingDatabase, type LostCommit } from '../../support/failing-database.ts'
import { ADA, newDocument, ONE } from '../../support/sample.ts'
import { linkTo, openedDocument, sentDocument } from '../../support/story.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

let t: TestApp
let connection: FailingDatabase
beforeEach(async () => {
  connection = new FailingDatabase()
  t = await openTestApp({ withDatabase: connection.wrap })
})
afterEach(() => t.close())

const ALONE = ONE
const KEY = { 'idempotency-key': 'once' }
const documents = async () => (await t.api('GET', '/documents')).body.data.length
const eventsOf = async (id: string) => (await auditEventsOf(t.app.db, id)).map(({ type }) => type)

/** The next commits succeed, then one fails. */
function failCommit(change: LostCommit, after: number): void {
  connection.commits.push(...Array.from({ length: after }, () => undefined), change)
}

describe.each(['lost', 'made'] as const)('when the answer to COMMIT never comes, and the change was %s,', change => {
  test('POST /documents answers 503, and under the same Idempotency-Key makes one document', async () => {
    const body = await newDocument()
    await documents()
    // Those of the reservation and of the claim on the file succeed.
    failCommit(change, 2)
    const first = await t.api('POST', '/documents', body, KEY)
    expect([first.status, first.body.error.code, first.headers.get('retry-after')]).toEqual([503, 'storage_unavailable', '5'])
    expect(first.body.error.message).toContain('may have been stored')
    const again = await t.api('POST', '/documents', body, KEY)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, change === 'made' ? 'true' : null])
    expect(await documents()).toBe(1)
  })

  test.each([
    ['a reservation of the key', 0],
    ['a claim on the file', 1],
  ])('%s is no obstacle to the repeated request', async (_, after) => {
    const body = await newDocument()
    await documents()
    failCommit(change, after)
    expect((await t.api('POST', '/documents', body, KEY)).status).toBe(503)
    expect(await documents()).toBe(0)
    expect((await t.api('POST', '/documents', body, KEY)).status).toBe(201)
    expect(await documents()).toBe(1)
  })

  test('the key is free for the repeated request also if the database stays away for a while', async () => {
    const body = await newDocument()
    await documents()
    failCommit(change, 2)
    const first = t.api('POST', '/documents', body, KEY)
    connection.commits.push('lost')
    expect((await first).status).toBe(503)
    expect((await t.api('POST', '/documents', body, KEY)).status).toBe(201)
    expect(await documents()).toBe(1)
  })

  test('a file is not deleted, because a document may refer to it', async () => {
    await documents()
    failCommit(change, 1)
    expect((await t.api('POST', '/documents', await newDocument())).status).toBe(503)
    const [document] = (await t.api('GET', '/documents')).body.data
    if (document) expect((await t.api('GET', `/documents/${document.id}/file`)).status).toBe(200)
    expect(document !== undefined).toBe(change === 'made')
  })

  test('POST …/send without a key answers 503, and repeated sends once', async () => {
    const { id } = (await t.api('POST', '/documents', await newDocument(ALONE))).body
    failCommit(change, 0)
    expect((await t.api('POST', `/documents/${id}/send`)).status).toBe(503)
    expect((await t.api('POST', `/documents/${id}/send`)).status).toBe(change === 'made' ? 409 : 200)
    await t.drain()
    expect(t.mails).toHaveLength(1)
    expect((await eventsOf(id)).filter(type => type === 'document.sent')).toHaveLength(1)
  })

  test('the second press of “Finish” finds the first, and the document is signed once', async () => {
    const { id, visitor, page } = await openedDocument(t, ALONE)
    const entries = { signature: 'Ada Lovelace', consent: 'on' }
    failCommit(change, 0)
    const first = await visitor.submit(page, entries, '/finish')
    expect(first.status).toBe(503)
    expect(textOf(first)).toContain('may have been stored')
    const second = await visitor.submit(page, entries, '/finish')
    expect([second.status, textOf(second)]).toEqual([200, expect.stringContaining('You are done')])
    expect((await eventsOf(id)).filter(type => type === 'recipient.signed')).toHaveLength(1)
    await t.drain()
    expect((await eventsOf(id)).filter(type => type === 'document.completed')).toHaveLength(1)
  })
})

describe('while the database cannot be reached', () => {
  test('reads and changes through the API are 503 and say that nothing was stored', async () => {
    const id = await sentDocument(t, ALONE)
    connection.isDown = true
    for (const [method, path] of [
      ['GET', `/documents/${id}`],
      ['GET', '/documents'],
      ['GET', '/webhooks'],
      ['POST', `/documents/${id}/remind`],
    ] as const) {
      const answer = await t.api(method, path)
      expect([path, answer.status, answer.body.error?.code]).toEqual([path, 503, 'storage_unavailable'])
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(answer.body.error.message).toContain('Nothing was stored')
    }
    connection.isDown = false
    expect((await t.api('GET', `/documents/${id}`)).status).toBe(200)
  })

  test('the web app says so, in German too', async () => {
    connection.isDown = true
    for (const [language, text] of [
      ['en', 'Nothing was stored'],
      ['de', 'Es wurde nichts gespeichert'],
    ] as const) {
      const response = await t.fetch('/sign-in', { headers: { 'accept-language': language, cookie: 'signet_session=x' } })
      expect([response.status, await response.text()]).toEqual([503, expect.stringContaining(text)])
    }
  })

  test('a signer reads it in the language of the browser, and afterwards finds what was entered', async () => {
    const { visitor, page } = await openedDocument(t, ALONE)
    connection.isDown = true
    const link = linkTo(t, ADA.email)
    const response = await t.fetch(link, { headers: { 'accept-language': 'pl' } })
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('Niczego nie zapisano')])
    const entries = { signature: 'Ada Lovelace', consent: 'on' }
    expect((await visitor.submit(page, entries, '/finish')).status).toBe(503)
    connection.isDown = false
    expect((await visitor.submit(page, entries, '/finish')).status).toBe(200)
  })

  test('jobs wait, and are done once it is back', async () => {
    const { id } = (await t.api('POST', '/documents', await newDocument(ALONE))).body
    await t.api('POST', `/documents/${id}/send`)
    connection.isDown = true
    await expect(t.drain()).rejects.toThrow()
    expect(t.mails).toEqual([])
    connection.isDown = false
    await t.drain()
    expect(t.mails).toHaveLength(1)
  })

  test('/readyz says not-ready, without the cause', async () => {
    connection.isDown = true
    const response = await t.fetch('/readyz')
    expect([response.status, (await response.json()).status]).toEqual([503, 'not-ready'])
  })
})
