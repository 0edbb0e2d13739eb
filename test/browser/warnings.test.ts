/** The strip of warnings, Health and the checkpoints kept elsewhere, in a browser. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { raiseAlert } from '../../src/alerts/alerts.ts'
import { updateAlerts } from '../../src/health/watch.ts'
import { diagnosis } from '../../src/locales/diagnoses.ts'
import { COMMAND_LINE } from '../../src/ports.ts'
import { changeServiceSettings } from '../../src/settings/service-settings.ts'
import { noteTimestampAnswer } from '../../src/settings/timestamp-settings.ts'
import { problemsAtAllSizes } from '../support/axe.ts'
import { NO_BROWSER, press, words } from '../support/browser.ts'
import { useAppServer } from '../support/use-app-server.ts'

const server = useAppServer()

async function raiseSome(): Promise<void> {
  const { app, clock } = server.t
  await app.write(tx => changeServiceSettings(tx, app, COMMAND_LINE, { tsaUrl: 'http://tsa.example.com/' }))
  await noteTimestampAnswer(app, { failure: 'tsa.example.com could not be reached: connection refused' })
  for (let i = 0; i < 4; i++) {
    const file = `${String(i).repeat(64)}.pdf`
    const found = diagnosis('folder_file_missing', { file, hasDocuments: false, documents: [] })
    await raiseAlert(app, { kind: 'file_damaged', subject: String(i), found })
  }
  clock.pass({ minutes: 61 })
  await updateAlerts(app)
}

describe.skipIf(NO_BROWSER)('warnings', () => {
  test('are in a strip on every page, each with a link to the page that mends it, and on Health', async () => {
    await raiseSome()
    const { page } = await server.signedIn()
    await page.goto('/documents')
    const strip = page.locator('.strip')
    expect(await strip.locator('li').count()).toBe(2)
    expect(await strip.textContent()).toContain('3 more like it are open.')
    expect(await problemsAtAllSizes(page)).toEqual([])
    await strip.getByRole('link', { name: 'Test the authority' }).click()
    await page.waitForURL('**/settings/seal/time-stamps')
    await page.goto('/settings/health')
    expect(await words(page)).toContain('There are no time-stamps')
    expect(await problemsAtAllSizes(page)).toEqual([])
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('checkpoints', () => {
  test('are set up, made and shown without a script', async () => {
    const folder = join(server.t.folder, 'kept')
    mkdirSync(folder)
    const { page } = await server.signedIn({ javaScriptEnabled: false })
    await page.goto('/settings/audit')
    await page.getByRole('link', { name: 'Keep checkpoints elsewhere' }).click()
    await page.locator('[name="checkpointFolder"]').fill(join(folder, 'nothing'))
    await press(page, 'Save')
    expect(await words(page)).toContain('must exist: create it first')
    await page.locator('[name="checkpointFolder"]').fill(folder)
    await page.locator('[name="checkpointEmail"]').fill('auditor@example.org')
    await press(page, 'Save')
    await press(page, 'Make one now')
    expect(await words(page)).toContain('It was e-mailed to auditor@example.org.')
  }, 60_000)
})
