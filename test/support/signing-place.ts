/** The service on a loopback port, for tests of the signing page in a browser: what was asked of it is seen, and may be answered otherwise. */
import { freePort } from './executable.ts'
import { linkTo, sentDocument } from './story.ts'
import { openTestApp, type TestApp } from './test-app.ts'

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
