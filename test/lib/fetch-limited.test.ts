import { afterEach, describe, expect, test } from 'bun:test'
import { createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { send } from '../../src/lib/fetch-limited.ts'
import { parseNetworks } from '../../src/lib/net-guard.ts'
import { type HttpSink, openHttpSink, type SinkHandler } from '../support/http-sink.ts'
import { testCertificate } from '../support/test-certificate.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closers.splice(0).map(close => close())))

async function sink(handler?: SinkHandler, options?: Parameters<typeof openHttpSink>[1]): Promise<HttpSink> {
  const opened = await openHttpSink(handler, options)
  closers.push(opened.close)
  return opened
}

/** A server that sends raw bytes to each connection. */
async function rawSink(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', () => answer(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  })
  const address = server.address()
  return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/`
}

const loopback = parseNetworks('127.0.0.0/8, ::1')
const pinnedTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))

/** A small POST to loopback with generous limits. */
function post(url: string, changes: Partial<Parameters<typeof send>[0]> = {}) {
  const limits = { connectTimeoutMs: 5_000, totalTimeoutMs: 10_000, maxResponseBytes: 65_536, allow: loopback }
  return send({ url, method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"ü":1}', ...limits, ...changes })
}

describe('the request', () => {
  test('has exactly the given path, headers and bytes, and the host of the URL', async () => {
    const { port, requests } = await sink()
    const answer = await post(`http://hooks.example:${port}/a%20b?c=d`, {
      headers: { 'webhook-id': 'evt_1' },
      lookup: pinnedTo('127.0.0.1'),
    })
    expect(answer).toMatchObject({ outcome: 'answered', status: 200, truncated: false })
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/a%20b?c=d' })
    expect(requests[0]!.body.toString()).toBe('{"ü":1}')
    expect(requests[0]!.headers).toEqual({
      host: `hooks.example:${port}`,
      'webhook-id': 'evt_1',
      'content-length': '8',
      'accept-encoding': 'identity',
      connection: 'close',
    })
  })

  test('goes to the next checked address if the first one refuses the connection', async () => {
    const { port, requests } = await sink()
    for (const first of ['::1', '127.0.0.2']) {
      expect(await post(`http://hooks.example:${port}/`, { lookup: pinnedTo(first, '127.0.0.1') })).toMatchObject({
        outcome: 'answered',
        status: 200,
      })
    }
    expect(requests).toHaveLength(2)
  })

  test('never contains a header with a line break', async () => {
    await expect(post('http://127.0.0.1:9/', { headers: { 'x-a': 'a\r\nx-b: b' } })).rejects.toThrow()
  })
})

