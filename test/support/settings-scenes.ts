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
import { makeDueCheckpoint } from '../../src/health/checkpoints.ts'
import { updateAlerts } from '../../src/health/watch.ts'
import { runSchedule } from '../../src/jobs/schedule.ts'
import { latestMails } from '../../src/outbox/queries.ts'
import { SYSTEM } from '../../src/ports.ts'
import { pauseSending } from '../../src/settings/sending-pause.ts'
import { listWebhooks } from '../../src/webhooks/queries.ts'
import type { AppServer } from './app-server.ts'
import { visit } from './browser.ts'
import { until } from './executable.ts'
import { witnessInEveryState } from './own-witness.ts'
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

/** Submits the form, and looks at the page behind it. */
async function submitToSee(page: Page, action: string, name: string, look: Look, button?: string): Promise<void> {
  await submit(page, action, button)
  await look(name, page)
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
  await visit(page, '/sign-in', 'sign-in', look)
  await field(page, 'email').fill(ADMIN.email)
  await field(page, 'password').fill('not the password')
  await submitToSee(page, '/sign-in', 'sign-in-error', look)
  await visit(page, '/forgot', 'forgot', look)
  await field(page, 'email').fill(ADMIN.email)
  await submitToSee(page, '/forgot', 'forgot-sent', look)
  const { token } = await issueResetLink(server.t.app, ADMIN.email, SYSTEM)
  await visit(page, `/reset/${token}`, 'reset', look)
  await field(page, 'password').fill('short')
  await submitToSee(page, `/reset/${token}`, 'reset-errors', look)
  await visit(page, `/reset/${token.replace(/.$/, 'x')}`, 'reset-spent', look)
  await visit(page, new URL(link).pathname, 'invitation', look)
  await field(page, 'password').fill('short')
  await submitToSee(page, new URL(link).pathname, 'invitation-errors', look)
  await visit(page, `${new URL(link).pathname.slice(0, -1)}x`, 'invitation-spent', look)
}

async function people({ scene, look }: Walk, page: Page): Promise<void> {
  for (const [name, path] of Object.entries(PEOPLE_PAGES).filter(([name]) => name !== 'accept')) {
    const answer = await page.goto(path(scene))
    if (answer?.status() !== 200) throw new Error(`${path(scene)} is answered with ${answer?.status()}`)
    await look(`people-${name}`, page)
  }
  await page.goto('/settings/people/invite')
  await submitToSee(page, '/invite', 'people-invite-errors', look)
  await field(page, 'name').fill('Rosalind Franklin')
  await field(page, 'email').fill('rosalind@example.com')
  await page.locator('[name="role"][value="auditor"]').check()
  await page.locator('[name="delivery"][value="link"]').check()
  await submitToSee(page, '/invite', 'people-invited', look)
  await visit(page, `/settings/people/${scene.mia.id}?notice=role`, 'people-person-notice', look)
}

async function profile({ scene: { server }, open, look }: Walk, page: Page): Promise<void> {
  const { t } = server
  await plugIn(page)
  await visit(page, '/profile', 'profile', look)
  await field(page, 'current').fill('wrong')
  await field(page, 'password').fill('short')
  await submitToSee(page, '/profile/password', 'profile-errors', look)
  await visit(page, '/profile/passkeys/add', 'passkey-add', look)
  await visit(page, '/profile/second-factor', 'second-factor-start', look)
  await submitToSee(page, '/profile/second-factor', 'second-factor-set-up', look)
  const phone = authenticatorFor(t.app, (await page.locator('pre.key').textContent()) ?? '')
  await field(page, 'code').fill('000000')
  await submitToSee(page, '/set-up', 'second-factor-wrong', look)
  await field(page, 'code').fill(phone.code())
  await submitToSee(page, '/set-up', 'second-factor-codes', look)
  for (const name of ['codes', 'remove']) {
    await visit(page, `/profile/second-factor/${name}`, `second-factor-question-${name}`, look)
  }
  await visit(page, '/settings/sign-in', 'sign-in-settings', look)
  await visit(page, '/settings/sign-in/second-factor', 'sign-in-settings-rule', look)
  t.clock.pass({ minutes: 1 })
  const another = await open()
  await server.signIn(another)
  await look('sign-in-code', another)
  await field(another, 'code').fill('000000')
  await submitToSee(another, '/sign-in/code', 'sign-in-code-error', look)
  await field(another, 'code').fill(phone.code())
  await submit(another, '/sign-in/code')
  // Its session ends when the clock moves on: its live updates would then fail.
  await another.close()
  await visit(page, '/profile', 'profile-secured', look)
  t.clock.pass({ minutes: 20 })
  await visit(page, '/confirm?next=/settings/people', 'confirm', look)
  await field(page, 'password').fill(ADMIN.password)
  await submit(page, '/confirm')
  await page.goto('/profile/second-factor/remove')
  await submitToSee(page, '/remove', 'profile-factor-removed', look)
}

