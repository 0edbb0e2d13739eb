/** The service on a loopback port with the present sources of the signing page's script and style, for tests of it in a browser. */
import { join } from 'node:path'
import { freePort } from './executable.ts'
import { linkTo, sentDocument } from './story.ts'
import { openTestApp, type TestApp } from './test-app.ts'

const ROOT = join(import.meta.dir, '../..')

export interface SigningPlace {
  t: TestApp
  url: string
  /** Every request a browser made, oldest first: method and path. */
  asked: { method: string; path: string; body: string }[]
  /** Answers instead of the service where it answers anything; to be set by a test. */
  instead: ((method: string, path: string) => Response | undefined | Promise<Response | undefined>) | undefined
  /** Sends a document to the recipients; answers its id and the address of the link of the first. */
  send(overrides: Record<string, unknown>, email: string): Promise<{ id: string; link: string }>
  close(): Promise<void>
}

export async function openSigningPlace(): Promise<SigningPlace> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const t = await openTestApp({ env: { SIGNET_BASE_URL: url } })
  const built = await Bun.build({
    entrypoints: [join(ROOT, 'views/browser/signing.ts')],
    target: 'browser',
    minify: true,
  })
  const [output] = built.outputs
  if (!output) throw new Error(`the script could not be bundled: ${built.logs.join('\n')}`)
  const script = await output.text()
  const styles = ['signing.css', 'document-view.css'].map(name => Bun.file(join(ROOT, 'views/static', name)).text())
  const style = (await Promise.all(styles)).join('')
  const text = (body: string, type: string) => new Response(body, { headers: { 'content-type': `text/${type}; charset=utf-8` } })
  const place: Omit<SigningPlace, 'close'> = {
    t,
    url,
    asked: [],
    instead: undefined,
    async send(overrides, email) {
      const id = await sentDocument(t, overrides)
      return { id, link: linkTo(t, email) }
    },
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      if (/^\/static\/signing\.\w+\.js$/.test(pathname)) return text(script, 'javascript')
      if (/^\/static\/signing\.\w+\.css$/.test(pathname)) return text(style, 'css')
      const { method } = request
      place.asked.push({ method, path: pathname + search, body: method === 'POST' ? await request.clone().text() : '' })
      const other = await place.instead?.(method, pathname)
      return other ?? t.fetch(request.url, request)
    },
  })
  return Object.assign(place, {
    async close() {
      await server.stop(true)
      await t.close()
    },
  })
}
