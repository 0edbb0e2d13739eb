/** Error paths, words, addresses, limits and labels of the API, as a client meets them. */
import { describe, expect, test } from 'bun:test'
import { buildServer } from '../../../src/http/server.ts'
import { ADA, newDocument, samplePdf } from '../../support/sample.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const PLACE = { page: 1, x: 10, y: 20, width: 30, height: 4 }
const SIGNATURE = { type: 'signature', ...PLACE, y: 70 }
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

test('RateLimit and RateLimit-Policy tell how many requests may be made at once, and when all are free again', async () => {
  const server = buildServer(t.app)
  const authorization = `Bearer ${await t.key()}`
  const ask = async () => server.handle(new Request('http://127.0.0.1:3000/api/v1/me', { headers: { authorization } }))
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

test('a document shows its legal hold, in the list too', async () => {
  const { id } = (await t.api('POST', '/documents', await newDocument({ send: true }))).body
  expect((await t.api('GET', `/documents/${id}`)).body.heldSince).toBeNull()
  const held = await t.api('POST', `/documents/${id}/legal-hold`, { reason: 'Claim' })
  expect((await t.api('GET', `/documents/${id}`)).body.heldSince).toBe(held.body.heldSince)
  expect((await t.api('GET', '/documents')).body.data[0].heldSince).toBe(t.clock.now.toISOString())
  await t.api('POST', `/documents/${id}/lift-legal-hold`, { reason: 'Settled' })
  expect((await t.api('GET', `/documents/${id}`)).body.heldSince).toBeNull()
})

test('documents are found by every metadata key that can be stored', async () => {
  for (const key of ['a]b', ']', '[x]', 'a][b', 'order']) {
    const { body } = await t.api('POST', '/documents', await newDocument({ metadata: { [key]: 'v' } }))
    const found = await t.api('GET', `/documents?${new URLSearchParams({ [`metadata[${key}]`]: 'v' })}`)
    expect([key, found.body.data?.map(({ id }: { id: string }) => id)]).toEqual([key, [body.id]])
  }
})
