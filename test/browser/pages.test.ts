/**
 * Every page and state in a real browser: usable by everyone (axe), nothing cut off, nothing from
 * elsewhere, nothing the policy forbids.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { NO_BROWSER, openBrowser, openWindow, PHONE, type Watch, WIDE } from '../support/browser.ts'
import { walkEditor } from '../support/editor-scenes.ts'
import { demandBinary, emptyFolder, serve, until } from '../support/executable.ts'
import { openPeopleScene } from '../support/people-scenes.ts'
import { type Look, type Place, walk } from '../support/scenes.ts'
import { walkSettings } from '../support/settings-scenes.ts'

let browser: Browser
beforeEach(async () => {
  if (!NO_BROWSER) browser = await openBrowser()
}, 60_000)
afterEach(() => browser?.close())

/**
 * Event handlers and scripts in the HTML, other than our own scripts. A style in the HTML breaks
 * the policy, which the window reports; our scripts set styles.
 */
function inlineCode(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    (document.documentElement.classList.contains('scripted') ? [] : [...document.querySelectorAll('*')]).flatMap(element => [
      ...(element instanceof HTMLScriptElement &&
      element.type !== 'application/json' &&
      !element.src.startsWith(`${location.origin}/static/`)
        ? ['a script']
        : []),
      ...element.getAttributeNames().flatMap(name => (/^on/.test(name) ? [`${element.tagName} ${name}`] : [])),
    ]),
  )
}

/** How far the page runs out of a phone's width, in px, also in the other language. */
async function overhang(page: Page, otherLanguage: string | undefined): Promise<number> {
  await page.setViewportSize(PHONE)
  const px = await page.evaluate(async language => {
    const measured = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
    const own = measured()
    if (language === undefined) return own
    const answer = await fetch(location.href, { headers: { 'accept-language': language } })
    if (!answer.ok) return own
    const { body } = document
    const other = new DOMParser().parseFromString(await answer.text(), 'text/html').body
    body.replaceWith(document.adoptNode(other))
    const found = Math.max(own, measured())
    other.replaceWith(body)
    return found
  }, otherLanguage)
  await page.setViewportSize(WIDE)
  return px
}

type Walk = (open: () => Promise<Page>, look: Look) => Promise<void>

/** A walk through the executable, on an instance that is not set up yet. */
async function examineService(each: (place: Place, ...rest: Parameters<Walk>) => Promise<void>): Promise<number> {
  demandBinary()
  const folder = emptyFolder()
  const serving = await serve(folder.path)
  try {
    const setupLink = await until('the set-up link', async () => /http\S+\/setup\/[\w-]{43}/.exec(serving.greeting)?.[0])
    const place = { url: serving.url, setupLink, dataFolder: join(folder.path, 'data') }
    return await examine(place.url, {}, (...rest) => each(place, ...rest))
  } finally {
    await serving.end('SIGTERM')
    folder.remove()
  }
}

/** Everything wrong with the states of a walk. Returns how many there were. */
async function examine(url: string, options: BrowserContextOptions, each: Walk, otherLanguage?: string): Promise<number> {
  const watches: Watch[] = []
  const open = async () => {
    const { page, watch } = await openWindow(browser, url, options)
    watches.push(watch)
    return page
  }
  const errors: string[] = []
  let count = 0
  await each(open, async (name, page) => {
    count++
    for (const found of await axeViolations(page)) errors.push(`${name}: ${found}`)
    const px = await overhang(page, otherLanguage)
    if (px > 0) errors.push(`${name}: ${px} px wider than a phone`)
    for (const found of await inlineCode(page)) errors.push(`${name}: ${found}`)
  })
  expect(errors).toEqual([])
  expect(watches.flatMap(w => w.foreign)).toEqual([])
  expect(watches.flatMap(w => w.complaints)).toEqual([])
  return count
}

describe.skipIf(NO_BROWSER)('every page and state', () => {
  test('is accessible in light and dark, fits a phone, runs only its own scripts, and asks nothing of other hosts', async () => {
    expect(await examineService(walk)).toBeGreaterThan(40)
  }, 300_000)

  test('of the field editor is so too', async () => {
    expect(await examineService(walkEditor)).toBeGreaterThan(8)
  }, 120_000)

  test('of sign-in and settings is so too in German, and as wide in English', async () => {
    const scene = await openPeopleScene()
    try {
      const each: Walk = (open, look) => walkSettings(scene, open, look)
      expect(await examine(scene.server.url, { locale: 'de' }, each, 'en')).toBeGreaterThan(80)
    } finally {
      await scene.server.close()
    }
  }, 300_000)
})