async function tokens({ look }: Walk, page: Page): Promise<void> {
  await visit(page, '/settings/tokens', 'tokens-empty', look)
  await submitToSee(page, '/settings/tokens', 'tokens-errors', look)
  await field(page, 'name').fill('HR system')
  await page.locator('[name="access"][value="chosen"]').check()
  await page.locator('[name^="scope:"]').first().check()
  await page.locator('[name="expiry"][value="date"]').check()
  await field(page, 'expiresOn').fill('2026-11-30')
  await look('tokens-filled', page)
  await submitToSee(page, '/settings/tokens', 'tokens-made', look)
  await visit(page, '/settings/tokens', 'tokens', look)
  await page.locator('.table td.title a').first().click()
  await page.waitForURL(/tokens\/key_/)
  await look('token', page)
  await visit(page, `${page.url()}/revoke`, 'token-revoke', look)
  await submitToSee(page, '/revoke', 'tokens-revoked', look, '.danger')
}

async function webhooks({ scene: { server }, look }: Walk, page: Page): Promise<void> {
  const { t } = server
  await visit(page, '/settings/webhooks', 'webhooks-empty', look)
  await visit(page, '/settings/webhooks/new', 'webhooks-new', look)
  await field(page, 'url').fill('http://192.168.1.20/hook')
  await page.locator('[name="which"][value="chosen"]').check()
  await submitToSee(page, '/settings/webhooks', 'webhooks-errors', look)
  await field(page, 'url').fill('http://127.0.0.1:9/hooks/signet')
  await field(page, 'description').fill('HR system')
  await page.locator('[name="which"][value="all"]').check()
  await submitToSee(page, '/settings/webhooks', 'webhooks-made', look)
  const [webhook] = await listWebhooks(t.app.db, { seesAll: true, userId: undefined })
  const address = `/settings/webhooks/${webhook?.id}`
  await page.goto(address)
  await submitToSee(page, '/test', 'webhook-tested', look)
  await sentDocument(t, { title: 'Lease of the mill' })
  for (let i = 0; i < 9; i++) {
    t.clock.pass({ days: 1 })
    await t.drain()
  }
  await signInAgain(server, page)
  await visit(page, '/settings/webhooks', 'webhooks', look)
  for (const name of ['', '/deliveries', '/edit', '/rotate', '/delete']) {
    await visit(page, address + name, `webhook${name.replace('/', '-')}`, look)
  }
  await page.goto(`${address}/deliveries`)
  await page.locator('.table td a').first().click()
  await page.waitForURL(/deliveries\/./)
  await look('webhook-delivery', page)
  await visit(page, '/settings/webhooks/networks', 'webhooks-networks', look)
}

async function email({ scene: { server }, look }: Walk, page: Page): Promise<void> {
  const { t } = server
  await visit(page, '/outbox', 'outbox', look)
  await visit(page, '/settings/email', 'email-none', look)
  await field(page, 'host').fill('not a host')
  await submitToSee(page, '/settings/email', 'email-errors', look)
  await field(page, 'host').fill('127.0.0.1')
  await field(page, 'port').fill('9')
  await field(page, 'security').selectOption('none')
  await field(page, 'user').fill('signet')
  await field(page, 'smtpPassword').fill('secret')
  await field(page, 'senderAddress').fill('sign@acme.example')
  await submitToSee(page, '/settings/email', 'email-saved', look)
  await submitToSee(page, '/settings/email/test', 'email-test-failed', look)
  t.app.config.fixed.smtpUrl = 'smtp://mail.example.com:587'
  await visit(page, '/settings/email', 'email-fixed', look)
  const [mail] = await latestMails(t.app.db, 1, 'accepted')
  await visit(page, `/outbox/${mail?.id}`, 'outbox-mail', look)
  await visit(page, `/outbox/${mail?.id}/fail`, 'outbox-fail', look)
}

async function seal({ look }: Walk, page: Page): Promise<void> {
  await visit(page, '/settings/seal', 'seal', look)
  await visit(page, '/settings/seal/time-stamps', 'timestamps', look)
  await page.locator('main form[action="/settings/seal/time-stamps"] input').nth(1).fill('http://127.0.0.1:9/tsa')
  await submitToSee(page, '/settings/seal/time-stamps', 'timestamps-saved', look)
  await submitToSee(page, '/settings/seal/time-stamps/test', 'timestamps-test-failed', look)
}

async function organisation({ look }: Walk, page: Page): Promise<void> {
  await visit(page, '/settings/organisation', 'organisation', look)
  await field(page, 'name').fill('')
  await field(page, 'colour').fill('#ffcc00')
  await submitToSee(page, '/settings/organisation', 'organisation-errors', look, 'button.primary')
}