describe('the response', () => {
  test('has lower-case header names and the bytes as sent, not decompressed', async () => {
    const zipped = gzipSync('hello')
    const { url } = await sink((_request, response) => {
      response.writeHead(418, { 'Content-Encoding': 'gzip', 'X-Two': ['a', 'b'], 'Retry-After': '7' }).end(zipped)
    })
    const answer = await post(url)
    if (answer.outcome !== 'answered') throw new Error(answer.reason)
    expect(answer.status).toBe(418)
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', 'x-two': 'a, b', 'retry-after': '7' })
    expect(Buffer.from(answer.body)).toEqual(zipped)
    expect(answer.latencyMs).toBeGreaterThanOrEqual(0)
  })

  test.each([301, 302, 303, 307, 308])('a redirect (%i) is a response and is not followed', async status => {
    const canary = await sink()
    const { url } = await sink((_request, response) => response.writeHead(status, { location: canary.url }).end())
    expect(await post(url)).toMatchObject({ outcome: 'answered', status, headers: { location: canary.url } })
    expect(canary.connections()).toBe(0)
  })

  test('of exactly the limit is complete, with one more byte it is cut', async () => {
    const { url } = await sink((request, response) => response.end('x'.repeat(Number(request.path.slice(1)))))
    for (const [size, length, truncated] of [
      [99, 99, false],
      [100, 100, false],
      [101, 100, true],
    ] as const) {
      const answer = await post(`${url}/${size}`, { maxResponseBytes: 100 })
      expect(answer).toMatchObject({ outcome: 'answered', truncated })
      expect('body' in answer && answer.body.length).toBe(length)
    }
  })

  test('without an end is cut at the limit, and the connection is closed', async () => {
    const dropped = Promise.withResolvers<void>()
    const { url } = await sink((_request, response) => {
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1)
      response.on('close', () => {
        clearInterval(timer)
        dropped.resolve()
      })
    })
    const answer = await post(url, { maxResponseBytes: 65_536 })
    expect(answer).toMatchObject({ outcome: 'answered', status: 200, truncated: true })
    expect('body' in answer && answer.body.length).toBe(65_536)
    await dropped.promise
  })

  test('that arrives too slowly fails at the deadline, with the status in the reason', async () => {
    const { url } = await sink((_request, response) => {
      const timer = setInterval(() => response.write('x'), 5)
      response.on('close', () => clearInterval(timer))
    })
    expect(await post(url, { totalTimeoutMs: 500 })).toMatchObject({
      outcome: 'failed',
      reason: 'the answer (status 200) did not end within 0.5 s',
    })
  })

  test('that is cut off by the server is a failure, not a short response', async () => {
    const url = await rawSink(socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'))
    expect(await post(url)).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('status 200') })
    const chunked = await rawSink(socket => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n'))
    expect(await post(chunked)).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('status 200') })
  })

  test('that ends with the connection is complete', async () => {
    const url = await rawSink(socket => socket.end('HTTP/1.0 200 OK\r\n\r\nall of it'))
    const answer = await post(url)
    expect(answer).toMatchObject({ outcome: 'answered', truncated: false })
    expect('body' in answer && Buffer.from(answer.body).toString()).toBe('all of it')
  })

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['no bytes', ''],
    ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
    ['headers without an end', `HTTP/1.1 200 OK\r\n${`X-A: ${'a'.repeat(1000)}\r\n`.repeat(1000)}`],
  ])('%s is a failure', async (_what, bytes) => {
    expect(await post(await rawSink(socket => socket.end(bytes)))).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/^127\.0\.0\.1/),
    })
  })
})

describe('time limits', () => {
  test('a server that never responds causes a failure at the deadline', async () => {
    const { url } = await sink(() => {})
    expect(await post(url, { totalTimeoutMs: 300 })).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('no answer within 0.3 s'),
      timedOut: true,
    })
  })

  test('a TLS handshake that never ends is not a connection', async () => {
    const url = await rawSink(() => {})
    expect(await post(url.replace('http:', 'https:'), { connectTimeoutMs: 100 })).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('no connection'),
      timedOut: true,
    })
  })

  test('a name that is never resolved causes a failure at the deadline', async () => {
    const lookup = () => new Promise<never>(() => {})
    expect(await post('http://slow.example/', { lookup, totalTimeoutMs: 50 })).toMatchObject({
      reason: 'slow.example was not resolved within 0.1 s',
      timedOut: true,
    })
  })

  test('the limit for connecting does not apply to a slow response', async () => {
    const { url } = await sink((_request, response) => void setTimeout(() => response.end('late'), 650))
    expect(await post(url, { connectTimeoutMs: 500 })).toMatchObject({ outcome: 'answered' })
  })
})

