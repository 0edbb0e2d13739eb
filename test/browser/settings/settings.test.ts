/**
 * Settings in a browser: the sections wide and on a phone without a script, the mail server and its
 * test, time-stamps, and the e-mails that were sent.
 */
import { describe, expect, test } from 'bun:test'
import { THIS_FILE_SYSTEM } from '../../../src/lib/this-file-system.ts'
import { folderMailer } from '../../../src/mailer/outbox-folder.ts'
import { latestMails } from '../../../src/outbox/queries.ts'
import { problemsAtAllSizes } from '../../support/axe.ts'
import { NO_BROWSER, PHONE, press, WIDE, words } from '../../support/browser.ts'
import { openSmtpSink } from '../../support/smtp-sink.ts'
import { sentDocument } from '../../support/story.ts'
import { useAppServer } from '../../support/use-app-server.ts'

const server = useAppServer()

describe.skipIf(NO_BROWSER)('the sections', () => {
  test('are a list in a wide window, and a menu on a phone that opens without a script', async () => {
    const { page } = await server.signedIn({ javaScriptEnabled: false, viewport: PHONE })
    await page.goto('/settings/organisation')
    const menu = page.locator('.settings-menu')
    expect(await menu.getByRole('link', { name: 'Seal' }).isVisible()).toBe(false)
    await menu.locator('summary').click()
    await menu.getByRole('link', { name: 'Seal' }).click()
    await page.waitForURL('**/settings/seal')
    await page.setViewportSize(WIDE)
    expect(await page.locator('.settings-list [aria-current="page"]').textContent()).toBe('Seal')
    expect(await menu.isVisible()).toBe(false)
  }, 60_000)

  test('begin with what an administrator works with, and not with the profile', async () => {
    const { page } = await server.signedIn()
    await page.goto('/settings')
    expect(new URL(page.url()).pathname).toBe('/settings/organisation')
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('the mail server', () => {
  test('is set and tested without a script, up to the words of the server', async () => {
    const sink = await openSmtpSink({ login: { user: 'signet', password: 'right-one' } })
    const { page } = await server.signedIn({ javaScriptEnabled: false })
    await page.goto('/settings/email')
    const enter = async (password: string) => {
      await page.getByLabel('Server', { exact: true }).fill('127.0.0.1')
      await page.getByLabel('Port').fill(String(sink.port))
      await page.getByLabel('Security').selectOption('none')
      await page.getByLabel('User name').fill('signet')
      await page.locator('[name="smtpPassword"]').fill(password)
      await page.getByLabel('Address of the sender').fill('sign@acme.example')
      await press(page, 'Save')
      await press(page, 'Send a test')
    }
    await enter('wrong-one')
    expect(await words(page)).toContain('535 5.7.8 Authentication credentials invalid')
    await enter('right-one')
    expect(await words(page)).toContain('250 2.0.0 Ok: queued as SINK1')
    expect(await page.locator('[name="smtpPassword"]').inputValue()).toBe('')
    await sink.close()
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('the pages of the seal', () => {
  test('can be read by everyone, also with an authority that does not answer', async () => {
    const { page } = await server.signedIn()
    await page.goto('/settings/seal')
    await page.getByText('Adobe Acrobat and Reader').click()
    expect(await problemsAtAllSizes(page)).toEqual([])
    await page.getByRole('link', { name: 'Change or test' }).click()
    await page.getByLabel('1. Address').fill('http://127.0.0.1:9/tsa')
    await press(page, 'Save')
    await press(page, 'Request a test time-stamp')
    expect(await words(page)).toContain('could not be reached')
  }, 60_000)
})

describe.skipIf(NO_BROWSER)('the e-mails that were sent', () => {
  test('are marked as not delivered after a question', async () => {
    server.t.app.config.fixed.smtpUrl = 'smtp://127.0.0.1:1'
    await sentDocument(server.t)
    await server.t.drain()
    const [mail] = await latestMails(server.t.app.db, 1, 'accepted')
    const { page } = await server.signedIn()
    await page.goto(`/outbox/${mail?.id}`)
    await press(page, /Mark as not delivered/, 'link')
    await page.getByLabel('What the message says').fill('550 5.1.1 User unknown')
    await press(page, 'Mark as not delivered')
    expect(await words(page)).toContain('Marked as not delivered: 550 5.1.1 User unknown')
  }, 60_000)

  test('show their HTML part in a frame, in which nothing runs', async () => {
    server.t.app.mailer = folderMailer(THIS_FILE_SYSTEM, `${server.t.app.config.dataFolder}/outbox`)
    await sentDocument(server.t)
    await server.t.drain()
    const { page } = await server.signedIn()
    await page.goto('/outbox')
    const [mail] = await latestMails(server.t.app.db, 1)
    await page.goto(`/outbox/${mail?.id}`)
    await page.locator('iframe').scrollIntoViewIfNeeded()
    await page.frameLocator('iframe').getByText('Open the document').first().waitFor()
  }, 60_000)
})
