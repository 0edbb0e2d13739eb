/** A test app on a port of its own, for pages in a browser with a clock that the test moves. */
import type { Page } from 'playwright-core'
import { createAdmin } from '../../src/accounts/people.ts'
import { press } from './browser.ts'
import { freePort } from './executable.ts'
import { ADMIN } from './people.ts'
import { openTestApp, type TestApp, type TestOptions } from './test-app.ts'

export interface AppServer {
  t: TestApp
  url: string
  /** With an administrator's session. */
  signIn(page: Page): Promise<void>
  close(): Promise<void>
}

/** `host`: of the base URL, one of this machine. */
export async function openAppServer({
  host = '127.0.0.1',
  ...options
}: TestOptions & { host?: string } = {}): Promise<AppServer> {
  const port = await freePort()
  const url = `http://${host}:${port}`
  const t = await openTestApp({ ...options, env: { SIGNET_BASE_URL: url, ...options.env } })
  await createAdmin(t.app, ADMIN)
  const server = Bun.serve({ hostname: '127.0.0.1', port, idleTimeout: 120, fetch: request => t.serve(request) })
  return {
    t,
    url,
    async signIn(page) {
      await page.goto(`${url}/sign-in`)
      await page.locator('[name="email"]').fill(ADMIN.email)
      await page.locator('[name="password"]').fill(ADMIN.password)
      await press(page, /^(Sign in|Anmelden)$/)
    },
    async close() {
      await server.stop(true)
      await t.close()
    },
  }
}
