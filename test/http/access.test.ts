/** Access: every route declares it, members see only what is theirs, GET changes nothing. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createKey } from '../../src/accounts/keys.ts'
import { insertUser } from '../../src/accounts/queries.ts'
import { API_PREFIX, API_ROUTES, buildServer, PAGES } from '../../src/http/server.ts'
import { openVisitor } from '../support/browser-less.ts'
import { newDocument } from '../support/sample.ts'
import { ORIGIN, openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await openTestApp()
})
afterEach(() => t.close())

/** Public routes without personal data. */
const OPEN = new Set([
  '/healthz',
  '/readyz',
  '/metrics',
  '/seal-certificate.pem',
  '/seal.crl',
  `${API_PREFIX}/openapi.json`,
  `${API_PREFIX}/docs`,
])

test('every registered route is in the lists and declares its access', () => {
  const listed = new Set([...API_ROUTES.map(r => API_PREFIX + r.path), ...PAGES.map(p => p.path)])
  for (const { path } of buildServer(t.app).routes) {
    expect(listed.has(path) || OPEN.has(path) || path.startsWith('/static/')).toBe(true)
  }
  for (const route of API_ROUTES) expect(route.access).toMatch(/^(documents|webhooks):(read|write)$|^any key$/)
  for (const page of PAGES) expect(['public', 'link', 'session', 'sender', 'auditor', 'admin']).toContain(page.access)
})

test('every session page redirects other visitors to sign-in and reveals nothing', async () => {
  for (const page of PAGES.filter(p => !['public', 'link'].includes(p.access))) {
    const path = page.path.replace(':id', 'doc_00000000000000000000000000')
    const response = await t.fetch(path, { method: page.method, redirect: 'manual' })
    expect([path, response.status]).toEqual([path, 303])
    expect(response.headers.get('location')).toStartWith('/sign-in')
  }
})

async function memberKey(name: string): Promise<string> {
  const id = t.app.newId('usr')
  const user = { id, email: `${name}@example.com`, name, role: 'member' as const, passwordHash: 'x' }
  await t.app.write(tx => insertUser(tx, user, t.clock.now))
  return (await createKey(t.app, { userId: id }, { name, scopes: [], expiresInDays: undefined })).key
}

test('resources of another member are not_found on every route with an ID', async () => {
  const [mine, theirs] = [await memberKey('mia'), await memberKey('theo')]
  const call = async (key: string, method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await t.fetch(API_PREFIX + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { requestId: _, ...error } = (await response.clone().json()).error ?? {}
    return { status: response.status, error, json: await response.json() }
  }
  const document = (await call(mine, 'POST', '/documents', await newDocument())).json
  const hook = (await call(mine, 'POST', '/webhooks', { url: 'http://127.0.0.1:9', events: ['*'] })).json
  for (const route of API_ROUTES.filter(r => r.path.includes(':id'))) {
    const [real, random] = route.path.startsWith('/webhooks') ? [hook.id, 'whk_0'] : [document.id, 'doc_0']
    const body = route.path.endsWith('/void') ? { reason: 'x' } : route.method === 'POST' ? {} : undefined
    const foreign = await call(theirs, route.method, route.path.replace(':id', real), body)
    const absent = await call(theirs, route.method, route.path.replace(':id', random), body)
    expect(foreign.status).toBe(404)
    expect(foreign.error).toEqual(absent.error)
  }
  expect((await call(theirs, 'GET', '/documents')).json.data).toEqual([])
  expect((await call(theirs, 'GET', '/webhooks')).json).toEqual([])
  expect((await call(mine, 'GET', `/documents/${document.id}`)).status).toBe(200)
})

test('a revoked or expired key is refused at once', async () => {
  const key = await t.key({ expiresInDays: 1 })
  const ask = () => t.fetch('/api/v1/me', { headers: { authorization: `Bearer ${key}` } })
  expect((await ask()).status).toBe(200)
  t.clock.pass({ days: 2 })
  expect((await ask()).status).toBe(401)
})

test('GET, HEAD and OPTIONS change nothing at any address', async () => {
  await t.api('POST', '/documents', await newDocument())
  const dump = async () => {
    const tables = [
      'documents',
      'recipients',
      'fields',
      'draft_changes',
      'events',
      'jobs',
      'mails',
      'webhooks',
      'deliveries',
      'settings',
      'users',
      'files',
    ] as const
    return JSON.stringify(await Promise.all(tables.map(table => t.app.db.selectFrom(table).selectAll().execute())))
  }
  const before = await dump()
  const { body } = await t.api('GET', '/documents')
  const key = await t.key()
  for (const { path } of buildServer(t.app).routes) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      await t.fetch(path.replace(':id', body.data[0].id), {
        method,
        headers: { authorization: `Bearer ${key}` },
        redirect: 'manual',
      })
    }
  }
  expect(await dump()).toBe(before)
})

test('every page has a content security policy that allows no other host', async () => {
  const page = await openVisitor(t.fetch).get('/sign-in')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/script-src 'nonce-[\w-]{43}'/)
  expect(policy).not.toContain('unsafe')
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(page.html).not.toMatch(/ on[a-z]+="/)
  expect(page.html).not.toMatch(/(src|href)="(https?:)?\/\//)
})

test('a form without Origin and Sec-Fetch-Site is refused, even with the right CSRF token', async () => {
  const visitor = openVisitor(t.fetch)
  const page = await visitor.get('/sign-in')
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const send = async (headers: Record<string, string>) => {
    const body = new URLSearchParams({ csrf, email: 'a@example.com', password: 'x' }).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded', cookie }
    return (await t.fetch('/sign-in', { method: 'POST', headers: { ...type, ...headers }, body })).status
  }
  expect(await send({})).toBe(403)
  expect(await send({ origin: 'https://evil.example' })).toBe(403)
  expect(await send({ origin: ORIGIN, 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await send({ origin: ORIGIN })).toBe(401)
  expect(await send({ origin: 'null', 'sec-fetch-site': 'same-origin' })).toBe(401)
})

test('the token of a link is in no line of the log', async () => {
  const paths = PAGES.filter(p => p.path.includes(':token')).map(({ method, path }) => ({ method, path }))
  expect(paths.length).toBeGreaterThan(3)
  for (const { method, path } of paths) {
    await t.fetch(path.replace(':token', 'SeCrEtToKeN'), { method, redirect: 'manual' })
    const line = t.logged.findLast(({ what }) => what === 'request')
    expect(line?.facts).toMatchObject({ method, path: path.replace(':token', '…') })
  }
  expect(JSON.stringify(t.logged)).not.toContain('SeCrEtToKeN')
})
