/** Access: every route declares it, members see only what is theirs, GET changes nothing. */
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { invitePerson } from '../../src/accounts/invitations.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { insertIdentity } from '../../src/accounts/oidc-queries.ts'
import { insertPasskey } from '../../src/accounts/passkey-queries.ts'
import { openSession } from '../../src/accounts/people.ts'
import { listInvitations } from '../../src/accounts/people-queries.ts'
import { rightsOf } from '../../src/accounts/rights.ts'
import { insertRun } from '../../src/backups/run-queries.ts'
import type { PageRoute } from '../../src/http/frame/page.tsx'
import { accessOf, needsSession } from '../../src/http/frame/page-access.ts'
import { PAGES } from '../../src/http/page-routes.ts'
import { API_PREFIX, API_ROUTES, buildServer } from '../../src/http/server.ts'
import { keyedToken } from '../../src/lib/token.ts'
import { ROLES, type Role, SCOPES } from '../../src/ports.ts'
import { addPerson, type TestPerson } from '../support/accounts.ts'
import { rowsFor, tenancyTemplate } from '../support/batches.ts'
import { cookieOf, csrfOf, openVisitor } from '../support/browser-less.ts'
import { dumpOf } from '../support/dump.ts'
import { witnessItself } from '../support/own-witness.ts'
import { pauseAll } from '../support/pauses.ts'
import { newDocument } from '../support/sample.ts'
import { withSecondFactor } from '../support/second-factor.ts'
import { configure } from '../support/story.ts'
import { ORIGIN } from '../support/test-app.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

/** Public routes without personal data. */
const OPEN = new Set([
  ...['/healthz', '/readyz'],
  '/metrics',
  '/seal-certificate.pem',
  '/seal-chain.pem',
  '/seal.crl',
  `${API_PREFIX}/openapi.json`,
  `${API_PREFIX}/docs`,
])

/** The body is signed by somebody whom an administrator has entered. */
const WITHOUT_KEY = new Set(['witnessCheckpoint'])

test('every registered route is in the lists and declares its access', () => {
  const listed = new Set([...API_ROUTES.map(r => API_PREFIX + r.path), ...PAGES.map(p => p.path)])
  for (const { path } of buildServer(t.app).routes) {
    expect(listed.has(path) || OPEN.has(path) || path.startsWith('/static/')).toBe(true)
  }
  for (const route of API_ROUTES) {
    if (WITHOUT_KEY.has(route.operationId)) expect(route.access).toBe('anyone')
    else expect(route.access).toMatch(/^(documents|templates|webhooks):(read|write)$|^links:create$|^any key$/)
  }
  for (const page of PAGES) expect(needsSession(page.access) || ['public', 'link'].includes(page.access)).toBe(true)
})

test('every session page redirects other visitors to sign-in and reveals nothing', async () => {
  for (const page of PAGES.filter(p => needsSession(p.access))) {
    const path = page.path.replace(':id', 'doc_00000000000000000000000000')
    const response = await t.fetch(path, { method: page.method, redirect: 'manual' })
    // A script gets no page.
    expect([path, response.status]).toEqual([path, page.isBackground ? 204 : 303])
    if (page.isBackground) expect(await response.text()).toBe('')
    else expect(response.headers.get('location')).toStartWith('/sign-in')
  }
})

async function memberKey(name: string): Promise<string> {
  const { id } = await addPerson(t, name, 'member')
  return (await createKey(t.app, { userId: id }, { name, scopes: [...SCOPES], expiresInDays: undefined })).key
}

function bodyFor(path: string): object {
  if (/(void|legal-hold)$/.test(path)) return { reason: 'x' }
  if (path === '/templates/:id/documents') return { recipients: [{ role: 'x', email: 'x@example.com', name: 'x' }] }
  if (path === '/templates/:id/batches') return { rows: rowsFor(1) }
  return path.endsWith(':id/redeliver') ? { since: '2026-11-01T00:00:00Z' } : {}
}

test('resources of another member are not_found on every route with an ID', async () => {
  await configure(t, { signingLinks: 'on' })
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
  const template = (await call(mine, 'POST', '/templates', { documentId: document.id })).json
  const api = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await call(mine, method, path, body)
    return { status, body: json }
  }
  const leases = await tenancyTemplate({ api })
  const batch = (await call(mine, 'POST', `/templates/${leases}/batches`, { rows: rowsFor(2) })).json
  const ids = new Map([
    ['webhooks', [hook.id, 'whk_0']],
    ['templates', [template.id, 'tpl_0']],
    ['batches', [batch.id, 'bat_0']],
  ])
  for (const route of API_ROUTES.filter(r => r.path.includes(':id'))) {
    const [real, random] = ids.get(route.path.split('/')[1] ?? '') ?? [document.id, 'doc_0']
    const body = route.method === 'POST' ? bodyFor(route.path) : undefined
    const foreign = await call(theirs, route.method, route.path.replace(':id', real), body)
    const absent = await call(theirs, route.method, route.path.replace(':id', random), body)
    expect(foreign.status).toBe(404)
    expect(foreign.error).toEqual(absent.error)
  }
  expect((await call(theirs, 'GET', '/documents')).json.data).toEqual([])
  expect((await call(theirs, 'GET', '/webhooks')).json).toEqual([])
  expect((await call(theirs, 'GET', '/templates')).json.data).toEqual([])
  expect((await call(mine, 'GET', `/documents/${document.id}`)).status).toBe(200)
})

