/**
 * Firefox ESR of the Debian package, driven over WebDriver BiDi. Firefox cannot change touch,
 * scripts or language of a page while it runs: each setting is a browser of its own.
 */
import { existsSync } from 'node:fs'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'

export const FIREFOX = '/usr/bin/firefox-esr'
/** For `describe.skipIf`: says so where the browser is missing. */
export const NO_FIREFOX = !existsSync(FIREFOX)
if (NO_FIREFOX) console.log(`${FIREFOX} is not here: the tests in Firefox are SKIPPED.`)

type Preferences = Record<string, string | number | boolean>

/** Nothing listens there: what is not for this machine itself goes nowhere. */
const DEAD_PROXY: Preferences = {
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
}

/** What Firefox does on its own besides what the driver turns off. */
const BACKGROUND: Preferences = {
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.region.network.url': '',
  'media.gmp-manager.updateEnabled': false,
  'extensions.systemAddon.update.enabled': false,
}

/** A phone: its only pointer is a finger. */
export const TOUCH: Preferences = {
  'ui.primaryPointerCapabilities': 1,
  'ui.allPointerCapabilities': 1,
  'dom.w3c_touch_events.enabled': 1,
  'layout.css.devPixelsPerPx': '2',
}
export const WITHOUT_SCRIPT: Preferences = { 'javascript.enabled': false }

export interface Firefox {
  page: Page
  /** Errors of scripts, and of the console. */
  complaints: string[]
  close(): Promise<void>
}

export async function openFirefox(size: { width: number; height: number }, preferences: Preferences = {}): Promise<Firefox> {
  const browser: Browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: true,
    timeout: 60_000,
    // A released Firefox takes another server of settings only so.
    env: { ...process.env, MOZ_REMOTE_SETTINGS_DEVTOOLS: '1' },
    extraPrefsFirefox: { ...DEAD_PROXY, ...BACKGROUND, 'ui.prefersReducedMotion': 1, ...preferences },
  })
  const page = await browser.newPage()
  page.setDefaultTimeout(20_000)
  await page.setViewport(size)
  const complaints: string[] = []
  page.on('pageerror', error => void complaints.push(error instanceof Error ? error.message : String(error)))
  page.on('console', message => void (message.type() === 'error' && complaints.push(message.text())))
  return { page, complaints, close: () => browser.close() }
}
