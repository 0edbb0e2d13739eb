/** The API as clients see it: published shapes, error responses, limits, audit trail. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { commitment } from '../../../src/core/document/audit-chain.ts'
import { API_PREFIX, API_ROUTES } from '../../../src/http/server.ts'
import { SCOPES } from '../../../src/ports.ts'
import { ADA, newDocument, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { sentDocument } from '../../support/story.ts'
import { openTestApp } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

async function counts(): Promise<{ documents: number; files: number; events: number }> {
  const count = async (table: 'documents' | 'files' | 'events') => (await t.app.db.selectFrom(table).selectAll().execute()).length
  return { documents: await count('documents'), files: await count('files'), events: await count('events') }
}

describe('a client written against the published description alone', () => {
  test('creates with the minimal request and gets ID and status', async () => {
    const { status, body } = await t.api('POST', '/documents', {
      fileName: 'Lease.PDF',
      file: await samplePdf(),
      recipients: [ADA],
    })
    expect(status).toBe(201)
    expect(body.id).toMatch(/^doc_[0-9a-z]{26}$/)
    expect(body.status).toBe('draft')
    const { body: document } = await t.api('GET', `/documents/${body.id}`)
    expect(document).toMatchObject({ id: body.id, title: 'Lease', status: 'draft', pageCount: 1 })
    expect(document.createdAt).toBe('2026-11-20T17:25:00.000Z')
    expect(document.recipients).toHaveLength(1)
    expect(document.recipients[0]).toMatchObject({ ...ADA, role: 'signer', status: 'created' })
  })

  test('sends and gets the number of notified recipients', async () => {
    const { body } = await t.api('POST', '/documents', await newDocument())
    const { status, body: sent } = await t.api('POST', `/documents/${body.id}/send`)
    expect(status).toBe(200)
    expect(sent).toEqual({ ok: true, notified: 2 })
  })

  test('registers, lists and deletes webhooks; the secret is complete only once', async () => {
    const { status, body: hook } = await t.api('POST', '/webhooks', {
      url: 'http://127.0.0.1:9/x',
      events: ['document.completed'],
    })
    expect(status).toBe(201)
    expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(hook).toMatchObject({ enabled: true, events: ['document.completed'] })
    const { body: list } = await t.api('GET', '/webhooks')
    expect(Array.isArray(list)).toBe(true)
    expect(list[0].secret).toBe(`whsec_…${hook.secret.slice(-4)}`)
    expect((await t.api('DELETE', `/webhooks/${hook.id}`)).body).toEqual({ id: hook.id })
    expect((await t.api('GET', '/webhooks')).body).toEqual([])
    expect((await t.api('DELETE', `/webhooks/${hook.id}`)).body.error).toMatchObject({
      code: 'not_found',
      message: 'Webhook not found.',
    })
  })

  test('gets not_found for an unknown document', async () => {
    const { status, body } = await t.api('GET', '/documents/doc_00000000000000000000000000')
    expect(status).toBe(404)
    expect(body.error).toMatchObject({ code: 'not_found', message: 'Document not found.' })
  })
})

describe('a request that is refused', () => {
  const cases: [name: string, change: Record<string, unknown>, code: string, path: string | undefined][] = [
    ['not base64', { file: 'JVBERi0x*' }, 'invalid_base64', undefined],
    ['base64 without its padding', { file: 'JVBERi0xLjc' }, 'invalid_base64', undefined],
    ['not a PDF', { file: Buffer.from('hello').toString('base64') }, 'invalid_pdf', undefined],
    ['an empty file', { file: '' }, 'invalid_pdf', undefined],
    ['no recipients', { recipients: [] }, 'validation_failed', 'recipients'],
    ['an unknown member', { titel: 'x' }, 'validation_failed', 'titel'],
    [
      'an unknown member deep down',
      { recipients: [{ ...ADA, fields: [{ ...SIGNATURE, colour: 'red' }] }] },
      'validation_failed',
      'recipients[0].fields[0].colour',
    ],
    ['a bad e-mail', { recipients: [{ ...ADA, email: 'ada@' }] }, 'validation_failed', 'recipients[0].email'],
    [
      'a name with a header in it',
      { recipients: [{ ...ADA, name: 'Ada\r\nBcc: x@example.com' }] },
      'validation_failed',
      'recipients[0].name',
    ],
    [
      'the same signer twice',
      { recipients: [ADA, { ...ADA, email: 'ADA@example.com' }] },
      'validation_failed',
      'recipients[1].email',
    ],
    [
      'a page out of range',
      { recipients: [{ ...ADA, fields: [{ ...SIGNATURE, page: 2 }] }] },
      'validation_failed',
      'recipients[0].fields[0].page',
    ],
    [
      'a field off the page',
      { recipients: [{ ...ADA, fields: [{ ...SIGNATURE, x: 80 }] }] },
      'validation_failed',
      'recipients[0].fields[0].width',
    ],
    [
      'an unknown field type',
      { recipients: [{ ...ADA, fields: [{ ...SIGNATURE, type: 'stamp' }] }] },
      'validation_failed',
      'recipients[0].fields[0].type',
    ],
    [
      'a name that no font can print',
      { recipients: [{ ...ADA, name: 'Ada \u{1F600}' }] },
      'validation_failed',
      'recipients[0].name',
    ],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'validation_failed', 'expiresAt'],
    ['a script as redirect', { redirectUrl: 'javascript:alert(1)' }, 'validation_failed', 'redirectUrl'],
  ]
  for (const [name, change, code, path] of cases) {
    test(`for ${name} gets ${code}${path ? ` at ${path}` : ''} and stores nothing`, async () => {
      const { status, body, headers } = await t.api('POST', '/documents', await newDocument(change))
      expect(body.error?.code).toBe(code)
      expect(status).toBe(422)
      expect(body.error.requestId).toBe(headers.get('x-request-id'))
      if (path) expect(body.error.details.map((d: { path: string }) => d.path)).toContain(path)
      expect(await counts()).toEqual({ documents: 0, files: 0, events: 0 })
    })
  }

  test('lists several errors at once', async () => {
    const recipients = [{ email: 'x', name: '' }, { name: 'Bob' }]
    const { body } = await t.api('POST', '/documents', { recipients })
    expect(body.error.details.map((d: { path: string }) => d.path).sort()).toEqual([
      'file',
      'fileName',
      'recipients[0].name',
      'recipients[1].email',
    ])
  })

  test('because it is too large states the limit, with and without Content-Length', async () => {
    const small = await openTestApp({ env: { SIGNET_MAX_PDF_MB: '1' } })
    try {
      const file = Buffer.alloc(1_000_001, 'a').toString('base64')
      const announced = await small.api('POST', '/documents', await newDocument({ file }))
      expect([announced.status, announced.body.error.code]).toEqual([413, 'payload_too_large'])
      expect(announced.body.error.message).toContain('1000000')
      const key = await small.key()
      const chunk = new Uint8Array(500_000).fill(32)
      let left = 8
      const body = new ReadableStream({ pull: c => (left-- > 0 ? c.enqueue(chunk.slice()) : c.close()) })
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const streamed = await small.fetch('/api/v1/documents', { method: 'POST', headers, body })
      expect(streamed.status).toBe(413)
      expect((await streamed.json()).error.code).toBe('payload_too_large')
    } finally {
      await small.close()
    }
  })
})

describe('every failure is an error response', () => {
  const NEVER = /\/root|\/home|SQLITE_|node_modules|\bat .*\.ts/

  for (const route of API_ROUTES) {
    const path = API_PREFIX + route.path.replace(':id', 'doc_00000000000000000000000000')
    test(`${route.method} ${route.path}: no key, wrong key, no scope, bad JSON, wrong type, wrong method`, async () => {
      const key = await t.key()
      const send = async (init: RequestInit) => {
        const response = await t.fetch(path, init)
        const text = await response.text()
        expect(text).not.toMatch(NEVER)
        return { status: response.status, error: JSON.parse(text).error, headers: response.headers }
      }
      const authorization = `Bearer ${key}`
      const none = await send({ method: route.method })
      expect([none.status, none.error.code, none.headers.get('www-authenticate')]).toEqual([401, 'unauthorized', 'Bearer'])
      const wrong = await send({ method: route.method, headers: { authorization: `Bearer ${key.slice(0, -1)}!` } })
      expect(wrong.status).toBe(401)
      const live = await send({
        method: route.method,
        headers: { authorization: `Bearer ${key.replace('esk_test_', 'esk_live_')}` },
      })
      expect(live.status).toBe(401)
      if (route.access !== 'any key') {
        const other = route.access === 'webhooks:read' ? 'documents:read' : 'webhooks:read'
        const limited = await t.key({ scopes: [other] })
        const forbidden = await send({ method: route.method, headers: { authorization: `Bearer ${limited}` } })
        expect([forbidden.status, forbidden.error.code]).toEqual([403, 'forbidden'])
        expect(forbidden.error.message).toContain(route.access)
      }
      const put = await send({ method: 'PUT', headers: { authorization } })
      expect([put.status, put.error.code]).toEqual([405, 'method_not_allowed'])
      expect(put.headers.get('allow')).toContain(route.method)
      if (route.method !== 'POST') return
      const type = { authorization, 'content-type': 'text/plain' }
      expect((await send({ method: 'POST', headers: type, body: '{}' })).status).toBe(415)
      const json = { authorization, 'content-type': 'application/json' }
      const bad = await send({ method: 'POST', headers: json, body: '{"a":' })
      expect([bad.status, bad.error.code]).toEqual([400, 'malformed_json'])
      const deep = await send({ method: 'POST', headers: json, body: `${'['.repeat(40)}${']'.repeat(40)}` })
      expect(deep.error.code).toBe('malformed_json')
      const unknown = await send({ method: 'POST', headers: json, body: '{"nobody":1}' })
      expect([unknown.status, unknown.error.code]).toEqual([422, 'validation_failed'])
    })
  }

  test('also at an address without a route', async () => {
    const response = await t.fetch('/api/v1/nothing')
    expect(response.status).toBe(404)
    expect((await response.json()).error.code).toBe('not_found')
  })

  test('an internal error shows one neutral sentence; the log has the cause under the same ID', async () => {
    const { body } = await t.api('POST', '/documents', await newDocument())
    const broken = await t.app.db.selectFrom('documents').select('sha256_original').executeTakeFirstOrThrow()
    await Bun.write(await t.app.storage.localPath(broken.sha256_original), 'altered on disk')
    const answer = await t.api('GET', `/documents/${body.id}/file`)
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal'])
    expect(JSON.stringify(answer.body)).not.toMatch(NEVER)
    expect(t.logged.some(l => l.level === 'error' && l.facts.requestId === answer.body.error.requestId)).toBe(true)
  })
})

describe('responses contain', () => {
  test('request ID, no-store, nosniff and the rate limit', async () => {
    const { headers } = await t.api('GET', '/me')
    expect(headers.get('x-request-id')).toMatch(/^req_/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('ratelimit-policy')).toBe('"default";q=12000;w=12')
    expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+$/)
  })

  test('environment, name and scopes of the key', async () => {
    const { body } = await t.api('GET', '/me')
    expect(body).toMatchObject({ environment: 'test', keyName: 'test' })
    expect(body.scopes).toEqual([...SCOPES])
  })
})

test('sending a document without signer or approver is refused', async () => {
  const { body } = await t.api('POST', '/documents', await newDocument({ recipients: [{ ...ADA, role: 'viewer' }] }))
  expect((await t.api('POST', `/documents/${body.id}/send`)).body.error.code).toBe('nothing_to_sign')
})

test('the hashes of an audit trail can be recomputed from it alone, with events of other documents in between', async () => {
  const first = (await t.api('POST', '/documents', await newDocument())).body.id
  const second = await sentDocument(t)
  await t.api('POST', `/documents/${first}/send`)
  const audits = [(await t.api('GET', `/documents/${first}/audit`)).body, (await t.api('GET', `/documents/${second}/audit`)).body]
  const sha256 = (...parts: (string | Uint8Array)[]) => {
    const hash = createHash('sha256')
    for (const part of parts) hash.update(part)
    return hash.digest('hex')
  }
  const hashes = new Map<number, string>([[0, '0'.repeat(64)]])
  for (const event of audits.flatMap(a => a.events)) {
    expect(event.hash).toBe(sha256(Buffer.of(0), Buffer.from(event.previousHash, 'hex'), event.entry))
    expect(JSON.parse(event.entry)).toMatchObject({ id: event.id, type: event.type, at: event.at })
    expect('ip' in event || 'userAgent' in event).toBe(false)
    if (event.personal) {
      expect(commitment(event.salt, event.personal)).toBe(JSON.parse(event.entry).personal)
    }
    hashes.set(event.sequence, event.hash)
  }
  for (const event of audits.flatMap(a => a.events)) expect(event.previousHash).toBe(hashes.get(event.sequence - 1) ?? 'unknown')
  const [one, two] = audits.map(a => a.events.map((e: { sequence: number }) => e.sequence))
  expect(one[0]).toBe(1)
  expect(one.some((n: number) => n > two[0])).toBe(true)
  expect(audits[1].events.map((e: { type: string }) => e.type).slice(0, 4)).toEqual([
    'document.created',
    'document.sent',
    'recipient.notified',
    'recipient.notified',
  ])
})

test('requests over the quota get 429 with the wait; other keys are not affected', async () => {
  const { buildServer } = await import('../../../src/http/server.ts')
  const { createRequestLimits } = await import('../../../src/http/api/pipeline.ts')
  const server = buildServer(t.app, createRequestLimits(t.app))
  const [one, two] = [await t.key(), await t.key()]
  const ask = (key: string) =>
    server.handle(new Request('http://127.0.0.1:3000/api/v1/me', { headers: { authorization: `Bearer ${key}` } }))
  const statuses: number[] = []
  for (let i = 0; i < 121; i++) statuses.push((await ask(one)).status)
  expect(statuses.slice(0, 120).every(s => s === 200)).toBe(true)
  const refused = await ask(one)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await ask(two)).status).toBe(200)
  t.clock.pass({ seconds: 1 })
  expect((await ask(one)).status).toBe(200)
})
