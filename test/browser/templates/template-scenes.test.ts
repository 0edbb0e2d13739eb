/** Every page of templates and bulk sending in German: axe-core, widths, errors of the browser. */
import { expect, test } from 'bun:test'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER } from '../../support/browser.ts'
import { walkTemplates } from '../../support/template-scenes.ts'
import { useAppServer } from '../../support/use-app-server.ts'

const server = useAppServer()

test.skipIf(NO_BROWSER)(
  'templates and bulk sending are accessible in every state, light and dark, and fit a phone',
  async () => {
    const { page, watch } = await server.signedIn({ locale: 'de' })
    const problems: string[] = []
    await walkTemplates(server, page, async (name, shown) => {
      for (const problem of await problemsAtAllSizes(shown)) problems.push(`${name}: ${problem}`)
    })
    expect([problems, watch.foreign, watch.complaints]).toEqual([[], [], []])
  },
  240_000,
)
