/** Idempotency-Key: a repeated request gets the stored response, and a change happens once. */
import { describe, expect, test } from 'bun:test'
import Type from 'typebox'
import { createRequestLimits, handleApiRequest } from '../../../src/http/api/pipeline.ts'
import { route } from '../../../src/http/route.ts'
import type { App, Committed } from '../../../src/ports.ts'
import { makePdf } from '../../support/make-pdf.ts'
import { ADA, newDocument } from '../../support/sample.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

/** Refused before decryption. */
const ENCRYPTED_PDF = makePdf({ trailer: '/Encrypt << /Filter /Standard /V 9 /R 9 >>' }).toString('base64')
const KEY = { 'idempotency-key': 'attempt-1' }
const documentCount = async () => (await t.app.db.selectFrom('documents').select('id').execute()).length

test('a repeated creation gets the stored response, with a quoted or bare key, and no second document', async () => {
  const body = JSON.stringify(await newDocument())
  const first = await t.api('POST', '/documents', body, KEY)
  const again = await t.api('POST', '/documents', body, { 'idempotency-key': '"attempt-1"' })
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.body).toEqual(first.body)
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await documentCount()).toBe(1)
})

test('a document whose texts are measured first is sent, and the stored response says so', async () => {
  const text = { type: 'text', page: 1, x: 10, y: 10, width: 30, height: 4, value: 'Hello', readOnly: true }
  const { body } = await t.api('POST', '/documents', await newDocument({ recipients: [{ ...ADA, fields: [text] }] }))
  for (let i = 0; i < 2; i++) {
    const { status, body: sent } = await t.api('POST', `/documents/${body.id}/send`, {}, KEY)
    expect([status, sent]).toEqual([200, { ok: true, notified: 1 }])
  }
  expect((await t.api('GET', `/documents/${body.id}`)).body.status).toBe('sent')
})

test('another body under the same key is refused', async () => {
  await t.api('POST', '/documents', await newDocument(), KEY)
  const other = await t.api('POST', '/documents', await newDocument({ title: 'Other' }), KEY)
  expect([other.status, other.body.error.code]).toEqual([422, 'idempotency_key_reused'])
  const elsewhere = await t.api('POST', '/webhooks', { url: 'http://127.0.0.1:9', events: ['*'] }, KEY)
  expect(elsewhere.body.error.code).toBe('idempotency_key_reused')
})

describe('a refused request is not stored: the corrected one runs under the same key', () => {
  const PDF_REFUSALS = { 'no PDF': Buffer.from('hello').toString('base64'), 'not base64': 'JVBERi0x*', encrypted: ENCRYPTED_PDF }

  const corrected = async (headers: Record<string, string>, body: unknown) => {
    const retry = await t.api('POST', '/documents', body, headers)
    expect([retry.status, retry.headers.get('idempotency-replayed')]).toEqual([201, null])
    const again = await t.api('POST', '/documents', body, headers)
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([retry.body, 'true'])
  }

  test('by validation, of the schema and of the rules', async () => {
    const right = await newDocument()
    for (const [i, wrong] of [{ recipients: [] }, { titel: 'x' }, { redirectUrl: 'javascript:0' }, { fileName: '' }].entries()) {
      const headers = { 'idempotency-key': `validation-${i}` }
      const refused = await t.api('POST', '/documents', await newDocument(wrong), headers)
      expect([refused.status, refused.body.error.code]).toEqual([422, 'validation_failed'])
      await corrected(headers, right)
    }
  })

  test.each(Object.entries(PDF_REFUSALS))('for its file: %s', async (_, file) => {
    const refused = await t.api('POST', '/documents', await newDocument({ file }), KEY)
    expect(refused.status).toBe(422)
    await corrected(KEY, await newDocument())
  })

  test('for a body that is not JSON, of another type or too large', async () => {
    expect((await t.api('POST', '/documents', '{', KEY)).status).toBe(400)
    expect((await t.api('POST', '/documents', '{}', { ...KEY, 'content-type': 'text/plain' })).status).toBe(415)
    expect((await t.api('POST', '/webhooks', ' '.repeat(1_000_001), KEY)).status).toBe(413)
    await corrected(KEY, await newDocument())
  })

  test('because the document does not exist, is in another state, or has no signer', async () => {
    const absent = await t.api('POST', '/documents/doc_0/send', {}, KEY)
    expect(absent.status).toBe(404)
    const { body } = await t.api('POST', '/documents', await newDocument({ recipients: [{ ...ADA, role: 'viewer' }] }))
    expect((await t.api('POST', `/documents/${body.id}/send`, {}, KEY)).body.error.code).toBe('nothing_to_sign')
    expect((await t.api('POST', `/documents/${body.id}/remind`, {}, KEY)).body.error.code).toBe('invalid_state')
    await corrected(KEY, await newDocument())
  })

  test('the refusal of the key itself is not stored either', async () => {
    const bad = await t.api('POST', '/documents', await newDocument(), { 'idempotency-key': 'ü' })
    expect(bad.body.error.details[0].path).toBe('Idempotency-Key')
    expect(await t.app.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
  })
})

test('an empty body, {} and null are the same request where a POST has no members', async () => {
  const { body } = await t.api('POST', '/documents', await newDocument())
  const send = (text: string | undefined) => t.api('POST', `/documents/${body.id}/send`, text, KEY)
  const first = await send(undefined)
  expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null])
  for (const text of ['', '{}', 'null', ' { } ']) {
    const again = await send(text)
    expect([text, again.status, again.headers.get('idempotency-replayed')]).toEqual([text, 200, 'true'])
    expect(again.body).toEqual(first.body)
  }
})

