/** The API as clients see it: shapes, errors, limits, paths, addresses and labels. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { commitment } from '../../../src/core/document/audit-chain.ts'
import { API_PREFIX, API_ROUTES, buildServer } from '../../../src/http/server.ts'
import { SCOPES } from '../../../src/ports.ts'
import { ADA, newDocument, SIGNATURE, samplePdf } from '../../support/sample.ts'
import { documentOf, sentDocument, typesOf } from '../../support/story.ts'
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
})

describe('a request that is refused', () => {
  const deep = { recipients: [{ ...ADA, fields: [{ ...SIGNATURE, colour: 'red' }] }] }
  const emoji = { recipients: [{ ...ADA, name: 'Ada \u{1F600}' }] }
  test.each([
    ['not base64', { file: 'JVBERi0x*' }, 'invalid_base64', undefined],
    ['base64 without its padding', { file: 'JVBERi0xLjc' }, 'invalid_base64', undefined],
    ['not a PDF', { file: Buffer.from('hello').toString('base64') }, 'invalid_pdf', undefined],
    ['an empty file', { file: '' }, 'invalid_pdf', undefined],
    ['an unknown member deep down', deep, 'validation_failed', 'recipients[0].fields[0].colour'],
    ['a bad e-mail', { recipients: [{ ...ADA, email: 'ada@' }] }, 'validation_failed', 'recipients[0].email'],
    ['a name that no font can print', emoji, 'validation_failed', 'recipients[0].name'],
  ])('for %s gets its code and its path, and stores nothing', async (_, change, code, path) => {
    const { status, body, headers } = await t.api('POST', '/documents', await newDocument(change))
    expect([status, body.error?.code]).toEqual([422, code])
    expect(body.error.requestId).toBe(headers.get('x-request-id'))
    if (path) expect(body.error.details.map((d: { path: string }) => d.path)).toContain(path)
    expect(await counts()).toEqual({ documents: 0, files: 0, events: 0 })
  })

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
    await using small = await openTestApp({ env: { SIGNET_MAX_PDF_MB: '1' } })
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
      if (route.access !== 'anyone') {
        const none = await send({ method: route.method })
        expect([none.status, none.error.code, none.headers.get('www-authenticate')]).toEqual([401, 'unauthorized', 'Bearer'])
        const wrong = await send({ method: route.method, headers: { authorization: `Bearer ${key.slice(0, -1)}!` } })
        expect(wrong.status).toBe(401)
        const live = await send({
          method: route.method,
          headers: { authorization: `Bearer ${key.replace('esk_test_', 'esk_live_')}` },
        })
        expect(live.status).toBe(401)
      }
      if (route.access !== 'any key' && route.access !== 'anyone') {
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
  test('environment, name and scopes of the key', async () => {
    const { body } = await t.api('GET', '/me')
    expect(body).toMatchObject({ environment: 'test', keyName: 'test' })
    expect(body.scopes).toEqual([...SCOPES])
  })
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

const PLACE = { page: 1, x: 10, y: 20, width: 30, height: 4 }
const TEXT = { type: 'text', ...PLACE }
type Details = { path: string; code: string; message: string }[]

describe('the path of an error', () => {
  test('of a document that is created and sent in one step is that of the request, not of an id made for it', async () => {
    const { status, body } = await t.api(
      'POST',
      '/documents',
      await newDocument({ senderFields: [SIGNATURE, TEXT].slice(1), send: true }),
    )
    expect([status, body.error.details]).toEqual([
      422,
      [
        {
          path: 'senderFields[0].value',
          code: 'value_missing',
          message: 'must be given before the document is sent: recipients cannot enter it',
        },
      ],
    ])
    expect((await t.api('GET', '/documents')).body.data).toEqual([])
  })

  test('of no refusal of a new document contains an id', async () => {
    const bad = [
      { senderFields: [{ ...TEXT, type: 'dropdown', options: ['a'] }] },
      { recipients: [{ ...ADA, verify: 'webhook_code' }] },
      { recipients: [{ ...ADA, fields: [{ ...TEXT, width: 2, value: 'much too long for it' }] }] },
      { recipients: [{ ...ADA, fields: [{ ...TEXT, showIf: { field: 'Pet', is: 'true' } }] }] },
      { recipients: [ADA, ADA] },
    ]
    for (const each of bad) {
      const { status, body } = await t.api('POST', '/documents', await newDocument({ ...each, send: true }))
      expect([status, JSON.stringify(body.error.details)]).toEqual([422, expect.not.stringMatching(/(rcp|fld)_/)])
      expect(body.error.details).not.toEqual([])
    }
  })
})

describe('a refusal about a template', () => {
  async function template(): Promise<{ id: string; etag: string }> {
    const roles = [{ name: 'Tenant', fields: [TEXT, SIGNATURE] }]
    const { body } = await t.api('POST', '/templates', { fileName: 'a.pdf', file: await samplePdf(), roles })
    return { id: body.id, etag: (await t.api('GET', `/templates/${body.id}`)).headers.get('etag') ?? '' }
  }

  test('says template and role, and has the members of templates', async () => {
    const { id } = await template()
    const [role] = (await t.api('GET', `/templates/${id}`)).body.roles
    const edits: [edit: object, details: Details][] = [
      [
        { fields: [{ ...TEXT, recipientId: 'x' }] },
        [{ path: 'fields[0].recipientId', code: 'unknown_recipient', message: 'must be the id of a role of the template' }],
      ],
      [
        { fields: [{ id: 'fld_00000000000000000000000000', x: 1 }] },
        [{ path: 'fields[0].id', code: 'unknown_field', message: 'is not a field of this template; a new field needs a type' }],
      ],
      [
        { fields: [{ ...TEXT, page: 9, recipientId: 'sender' }] },
        [{ path: 'fields[0].page', code: 'beyond_last_page', message: 'must be within the template: it has 1 page' }],
      ],
      [
        { roles: [{ id: role.id, name: 'Tenant', role: 'viewer' }] },
        [
          {
            path: 'roles[0].role',
            code: 'fields_unfit_for_role',
            message: 'does not allow all fields of this role: remove them or give them to another role first',
          },
        ],
      ],
    ]
    for (const [edit, details] of edits) {
      const { status, body } = await t.api('PATCH', `/templates/${id}`, edit)
      expect([status, body.error.details]).toEqual([422, details])
    }
    const roles = [{ name: 'Tenant', fields: [{ ...TEXT, page: 9 }] }]
    const created = await t.api('POST', '/templates', { fileName: 'a.pdf', file: await samplePdf(), roles })
    expect(created.body.error.details).toEqual([
      { path: 'roles[0].fields[0].page', code: 'beyond_last_page', message: 'must be within the template: it has 1 page' },
    ])
  })

  test('that has changed names `shared` as the API does, also after a release that noted it otherwise', async () => {
    const { id, etag } = await template()
    await t.api('PATCH', `/templates/${id}`, { shared: true })
    for (const request of [
      () => t.api('PATCH', `/templates/${id}`, { title: 'x' }, { 'if-match': etag }),
      () => t.api('DELETE', `/templates/${id}`, undefined, { 'if-match': etag }),
    ]) {
      const { error } = (await request()).body
      expect([error.code, error.message]).toEqual([
        'draft_changed',
        'The template has changed since the version you have: get it and make your change again.',
      ])
      expect(error.details.map(({ path }: { path: string }) => path)).toEqual(['shared'])
    }
    await t.app.write(tx => tx.updateTable('draft_changes').set({ path: 'isShared' }).execute())
    const { error } = (await t.api('PATCH', `/templates/${id}`, { title: 'x' }, { 'if-match': etag })).body
    expect(error.details.map(({ path }: { path: string }) => path)).toEqual(['shared'])
  })
})

test('an address with a slash at its end is none: a client without an id does not get a list', async () => {
  await t.api('POST', '/documents', await newDocument())
  for (const path of ['/documents/', '/webhooks/', '/templates/', '/me/', '/documents/?limit=1']) {
    const { status, body } = await t.api('GET', path)
    expect([path, status, body.error.code]).toEqual([path, 404, 'not_found'])
  }
  expect((await t.api('POST', '/documents/', await newDocument())).status).toBe(404)
  expect((await t.api('GET', '/documents?limit=1')).body.data).toHaveLength(1)
  expect((await t.fetch('/healthz/')).status).toBe(200)
})

test('RateLimit and RateLimit-Policy tell how many requests a token may make at once, and when all are free again', async () => {
  const server = buildServer(t.app)
  const own = `Bearer ${await t.key()}`
  const ask = async (authorization = own) =>
    server.handle(new Request('http://127.0.0.1:3000/api/v1/me', { headers: { authorization } }))
  const first = await ask()
  const [, quota] = /q=(\d+);w=(\d+)/.exec(first.headers.get('ratelimit-policy') ?? '') ?? []
  expect(first.headers.get('ratelimit-policy')).toBe('"default";q=120;w=12')
  expect(first.headers.get('ratelimit')).toBe('"default";r=119;t=1')
  for (let i = 1; i < Number(quota); i++) expect((await ask()).status).toBe(200)
  const refused = await ask()
  expect([refused.status, refused.headers.get('ratelimit'), refused.headers.get('retry-after')]).toEqual([
    429,
    '"default";r=0;t=12',
    '1',
  ])
  expect((await refused.json()).error.message).toBe('More than 120 requests in 12 s: wait 1 s.')
  expect((await ask(`Bearer ${await t.key()}`)).status).toBe(200)
  t.clock.pass({ seconds: 12 })
  expect((await ask()).headers.get('ratelimit')).toBe('"default";r=119;t=1')
})

test('labels that differ only in case are one: stored once, found in any case', async () => {
  const create = async (labels: string[]) => (await t.api('POST', '/documents', await newDocument({ labels }))).body.id
  const first = await create(['Ärger', 'ärger', 'VIP-Kunde', 'vip-kunde '])
  const second = await create(['vip-KUNDE'])
  await create(['other'])
  expect((await t.api('GET', `/documents/${first}`)).body.labels).toEqual(['Ärger', 'VIP-Kunde'])
  const found = async (label: string) =>
    (await t.api('GET', `/documents?label=${encodeURIComponent(label)}`)).body.data.map(({ id }: { id: string }) => id)
  for (const label of ['VIP-Kunde', 'vip-kunde', 'VIP-KUNDE'])
    expect([label, await found(label)]).toEqual([label, [second, first]])
  expect(await found('ÄRGER')).toEqual([first])
  expect(await found('nothing')).toEqual([])
  const edited = await t.api('PATCH', `/documents/${second}`, { labels: ['New', 'NEW'] })
  expect(edited.body.labels).toEqual(['New'])
})

test('a locale that is no language is refused with its path, wherever it is given; one without pages of ours is not', async () => {
  const code = 'unknown_language'
  const message = 'must begin with the code of a language, such as de or pt-BR: xx is none'
  const bad = [{ locale: 'xx' }, { recipients: [{ ...ADA, locale: 'xx-DE' }] }]
  const paths = ['locale', 'recipients[0].locale']
  for (const [i, each] of bad.entries()) {
    const { status, body } = await t.api('POST', '/documents', await newDocument(each))
    expect([status, body.error.details]).toEqual([422, [{ path: paths[i] as string, code, message }]])
  }
  const { body } = await t.api(
    'POST',
    '/documents',
    await newDocument({ locale: 'ja', recipients: [{ ...ADA, locale: 'de-AT' }] }),
  )
  for (const edit of [{ locale: 'xx' }, { recipients: [{ id: body.recipients[0].id, locale: 'xx' }] }])
    expect((await t.api('PATCH', `/documents/${body.id}`, edit)).body.error.details[0].message).toBe(message)
  const template = { fileName: 'a.pdf', file: await samplePdf(), roles: [{ name: 'Tenant', locale: 'xx' }] }
  expect((await t.api('POST', '/templates', template)).body.error.details).toEqual([{ path: 'roles[0].locale', code, message }])
})

test('what is created has its address in Location, also when the answer is repeated, and a document its version', async () => {
  const key = { 'idempotency-key': 'once' }
  const body = await newDocument()
  const [first, again] = [await t.api('POST', '/documents', body, key), await t.api('POST', '/documents', body, key)]
  const address = `/api/v1/documents/${first.body.id}`
  expect([first.headers.get('location'), again.headers.get('location')]).toEqual([address, address])
  const etag = (await t.api('GET', `/documents/${first.body.id}`)).headers.get('etag')
  expect(first.headers.get('etag')).toBe(etag)
  const ifMatch = { 'if-match': first.headers.get('etag') ?? '' }
  expect((await t.api('POST', `/documents/${first.body.id}/send`, undefined, ifMatch)).status).toBe(200)
  const sent = await t.api('POST', '/documents', await newDocument({ send: true }))
  expect(sent.headers.get('etag')).toBe((await t.api('GET', `/documents/${sent.body.id}`)).headers.get('etag'))
  const copy = await t.api('POST', `/documents/${first.body.id}/duplicate`)
  expect(copy.headers.get('location')).toBe(`/api/v1/documents/${copy.body.id}`)
  const template = await t.api('POST', '/templates', { documentId: first.body.id })
  expect(template.headers.get('location')).toBe(`/api/v1/templates/${template.body.id}`)
  const webhook = await t.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/x', events: ['*'] })
  expect(webhook.headers.get('location')).toBe(`/api/v1/webhooks/${webhook.body.id}`)
})

test('a legal hold needs a reason, keeps the document from being deleted until it is lifted, and is shown, in the list too', async () => {
  const { id } = (await t.api('POST', '/documents', await newDocument())).body
  const change = async (verb: string, reason?: string) => (await t.api('POST', `/documents/${id}/${verb}`, { reason })).body
  const heldSince = async () => [(await documentOf(t, id)).heldSince, (await t.api('GET', '/documents')).body.data[0].heldSince]
  expect(await heldSince()).toEqual([null, null])
  expect((await change('legal-hold', '  ')).error.details).toEqual([
    { path: 'reason', code: 'reason_missing', message: 'must say why' },
  ])
  expect((await change('legal-hold')).error.code).toBe('validation_failed')
  const at = t.clock.now.toISOString()
  expect(await change('legal-hold', 'Claim 17')).toEqual({ id, heldSince: at })
  expect((await change('legal-hold', 'Claim 17')).error.code).toBe('invalid_state')
  expect(await heldSince()).toEqual([at, at])
  expect((await t.api('DELETE', `/documents/${id}`)).body.error.code).toBe('invalid_state')
  expect(await change('lift-legal-hold', 'Settled')).toEqual({ id, heldSince: null })
  expect((await change('lift-legal-hold', 'Settled')).error.code).toBe('invalid_state')
  const types = (await typesOf(t, id)).filter(type => type.includes('legal_hold'))
  expect(types).toEqual(['document.legal_hold_set', 'document.legal_hold_lifted'])
  expect((await t.api('DELETE', `/documents/${id}`)).status).toBe(200)
})

test('documents are found by every metadata key that can be stored', async () => {
  for (const key of ['a]b', ']', '[x]', 'a][b', 'order']) {
    const { body } = await t.api('POST', '/documents', await newDocument({ metadata: { [key]: 'v' } }))
    const found = await t.api('GET', `/documents?${new URLSearchParams({ [`metadata[${key}]`]: 'v' })}`)
    expect([key, found.body.data?.map(({ id }: { id: string }) => id)]).toEqual([key, [body.id]])
  }
})
