/** Every response: RFC 9110, no raw error, common headers, intact files, the right host. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../../src/db/open.ts'
import { assetPath } from '../../../src/http/assets.ts'
import { fileResponse } from '../../../src/http/file-response.ts'
import { PAGES } from '../../../src/http/page-routes.ts'
import { hasBaseUrlHost } from '../../../src/http/request.ts'
import { API_PREFIX, API_ROUTES, buildServer } from '../../../src/http/server.ts'
import { sha256OfFile } from '../../../src/lib/disk.ts'
import { parseNetworks } from '../../../src/lib/net-guard.ts'
import { sha256Hex } from '../../../src/lib/sha256.ts'
import { THIS_FILE_SYSTEM } from '../../../src/lib/this-file-system.ts'
import { THIS_MACHINE } from '../../../src/lib/this-machine.ts'
import type { App } from '../../../src/ports.ts'
import type { FileStore } from '../../../src/storage/file-store.ts'
import { openFolderStore } from '../../../src/storage/folder-store.ts'
import { openVisitor } from '../../support/browser-less.ts'
import { onSqlite } from '../../support/engine.ts'
import { ADA, newDocument } from '../../support/sample.ts'
import { ORIGIN } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'
import { newAdministrator } from '../../support/visitors.ts'
import { withMethods } from '../../support/with-methods.ts'

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

  test('is none of these', async () => {
    for (const host of ['127.0.0.1', '127.0.0.1:', 'LOCALHOST:3000', '[::1]:3000', '127.0.0.1:65535']) {
      expect([host, (await t.fetch('/sign-in', { headers: { host } })).status]).toEqual([host, 200])
    }
    expect((await t.fetch('/healthz', { headers: { host: 'signet_app.local.' } })).status).toBe(200)
  })
})

test('an unsupported method is 405 and lists the supported methods', async () => {
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

/** The same for everybody, and asked for again each time (RFC 9111 §5.2.2.4). */
const REFERENCE = [`${API_PREFIX}/docs`, `${API_PREFIX}/openapi.json`, '/verify.html']

test('every response of every route and method, and of addresses without a route, has nosniff, the request ID and no-store', async () => {
  const { body } = await t.api('POST', '/documents', await newDocument())
  const authorization = `Bearer ${await t.key()}`
  const check = (what: string, { headers }: Pick<Response, 'headers'>) => {
    expect([what, headers.get('x-content-type-options')]).toEqual([what, 'nosniff'])
    expect([what, headers.get('x-request-id')]).toEqual([what, expect.stringMatching(/^req_[0-9a-z]{26}$/)])
  }
  const unknown = ['/nothing', `${API_PREFIX}/nothing`, '/%E0%A4%A', '/documents/%E0%A4%A']
  for (const path of [...new Set(buildServer(t.app).routes.map(route => route.path)), ...unknown]) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'DELETE']) {
      const init = { method, headers: { authorization }, redirect: 'manual' } as const
      const response = await t.fetch(path.replace(':id', method === 'DELETE' ? 'doc_0' : body.id), init)
      check(`${method} ${path}`, response)
      if (path.startsWith('/static/') || path === '/embed.js') continue
      const isReference = REFERENCE.includes(path) && response.ok
      const wanted = isReference ? expect.stringMatching(/^(public, )?no-cache$/) : expect.stringContaining('no-store')
      expect([method, path, response.headers.get('cache-control')]).toEqual([method, path, wanted])
    }
  }
  expect((await t.fetch('/healthz', { headers: { host: 'x@y' } })).headers.get('cache-control')).toBe('no-store')
  const file = await (await newAdministrator(t)).get(`/documents/${body.id}/file`)
  expect(file.headers.get('content-type')).toBe('application/pdf')
  check('a file that a page serves', file)
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

const RAW = 'SQLITE_CORRUPT: database disk image is malformed /srv/data/signet.db'

/** Fails at every use, like a damaged database file. */
function damaged(): Db {
  const fail = () => {
    throw Object.assign(new Error(RAW), { code: 'SQLITE_CORRUPT' })
  }
  return new Proxy({} as Db, { get: fail })
}

const asker = (app: App) => {
  const server = buildServer(app)
  return (path: string, init: RequestInit = {}) => Promise.resolve(server.handle(new Request(ORIGIN + path, init)))
}

