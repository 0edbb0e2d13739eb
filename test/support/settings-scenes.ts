/**
 * Sign-in, settings and the profile in every state. Forms are found by the names of their fields,
 * so that the walk is the same in every language.
 */

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { issueResetLink } from '../../src/accounts/reset.ts'
import { raiseAlert } from '../../src/alerts/alerts.ts'
import { newestRuns } from '../../src/backups/run-queries.ts'
import { runDueBackup } from '../../src/backups/runs.ts'
import { updateAlerts } from '../../src/health/watch.ts'
import { runSchedule } from '../../src/jobs/schedule.ts'
import { latestMails } from '../../src/outbox/queries.ts'
import { SYSTEM } from '../../src/ports.ts'
import { pauseSending } from '../../src/settings/sending-pause.ts'
import { listWebhooks } from '../../src/webhooks/queries.ts'
import type { AppServer } from './app-server.ts'
import { until } from './executable.ts'
import { ADMIN } from './people.ts'
import { PEOPLE_PAGES, type PeopleScene } from './people-scenes.ts'
import { ADA } from './sample.ts'
import type { Look } from './scenes.ts'
import { authenticatorFor } from './second-factor.ts'
import { linkTo, sentDocument } from './story.ts'
import { plugIn } from './virtual-authenticator.ts'
import { LOW_DISK } from './warnings.ts'

/** Presses the button of the form with this action, and waits for the page behind it. */
async function submit(page: Page, action: string, button = 'button:last-of-type'): Promise<void> {
  const form = page.locator(`form[action$="${action}"]`).last()
  await form.evaluate(each => {
    ;(each as HTMLFormElement).noValidate = true
  })
  await Promise.all([page.waitForEvent('load'), form.locator(button).last().click()])
}

const field = (page: Page, name: string) => page.locator(`main [name="${name}"]`)

/** After the clock has moved on. */
async function signInAgain(server: AppServer, page: Page): Promise<void> {
  await page.context().clearCookies({ name: 'signet_session' })
  await server.signIn(page)
}

interface Walk {
  scene: PeopleScene
  /** A window of somebody new. */
  open(): Promise<Page>
  look: Look
}

/** The whole walk, on an instance with people. */
export async function walkSettings(scene: PeopleScene, open: () => Promise<Page>, look: Look): Promise<void> {
  const walk = { scene, open, look }
  const page = await open()
  await signIns(walk)
  await scene.server.signIn(page)
  await people(walk, page)
  await profile(walk, page)
  await tokens(walk, page)
  await webhooks(walk, page)
  await email(walk, page)
  await seal(walk, page)
  await organisation(walk, page)
  await expired(walk)
  await retention(walk, page)
  await audit(walk, page)
  await health(walk, page)
  await backups(walk, page)
  await others(walk)
}

async function signIns({ scene: { server, link }, open, look }: Walk): Promise<void> {
  const page = await open()
  await page.goto('/sign-in')
  await look('sign-in', page)
  await field(page, 'email').fill(ADMIN.email)
  await field(page, 'password').fill('not the password')
  await submit(page, '/sign-in')
  await look('sign-in-error', page)
  await page.goto('/forgot')
  await look('forgot', page)
  await field(page, 'email').fill(ADMIN.email)
  await submit(page, '/forgot')
  await look('forgot-sent', page)
  const { token } = await issueResetLink(server.t.app, ADMIN.email, SYSTEM)
  await page.goto(`/reset/${token}`)
  await look('reset', page)
  await field(page, 'password').fill('short')
  await submit(page, `/reset/${token}`)
  await look('reset-errors', page)
  await page.goto(`/reset/${token.replace(/.$/, 'x')}`)
  await look('reset-spent', page)
  await page.goto(new URL(link).pathname)
  await look('invitation', page)
  await field(page, 'password').fill('short')
  await submit(page, new URL(link).pathname)
  await look('invitation-errors', page)
  await page.goto(`${new URL(link).pathname.slice(0, -1)}x`)
  await look('invitation-spent', page)
}