/** A link whose time has run out. */
async function expired({ scene: { server }, open, look }: Walk): Promise<void> {
  const { t } = server
  await sentDocument(t, { expiresInDays: 2 })
  t.clock.pass({ days: 3 })
  await runSchedule(t.app)
  const page = await open()
  await visit(page, linkTo(t, ADA.email), 'link-expired', look)
}

async function retention({ scene: { server }, look }: Walk, page: Page): Promise<void> {
  const { t } = server
  for (const title of ['Rental contract, Elm Street 4', 'Rental contract, Elm Street 6']) {
    const id = await sentDocument(t, { title })
    await t.api('POST', `/documents/${id}/void`, { reason: 'Wrong file' })
  }
  t.clock.pass({ days: 40 })
  await signInAgain(server, page)
  await visit(page, '/settings/retention', 'retention-off', look)
  await field(page, 'completed').fill('x')
  await submitToSee(page, '/settings/retention/preview', 'retention-errors', look)
  await field(page, 'completed').fill('24')
  await field(page, 'voided').fill('1')
  await submitToSee(page, '/settings/retention/preview', 'retention-preview', look)
  await submitToSee(page, '/settings/retention', 'retention-waiting', look)
}

async function audit({ scene: { server }, look }: Walk, page: Page): Promise<void> {
  await visit(page, '/settings/audit', 'audit', look)
  await submit(page, '/settings/audit/check')
  await server.t.app.checks.settled()
  await page.goto('/settings/audit')
  await page.locator('.settings-page summary').first().click()
  await look('audit-checked', page)
  await visit(page, '/settings/audit?kind=document.sent&person=nobody', 'audit-none-found', look)
  await visit(page, '/settings/audit/3', 'audit-entry', look)
  await makeDueCheckpoint(server.t.app)
  await visit(page, '/settings/audit/checkpoints', 'audit-checkpoints', look)
  await visit(page, '/settings/audit/witness', 'audit-witness-off', look)
  const { differing } = await witnessInEveryState(server.t)
  await visit(page, '/settings/audit/witness', 'audit-witness-disagrees', look)
  await visit(page, '/settings/audit/witnessed', 'audit-witnessed', look)
  await visit(page, `/settings/audit/witnessed/${differing}`, 'audit-witnessed-differs', look)
}

async function health({ scene: { server }, look }: Walk, page: Page): Promise<void> {
  const { t } = server
  await visit(page, '/settings/health', 'health', look)
  await submit(page, '/settings/health/check')
  await t.app.checks.settled()
  await raiseAlert(t.app, LOW_DISK)
  await visit(page, '/settings/health', 'health-checked', look)
  await visit(page, '/documents', 'documents-alert', look)
}

async function backups({ scene: { server }, look }: Walk, page: Page): Promise<void> {
  const { t } = server
  const folder = join(t.folder, 'backups')
  mkdirSync(folder)
  await visit(page, '/settings/backups', 'backups-none', look)
  await page.locator('#folder').fill('backup')
  await submitToSee(page, '/settings/backups', 'backups-errors', look)
  await page.locator('#folder').fill(folder)
  await submitToSee(page, '/settings/backups', 'backups-passphrase', look)
  await visit(page, '/settings/backups', 'backups-waiting', look)
  await submit(page, '/settings/backups/run')
  await until('the backup', async () => (await newestRuns(t.app.db, 1))[0]?.verdict)
  await visit(page, '/settings/backups', 'backups', look)
  t.app.config.masterKeyFile = join(t.app.config.dataFolder, 'keys/master.key')
  await visit(page, '/settings/backups', 'backups-key-copy', look)
  t.app.config.masterKeyFile = undefined
  rmSync(folder, { recursive: true })
  t.clock.pass({ days: 1 })
  await runDueBackup(t.app)
  await signInAgain(server, page)
  await visit(page, '/settings/backups', 'backups-failed', look)
  const since = t.app.now()
  await t.app.write(tx => pauseSending(tx, { since, backupMadeAt: new Date(since.getTime() - 86_400_000) }))
  await sentDocument(t)
  await updateAlerts(t.app)
  await visit(page, '/settings/backups/resume', 'sending-paused', look)
}

/** What a member sees: the own pages, and a refusal. */
async function others({ scene: { mia }, open, look }: Walk): Promise<void> {
  const page = await open()
  await page.goto('/sign-in')
  await field(page, 'email').fill(mia.email)
  await field(page, 'password').fill(mia.password)
  await submit(page, '/sign-in')
  await visit(page, '/settings/tokens', 'member-tokens', look)
  await visit(page, '/settings/people', 'member-refused', look)
}
