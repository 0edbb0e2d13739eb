/** What axe-core finds on a page, with the size of targets, light and dark; and what sticks out. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { PHONE, WIDE } from './browser.ts'

const AXE = readFileSync(join(import.meta.dir, '../../node_modules/axe-core/axe.min.js'), 'utf8')

const COLOURS = { runOnly: ['color-contrast', 'link-in-text-block'] }

/**
 * The structure of a page is the same in both schemes, in each language and at most sizes: dark,
 * its colours are examined, and in a second language or size whether targets have enough space.
 */
const EXAMINED = {
  page: { light: { rules: { 'target-size': { enabled: true } } }, dark: COLOURS },
  /** Mail programs put an e-mail into a page of their own: WCAG alone counts. */
  mail: { light: { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }, dark: COLOURS },
  layout: { light: { runOnly: ['target-size'] } },
} satisfies Record<string, { light: object; dark?: object }>

export type Kind = keyof typeof EXAMINED

interface AxeResults {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
}

/** One line for each. */
export async function axeViolations(page: Page, kind: Kind = 'page'): Promise<string[]> {
  const found: string[] = []
  // Once for each page: to read it takes as long as to run it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE)
  for (const [colorScheme, examined] of Object.entries(EXAMINED[kind])) {
    await page.emulateMedia({ colorScheme: colorScheme as 'light' | 'dark' })
    const violations = await page.evaluate(
      async options => {
        const { axe } = globalThis as unknown as { axe: { run(where: Document, options: unknown): Promise<AxeResults> } }
        return (await axe.run(document, options)).violations
      },
      { ...examined, resultTypes: ['violations'] },
    )
    for (const { id, nodes } of violations)
      for (const node of nodes) found.push(`${colorScheme} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`)
  }
  return found
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
