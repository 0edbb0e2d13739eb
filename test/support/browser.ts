/** Chromium through playwright-core with an empty profile; records what its pages request. */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Look } from './scenes.ts'

/** The one without a window of its own has the same pages, and starts and draws sooner. */
export const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(path => existsSync(path))
/** For `describe.skipIf`: says so where the browser is missing. */
export const NO_BROWSER = CHROMIUM === undefined
if (NO_BROWSER) console.log('Chromium is not here: what needs a browser is skipped.')

export const PHONE = { width: 360, height: 740 }
export const WIDE = { width: 1440, height: 900 }

/** How long one step in the browser may take. */
const STEP_LIMIT_MS = 15_000

let running: Promise<Browser> | undefined

/**
 * Chromium with an empty profile. A process that runs several files has one: `close` ends the
 * contexts, each of which is as a profile of its own.
 */
export async function openBrowser(): Promise<Browser> {
  const known = await running?.catch(() => undefined)
  if (!known?.isConnected()) running = launch()
  const browser = await (running as Promise<Browser>)
  const close = async () => {
    await Promise.all(browser.contexts().map(context => context.close()))
  }
  return new Proxy(browser, {
    get(target, name) {
      if (name === 'close') return close
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM ?? '',
    headless: true,
    timeout: 30_000,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      // Without it, the one without a window moves outlines onto whole pixels.
      '--font-render-hinting=none',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // The pages of a context share a process, which the first of them has started already.
      '--renderer-process-limit=1',
      '--disable-site-isolation-trials',
      // Pages live for a second or less: code that is optimised for them is hardly run.
      '--js-flags=--no-turbofan --no-maglev',
    ],
  })
}

/** What went wrong behind the pages of one context, collected as it happens. */
export interface Watch {
  /** Addresses asked for outside the service. */
  foreign: string[]
  /** Violations of the content security policy and console errors, with their page. */
  complaints: string[]
}

/** A person's browser window: bounded steps, watched. */
export async function openWindow(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page; watch: Watch }> {
  const context = await browser.newContext({ baseURL: url, viewport: WIDE, reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(STEP_LIMIT_MS)
  const watch: Watch = { foreign: [], complaints: [] }
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', e => console.error(`CSP: ${e.violatedDirective} ${e.blockedURI}`)),
  )
  context.on('request', request => {
    if (!request.url().startsWith(`${url}/`) && !/^(data|blob|about):/.test(request.url())) watch.foreign.push(request.url())
  })
  context.on('console', message => {
    // Chromium reports the status of a refused form as an error of the console.
    if (message.type() === 'error' && !/the server responded with a status of 4\d\d/.test(message.text()))
      watch.complaints.push(`${message.page()?.url()}: ${message.text()}`)
  })
  const page = await context.newPage()
  // Chromium hands over file choosers a moment after the first demand: a key at once would be lost.
  page.on('filechooser', () => undefined)
  return { context, page, watch }
}

/** A phone held in the hand. */
export const ON_A_PHONE: BrowserContextOptions = { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

/** Goes to an address, and looks at its page. */
export async function visit(page: Page, address: string, name: string, look: Look): Promise<void> {
  await page.goto(address)
  await look(name, page)
}

/** Presses a button, and looks at the page behind it. */
export async function pressToSee(page: Page, button: string | RegExp, name: string, look: Look): Promise<void> {
  await press(page, button)
  await look(name, page)
}

/** Presses this button or link and waits for the page behind it. */
export async function press(page: Page, name: string | RegExp, role: 'button' | 'link' = 'button'): Promise<void> {
  const arrived = page.waitForEvent('load')
  await page.getByRole(role, { name, exact: typeof name === 'string' }).click()
  await arrived
}

/** What a press of this link or button downloads. */
export async function download(page: Page, name: string | RegExp): Promise<string> {
  const waiting = page.waitForEvent('download')
  await page.getByRole('link', { name }).click()
  return (await waiting).path()
}

/** The text of the page, with single spaces. */
export async function words(page: Page): Promise<string> {
  return ((await page.locator('main').textContent()) ?? '').replace(/\s+/g, ' ')
}
