/** An HTTP server on loopback that records requests; its handler may answer, hang or break off. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface SinkRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Answers a request whose body has been read; 200 `ok` unless a test passes another. */
export type SinkHandler = (request: SinkRequest, response: ServerResponse) => void

export interface HttpSink extends AsyncDisposable {
  /** Without a trailing slash: `http://127.0.0.1:PORT`. */
  url: string
  port: number
  /** Complete requests, oldest first. */
  requests: SinkRequest[]
  /** TCP connections ever opened. */
  connections(): number
  /** Drops open connections too. */
  close(): Promise<void>
}

const answerOk: SinkHandler = (_request, response) => response.end('ok')

/** `tls` makes it an https server with that key and certificate (PEM). */
export async function openHttpSink(
  handler: SinkHandler = answerOk,
  { tls }: { tls?: { key: string; cert: string } } = {},
): Promise<HttpSink> {
  const requests: SinkRequest[] = []
  let connections = 0
  const listener: RequestListener = (message: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    message.on('data', chunk => chunks.push(chunk))
    message.on('end', () => {
      const request = {
        method: message.method ?? '',
        path: message.url ?? '',
        headers: message.headers,
        body: Buffer.concat(chunks),
      }
      requests.push(request)
      handler(request, response)
    })
  }
  const server: Server = tls ? createTlsServer(tls, listener) : createServer(listener)
  server.on('connection', () => {
    connections++
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = async () => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    close,
    [Symbol.asyncDispose]: close,
  }
}
