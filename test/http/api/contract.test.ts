/** Requirements of RFC 9110 for every response, address and method. */
import { describe, expect, test } from 'bun:test'
import { PAGES } from '../../../src/http/page-routes.ts'
import { API_PREFIX, API_ROUTES, buildServer } from '../../../src/http/server.ts'
import { csrfOf, openVisitor } from '../../support/browser-less.ts'
import { newDocument } from '../../support/sample.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

describe('a malformed Host', () => {
  const MALFORMED = [
    'x@127.0.0.1:3000',
    'user:password@127.0.0.1',
    '127.0.0.1:3000, 127.0.0.1:3000',
    '127.0.0.1 evil.example',
    '127.0.0.1/evil',
    '127.0.0.1?evil',
    '127.0.0.1#evil',
    '127.0.0.1\\evil',
    '127.0.0.1:port',
    '127.0.0.1:99999',
    '127.0.0.1:80:80',
    '[::1',
    '[1]',
    '%31',
    '',
  ]

  test.each(MALFORMED)('is 400 for pages and API alike: %j', async host => {
    for (const path of ['/sign-in', `${API_PREFIX}/me`, '/healthz', '/nothing']) {
      const response = await t.fetch(path, { headers: { host } })
      expect([path, response.status]).toEqual([path, 400])
      expect(response.headers.get('x-request-id')).toMatch(/^req_/)
      if (path.startsWith(API_PREFIX)) expect((await response.json()).error.details[0].path).toBe('Host')
    }
  })

  test('is refused from a trusted proxy too', async () => {
    const { hasBaseUrlHost } = await import('../../../src/http/request.ts')
    const { parseNetworks } = await import('../../../src/lib/net-guard.ts')
    const config = { baseUrl: 'https://sign.example.com', trustProxy: parseNetworks('10.0.0.0/8') }
    const headers = { host: 'signet:3000', 'x-forwarded-host': 'evil@sign.example.com' }
    expect(hasBaseUrlHost(new Request('http://127.0.0.1/', { headers }), '10.0.0.1', config)).toBe(false)
  })

  test('is none of these', async () => {
    for (const host of ['127.0.0.1', '127.0.0.1:', 'LOCALHOST:3000', '[::1]:3000', '127.0.0.1:65535']) {
      expect([host, (await t.fetch('/sign-in', { headers: { host } })).status]).toEqual([host, 200])
    }
    expect((await t.fetch('/healthz', { headers: { host: 'signet_app.local.' } })).status).toBe(200)
  })
})

describe('an unsupported method', () => {
  test('is 405 and lists the supported methods', async () => {
    const paths = [...API_ROUTES.map(route => API_PREFIX + route.path), ...PAGES.map(page => page.path), '/healthz', '/seal.crl']
    for (const path of new Set(paths)) {
      for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'PUT', 'OPTIONS', 'PURGE']) {
        const response = await t.serve(requestOf(method, path))
        expect([method, path, response.status]).toEqual([method, path, 405])
        expect((response.headers.get('allow') ?? '').split(', ')).not.toContain(method)
        expect(response.headers.get('allow')).toMatch(/GET|POST|PATCH|DELETE/)
        expect((await response.json()).error.code).toBe('method_not_allowed')
      }
    }
  })

  /** The constructor of Request refuses some methods that a server receives. */
  function requestOf(method: string, path: string): Request {
    const request = new Request(ORIGIN + path)
    Object.defineProperty(request, 'method', { value: method })
    return request
  }
})

/** The same for everybody, and asked for again each time (RFC 9111 §5.2.2.4). */
const REFERENCE = [`${API_PREFIX}/docs`, `${API_PREFIX}/openapi.json`]

test('every response but static assets, the reference and the script of other sites has no-store', async () => {
  const { body } = await t.api('POST', '/documents', await newDocument())
  const authorization = `Bearer ${await t.key()}`
  const paths = [...new Set(buildServer(t.app).routes.map(route => route.path)), '/nothing', `${API_PREFIX}/nothing`, '/%E0%A4%A']
  for (const path of paths.filter(path => !path.startsWith('/static/') && path !== '/embed.js')) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'DELETE']) {
      const init = { method, headers: { authorization }, redirect: 'manual' } as const
      const response = await t.fetch(path.replace(':id', method === 'DELETE' ? 'doc_0' : body.id), init)
      const isReference = REFERENCE.includes(path) && response.ok
      const wanted = isReference ? 'no-cache' : expect.stringContaining('no-store')
      expect([method, path, response.headers.get('cache-control')]).toEqual([method, path, wanted])
    }
  }
  expect((await t.fetch('/healthz', { headers: { host: 'x@y' } })).headers.get('cache-control')).toBe('no-store')
})

describe('a body in a content coding', () => {
  test('is 415 on every API route with a body', async () => {
    for (const route of API_ROUTES.filter(route => route.method === 'POST')) {
      for (const coding of ['gzip', 'identity', 'br, gzip']) {
        const { status, body } = await t.api('POST', route.path, {}, { 'content-encoding': coding })
        expect([route.path, status, body.error.code]).toEqual([route.path, 415, 'unsupported_media_type'])
      }
    }
  })

  test('is 415 for a form too', async () => {
    const visitor = openVisitor(t.fetch)
    await visitor.get('/sign-in')
    expect((await visitor.post('/sign-in', { email: 'a' }, { 'content-encoding': 'gzip' })).status).toBe(415)
  })
})

test('a form with Origin: null is accepted only with Sec-Fetch-Site: same-origin', async () => {
  const visitor = openVisitor(t.fetch)
  const page = await visitor.get('/sign-in')
  const csrf = csrfOf(page)
  const values = { csrf, email: 'a@example.com', password: 'x' }
  const send = async (headers: Record<string, string>) =>
    (await visitor.post('/sign-in', values, { origin: 'null', ...headers })).status
  expect(await send({})).toBe(403)
  for (const site of ['same-site', 'cross-site', 'none', ''])
    expect([site, await send({ 'sec-fetch-site': site })]).toEqual([site, 403])
  expect(await send({ 'sec-fetch-site': 'same-origin' })).toBe(401)
})