/** What the addresses of an instance name, by the beginning of the path. */
interface Scene {
  ids: [path: string, id: string][]
  recipient: string
}

async function openScene(): Promise<Scene> {
  const admin = await addPerson(t, 'Ada', 'admin')
  const other = await addPerson(t, 'Theo', 'member')
  const { body: sent } = await t.api('POST', '/documents', await newDocument())
  await t.api('POST', `/documents/${sent.id}/send`)
  const { body: hook } = await t.api('POST', '/webhooks', { url: 'http://127.0.0.1:9', events: ['*'] })
  const { body: template } = await t.api('POST', '/templates', { documentId: sent.id })
  const { id: key } = await createKey(t.app, { userId: other.id }, { name: 'k', scopes: [], expiresInDays: undefined })
  const eve = { name: 'Eve', email: 'eve@example.com', role: 'member', language: 'en' }
  await invitePerson(t.app, eve, 'mail', admin.origin)
  const [invitation] = await listInvitations(t.app.db)
  await t.drain()
  const ids: Scene['ids'] = [
    ['/documents/', sent.id],
    ['/templates/', template.id],
    ['/settings/people/invitations/', invitation?.id ?? ''],
    ['/settings/people/', other.id],
    ['/settings/tokens/', key],
    ['/webhooks/', hook.id],
    ['/settings/webhooks/', hook.id],
    ['/settings/audit/witnessed/', await witnessItself(t)],
  ]
  return { ids, recipient: sent.recipients[0].id }
}

function addressOf({ ids, recipient }: Scene, path: string): string {
  const id = ids.find(([start]) => path.startsWith(start))?.[1] ?? '1'
  return path.replace(':recipient', recipient).replace(/:id\b/, id).replace(/:\w+/g, '1')
}

interface Shown {
  status: number
  text: string
  location: string | null
}

/** Requests a page in a new session, a form with its token and these values. */
async function visit(person: TestPerson, page: PageRoute, path: string, { form: values = {}, after = {} } = {}): Promise<Shown> {
  const { token } = await openSession(t.app, person, ['password'], NOWHERE)
  t.clock.pass(after)
  const visitor = 'v'.repeat(43)
  const headers: Record<string, string> = { cookie: `signet_session=${token}; signet_visit=${visitor}`, origin: ORIGIN }
  const csrf = keyedToken(t.app.linkKey, 'csrf', visitor)
  const form = page.upload ? new FormData() : new URLSearchParams()
  for (const [name, value] of Object.entries({ ...values, csrf })) form.set(name, value)
  const body = page.method === 'POST' ? { body: form } : {}
  const response = await t.fetch(path, { method: page.method, headers, redirect: 'manual', ...body })
  if (response.headers.get('content-type') === 'text/event-stream') await response.body?.cancel()
  const isText = response.headers.get('content-type')?.startsWith('text/html')
  return { status: response.status, text: isText ? await response.text() : '', location: response.headers.get('location') }
}

/** What auditors do leaves its own entry in the audit log, and nothing else. */
const isAudit = ({ method, access }: PageRoute) => method === 'POST' && access === 'auditor'
/** Everybody changes the own account. */
const isOwn = ({ method, path }: PageRoute) => method === 'POST' && path.startsWith('/profile')

const NOWHERE = { ip: undefined, userAgent: undefined }
const REFUSED = /Auditors can read documents, but not change them|Only administrators (and auditors )?can/

describe('every page, for every role', () => {
  for (const role of ROLES) {
    test(`opens for the role ${role} as it declares, and a refused one changes nothing`, async () => {
      const scene = await openScene()
      const person = await addPerson(t, 'Mia', role)
      for (const page of PAGES) {
        if (!needsSession(page.access)) continue
        const isOpen = accessOf(role).includes(page.access)
        const path = addressOf(scene, page.path)
        const changesNothing = !isOpen || (role === 'auditor' && !isAudit(page) && !isOwn(page))
        const before = changesNothing ? await dumpOf(t) : ''
        const { status, text } = await visit(person, page, path)
        await t.app.checks.settled()
        const got = { page: `${page.method} ${path}`, isRefused: status === 403 && REFUSED.test(text), isError: status >= 500 }
        expect(got).toEqual({ page: got.page, isRefused: !isOpen, isError: false })
        if (changesNothing) expect(`${got.page}\n${await dumpOf(t)}`).toBe(`${got.page}\n${before}`)
      }
    }, 120_000)
  }
})

