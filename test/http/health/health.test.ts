/** Settings → Health: what it says, who may open it, trying again, thorough checks. */
import { expect, test } from 'bun:test'
import { raiseAlert } from '../../../src/alerts/alerts.ts'
import { diagnosis } from '../../../src/locales/diagnoses.ts'
import { noteTimestampAnswer } from '../../../src/settings/timestamp-settings.ts'
import { textOf } from '../../support/browser-less.ts'
import { sentDocument } from '../../support/story.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'
import { newVisitor } from '../../support/visitors.ts'

const t = useTestApp({ env: { SIGNET_SMTP_URL: 'smtp://127.0.0.1:9?security=none' } })
const visitor = useAdministrator(t)

const HEALTH = '/settings/health'

async function sendWithTrouble(): Promise<void> {
  const later = { outcome: 'refused', permanent: false, reply: '451 try later' } as const
  t.mailVerdicts.push(later, later)
  await sentDocument(t)
}

test('it says what the service is made of, to auditors too', async () => {
  for (const each of [visitor, await newVisitor(t, 'auditor')]) {
    const text = textOf(await each.get(HEALTH))
    for (const part of ['Database', 'Disk', 'Seal certificate', 'Nothing waits.', 'SIGNET_SMTP_URL']) expect(text).toContain(part)
  }
})

test('an open warning is the first thing it says, and once', async () => {
  await raiseAlert(t.app, { kind: 'backup_missing', found: diagnosis('backup_missing') })
  const text = textOf(await visitor.get(HEALTH))
  expect(text).toContain('Something needs to be done now.')
  expect(text).toContain('There are no backups: if this machine is lost, so is every contract on it.')
  expect(text).not.toContain('An administrator needs to act')
  expect(textOf(await visitor.get('/documents'))).toContain(
    'There are no backups: if this machine is lost, so is every contract on it. Set up backups',
  )
})

test('work that failed is shown with its last answer, and is tried again by administrators alone', async () => {
  await sendWithTrouble()
  const page = await visitor.get(HEALTH)
  expect(textOf(page)).toContain('2 failed and are tried again later. The last answer: 451 try later.')
  const auditor = await newVisitor(t, 'auditor')
  expect((await auditor.get(HEALTH)).html).not.toContain('/settings/health/retry')
  expect((await auditor.post(`${HEALTH}/retry`, { kind: 'mail' })).status).toBe(403)
  const sentBefore = t.mails.length
  expect(textOf(await visitor.submit(page, {}, '/retry'))).toContain('is tried again now')
  await t.drain()
  expect(t.mails.length).toBe(sentBefore + 2)
  expect(textOf(await visitor.get(HEALTH))).not.toContain('451 try later')
})

test('thorough checks run in the background, and what they found stays', async () => {
  const page = await visitor.get(HEALTH)
  expect(textOf(page)).toContain('They have not run yet.')
  expect(textOf(await visitor.submit(page, {}, '/check'))).toContain('The checks have begun.')
  await t.app.checks.settled()
  const text = textOf(await visitor.get(HEALTH))
  expect(text).toContain('A test page was sealed and is valid.')
  expect(text).toMatch(/0 files, the hash of each matches its name\./)
  expect(text).toMatch(/Audit log \d+ entries, head [0-9a-f]{64}\./)
  if (t.app.db.engine === 'sqlite') expect(text).toContain('Database Intact.')
  await visitor.submit(await visitor.get(HEALTH), { language: 'de' }, '/language')
  expect(textOf(await visitor.get(HEALTH))).toContain('Eine Testseite wurde gesiegelt und ist gültig.')
  const german = textOf(await visitor.get(HEALTH))
  const findings = german.slice(german.indexOf('Gründliche Prüfungen'), german.indexOf('Abschottung Für'))
  expect(findings).toMatch(/Audit-Protokoll \d+ Einträge, unversehrt/)
  if (t.app.db.engine === 'sqlite') expect(findings).not.toMatch(/\b(the|are|entries|of)\b/)
})

test('it says what the time-stamp authority last answered, and how far the clock differs from its', async () => {
  t.app.config.fixed.tsaUrl = 'http://tsa.example.com/'
  expect(textOf(await visitor.get(HEALTH))).toContain('1 authority is set. None has been asked yet.')
  await noteTimestampAnswer(t.app, { stampedAt: new Date(t.clock.now.getTime() + 1200) })
  const well = textOf(await visitor.get(HEALTH))
  expect(well).toContain('The last time-stamp came on 20 Nov 2026, 17:25 UTC.')
  if (t.app.node.isAlone) expect(well).toContain('by 1.2 s on 20 Nov 2026, 17:25 UTC.')
  t.clock.pass({ minutes: 11 })
  await noteTimestampAnswer(t.app, { failure: 'tsa.example.com answered 503' })
  expect(textOf(await visitor.get(HEALTH))).toContain('on 20 Nov 2026, 17:36 UTC, failed: tsa.example.com answered 503.')
})