async function people({ scene, look }: Walk, page: Page): Promise<void> {
  for (const [name, path] of Object.entries(PEOPLE_PAGES).filter(([name]) => name !== 'accept')) {
    const answer = await page.goto(path(scene))
    if (answer?.status() !== 200) throw new Error(`${path(scene)} is answered with ${answer?.status()}`)
    await look(`people-${name}`, page)
  }
  await page.goto('/settings/people/invite')
  await submit(page, '/invite')
  await look('people-invite-errors', page)
  await field(page, 'name').fill('Rosalind Franklin')
  await field(page, 'email').fill('rosalind@example.com')
  await page.locator('[name="role"][value="auditor"]').check()
  await page.locator('[name="delivery"][value="link"]').check()
  await submit(page, '/invite')
  await look('people-invited', page)
  await page.goto(`/settings/people/${scene.mia.id}?notice=role`)
  await look('people-person-notice', page)
}

async function profile({ scene: { server }, open, look }: Walk, page: Page): Promise<void> {
  const { t } = server
  await plugIn(page)
  await page.goto('/profile')
  await look('profile', page)
  await field(page, 'current').fill('wrong')
  await field(page, 'password').fill('short')
  await submit(page, '/profile/password')
  await look('profile-errors', page)
  await page.goto('/profile/passkeys/add')
  await look('passkey-add', page)
  await page.goto('/profile/second-factor')
  await look('second-factor-start', page)
  await submit(page, '/profile/second-factor')
  await look('second-factor-set-up', page)
  const phone = authenticatorFor(t.app, (await page.locator('pre.key').textContent()) ?? '')
  await field(page, 'code').fill('000000')
  await submit(page, '/set-up')
  await look('second-factor-wrong', page)
  await field(page, 'code').fill(phone.code())
  await submit(page, '/set-up')
  await look('second-factor-codes', page)
  for (const name of ['codes', 'remove']) {
    await page.goto(`/profile/second-factor/${name}`)
    await look(`second-factor-question-${name}`, page)
  }
  await page.goto('/settings/sign-in')
  await look('sign-in-settings', page)
  await page.goto('/settings/sign-in/second-factor')
  await look('sign-in-settings-rule', page)
  t.clock.pass({ minutes: 1 })
  const another = await open()
  await server.signIn(another)
  await look('sign-in-code', another)
  await field(another, 'code').fill('000000')
  await submit(another, '/sign-in/code')
  await look('sign-in-code-error', another)
  await field(another, 'code').fill(phone.code())
  await submit(another, '/sign-in/code')
  // Its session ends when the clock moves on: its live updates would then fail.
  await another.close()
  await page.goto('/profile')
  await look('profile-secured', page)
  t.clock.pass({ minutes: 20 })
  await page.goto('/confirm?next=/settings/people')
  await look('confirm', page)
  await field(page, 'password').fill(ADMIN.password)
  await submit(page, '/confirm')
  await page.goto('/profile/second-factor/remove')
  await submit(page, '/remove')
  await look('profile-factor-removed', page)
}

async function tokens({ look }: Walk, page: Page): Promise<void> {
  await page.goto('/settings/tokens')
  await look('tokens-empty', page)
  await submit(page, '/settings/tokens')
  await look('tokens-errors', page)
  await field(page, 'name').fill('HR system')
  await page.locator('[name="access"][value="chosen"]').check()
  await page.locator('[name^="scope:"]').first().check()
  await page.locator('[name="expiry"][value="date"]').check()
  await field(page, 'expiresOn').fill('2026-11-30')
  await look('tokens-filled', page)
  await submit(page, '/settings/tokens')
  await look('tokens-made', page)
  await page.goto('/settings/tokens')
  await look('tokens', page)
  await page.locator('.table td.title a').first().click()
  await page.waitForURL(/tokens\/key_/)
  await look('token', page)
  await page.goto(`${page.url()}/revoke`)
  await look('token-revoke', page)
  await submit(page, '/revoke', '.danger')
  await look('tokens-revoked', page)
}

