/** Files and HEAD by RFC 9110: ranges, conditional requests, errors, and HEAD on the wire. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { assetPath } from '../../../src/http/assets.ts'
import { API_PREFIX, buildServer } from '../../../src/http/server.ts'
import { cookieOf } from '../../support/browser-less.ts'
import { newDocument } from '../../support/sample.ts'
import { useTestApp } from '../../support/use-app.ts'
import { newAdministrator } from '../../support/visitors.ts'

const t = useTestApp()
let path: string
let whole: Buffer
beforeEach(async () => {
  const { body } = await t.api('POST', '/documents', await newDocument())
  path = `/documents/${body.id}/file`
  whole = Buffer.from((await t.api('GET', path)).body)
})

const ask = (headers: Record<string, string>, method = 'GET') => t.api(method, path, undefined, headers)
const etagOf = async () => (await ask({})).headers.get('etag') ?? ''

describe('a range', () => {
  test('that starts beyond the end gets an error response with the length', async () => {
    for (const range of [
      `bytes=${whole.length}-`,
      `bytes=${whole.length}-${whole.length + 9}`,
      'bytes=-0',
      `bytes=${'9'.repeat(400)}-`,
    ]) {
      const { status, headers, body } = await ask({ range })
      expect([range, status, headers.get('content-range')]).toEqual([range, 416, `bytes */${whole.length}`])
      expect(headers.get('content-type')).toBe('application/json')
      expect(body.error).toMatchObject({ code: 'validation_failed', requestId: headers.get('x-request-id') })
      expect(body.error.details).toEqual([
        { path: 'Range', code: 'range_beyond_end', message: expect.stringContaining(String(whole.length)) },
      ])
    }
  })

  test('that starts beyond the end gets a message page from a page, with the length too', async () => {
    const visitor = await newAdministrator(t)
    const cookie = cookieOf(visitor)
    const response = await t.fetch(path, { headers: { cookie, range: `bytes=${whole.length}-` } })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`])
    expect(response.headers.get('content-type')).toStartWith('text/html')
    expect(await response.text()).not.toContain('%PDF')
  })

  test('that extends beyond the end gets the existing bytes', async () => {
    const end = whole.length - 1
    const cases: [range: string, first: number][] = [
      [`bytes=${end - 2}-${end + 100}`, end - 2],
      [`bytes=${end - 2}-`, end - 2],
      [`Bytes=${end - 2}-${end}`, end - 2],
      [`bytes=-${whole.length + 1}`, 0],
    ]
    for (const [range, first] of cases) {
      const { status, headers, body } = await ask({ range })
      expect([range, status, headers.get('content-range')]).toEqual([range, 206, `bytes ${first}-${end}/${whole.length}`])
      expect(Buffer.from(body).equals(whole.subarray(first))).toBe(true)
    }
  })

  test.each(['bytes=0-1,4-5', 'bytes=9-3', 'bytes=99999999-3', 'bytes=-', 'bytes=a-b', 'bytes=', 'lines=0-1', 'bytes=0-1;2'])(
    'written as %s is ignored: the response is the whole file',
    async range => {
      const { status, headers, body } = await ask({ range })
      expect([status, headers.get('content-range')]).toEqual([200, null])
      expect(Buffer.from(body).equals(whole)).toBe(true)
    },
  )

  test('with If-Range for another version gets the whole file; only the same ETag gets the range', async () => {
    const etag = await etagOf()
    const range = 'bytes=1-2'
    expect((await ask({ range, 'if-range': etag })).status).toBe(206)
    for (const ifRange of ['"other"', `W/${etag}`, '*', 'Fri, 20 Nov 2026 17:25:00 GMT', etag.slice(1, -1)]) {
      expect([ifRange, (await ask({ range, 'if-range': ifRange })).status]).toEqual([ifRange, 200])
    }
    const behind = { range: `bytes=${whole.length}-` }
    expect((await ask({ ...behind, 'if-range': '"other"' })).status).toBe(200)
    expect((await ask({ ...behind, 'if-range': etag })).status).toBe(416)
  })

  test('is ignored when the client has the file, and for HEAD', async () => {
    const etag = await etagOf()
    const known = await ask({ range: `bytes=${whole.length}-`, 'if-none-match': `"other", W/${etag}` })
    expect([known.status, known.headers.get('etag'), known.body.length]).toEqual([304, etag, 0])
    expect([known.headers.get('content-type'), known.headers.get('content-disposition')]).toEqual([null, null])
    for (const range of ['bytes=0-0', `bytes=${whole.length}-`]) {
      const head = await ask({ range }, 'HEAD')
      expect([head.status, head.headers.get('content-length'), head.body.length]).toEqual([200, String(whole.length), 0])
      expect(head.headers.get('content-range')).toBeNull()
    }
  })
})

interface ErrorResponse {
  status: number
  length: string | undefined
  isChunked: boolean
  body: string
}

/** The bytes on the wire, read from a socket. */
function overSocket(port: number, method: string, address: string, headers: Record<string, string>): Promise<ErrorResponse> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n')
      resolve({
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
        length: /^content-length: *(\d+)/im.exec(head)?.[1],
        isChunked: /^transfer-encoding:/im.test(head),
        body: rest.join('\r\n\r\n'),
      })
    })
    const lines = Object.entries({ host: `127.0.0.1:${port}`, connection: 'close', ...headers }).map(([n, v]) => `${n}: ${v}\r\n`)
    socket.write(`${method} ${address} HTTP/1.1\r\n${lines.join('')}\r\n`)
  })
}

test('on the wire HEAD has the status and length of GET, and no body', async () => {
  const elysia = buildServer(t.app)
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, development: false, fetch: request => elysia.fetch(request) })
  elysia.server = server
  const authorization = `Bearer ${await t.key()}`
  const addresses = [
    `${API_PREFIX}${path}`,
    `${API_PREFIX}${path.slice(0, -5)}`,
    `${API_PREFIX}/documents`,
    `${API_PREFIX}/documents/doc_0`,
    `${API_PREFIX}/documents/doc_0/send`,
    `${API_PREFIX}/openapi.json`,
    `${API_PREFIX}/docs`,
    `${API_PREFIX}/nothing`,
    assetPath('app.css'),
    '/healthz',
    '/readyz',
    '/seal-certificate.pem',
    '/seal-chain.pem',
    '/',
    '/documents?q=a',
    '/sign-in',
    '/s/nothing',
    '/nothing',
  ]
  try {
    for (const address of addresses) {
      const get = await overSocket(server.port ?? 0, 'GET', address, { authorization })
      const head = await overSocket(server.port ?? 0, 'HEAD', address, { authorization })
      expect([address, head.status, head.length, head.isChunked]).toEqual([address, get.status, get.length, false])
      expect([address, head.body]).toEqual([address, ''])
      expect([address, get.length]).toEqual([address, String(get.body.length)])
    }
    const file = await overSocket(server.port ?? 0, 'HEAD', `${API_PREFIX}${path}`, { authorization })
    expect(file.length).toBe(String(whole.length))
  } finally {
    await server.stop(true)
  }
})