describe('when the database cannot be read', () => {
  const NEVER = /SQLITE|malformed|\/srv|signet\.db|\bat .*\.ts/
  const asked = [
    '/sign-in',
    '/s/nothing',
    '/nothing',
    '/seal-certificate.pem',
    '/seal-chain.pem',
    '/readyz',
    `${API_PREFIX}/nothing`,
    `${API_PREFIX}/me`,
  ]

  test.each(asked)('%s does not reveal why', async path => {
    const ask = asker({ ...t.app, db: damaged() })
    const cookie = 'signet_session=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
    const headers = { authorization: `Bearer ${await t.key()}`, cookie }
    const response = await ask(path, { headers })
    expect(await response.text()).not.toMatch(NEVER)
    expect(JSON.stringify([...response.headers])).not.toMatch(NEVER)
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    expect(response.status).toBe(path.endsWith('/nothing') && path !== '/s/nothing' ? 404 : path === '/readyz' ? 503 : 500)
  })

  test('a page shows a message page, the API an error response', async () => {
    const ask = asker({ ...t.app, db: damaged() })
    const page = await ask('/sign-in', { headers: { cookie: 'signet_session=a' } })
    expect(page.headers.get('content-type')).toStartWith('text/html')
    const text = await page.text()
    expect(text).toMatch(/Internal error\. Try again, or give your administrator request ID req_\w+\./)
    expect(text).not.toContain('lost')
    const answer = await ask(`${API_PREFIX}/me`, { headers: { authorization: `Bearer ${await t.key()}` } })
    expect((await answer.json()).error.code).toBe('internal')
  })

  test('the response is neutral even when logging fails', async () => {
    const log = () => {
      throw new Error(RAW)
    }
    const ask = asker({ ...t.app, db: damaged(), log })
    for (const path of ['/sign-in', '/nothing', `${API_PREFIX}/me`, '/healthz']) {
      const response = await ask(path, { headers: { cookie: 'signet_session=a' } })
      expect(response.status).toBeGreaterThanOrEqual(404)
      expect(await response.text()).not.toMatch(NEVER)
    }
  })

  test('readiness reports the database as damaged and the seal certificate as unknown', async () => {
    expect((await (await t.fetch('/readyz')).json()).checks).toMatchObject({ database: 'ok', sealCertificate: 'ok' })
    const response = await asker({ ...t.app, db: damaged() })('/readyz')
    expect(response.status).toBe(503)
    const { status, checks } = await response.json()
    expect(status).toBe('not-ready')
    expect(checks).toMatchObject({ database: 'damaged', sealCertificate: 'unknown' })
  })

  test('readiness responds when the data folder is missing', async () => {
    const { disk } = t.app
    const look = () => Promise.reject(new Error('ENOENT: /srv'))
    const gone = {
      measure: look,
      updateAlert: () => disk.updateAlert(),
      requireSpaceForUpload: look,
      requireSpaceForChange: look,
    }
    const response = await asker({ ...t.app, disk: gone })('/readyz')
    expect(response.status).toBe(503)
    expect((await response.json()).checks).toMatchObject({ database: 'ok', disk: 'unreadable' })
  })
})