async function webhooks({ scene: { server }, look }: Walk, page: Page): Promise<void> {
  const { t } = server
  await page.goto('/settings/webhooks')
  await look('webhooks-empty', page)
  await page.goto('/settings/webhooks/new')
  await look('webhooks-new', page)
  await field(page, 'url').fill('http://192.168.1.20/hook')
  await page.locator('[name="which"][value="chosen"]').check()
  await submit(page, '/settings/webhooks')
  await look('webhooks-errors', page)
  await field(page, 'url').fill('http://127.0.0.1:9/hooks/signet')
  await field(page, 'description').fill('HR system')
  await page.locator('[name="which"][value="all"]').check()
  await submit(page, '/settings/webhooks')
  await look('webhooks-made', page)
  const [webhook] = await listWebhooks(t.app.db, { seesAll: true, userId: undefined })
  const address = `/settings/webhooks/${webhook?.id}`
  await page.goto(address)
  await submit(page, '/test')
  await look('webhook-tested', page)
  await sentDocument(t, { title: 'Lease of the mill' })
  for (let i = 0; i < 9; i++) {
    t.clock.pass({ days: 1 })
    await t.drain()
  }
  await signInAgain(server, page)
  await page.goto('/settings/webhooks')
  await look('webhooks', page)
  for (const name of ['', '/deliveries', '/edit', '/rotate', '/delete']) {
    await page.goto(address + name)
    await look(`webhook${name.replace('/', '-')}`, page)
  }
  await page.goto(`${address}/deliveries`)
  await page.locator('.table td a').first().click()
  await page.waitForURL(/deliveries\/./)
  await look('webhook-delivery', page)
  await page.goto('/settings/webhooks/networks')
  await look('webhooks-networks', page)
}

async function email({ scene: { server }, look }: Walk, page: Page): Promise<void> {
  const { t } = server
  await page.goto('/outbox')
  await look('outbox', page)
  await page.goto('/settings/email')
  await look('email-none', page)
  await field(page, 'host').fill('not a host')
  await submit(page, '/settings/email')
  await look('email-errors', page)
  await field(page, 'host').fill('127.0.0.1')
  await field(page, 'port').fill('9')
  await field(page, 'security').selectOption('none')
  await field(page, 'user').fill('signet')
  await field(page, 'smtpPassword').fill('secret')
  await field(page, 'senderAddress').fill('sign@acme.example')
  await submit(page, '/settings/email')
  await look('email-saved', page)
  await submit(page, '/settings/email/test')
  await look('email-test-failed', page)
  t.app.config.fixed.smtpUrl = 'smtp://mail.example.com:587'
  await page.goto('/settings/email')
  await look('email-fixed', page)
  const [mail] = await latestMails(t.app.db, 1, 'accepted')
  await page.goto(`/outbox/${mail?.id}`)
  await look('outbox-mail', page)
  await page.goto(`/outbox/${mail?.id}/fail`)
  await look('outbox-fail', page)
}

async function seal({ look }: Walk, page: Page): Promise<void> {
  await page.goto('/settings/seal')
  await look('seal', page)
  await page.goto('/settings/seal/time-stamps')
  await look('timestamps', page)
  await page.locator('main form[action="/settings/seal/time-stamps"] input').nth(1).fill('http://127.0.0.1:9/tsa')
  await submit(page, '/settings/seal/time-stamps')
  await look('timestamps-saved', page)
  await submit(page, '/settings/seal/time-stamps/test')
  await look('timestamps-test-failed', page)
}

async function organisation({ look }: Walk, page: Page): Promise<void> {
  await page.goto('/settings/organisation')
  await look('organisation', page)
  await field(page, 'name').fill('')
  await field(page, 'colour').fill('#ffcc00')
  await submit(page, '/settings/organisation', 'button.primary')
  await look('organisation-errors', page)
}

/** A link whose time has run out. */
async function expired({ scene: { server }, open, look }: Walk): Promise<void> {
  const { t } = server
  await sentDocument(t, { expiresInDays: 2 })
  t.clock.pass({ days: 3 })
  await runSchedule(t.app)
  const page = await open()
  await page.goto(linkTo(t, ADA.email))
  await look('link-expired', page)
}

