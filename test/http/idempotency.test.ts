/** Idempotency-Key: the same value gives the same answer, once, whatever happens in between. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { newDocument } from '../support/sample.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await openTestApp()
})
afterEach(() => t.close())

const KEY = { 'idempotency-key': 'attempt-1' }
const documentCount = async () => (await t.app.db.selectFrom('documents').select('id').execute()).length

test('a repeated create gives the stored answer, quoted or bare, and makes no second document', async () => {
  const body = JSON.stringify(await newDocument())
  const first = await t.api('POST', '/documents', body, KEY)
  const again = await t.api('POST', '/documents', body, { 'idempotency-key': '"attempt-1"' })
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.body).toEqual(first.body)
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await documentCount()).toBe(1)
})

test('another body under the same key is refused', async () => {
  await t.api('POST', '/documents', await newDocument(), KEY)
  const other = await t.api('POST', '/documents', await newDocument({ title: 'Other' }), KEY)
  expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused'])
  const elsewhere = await t.api('POST', '/webhooks', { url: 'http://127.0.0.1:9', events: ['*'] }, KEY)
  expect(elsewhere.body.error.code).toBe('idempotency_key_reused')
})

test('fifty at once make one document; the others wait or are replayed', async () => {
  const body = JSON.stringify(await newDocument())
  await t.api('GET', '/me')
  const answers = await Promise.all(Array.from({ length: 50 }, () => t.api('POST', '/documents', body, KEY)))
  const fresh = answers.filter(a => a.status === 201 && !a.headers.has('idempotency-replayed'))
  const others = answers.filter(a => !fresh.includes(a))
  expect(fresh).toHaveLength(1)
  expect(others.every(a => a.status === 201 || (a.status === 409 && a.body.error.code === 'idempotency_in_progress'))).toBe(true)
  expect(await documentCount()).toBe(1)
})

test('a refusal is replayed too, and a bad key is told', async () => {
  const wrong = await newDocument({ recipients: [] })
  const first = await t.api('POST', '/documents', wrong, KEY)
  const again = await t.api('POST', '/documents', wrong, KEY)
  expect([first.status, again.status]).toEqual([422, 422])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const bad = await t.api('POST', '/documents', await newDocument(), { 'idempotency-key': 'ü' })
  expect(bad.body.error.details[0].path).toBe('Idempotency-Key')
})

test('the key is free again after a day', async () => {
  const body = JSON.stringify(await newDocument())
  await t.api('POST', '/documents', body, KEY)
  t.clock.pass({ hours: 25 })
  const later = await t.api('POST', '/documents', body, KEY)
  expect(later.headers.get('idempotency-replayed')).toBeNull()
  expect(await documentCount()).toBe(2)
})

test('another key owner may use the same value', async () => {
  const body = JSON.stringify(await newDocument())
  await t.api('POST', '/documents', body, KEY)
  const headers = { authorization: `Bearer ${await t.key()}`, 'content-type': 'application/json', ...KEY }
  const other = await t.fetch('/api/v1/documents', { method: 'POST', headers, body })
  expect(other.headers.get('idempotency-replayed')).toBeNull()
  expect(await documentCount()).toBe(2)
})

test('a failure of ours is not stored: the retry runs', async () => {
  const failing = await openTestApp({ pdf: { ...(await import('../support/pdf-tools.ts')).pdfTools(), inspect: failOnce() } })
  try {
    const body = JSON.stringify(await newDocument())
    expect((await failing.api('POST', '/documents', body, KEY)).status).toBe(500)
    const retry = await failing.api('POST', '/documents', body, KEY)
    expect([retry.status, retry.headers.get('idempotency-replayed')]).toEqual([201, null])
  } finally {
    await failing.close()
  }
})

function failOnce(): TestApp['app']['pdf']['inspect'] {
  let failed = false
  return async order => {
    if (!failed) {
      failed = true
      throw new Error('the child went away')
    }
    return (await import('../support/pdf-tools.ts')).pdfTools().inspect(order)
  }
}

test('the secret in a stored answer is not in the database in clear', async () => {
  const hook = await t.api('POST', '/webhooks', { url: 'http://127.0.0.1:9', events: ['*'] }, KEY)
  const again = await t.api('POST', '/webhooks', { url: 'http://127.0.0.1:9', events: ['*'] }, KEY)
  expect(again.body.secret).toBe(hook.body.secret)
  const rows = await t.app.db.selectFrom('idempotency_keys').selectAll().execute()
  const hooks = await t.app.db.selectFrom('webhooks').selectAll().execute()
  const bytes = Buffer.concat([
    ...rows.map(r => Buffer.from(r.sealed_body ?? [])),
    ...hooks.map(h => Buffer.from(h.sealed_secret)),
  ])
  expect(bytes.includes(hook.body.secret.slice(6, 30))).toBe(false)
})