test('another key owner may use the same value', async () => {
  const body = JSON.stringify(await newDocument())
  await t.api('POST', '/documents', body, KEY)
  const headers = { authorization: `Bearer ${await t.key()}`, 'content-type': 'application/json', ...KEY }
  const other = await t.fetch('/api/v1/documents', { method: 'POST', headers, body })
  expect(other.headers.get('idempotency-replayed')).toBeNull()
  expect(await documentCount()).toBe(2)
})

test('an internal error is not stored: the retry runs', async () => {
  await using failing = await openTestApp({
    pdf: { ...(await import('../../support/pdf-tools.ts')).pdfTools(), inspect: failOnce() },
  })
  const body = JSON.stringify(await newDocument())
  expect((await failing.api('POST', '/documents', body, KEY)).status).toBe(500)
  const retry = await failing.api('POST', '/documents', body, KEY)
  expect([retry.status, retry.headers.get('idempotency-replayed')]).toEqual([201, null])
})

function failOnce(): TestApp['app']['pdf']['inspect'] {
  let failed = false
  return async order => {
    if (!failed) {
      failed = true
      throw new Error('the child went away')
    }
    return (await import('../../support/pdf-tools.ts')).pdfTools().inspect(order)
  }
}

describe('an action', () => {
  const routeOf = <R extends object>(run: (app: App) => Promise<Committed<R>>) =>
    route({
      method: 'POST',
      path: '/changes',
      operationId: 'change',
      access: 'any key',
      summary: '',
      tag: 'Documents',
      success: { status: 200, description: '', schema: Type.Object({}) },
      body: Type.Object({}),
      run: ({ app }) => run(app),
      present: (result: R) => result,
    })
  const committed = (app: App) => app.write(async () => ({ count: 1 }))

  test('returns what its transaction returned, or it does not compile', () => {
    // @ts-expect-error: nothing was written
    routeOf(async () => ({ count: 1 }))
    // @ts-expect-error: a copy
    routeOf(async app => ({ ...(await committed(app)) }))
    // @ts-expect-error: nothing to answer
    routeOf(app => app.write(async () => undefined))
    // @ts-expect-error: a crash may undo it
    routeOf(app => app.writeUnsynced(async () => ({ count: 1 })))
  })

  test('makes no second transaction, with a key or without', async () => {
    const token = await t.key()
    const limits = createRequestLimits(t.app)
    const answered = async (run: (app: App) => Promise<Committed<object>>, more: Record<string, string>) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more }
      const request = new Request('http://127.0.0.1/api/v1/changes', { method: 'POST', headers, body: '{}' })
      const address = { ipAddress: '127.0.0.1', socketAddress: '127.0.0.1', hasBaseUrlHost: () => true }
      const incoming = { request, params: {}, requestId: 'req_1', ...address }
      return (await handleApiRequest(t.app, limits, routeOf(run), incoming)).status
    }
    const twice = async (app: App) => {
      await committed(app)
      return committed(app)
    }
    for (const headers of [{}, KEY]) {
      expect([await answered(twice, headers), await answered(committed, {})]).toEqual([500, 200])
    }
  })
})
