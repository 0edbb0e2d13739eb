/** The statements that each verb sends: on PostgreSQL each of them is a round trip. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ENGINE } from '../support/engine.ts'
import { ADA, BOB, newDocument, SIGNATURE } from '../support/sample.ts'
import { StatementLog } from '../support/statements.ts'
import { openLinkAs, signAs } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

/**
 * BEGIN, which takes the lock, and COMMIT are one each, and the time of the change is one. On
 * SQLite none is a round trip.
 */
const MAX_STATEMENTS = {
  postgresql: { create: 11, send: 7, finish: 9, webhooks: 0 },
  sqlite: { create: 24, send: 19, finish: 22, webhooks: 1 },
}[ENGINE]

const DATE = { type: 'date', page: 1, x: 50, y: 70, width: 20, height: 4 }
const TWO = { recipients: [ADA, BOB].map(person => ({ ...person, fields: [SIGNATURE, DATE] })) }

let t: TestApp
let log: StatementLog
beforeEach(async () => {
  log = new StatementLog()
  // As in production: without a name and https it is asked who has to use a key of their device.
  const env = { SIGNET_BASE_URL: 'https://sign.example.com', SIGNET_WEBHOOK_ALLOW: '127.0.0.0/8' }
  t = await openTestApp({ withDatabase: log.wrap, env })
})
afterEach(() => t.close())

/** Without the transaction that stores the use of a key, at most once a minute. */
async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
  log.take()
  await work()
  return log.take()
}

const isOf = (table: string) => (sql: string) => sql.includes(`"${table}"`)

async function warm(): Promise<void> {
  await t.api('GET', '/documents')
  await new Promise(resolve => setImmediate(resolve))
}

describe.each([
  ['without webhooks', 0],
  ['with two webhooks', 2],
])('%s', (_, webhooks) => {
  beforeEach(async () => {
    for (let i = 0; i < webhooks; i++) await t.api('POST', '/webhooks', { url: `http://127.0.0.1:9/${i}`, events: ['*'] })
  })
  const most = (verb: 'create' | 'send' | 'finish') => MAX_STATEMENTS[verb] + (webhooks > 0 ? MAX_STATEMENTS.webhooks : 0)

  test('POST /documents, with the claim on the file', async () => {
    await warm()
    const body = await newDocument(TWO)
    const sent = await sentBy(() => t.api('POST', '/documents', body))
    expect({ sent, isFew: sent.length <= most('create') }).toEqual({ sent, isFew: true })
  })

  test('POST …/send to two people', async () => {
    const { id } = (await t.api('POST', '/documents', await newDocument(TWO))).body
    const sent = await sentBy(() => t.api('POST', `/documents/${id}/send`))
    expect({ sent, isFew: sent.length <= most('send') }).toEqual({ sent, isFew: true })
  })

  test('POST …/finish by the last signer', async () => {
    const { id } = (await t.api('POST', '/documents', await newDocument(TWO))).body
    await t.api('POST', `/documents/${id}/send`)
    await t.drain()
    await signAs(t, ADA.email, 'Ada')
    const { visitor, page } = await openLinkAs(t, BOB.email)
    const sent = await sentBy(() => visitor.submit(page, { signature: 'Bob', consent: 'on' }, '/finish'))
    // What follows COMMIT belongs to the page that the redirect leads to.
    const own = sent.slice(0, sent.indexOf('COMMIT') + 1)
    expect({ own, isFew: own.length <= most('finish') }).toEqual({ own, isFew: true })
  })
})

test('an Idempotency-Key adds its reservation, in a transaction of its own, and its answer', async () => {
  await warm()
  const body = await newDocument(TWO)
  const plain = await sentBy(() => t.api('POST', '/documents', body))
  const keyed = await sentBy(() => t.api('POST', '/documents', body, { 'idempotency-key': 'once' }))
  expect(keyed.length - plain.length).toBe(4)
  expect(keyed.filter(isOf('idempotency_keys'))).toHaveLength(2)
})

test('sending to a hundred people takes no more statements than sending to two', async () => {
  const people = Array.from({ length: 100 }, (_, i) => ({
    name: `Person ${i}`,
    email: `person${i}@example.com`,
    fields: [SIGNATURE],
  }))
  const counts: number[] = []
  for (const recipients of [TWO.recipients, people]) {
    const { id } = (await t.api('POST', '/documents', await newDocument({ recipients }))).body
    counts.push((await sentBy(() => t.api('POST', `/documents/${id}/send`))).length)
  }
  expect(counts[1]).toBe(counts[0] as number)
})
