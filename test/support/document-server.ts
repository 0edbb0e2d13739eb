/**
 * A server with a document and its viewer page under the signing page's content security policy. It
 * counts the bytes served.
 */
import { join } from 'node:path'
import { assetPath, ownAssetResponse, signingAssets } from '../../src/http/assets.ts'
import type { DocumentView } from '../../views/signing/browser/data.ts'

const ROOT = join(import.meta.dir, '../..')

declare global {
  interface Window {
    view: DocumentView
  }
}

export interface DocumentServer {
  url: string
  file: Uint8Array
  /** Width and height of each page as displayed, pt. */
  sizes: [number, number][]
  /** By page number. */
  marks: Map<number, Uint8Array>
  /** Bytes of the file served. */
  sentBytes: number
  /** Requests for the file and for marks, oldest first. */
  asked: string[]
  /** Replaces the response for the file or the marks. */
  instead: ((path: string, range: string | undefined) => Response | Promise<Response | undefined> | undefined) | undefined
  close(): Promise<void>
}

let script: Promise<string> | undefined

async function bundleScript(): Promise<string> {
  const entrypoints = [join(ROOT, 'test/support/document-view-page.ts')]
  const built = await Bun.build({ entrypoints, target: 'browser', minify: true })
  const [output] = built.outputs
  if (!output) throw new Error(`the script could not be bundled: ${built.logs.join('\n')}`)
  return output.text()
}

function ownAsset(url: string, headers?: Headers): Response {
  return ownAssetResponse(new Request(url, headers ? { headers } : {})) ?? new Response(null, { status: 404 })
}

export async function openDocumentServer(): Promise<DocumentServer> {
  script ??= bundleScript()
  const viewScript = await script
  const style = [
    ownAsset(`http://127.0.0.1${assetPath('app.css')}`).text(),
    Bun.file(join(ROOT, 'views/documents/document-view.css')).text(),
  ]
  const css = `${(await Promise.all(style)).join('')}body{margin:0}#document{position:fixed;inset:0}`
  const place: Omit<DocumentServer, 'url' | 'close'> = {
    file: new Uint8Array(),
    sizes: [],
    marks: new Map(),
    sentBytes: 0,
    asked: [],
    instead: undefined,
  }
  const part = (range: string | undefined): Response => {
    const { file } = place
    const headers = { 'content-type': 'application/pdf', 'accept-ranges': 'bytes', etag: '"1"' }
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    const end = to === undefined ? file.length : Math.min(Number(to) + 1, file.length)
    const bytes = file.subarray(Number(from ?? 0), end)
    place.sentBytes += bytes.length
    if (from === undefined) return new Response(bytes as Uint8Array<ArrayBuffer>, { headers })
    const span = { ...headers, 'content-range': `bytes ${from}-${end - 1}/${file.length}` }
    return new Response(bytes as Uint8Array<ArrayBuffer>, { status: 206, headers: span })
  }
  const markOf = (page: number): Response => {
    const bytes = place.marks.get(page)
    return bytes ? new Response(bytes as Uint8Array<ArrayBuffer>) : new Response(null, { status: 204 })
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const { pathname, search, searchParams, origin } = new URL(request.url)
      if (pathname.startsWith('/static/')) return ownAsset(request.url, request.headers)
      if (pathname === '/view.js') return new Response(viewScript, { headers: { 'content-type': 'text/javascript' } })
      if (pathname === '/pages') return Response.json(place.sizes)
      if (pathname === '/file' || pathname === '/marks') {
        const range = request.headers.get('range') ?? undefined
        place.asked.push(`${pathname}${search}${range ? ` ${range}` : ''}`)
        const other = await place.instead?.(pathname + search, range)
        return other ?? (pathname === '/file' ? part(range) : markOf(Number(searchParams.get('page'))))
      }
      if (pathname !== '/') return new Response(null, { status: 404 })
      return viewPage(origin, css)
    },
  })
  return Object.assign(place, {
    url: `http://127.0.0.1:${server.port}`,
    async close() {
      await server.stop(true)
    },
  })
}

function viewPage(origin: string, css: string): Response {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-n' ${origin}/static/`,
    "worker-src 'self'",
    "style-src 'nonce-n'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
  ].join('; ')
  const head = `<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><style nonce="n">${css}</style>`
  const body = `<div id="document" data-pdfjs="${signingAssets().pdfjsUrl}"></div><script type="module" nonce="n" src="/view.js"></script>`
  const html = `<!DOCTYPE html><html lang="en"><head><title>A document</title>${head}</head><body>${body}</body></html>`
  return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy } })
}
