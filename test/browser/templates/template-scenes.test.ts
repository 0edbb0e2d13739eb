/** Every page of templates and bulk sending in German: axe-core, widths, errors of the browser. */
import { expect, test } from 'bun:test'
import { openAppServer } from '../../support/app-server.ts'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, openBrowser, openWindow } from '../../support/browser.ts'
import { walkTemplates } from '../../support/template-scenes.ts'

test.skipIf(NO_BROWSER)(
  'templates and bulk sending are accessible in every state, light and dark, and fit a phone',
  async () => {
    const server = await openAppServer()
    const browser = await openBrowser()
    try {
      const { page, watch } = await openWindow(browser, server.url, { locale: 'de' })
      await server.signIn(page)
      const problems: string[] = []
      await walkTemplates(server, page, async (name, shown) => {
        for (const problem of await problemsAtAllSizes(shown)) problems.push(`${name}: ${problem}`)
      })
      expect([problems, watch.foreign, watch.complaints]).toEqual([[], [], []])
    } finally {
      await browser.close()
      await server.close()
    }
  },
  240_000,
)
