/** Takes a screenshot of every page and state: `sh scripts/screens [PART OF A NAME]…`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { openAppServer } from '../test/support/app-server.ts'
import { openBrowser, openWindow, PHONE, WIDE } from '../test/support/browser.ts'
import { walkEditor } from '../test/support/editor-scenes.ts'
import { freePort, until } from '../test/support/executable.ts'
import { showHtml, shownMails, showText } from '../test/support/mail-scenes.ts'
import { openPeopleScene } from '../test/support/people-scenes.ts'
import { walkReadme } from '../test/support/readme-scenes.ts'
import { type Look, type Place, walk } from '../test/support/scenes.ts'
import { walkSettings } from '../test/support/settings-scenes.ts'
import { walkTemplates } from '../test/support/template-scenes.ts'

const ROOT = join(import.meta.dir, '..')
const SCREENS = join(ROOT, 'screens')
const SIZES = { phone: PHONE, wide: { width: 1280, height: 900 } }
const wanted = process.argv.slice(2)

/** Walks through a fresh instance and takes a picture of each state. */
async function photograph<T>(
  each: (place: Place, open: () => Promise<Page>, look: Look) => Promise<T>,
  look: Look = take,
  { window = {}, env = {} }: { window?: BrowserContextOptions; env?: Record<string, string> } = {},
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'signet-screens-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = Bun.spawn([process.execPath, 'src/main.ts', 'serve', '--port', String(port), '--data', folder], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'ignore',
    stdin: 'ignore',
  })
  let greeting = ''
  const reading = (async () => {
    for await (const part of child.stdout) greeting += new TextDecoder().decode(part)
  })()
  const browser = await openBrowser()
  try {
    const setupLink = await until('the set-up link', async () => /http\S+\/setup\/[\w-]{43}/.exec(greeting)?.[0])
    const open = async () => (await openWindow(browser, url, window)).page
    return await each({ url, setupLink, dataFolder: folder }, open, look)
  } finally {
    await browser.close()
    child.kill('SIGTERM')
    await child.exited
    await reading
    rmSync(folder, { recursive: true, force: true })
  }
}

const isWanted = (name: string) => wanted.length === 0 || wanted.some(part => name.includes(part))

async function take(name: string, page: Page, sizes = SIZES): Promise<void> {
  if (!isWanted(name)) return
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(SCREENS, `${name}-${size}-${colorScheme}.png`), fullPage: true })
    }
  }
  await page.setViewportSize(WIDE)
  console.log(name)
}

/** Settings and sign-in, in English and German. */
async function photographSettings(): Promise<void> {
  for (const locale of ['en', 'de']) {
    const scene = await openPeopleScene()
    const browser = await openBrowser()
    try {
      const open = async () => (await openWindow(browser, scene.server.url, { locale })).page
      await walkSettings(scene, open, (name, page) => take(`settings-${name}-${locale}`, page))
    } finally {
      await browser.close()
      await scene.server.close()
    }
  }
}

/** Templates and bulk sending, in English and German. */
async function photographTemplates(): Promise<void> {
  for (const locale of ['en', 'de']) {
    const server = await openAppServer()
    const browser = await openBrowser()
    try {
      const { page } = await openWindow(browser, server.url, { locale })
      await server.signIn(page)
      await walkTemplates(server, page, (name, shown) => take(`template-${name}-${locale}`, shown))
    } finally {
      await browser.close()
      await server.close()
    }
  }
}

/** As a phone and a mail program on a desk show them. */
const MAIL_SIZES = { phone: { width: 360, height: 640 }, wide: { width: 1000, height: 800 } }

/** Every kind of e-mail, as HTML and as text. */
async function photographMails(): Promise<void> {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    for (const { name, mail } of shownMails()) {
      if (!isWanted(`mail-${name}`)) continue
      await showHtml(page, mail)
      await take(`mail-${name}`, page, MAIL_SIZES)
      await showText(page, mail)
      await take(`mail-${name}-text`, page, MAIL_SIZES)
    }
  } finally {
    await browser.close()
  }
}

const README_PICTURES = join(ROOT, 'views/readme')
/** As wide as GitHub shows three beside each other on a sharp screen. */
const SMALL = { width: 640, height: 400 }
const SHRUNK = 1.75

/** The pictures of the README. */
async function photographReadme(): Promise<void> {
  const viewport = { width: SMALL.width * SHRUNK, height: SMALL.height * SHRUNK }
  const look: Look = async (name, page) => {
    await page.screenshot({ path: join(README_PICTURES, `${name}.png`) })
    console.log(name)
  }
  const sealed = await photograph(walkReadme, look, {
    window: { viewport, deviceScaleFactor: 1 / SHRUNK },
    env: { SIGNET_ENVIRONMENT: 'production' },
  })
  const folder = mkdtempSync(join(tmpdir(), 'signet-screens-'))
  writeFileSync(join(folder, 'sealed.pdf'), sealed)
  // Of A4 the part below the upper margin, in points.
  const box = ['-r', '72', '-x', '0', '-y', '40', '-W', '595', '-H', '372']
  const picture = join(README_PICTURES, 'certificate')
  Bun.spawnSync(['pdftoppm', '-png', '-f', '2', '-l', '2', '-singlefile', ...box, join(folder, 'sealed.pdf'), picture])
  rmSync(folder, { recursive: true })
}

if (wanted.includes('readme')) {
  await photographReadme()
  process.exit(0)
}
mkdirSync(SCREENS, { recursive: true })
if (wanted.length === 0 || !wanted.every(part => /^(editor|settings|template|mail)/.test(part))) await photograph(walk)
if (wanted.length === 0 || wanted.some(part => part.startsWith('editor'))) await photograph(walkEditor)
if (wanted.length === 0 || wanted.some(part => part.startsWith('settings'))) await photographSettings()
if (wanted.length === 0 || wanted.some(part => part.startsWith('template'))) await photographTemplates()
if (wanted.length === 0 || wanted.some(part => part.startsWith('mail'))) await photographMails()
// The child processes that read PDFs for the test apps are shared, and would keep this process.
process.exit(0)
