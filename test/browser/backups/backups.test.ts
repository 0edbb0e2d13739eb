/** Backups and the resumption of sending in Chromium: whole stories. */
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { newestRuns } from '../../../src/backups/run-queries.ts'
import { runDueBackup } from '../../../src/backups/runs.ts'
import { updateAlerts } from '../../../src/health/watch.ts'
import { pauseSending } from '../../../src/settings/sending-pause.ts'
import { NO_BROWSER, press } from '../../support/browser.ts'
import { until } from '../../support/executable.ts'
import { newDocument } from '../../support/sample.ts'
import { useAppServer } from '../../support/use-app-server.ts'

let folder: string
const server = useAppServer(async ({ t }) => {
  folder = mkdtempSync(join(t.folder, 'backups-'))
})

describe.skipIf(NO_BROWSER)('backups', () => {
  test('are set up, made and listed; a failure is shown', async () => {
    const { page, watch } = await server.window()
    await server.signIn(page)
    await page.goto('/settings/backups')
    await page.locator('#folder').fill('backup')
    await press(page, 'Save')
    await page.getByText('must be an absolute path').first().waitFor()
    await page.locator('#folder').fill(folder)
    await press(page, 'Save')
    await page.getByText('The pass-phrase of your backups').waitFor()
    await page.goto('/settings/backups')
    await press(page, 'Back up now')
    await until('the backup', async () => (await newestRuns(server.t.app.db, 1))[0]?.verdict)
    await page.reload()
    await page.getByText('Checked').first().waitFor()
    await press(page, 'Download', 'link')
    await page.getByText('recorded in the audit log').waitFor()
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download backup' }).click()
    expect(readFileSync(await (await waiting).path(), 'latin1')).toStartWith('age-encryption.org/v1')
    rmSync(folder, { recursive: true })
    server.t.clock.pass({ days: 1 })
    await runDueBackup(server.t.app)
    await server.signIn(page)
    await page.goto('/settings/backups')
    await page.getByText('Failed', { exact: true }).waitFor()
    expect(watch.complaints).toEqual([])
    await page.context().close()
  }, 90_000)

  test('after a restore sending is resumed on a page that says what waits', async () => {
    const { page } = await server.window()
    const { t } = server
    const since = t.app.now()
    await t.app.write(tx => pauseSending(tx, { since, backupMadeAt: new Date(since.getTime() - 86_400_000) }))
    const { body } = await t.api('POST', '/documents', await newDocument())
    await t.api('POST', `/documents/${body.id}/send`)
    await updateAlerts(t.app)
    await server.signIn(page)
    await page.getByRole('link', { name: 'See what waits' }).click()
    await page.getByRole('heading', { name: 'Resume sending' }).waitFor()
    await press(page, 'Resume sending')
    await page.getByText('Sending is not paused').first().waitFor()
    await page.context().close()
  }, 60_000)
})
