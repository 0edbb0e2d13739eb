/** What axe-core finds on a page, with the size of targets, light and dark; and what sticks out. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { PHONE, WIDE } from './browser.ts'

const AXE = readFileSync(join(import.meta.dir, '../../node_modules/axe-core/axe.min.js'), 'utf8')

const COLOURS = ['color-contrast', 'link-in-text-block']
const WITHOUT_COLOURS = Object.fromEntries(COLOURS.map(rule => [rule, { enabled: false }]))

/**
 * The structure of a page is the same in both schemes, in each language and at most sizes: its
 * colours are examined in both, and in a second language or size whether targets have enough space.
 */
const EXAMINED = {
  page: { rules: { 'target-size': { enabled: true } } },
  /** Mail programs put an e-mail into a page of their own: WCAG alone counts. */
  mail: { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'], rules: {} },
  layout: { runOnly: ['target-size'] },
}

export type Kind = keyof typeof EXAMINED

interface AxeResults {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
}

/** What had no violation before: structures of pages, and combinations of colours. */
const examined = new Set<string>()

/**
 * What the rules see of the page: its elements and their attributes, without words and names. Equal
 * neighbours, as rows of a list, are seen once.
 */
function structureOfPage(): string {
  const isName = /^(id|lang|for|name|href|src|action|value|nonce|title|content|datetime|aria-label|data-|d$|style$)|by$|controls$/
  const structureOf = (element: Element): string => {
    const given = [...element.attributes].map(({ name, value }) => (isName.test(name) ? name : `${name}=${value}`))
    const hasText = [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim())
    const children = [...element.children].map(structureOf)
    const shown = `${element.checkVisibility()} ${hasText}`
    return `<${element.tagName} ${given} ${shown}>${children.filter((child, i) => child !== children[i - 1]).join('')}`
  }
  return structureOf(document.documentElement)
}

/** Each combination of colour, size and background that a text on the page has. */
function coloursOfPage(): string[] {
  const backgrounds = new Map<Element | null, string>([[null, '']])
  const backgroundOf = (element: Element | null): string => {
    const known = backgrounds.get(element)
    if (known !== undefined || !element) return known ?? ''
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element)
    const isOpaque = /^rgb\(/.test(backgroundColor) && opacity === '1'
    const isSeen = backgroundColor !== 'rgba(0, 0, 0, 0)' || backgroundImage !== 'none' || opacity !== '1'
    const own = isSeen ? `${backgroundColor} ${backgroundImage} ${opacity}` : ''
    const found = own + (isOpaque ? '' : backgroundOf(element.parentElement))
    backgrounds.set(element, found)
    return found
  }
  const colours = new Set<string>()
  for (const element of document.body.querySelectorAll('*')) {
    const hasText = [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && nodeValue?.trim())
    if (!(hasText || element.matches('input, select, textarea')) || !element.checkVisibility()) continue
    const { color, fontSize, fontWeight, textDecorationLine, textShadow } = getComputedStyle(element)
    const around = element.matches('a') && element.parentElement ? getComputedStyle(element.parentElement).color : ''
    const own = [color, fontSize, fontWeight, textShadow, around, around && textDecorationLine]
    colours.add(`${own} ${element.matches(':disabled, [aria-disabled="true"]')} ${backgroundOf(element)}`)
  }
  return [...colours]
}

/** One line for each. None for a structure and colours that were examined before, and had none. */
export async function axeViolations(page: Page, kind: Kind = 'page'): Promise<string[]> {
  // How much space targets have depends on the words too.
  const language = kind === 'layout' ? await page.locator('html').getAttribute('lang') : ''
  const structure = `${kind} ${language} ${page.viewportSize()?.width} ${Bun.hash(await page.evaluate(structureOfPage))}`
  if (examined.has(structure)) return []
  const found = await violationsOf(page, kind)
  if (found.length === 0) examined.add(structure)
  return found
}

async function violationsOf(page: Page, kind: Kind): Promise<string[]> {
  // Once for each page: to read it takes as long as to run it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  if (kind === 'layout') return run(page, EXAMINED.layout)
  const found: string[] = []
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    const colours = (await page.evaluate(coloursOfPage)).map(each => `${kind} ${colorScheme} ${each}`)
    const areKnown = colours.every(each => examined.has(each))
    if (areKnown && colorScheme === 'dark') continue
    const { rules } = EXAMINED[kind]
    // In one run with the structure: what each begins with takes as long as its rules.
    const whole = { ...EXAMINED[kind], rules: areKnown ? { ...rules, ...WITHOUT_COLOURS } : rules }
    const violations = await run(page, colorScheme === 'dark' ? { runOnly: COLOURS } : whole)
    if (violations.length === 0) for (const each of colours) examined.add(each)
    found.push(...violations.map(each => `${colorScheme} ${each}`))
  }
  return found
}

async function run(page: Page, options: object): Promise<string[]> {
  const violations = await page.evaluate(
    async given => {
      const { axe } = globalThis as unknown as { axe: { run(where: Document, options: unknown): Promise<AxeResults> } }
      return (await axe.run(document, given)).violations
    },
    { ...options, resultTypes: ['violations'], selectors: false },
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
  )
}

/** Violations, and how far the page runs out of its window as it is. */
export async function pageProblems(page: Page, kind?: Kind): Promise<string[]> {
  const px = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  return [...(await axeViolations(page, kind)), ...(px > 0 ? [`${page.url()} is ${px} px too wide`] : [])]
}

/**
 * Those in a wide window and on a phone, as which kind the caller says where it has a structure of
 * its own. Leaves the window and the colours as they were.
 */
export async function problemsAtAllSizes(page: Page, onAPhone: Kind = 'layout'): Promise<string[]> {
  const before = page.viewportSize()
  await page.setViewportSize(WIDE)
  const found = await pageProblems(page)
  await page.setViewportSize(PHONE)
  found.push(...(await pageProblems(page, onAPhone)))
  await page.emulateMedia({ colorScheme: 'light' })
  if (before) await page.setViewportSize(before)
  return found
}