describe('every API route, for keys of every role', () => {
  for (const role of ROLES) {
    test(`asks for the scope that it declares of a key of the role ${role}`, async () => {
      const scene = await openScene()
      const { id } = await addPerson(t, 'Mia', role)
      await configure(t, { signingLinks: 'on' })
      const scopes = [...rightsOf(role).scopes]
      const { key } = await createKey(t.app, { userId: id }, { name: 'k', scopes, expiresInDays: undefined })
      for (const route of API_ROUTES) {
        const isOpen = route.access === 'anyone' || route.access === 'any key' || scopesOf(role).includes(route.access)
        const path = addressOf(scene, route.path)
        const before = role === 'auditor' ? await dumpOf(t) : ''
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
        const body = route.method === 'GET' || route.method === 'DELETE' ? {} : { body: '{}' }
        const response = await t.fetch(API_PREFIX + path, { method: route.method, headers, ...body })
        const got = { route: `${route.method} ${path}`, isRefused: response.status === 403, isError: response.status >= 500 }
        expect(got).toEqual({ route: got.route, isRefused: !isOpen, isError: false })
        if (role === 'auditor') expect(`${got.route}\n${await dumpOf(t)}`).toBe(`${got.route}\n${before}`)
      }
    }, 120_000)
  }

  const scopesOf = (role: Role): readonly string[] => rightsOf(role).scopes
})

/** They harm nobody, make nothing that lasts, or ask for a password or code of their own. */
const WITHOUT_PROOF = [
  '/profile',
  '/profile/email/withdraw',
  '/profile/password',
  '/profile/sessions/end',
  '/profile/sessions/end-others',
  '/profile/passkeys/:id/rename',
  '/profile/second-factor/set-up',
  '/settings/retention/call-off',
  '/settings/backups/run',
  '/settings/backups/later',
  '/settings/webhooks/:id/test',
  '/settings/webhooks/:id/deliveries/:deliveryId/redeliver',
  '/settings/webhooks/:id/redeliver',
  '/settings/audit/check',
  '/settings/audit/checkpoint',
  '/settings/audit/checkpoints/run',
  '/settings/audit/witness/ask',
  '/settings/health/check',
  '/settings/health/retry',
]
const ASKS_AGAIN = /must be entered again|enter your password again/i

async function withFactors(person: TestPerson): Promise<void> {
  const issuer = 'http://127.0.0.1:9'
  const settings = { oidcIssuer: issuer, oidcClientId: 'signet', oidcClientSecret: 'secret' }
  await configure(t, settings)
  const identity = { issuer, subject: person.name, email: person.email, linkedAt: t.clock.now, lastUsedAt: t.clock.now }
  await t.app.write(tx => insertIdentity(tx, { ...identity, userId: person.id }))
  await withSecondFactor(t.app, person.email)
  const key = { publicKey: new Uint8Array(1), counter: 0, transports: [], isBackedUp: false, createdAt: t.clock.now }
  await t.app.write(tx =>
    insertPasskey(tx, { ...key, lastUsedAt: undefined, id: `key-${person.name}`, userId: person.id, name: 'Phone' }),
  )
}

async function withBackup(): Promise<string> {
  writeFileSync(join(t.folder, 'one.age'), 'encrypted')
  const ended = { endedAt: t.clock.now, verdict: 'verified', bytes: 9, documents: 0, problem: undefined } as const
  const stored = { fileName: 'one.age', place: t.folder, removedAt: undefined }
  const run = { id: 'bak_1', cause: 'request', boot: 'boot_1', startedAt: t.clock.now, ...ended, ...stored } as const
  await t.app.write(tx => insertRun(tx, run))
  return run.id
}