async function retention({ scene: { server }, look }: Walk, page: Page): Promise<void> {
  const { t } = server
  for (const title of ['Rental contract, Elm Street 4', 'Rental contract, Elm Street 6']) {
    const id = await sentDocument(t, { title })
    await t.api('POST', `/documents/${id}/void`, { reason: 'Wrong file' })
  }
  t.clock.pass({ days: 40 })
  await signInAgain(server, page)
  await page.goto('/settings/retention')
  await look('retention-off', page)
  await field(page, 'completed').fill('x')
  await submit(page, '/settings/retention/preview')
  await look('retention-errors', page)
  await field(page, 'completed').fill('24')
  await field(page, 'voided').fill('1')
  await submit(page, '/settings/retention/preview')
  await look('retention-preview', page)
  await submit(page, '/settings/retention')
  await look('retention-waiting', page)
}

async function audit({ scene: { server }, look }: Walk, page: Page): Promise<void> {
  await page.goto('/settings/audit')
  await look('audit', page)
  await submit(page, '/settings/audit/check')
  await server.t.app.checks.settled()
  await page.goto('/settings/audit')
  await page.locator('.settings-page summary').first().click()
  await look('audit-checked', page)
  await page.goto('/settings/audit?kind=document.sent&person=nobody')
  await look('audit-none-found', page)
  await page.goto('/settings/audit/3')
  await look('audit-entry', page)
  await page.goto('/settings/audit/checkpoints')
  await look('audit-checkpoints', page)
}

async function health({ scene: { server }, look }: Walk, page: Page): Promise<void> {
  const { t } = server
  await page.goto('/settings/health')
  await look('health', page)
  await submit(page, '/settings/health/check')
  await t.app.checks.settled()
  await raiseAlert(t.app, LOW_DISK)
  await page.goto('/settings/health')
  await look('health-checked', page)
  await page.goto('/documents')
  await look('documents-alert', page)
}

async function backups({ scene: { server }, look }: Walk, page: Page): Promise<void> {
  const { t } = server
  const folder = join(t.folder, 'backups')
  mkdirSync(folder)
  await page.goto('/settings/backups')
  await look('backups-none', page)
  await page.locator('#folder').fill('backup')
  await submit(page, '/settings/backups')
  await look('backups-errors', page)
  await page.locator('#folder').fill(folder)
  await submit(page, '/settings/backups')
  await look('backups-passphrase', page)
  await page.goto('/settings/backups')
  await look('backups-waiting', page)
  await submit(page, '/settings/backups/run')
  await until('the backup', async () => (await newestRuns(t.app.db, 1))[0]?.verdict)
  await page.goto('/settings/backups')
  await look('backups', page)
  t.app.config.masterKeyFile = join(t.app.config.dataFolder, 'keys/master.key')
  await page.goto('/settings/backups')
  await look('backups-key-copy', page)
  t.app.config.masterKeyFile = undefined
  rmSync(folder, { recursive: true })
  t.clock.pass({ days: 1 })
  await runDueBackup(t.app)
  await signInAgain(server, page)
  await page.goto('/settings/backups')
  await look('backups-failed', page)
  const since = t.app.now()
  await t.app.write(tx => pauseSending(tx, { since, backupMadeAt: new Date(since.getTime() - 86_400_000) }))
  await sentDocument(t)
  await updateAlerts(t.app)
  await page.goto('/settings/backups/resume')
  await look('sending-paused', page)
}

/** What a member sees: the own pages, and a refusal. */
async function others({ scene: { mia }, open, look }: Walk): Promise<void> {
  const page = await open()
  await page.goto('/sign-in')
  await field(page, 'email').fill(mia.email)
  await field(page, 'password').fill(mia.password)
  await submit(page, '/sign-in')
  await page.goto('/settings/tokens')
  await look('member-tokens', page)
  await page.goto('/settings/people')
  await look('member-refused', page)
}
