/**
 * The service on a loopback port, for tests of the signing page in a browser: what was asked of it
 * is seen, and may be answered otherwise.
 */
import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createAdmin } from '../../src/accounts/people.ts'
import { NO_BROWSER, openBrowser, openWindow } from './browser.ts'
import { freePort } from './executable.ts'
import { ADMIN } from './people.ts'
import { sessionCookie } from './sign-in.ts'
import { linkTo, sentDocument } from './story.ts'
import { openTestApp, type TestApp } from './test-app.ts'

export interface SigningService {
  t: TestApp
  url: string
  /** Every request a browser made, oldest first: method and path. */
  asked: { method: string; path: string; body: string }[]
  /** The files of all uploads, oldest first. */
  uploads: Buffer[]
  /** Answers instead of the service where it answers anything; to be set by a test. */
  instead: ((method: string, path: string) => Response | undefined | Promise<Response | undefined>) | undefined
  /**
   * Sends a document to the recipients; answers its id and the address of the link of the first.
   */
  send(overrides: Record<string, unknown>, email: string): Promise<{ id: string; link: string }>
  /** A window of its own in the browser. */
  window(options?: BrowserContextOptions): ReturnType<typeof openWindow>
  /** With the session of an administrator and no page yet; errors of scripts are complaints too. */
  signedIn(options?: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }>
}

/**
 * One service and one browser for the tests of a file: each test begins with nothing asked and
 * nothing answered otherwise, and ends with every window closed. Where no browser is installed,
 * nothing is opened. `host`: of the address; only a name has keys of devices.
 */
export function useSigningService(host?: string): SigningService {
  const place = {} as SigningService
  let browser: Browser | undefined
  let close = () => Promise.resolve()
  beforeAll(async () => {
    if (NO_BROWSER) return
    const opened = await openBrowser()
    browser = opened
    close = await serveSigning(place, host)
    place.window = options => openWindow(opened, place.url, options)
    let account: Promise<unknown> | undefined
    place.signedIn = async options => {
      account ??= createAdmin(place.t.app, ADMIN)
      await account
      const { context, page, watch } = await place.window(options)
      page.on('pageerror', error => void watch.complaints.push(error.message))
      await context.addCookies([await sessionCookie(place.t.app, ADMIN.email, place.url)])
      return { page, complaints: watch.complaints }
    }
  }, 60_000)
  beforeEach(() => {
    place.asked = []
    place.uploads = []
    place.instead = undefined
  })
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close()
  })
  afterAll(async () => {
    await browser?.close()
    await close()
  })
  return place
}

/** Starts the service without a browser. Returns what ends it. */
export async function serveSigning(place: SigningService, host = '127.0.0.1'): Promise<() => Promise<void>> {
  const port = await freePort()
  place.url = `http://${host}:${port}`
  const t = await openTestApp({ env: { SIGNET_BASE_URL: place.url } })
  place.t = t
  place.send = async (overrides, email) => {
    const id = await sentDocument(t, overrides)
    return { id, link: linkTo(t, email) }
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    // Event streams are silent for longer than the default.
    idleTimeout: 120,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const { method } = request
      place.asked.push({ method, path: pathname + search, body: method === 'POST' ? await request.clone().text() : '' })
      const isUpload = request.headers.get('content-type')?.startsWith('multipart/form-data')
      const file = isUpload && (await request.clone().formData()).get('file')
      if (file instanceof Blob) place.uploads.push(Buffer.from(await file.arrayBuffer()))
      const other = await place.instead?.(method, pathname)
      return other ?? t.fetch(request.url, request)
    },
  })
  return async () => {
    await server.stop(true)
    await t.close()
  }
}
