/** An HTTP proxy before an S3 server: slow, refusing, lying, cut, or without an object. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type S3Failure =
  | { kind: 'slow'; ms: number }
  | { kind: 'status'; status: number }
  /** One byte in the middle of a GET's body differs. */
  | { kind: 'wrong-bytes' }
  /** The connection ends in the middle of the body of a GET or PUT. */
  | { kind: 'cut' }
  | { kind: 'missing' }

interface Armed {
  failure: S3Failure
  /** Of the requests, the part that meets it: 0 to 1. */
  share: number
  methods: string[]
}

const DEFAULT_METHODS: Record<S3Failure['kind'], string[]> = {
  slow: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
  status: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
  'wrong-bytes': ['GET'],
  cut: ['GET', 'PUT'],
  missing: ['GET', 'HEAD'],
}

export class S3Proxy {
  readonly #server: Server
  readonly #upstreamPort: number
  #armed: Armed | undefined
  /** Requests, by method. */
  requests: Record<string, number> = {}
  /** Requests that met the failure. */
  disturbed = 0

  constructor(upstreamPort: number) {
    this.#upstreamPort = upstreamPort
    this.#server = createServer((incoming, response) => void this.#answer(incoming, response))
  }

  async listen(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  arm(failure: S3Failure, { share = 1, methods = DEFAULT_METHODS[failure.kind] }: Partial<Omit<Armed, 'failure'>> = {}): void {
    this.#armed = { failure, share, methods }
    this.disturbed = 0
  }

  disarm(): void {
    this.#armed = undefined
  }

  async close(): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }

  #failureFor(method: string): S3Failure | undefined {
    const armed = this.#armed
    if (armed === undefined || !armed.methods.includes(method) || Math.random() >= armed.share) return undefined
    this.disturbed++
    return armed.failure
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = incoming.method ?? 'GET'
    this.requests[method] = (this.requests[method] ?? 0) + 1
    incoming.on('error', () => response.destroy())
    const body = await bodyOf(incoming).catch(() => undefined)
    if (body === undefined) return
    const failure = this.#failureFor(method)
    if (failure?.kind === 'slow') await Bun.sleep(failure.ms)
    if (failure?.kind === 'status') return refuse(response, failure.status, 'SlowDown')
    if (failure?.kind === 'missing') return refuse(response, 404, 'NoSuchKey')
    if (failure?.kind === 'cut' && method === 'PUT') return void response.destroy()
    const upstream = await this.#forward(incoming, method, body).catch(() => undefined)
    if (upstream === undefined) return void response.destroy()
    deliver(response, upstream, method, failure)
  }

  /** The signature covers the Host header: everything is forwarded as it came. */
  #forward(incoming: IncomingMessage, method: string, body: Buffer): Promise<Received> {
    const { promise, resolve, reject } = Promise.withResolvers<Received>()
    const headers = { ...incoming.headers }
    delete headers['transfer-encoding']
    delete headers.expect
    if (body.length > 0 || headers['content-length'] !== undefined) headers['content-length'] = String(body.length)
    const target = { host: '127.0.0.1', port: this.#upstreamPort, method, path: incoming.url ?? '/', headers }
    const outgoing = request(target, answer => {
      bodyOf(answer).then(
        received => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: received }),
        reject,
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
    return promise
  }
}

interface Received {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function refuse(response: ServerResponse, status: number, code: string): void {
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`
  response.writeHead(status, { 'content-type': 'application/xml', 'content-length': String(text.length) }).end(text)
}

function deliver(
  response: ServerResponse,
  { status, headers, body }: Received,
  method: string,
  failure: S3Failure | undefined,
): void {
  const kept = { ...headers }
  delete kept['transfer-encoding']
  delete kept.connection
  if (method !== 'HEAD') kept['content-length'] = String(body.length)
  response.writeHead(status, kept)
  const middle = Math.floor(body.length / 2)
  const isData = method === 'GET' && status < 300 && body.length > 0
  if (isData && failure?.kind === 'cut') {
    response.write(body.subarray(0, middle), () => response.destroy())
    return
  }
  if (isData && failure?.kind === 'wrong-bytes') body[middle] = (body[middle] ?? 0) ^ 1
  response.end(method === 'HEAD' ? undefined : body)
}