test('15 minutes after the sign-in, every form of settings and profile asks for a proof first and changes nothing, but these', async () => {
  const scene = await openScene()
  const [mia, paul] = [await addPerson(t, 'Mia', 'admin'), await addPerson(t, 'Paul', 'member')]
  for (const person of [mia, paul]) await withFactors(person)
  const more: Scene['ids'] = [
    ['/settings/people/invitations/', addressOf(scene, '/settings/people/invitations/:id').split('/').at(-1) ?? ''],
    ['/settings/people/', paul.id],
    ['/profile/passkeys/', 'key-Mia'],
    ['/settings/backups/', await withBackup()],
  ]
  await pauseAll(t.app)
  const forms = PAGES.filter(({ method, path }) => method === 'POST' && /^\/(settings|profile)/.test(path))
  const asksAgain = async (page: PageRoute) => {
    const path = addressOf({ ...scene, ids: [...more, ...scene.ids] }, page.path)
    const { text, location } = await visit(mia, page, path, { form: { reason: 'superseded' }, after: { minutes: 16 } })
    return ASKS_AGAIN.test(text) || location?.startsWith('/confirm') === true
  }
  // Any form of an administrator looks for what has to be warned of.
  const rows = async () => (await dumpOf(t)).split('\n').filter(row => !/^alerts |alert\.raised/.test(row))
  const before = await rows()
  for (const page of forms.filter(({ path }) => !WITHOUT_PROOF.includes(path)))
    expect([page.path, await asksAgain(page)]).toEqual([page.path, true])
  expect(await rows()).toEqual(before)
  const others = forms.filter(({ path }) => WITHOUT_PROOF.includes(path))
  for (const page of others) expect([page.path, await asksAgain(page)]).toEqual([page.path, false])
  expect(others).toHaveLength(WITHOUT_PROOF.length)
})

/** The page at an address: one without parameters first. */
function pageAt(method: string, address: string): PageRoute | undefined {
  const path = address.replace(/[?#].*$/, '')
  const matches = (pattern: string) => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)
  const found = PAGES.filter(page => page.method === method && matches(page.path))
  return found.find(page => page.path === path) ?? found[0]
}

/** What a page offers: its links, and where its forms and buttons post. */
function offersOf(html: string): [method: string, address: string][] {
  const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, address = '']) => address)
  const posts = [...all(/<form method="post" action="([^"]+)"/g), ...all(/formaction="([^"]+)"/g)]
  const links = all(/<a [^>]*href="(\/[^"]*)"/g)
  return [...links.map(address => ['GET', address] as [string, string]), ...posts.map(p => ['POST', p] as [string, string])]
}

test('no page offers a link or a form that the role may not open', async () => {
  const scene = await openScene()
  for (const role of ROLES) {
    const person = await addPerson(t, role, role)
    const { body: draft } = await t.api('POST', '/documents', await newDocument())
    await t.app.write(tx => tx.updateTable('documents').set({ owner_id: person.id }).execute())
    const own = PAGES.filter(({ method, path }) => method === 'GET' && !path.endsWith('/live'))
    const open = own.filter(({ access }) => needsSession(access) && accessOf(role).includes(access))
    const pages = open.map(page => [page, addressOf(scene, page.path)] as const)
    const more = open.filter(({ path }) => path === '/documents/:id').map(page => [page, `/documents/${draft.id}`] as const)
    for (const [page, path] of [...pages, ...more]) {
      for (const [method, address] of offersOf((await visit(person, page, path)).text)) {
        const access = pageAt(method, address)?.access
        const isOpen = access === undefined || !needsSession(access) || accessOf(role).includes(access)
        expect([role, path, method, address, isOpen]).toEqual([role, path, method, address, true])
      }
    }
  }
}, 120_000)

test('a revoked or expired key is refused at once', async () => {
  const key = await t.key({ expiresInDays: 1 })
  const ask = () => t.fetch('/api/v1/me', { headers: { authorization: `Bearer ${key}` } })
  expect((await ask()).status).toBe(200)
  t.clock.pass({ days: 2 })
  expect((await ask()).status).toBe(401)
})

test('GET, HEAD and OPTIONS change nothing at any address', async () => {
  await t.api('POST', '/documents', await newDocument())
  const { body } = await t.api('GET', '/documents')
  const key = await t.key()
  const before = await dumpOf(t)
  for (const { path } of buildServer(t.app).routes) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      await t.fetch(path.replace(':id', body.data[0].id), {
        method,
        headers: { authorization: `Bearer ${key}` },
        redirect: 'manual',
      })
    }
  }
  expect(await dumpOf(t)).toBe(before)
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

test('a form without Origin and Sec-Fetch-Site is refused, even with the right CSRF token; Origin: null needs same-origin', async () => {
  const visitor = openVisitor(t.fetch)
  const page = await visitor.get('/sign-in')
  const csrf = csrfOf(page)
  const cookie = cookieOf(visitor)
  const send = async (headers: Record<string, string>) => {
    const body = new URLSearchParams({ csrf, email: 'a@example.com', password: 'x' }).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded', cookie }
    return (await t.fetch('/sign-in', { method: 'POST', headers: { ...type, ...headers }, body })).status
  }
  expect(await send({})).toBe(403)
  expect(await send({ origin: 'https://evil.example' })).toBe(403)
  expect(await send({ origin: ORIGIN, 'sec-fetch-site': 'cross-site' })).toBe(403)
  for (const site of ['same-site', 'cross-site', 'none', ''])
    expect([site, await send({ origin: 'null', 'sec-fetch-site': site })]).toEqual([site, 403])
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