describe('the address', () => {
  test('that was checked is used: a name that resolves to loopback later has no effect', async () => {
    const canary = await sink()
    let asked = 0
    const lookup = async () => [{ address: asked++ === 0 ? '203.0.113.1' : '127.0.0.1', family: 4 }]
    const url = `http://rebinding.example:${canary.port}/`
    // The first address represents any public one; no packet to it reaches a host.
    const allow = parseNetworks('203.0.113.0/24')
    expect(await post(url, { allow, lookup, connectTimeoutMs: 100 })).toMatchObject({ outcome: 'failed' })
    expect(asked).toBe(1)
    expect(await post(url, { allow, lookup })).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('loopback') })
    expect(asked).toBe(2)
    expect(canary.connections()).toBe(0)
  })

  test('is refused if a name has a public and a private one', async () => {
    const canary = await sink()
    const answer = await post(`http://two.example:${canary.port}/`, { allow: [], lookup: pinnedTo('8.8.8.8', '127.0.0.1') })
    expect(answer).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('resolves to 127.0.0.1') })
    expect(canary.connections()).toBe(0)
  })

  test.each([
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    'localhost',
    'localhost.',
    '[::1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '0',
    'u:p@127.0.0.1',
  ])('%s is refused before anything is dialled', async host => {
    const canary = await sink()
    expect(await post(`http://${host}:${canary.port}/`, { allow: [] })).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(/^The URL/),
    })
    expect(canary.connections()).toBe(0)
  })

  test('without a listener is reported', async () => {
    const closed = await openHttpSink()
    await closed.close()
    expect(await post(closed.url)).toMatchObject({
      outcome: 'failed',
      reason: `127.0.0.1:${closed.port} refused the connection (ECONNREFUSED)`,
    })
    const answer = await post(`http://two.example:${closed.port}/`, { lookup: pinnedTo('::1', '127.0.0.1') })
    expect(answer).toMatchObject({ outcome: 'failed', reason: expect.stringContaining(`two.example:${closed.port}`) })
  })

  test('a proxy in the environment is not used', async () => {
    const [proxy, target] = [await sink(), await sink()]
    const script = `import { send } from ${JSON.stringify(new URL('../../src/lib/fetch-limited.ts', import.meta.url).pathname)}
import { parseNetworks } from ${JSON.stringify(new URL('../../src/lib/net-guard.ts', import.meta.url).pathname)}
const answer = await send({ url: ${JSON.stringify(target.url)}, method: 'GET', headers: {}, connectTimeoutMs: 5000, totalTimeoutMs: 5000, maxResponseBytes: 9, allow: parseNetworks('127.0.0.1') })
console.log(answer.outcome)`
    const child = Bun.spawn([process.execPath, '-e', script], {
      env: {
        HTTP_PROXY: proxy.url,
        http_proxy: proxy.url,
        HTTPS_PROXY: proxy.url,
        ALL_PROXY: proxy.url,
        NODE_USE_ENV_PROXY: '1',
      },
    })
    expect((await new Response(child.stdout).text()).trim()).toBe('answered')
    expect(target.requests).toHaveLength(1)
    expect(proxy.connections()).toBe(0)
  })
})

describe('TLS', () => {
  const named = testCertificate('DNS:hooks.example', 'IP:127.0.0.1')
  const lookup = pinnedTo('127.0.0.1')

  test('checks the certificate against the name, not the address', async () => {
    const { port, requests } = await sink(undefined, { tls: named })
    const options = { ca: named.cert, lookup }
    expect(await post(`https://hooks.example:${port}/`, options)).toMatchObject({ outcome: 'answered', status: 200 })
    expect(await post(`https://hooks.example.:${port}/`, options)).toMatchObject({ outcome: 'answered', status: 200 })
    expect(await post(`https://127.0.0.1:${port}/`, options)).toMatchObject({ outcome: 'answered', status: 200 })
    expect(requests).toHaveLength(3)
    expect(await post(`https://other.example:${port}/`, options)).toMatchObject({
      outcome: 'failed',
      reason: `other.example:${port} has a certificate for another name (ERR_TLS_CERT_ALTNAME_INVALID)`,
    })
    expect(requests).toHaveLength(3)
  })

  test('refuses an unknown authority, whatever the environment sets', async () => {
    const { port, requests } = await sink(undefined, { tls: named })
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      expect(await post(`https://hooks.example:${port}/`, { lookup })).toMatchObject({
        outcome: 'failed',
        reason: expect.stringContaining('certificate'),
      })
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
    expect(requests).toHaveLength(0)
  })

  test('to a plain server fails, and so does a plain request to a TLS server', async () => {
    const plain = await sink()
    const secured = await sink(undefined, { tls: named })
    expect(await post(plain.url.replace('http:', 'https:'))).toMatchObject({ outcome: 'failed' })
    expect(await post(secured.url.replace('https:', 'http:'))).toMatchObject({
      outcome: expect.stringMatching(/failed|answered/),
    })
    expect([...plain.requests, ...secured.requests]).toHaveLength(0)
  })
})