describe('a stored file', () => {
  const LARGE = Buffer.alloc(3_000_000, 'abcdefgh')
  const SHA = sha256Hex(LARGE)
  let hashed: number
  let app: App

  /** Written a while ago, because file systems round timestamps. */
  async function store(bytes: Uint8Array): Promise<void> {
    const path = await app.storage.localPath(SHA)
    writeFileSync(path, bytes)
    utimesSync(path, 1_700_000_000, 1_700_000_000)
  }

  beforeEach(async () => {
    hashed = 0
    const hashFile = (path: string) => {
      hashed++
      return sha256OfFile(THIS_FILE_SYSTEM, path)
    }
    const read = () => {
      throw new Error('the whole file must not be read into memory')
    }
    const storage = await openFolderStore(join(t.folder, 'data', 'files'), THIS_MACHINE, { hashFile })
    app = { ...t.app, storage: withMethods<FileStore>(storage, { read }) }
    await store(LARGE)
  })

  const ask = (method: string, headers: Record<string, string> = {}) =>
    fileResponse(app, new Request(`${ORIGIN}/x`, { method, headers }), { sha256: SHA, fileName: 'a.pdf' })

  test('is hashed once, then only its ranges are read; simultaneous requests wait for the hash', async () => {
    const [whole, one, many] = await Promise.all([
      ask('GET'),
      ask('GET', { range: 'bytes=9-9' }),
      ask('GET', { range: 'bytes=1-2000000' }),
    ])
    expect(Buffer.from(await whole.bytes()).equals(LARGE)).toBe(true)
    expect([one.status, await one.text(), one.headers.get('content-range')]).toEqual([206, 'b', 'bytes 9-9/3000000'])
    expect(Buffer.from(await many.bytes()).equals(LARGE.subarray(1, 2_000_001))).toBe(true)
    await ask('GET', { range: 'bytes=-1' })
    expect(hashed).toBe(1)
  })

  test('is not read for HEAD, which gets its length', async () => {
    const head = await ask('HEAD', { range: 'bytes=0-0' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '3000000', ''])
    expect(hashed).toBe(0)
  })

  test('that was altered is never served, not even with its old timestamps', async () => {
    await ask('GET')
    const altered = Buffer.from(LARGE)
    altered[1000] = 0
    await store(altered)
    expect(statSync(await app.storage.localPath(SHA)).mtimeMs).toBe(1_700_000_000_000)
    await expect(ask('GET', { range: 'bytes=0-0' })).rejects.toThrow('has changed on disk')
    await expect(ask('GET')).rejects.toThrow('has changed on disk')
    await store(LARGE)
    expect((await ask('GET')).status).toBe(200)
  })

  test('that was written just now is hashed again for the next request', async () => {
    writeFileSync(await app.storage.localPath(SHA), LARGE)
    await ask('GET')
    await ask('GET')
    expect(hashed).toBe(2)
  })
})

describe('errors', () => {
  test.each(['createdAfter', 'createdBefore'])('name %s for a time that does not exist', async name => {
    const { status, body } = await t.api('GET', `/documents?${name}=2026-12-31T23:59:60Z`)
    expect([status, body.error.code]).toEqual([422, 'validation_failed'])
    expect(body.error.details.map((d: { path: string }) => d.path)).toEqual([name])
    expect((await t.api('GET', `/documents?${name}=2026-12-31T23:59:59Z`)).status).toBe(200)
  })

  test.each(['constructor', '__proto__', 'toString'])('name an unknown parameter called %s', async name => {
    const { status, body } = await t.api('GET', `/documents?${name}=1`)
    expect(status).toBe(422)
    expect(body.error.details).toEqual([
      { path: name, code: 'unknown_member', message: 'is not a known member: check its spelling' },
    ])
  })

  test('name a parameter that is given twice, plain or as a map entry', async () => {
    for (const query of ['q=a&q=b', 'metadata[a]=1&metadata[a]=2', 'metadata=x&metadata[a]=1', 'metadata[a]=1&metadata=x']) {
      const { status, body } = await t.api('GET', `/documents?${query}`)
      expect([query, status, body.error.details?.[0]?.message]).toEqual([query, 422, 'must be given once'])
    }
    expect((await t.api('GET', '/documents?metadata[a]=1&metadata[__proto__]=2')).status).toBe(200)
  })

  test('are listed up to a hundred, with the number of the others', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`member${i}`, i]))
    const { status, body } = await t.api('POST', '/documents', await newDocument(many))
    expect(status).toBe(422)
    expect(body.error.details).toHaveLength(100)
    expect(body.error.message).toContain('at least 1 more')
    const recipients = Array.from({ length: 60 }, () => ({ ...ADA, name: '' }))
    const few = await t.api('POST', '/documents', await newDocument({ recipients }))
    expect(few.body.error.details).toHaveLength(60)
  })
})

