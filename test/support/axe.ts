/** Violations of axe-core's rules on a page, with the size of targets, light and dark. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const AXE = readFileSync(join(import.meta.dir, '../../node_modules/axe-core/axe.min.js'), 'utf8')

interface AxeResults {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[]
}

/** One line for each. */
export async function axeViolations(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(AXE)
    const { violations } = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(where: Document, options: unknown): Promise<AxeResults> } }
      return axe.run(document, { rules: { 'target-size': { enabled: true } } })
    })
    for (const { id, nodes } of violations)
      for (const node of nodes) found.push(`${colorScheme} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`)
  }
  return found
}
