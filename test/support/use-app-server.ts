/** An app on a port, and a browser, for the tests of a file. */
import { afterAll, beforeAll } from 'bun:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { type AppServer, openAppServer } from './app-server.ts'
import { NO_BROWSER, openBrowser, openWindow } from './browser.ts'
import { ADMIN } from './people.ts'
import { sessionCookie } from './sign-in.ts'

type Window = ReturnType<typeof openWindow>

export interface ServedApp extends AppServer {
  window(options?: BrowserContextOptions): Window
  /** With the session of the administrator, and no page open yet. */
  signedIn(options?: BrowserContextOptions): Window
}

/** Call once in a test file. `prepare`: what is there before the first test. */
export function useAppServer(prepare: (server: AppServer) => Promise<unknown> = async () => {}): ServedApp {
  const served = {} as ServedApp
  let browser: Browser | undefined
  beforeAll(async () => {
    if (NO_BROWSER) return
    Object.assign(served, await openAppServer())
    await prepare(served)
    const opened = await openBrowser()
    browser = opened
    served.window = options => openWindow(opened, served.url, options)
    served.signedIn = async options => {
      const window = await served.window(options)
      await window.context.addCookies([await sessionCookie(served.t.app, ADMIN.email, served.url)])
      return window
    }
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await served.close?.()
  })
  return served
}