describe('a value cached until the next write', () => {
  const cached = <T>(key: string, read: () => T | undefined) => {
    const version = t.app.db.reads.changeCounter() ?? 0
    return t.app.db.cache.get('test', { id: key, version }, async () => {
      const value = read()
      return value && { version, value, bytes: 320_000 }
    })
  }

  onSqlite(test)('is kept while it is used, replaced after a write, and one of a bounded number', async () => {
    let computed = 0
    const ask = (key: string) => cached(key, () => ({ key, nth: ++computed }))
    const hot = await ask('hot')
    for (let i = 0; i < 1000; i++) {
      await ask(`cold ${i}`)
      expect(await ask('hot')).toBe(hot)
    }
    expect(computed).toBe(1001)
    await ask('cold 999')
    expect(computed).toBe(1001)
    await ask('cold 0')
    expect(computed).toBe(1002)
    await t.api('POST', '/documents', await newDocument())
    expect(await ask('hot')).not.toBe(hot)
  })

  test('exists only for existing keys: invented ones push no other value out', async () => {
    let computed = 0
    const real = await cached('real', () => ({}))
    const miss = (key: string) =>
      cached(key, () => {
        computed++
        return undefined
      })
    for (let i = 0; i < 1000; i++) await miss(`random ${i}`)
    await miss('random 999')
    expect(computed).toBe(1001)
    expect(await cached('real', () => ({}))).toBe(real as object)
  })
})

describe('a page requested under another host name', () => {
  test('shows the right address instead', async () => {
    const response = await t.fetch('http://evil.example/sign-in')
    expect(response.status).toBe(421)
    const html = await response.text()
    expect(html).toContain(`<a class="break" href="${ORIGIN}">`)
    expect(html).not.toContain('<form')
    expect(response.headers.get('set-cookie')).toBeNull()
    const header = await t.fetch('/sign-in', { headers: { host: 'evil.example:3000' } })
    expect(header.status).toBe(421)
  })

  test('refuses a form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
    expect((await t.fetch('http://evil.example/sign-in', { method: 'POST', headers, body: 'a=b' })).status).toBe(403)
  })

  test('on loopback every loopback name is accepted; API, health and style sheet accept any name', async () => {
    for (const host of ['127.0.0.1:3000', 'localhost:8080', 'LOCALHOST', '[::1]:3000', '127.0.0.2']) {
      expect([host, (await t.fetch(`http://${host}/sign-in`)).status]).toEqual([host, 200])
    }
    const css = assetPath('app.css')
    for (const path of ['/healthz', '/readyz', `${API_PREFIX}/openapi.json`, css, '/seal-certificate.pem']) {
      expect([path, (await t.fetch(`http://evil.example${path}`)).status]).toEqual([path, 200])
    }
  })

  test('X-Forwarded-Host counts only from a trusted proxy, and not if it is malformed', () => {
    const config = { baseUrl: 'https://sign.example.com', trustProxy: parseNetworks('10.0.0.0/8') }
    const asked = (from: string, host: string, forwarded?: string) => {
      const headers = { host, ...(forwarded === undefined ? {} : { 'x-forwarded-host': forwarded }) }
      return hasBaseUrlHost(new Request('http://127.0.0.1/', { headers }), from, config)
    }
    expect(asked('192.0.2.1', 'sign.example.com')).toBe(true)
    expect(asked('192.0.2.1', 'Sign.Example.COM.:443')).toBe(true)
    expect(asked('192.0.2.1', 'signet:3000', 'sign.example.com')).toBe(false)
    expect(asked('192.0.2.1', '127.0.0.1:3000')).toBe(false)
    expect(asked('10.0.0.1', 'signet:3000', 'sign.example.com')).toBe(true)
    expect(asked('10.0.0.1', 'signet:3000', 'evil.example, sign.example.com')).toBe(true)
    expect(asked('10.0.0.1', '127.0.0.1:3000', 'evil.example')).toBe(false)
    expect(asked('10.0.0.1', '127.0.0.1:3000')).toBe(true)
    expect(asked('10.0.0.1', '10.0.0.5:3000')).toBe(true)
    expect(asked('10.0.0.1', 'evil.example')).toBe(false)
    expect(asked('10.0.0.1', 'a b')).toBe(false)
    expect(asked('10.0.0.1', 'signet:3000', 'evil@sign.example.com')).toBe(false)
    expect(hasBaseUrlHost(new Request('http://192.0.2.9/'), undefined, { baseUrl: 'http://0.0.0.0:3000', trustProxy: [] })).toBe(
      true,
    )
  })
})
