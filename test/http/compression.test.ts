/** Compressed answers: which routes may, that no page does, and what caches and conditions see. */
import { expect, test } from 'bun:test'
import type { TSchema } from 'typebox'
import { mayCompress } from '../../src/http/compression.ts'
import { PAGES } from '../../src/http/page-routes.ts'
import type { ApiRoute } from '../../src/http/route.ts'
import { API_PREFIX, API_ROUTES } from '../../src/http/server.ts'
import { cookieOf } from '../support/browser-less.ts'
import { newDocument } from '../support/sample.ts'
import { useTestApp } from '../support/use-app.ts'
import { newAdministrator } from '../support/visitors.ts'

const t = useTestApp()

const GZIP = { 'accept-encoding': 'br, gzip' }

const gunzip = async (response: Response) => new TextDecoder().decode(Bun.gunzipSync(await response.bytes()))

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  const authorization = `Bearer ${await t.key()}`
  return t.fetch(`${API_PREFIX}${path}`, { method, headers: { authorization, ...headers } })
}

/** The names of all members of a schema that are texts. */
function membersOf(schema: TSchema | unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(membersOf)
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, value]) => [
    ...(name === 'properties' ? textsOf(value as Record<string, TSchema>) : []),
    ...membersOf(value),
  ])
}

const textsOf = (members: Record<string, TSchema>) =>
  Object.keys(members).filter(name => JSON.stringify(members[name]).includes('"type":"string"'))

const SECRETS = /secret|token|password|accessCode$|signingLink|^key$/i
const holdsSecret = ({ success }: ApiRoute) =>
  typeof success.schema !== 'string' && membersOf(success.schema).some(name => SECRETS.test(name))

test('no API answer with a secret is compressed', () => {
  expect(API_ROUTES.filter(route => mayCompress(route) && holdsSecret(route)).map(({ path }) => path)).toEqual([])
  expect(API_ROUTES.filter(holdsSecret).length).toBeGreaterThan(3)
  expect(API_ROUTES.filter(({ method }) => method !== 'GET').some(mayCompress)).toBe(false)
  expect(API_ROUTES.filter(mayCompress).length).toBeGreaterThan(8)
})

/** The same bytes for everybody. */
const STATIC = ['/embed.js', '/verify.html']

test('a page is not compressed: it has tokens of forms and links beside what people entered', async () => {
  const visitor = await newAdministrator(t)
  const cookie = cookieOf(visitor)
  let large = 0
  for (const { path, isFixed } of PAGES.filter(({ method }) => method === 'GET')) {
    const address = path.replace(/:\w+/g, 'doc_00000000000000000000000000').replace('*', '')
    const response = await t.fetch(address, { headers: { ...GZIP, cookie }, redirect: 'manual' })
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    expect([path, isFixed, response.headers.get('content-encoding')]).toEqual([
      path,
      undefined,
      STATIC.includes(path) ? 'gzip' : null,
    ])
    if (isStream) await response.body?.cancel()
    else if ((await response.text()).length > 4_000) large++
  }
  expect(large).toBeGreaterThan(20)
})

test('a long answer is compressed where the client takes gzip, a short one never', async () => {
  for (let i = 0; i < 3; i++) await t.api('POST', '/documents', await newDocument())
  const plain = await ask('/documents')
  expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'accept-encoding'])
  const small = await ask('/documents', GZIP)
  expect([small.headers.get('content-encoding'), small.headers.get('vary')]).toEqual(['gzip', 'accept-encoding'])
  expect(await gunzip(small)).toBe(await plain.text())
  expect((await ask('/documents', { 'accept-encoding': 'gzip;q=0' })).headers.get('content-encoding')).toBeNull()
  expect((await ask('/me', GZIP)).headers.get('content-encoding')).toBeNull()
})

test('HEAD has the length of the compressed answer', async () => {
  for (let i = 0; i < 3; i++) await t.api('POST', '/documents', await newDocument())
  const get = await ask('/documents?limit=3', GZIP)
  const head = await ask('/documents?limit=3', GZIP, 'HEAD')
  expect(head.headers.get('content-encoding')).toBe('gzip')
  expect(head.headers.get('content-length')).toBe(String((await get.bytes()).length))
})

test('the tag of a compressed document is weak, and conditions take it', async () => {
  const fields = Array.from({ length: 30 }, (_, i) => ({ type: 'text', page: 1, x: 10, y: i * 3, width: 30, height: 2 }))
  const recipients = [
    {
      email: 'ada@example.com',
      name: 'Ada',
      fields: [{ type: 'signature', page: 1, x: 10, y: 95, width: 30, height: 4 }, ...fields],
    },
  ]
  const { body } = await t.api('POST', '/documents', await newDocument({ recipients }))
  const plain = await ask(`/documents/${body.id}`)
  const small = await ask(`/documents/${body.id}`, GZIP)
  const etag = small.headers.get('etag') ?? ''
  expect([small.headers.get('content-encoding'), etag]).toEqual(['gzip', `W/${plain.headers.get('etag')}`])
  expect((await ask(`/documents/${body.id}`, { ...GZIP, 'if-none-match': etag })).status).toBe(304)
  const changed = await t.api('PATCH', `/documents/${body.id}`, { title: 'Other' }, { 'if-match': etag })
  expect(changed.status).toBe(200)
})

test('the reference is made once for each language, compressed, and has a tag', async () => {
  const path = `${API_PREFIX}/docs`
  const [one, two] = [await t.fetch(path, { headers: GZIP }), await t.fetch(path, { headers: GZIP })]
  expect([one.headers.get('content-encoding'), one.headers.get('vary')]).toEqual([
    'gzip',
    'accept-language, cookie, accept-encoding',
  ])
  expect(await one.bytes()).toEqual(await two.bytes())
  const etag = one.headers.get('etag') ?? ''
  const again = await t.fetch(path, { headers: { ...GZIP, 'if-none-match': etag } })
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
  const plain = await t.fetch(path)
  expect([plain.headers.get('content-encoding'), plain.headers.get('etag')]).toEqual([null, etag.replace('-gzip', '')])
  const german = await t.fetch(path, { headers: { 'accept-language': 'de' } })
  expect(german.headers.get('etag')).not.toBe(plain.headers.get('etag'))
  const policy = plain.headers.get('content-security-policy') ?? ''
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
  expect(await plain.text()).toContain(`nonce="${nonce}"`)
})

test('the reference is the same for an administrator with a warning, and has no form', async () => {
  const visitor = await newAdministrator(t)
  const path = `${API_PREFIX}/docs`
  const own = await visitor.get(path)
  expect(own.html).toBe(await (await t.fetch(path)).text())
  expect(own.html).not.toContain('csrf')
  expect((await t.fetch(path)).headers.get('set-cookie')).toBeNull()
})

test('the OpenAPI document is compressed and has a tag', async () => {
  const path = `${API_PREFIX}/openapi.json`
  const response = await t.fetch(path, { headers: GZIP })
  const etag = response.headers.get('etag') ?? ''
  expect(await gunzip(response)).toBe(await (await t.fetch(path)).text())
  expect((await t.fetch(path, { headers: { ...GZIP, 'if-none-match': etag } })).status).toBe(304)
})
