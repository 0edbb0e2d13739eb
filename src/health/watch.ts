/**
 * The rules of the alerts that follow from the state of the installation. Each is cheap, since all
 * run once a minute. Other alerts, such as that of a damaged file, are raised where they occur.
 */
import { mailPerson } from '../accounts/account-mail.ts'
import { addressesForWarnings } from '../accounts/notified.ts'
import { endAlertIn, type NewAlert, raiseAlert } from '../alerts/alerts.ts'
import { findAlert } from '../alerts/queries.ts'
import { isBackupMissed, readBackupPlan } from '../backups/plan.ts'
import { newestVerified } from '../backups/run-queries.ts'
import { chooseAppLanguage } from '../core/language.ts'
import { OUTBOX_PATH } from '../core/page-paths.ts'
import type { Tx } from '../db/open.ts'
import { MAX_CLOCK_DIFFERENCE_MS } from '../db/postgresql/server-check.ts'
import { pageTime } from '../lib/clock-format.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/duration.ts'
import { errorMessage } from '../lib/log.ts'
import { type Diagnosis, diagnosis } from '../locales/diagnoses.ts'
import { JOB_KINDS, type JobKind, KINDS_ON_THIS_MACHINE } from '../outbox/queries.ts'
import type { App } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { activeSealCertificate } from '../settings/queries.ts'
import { sendingPause } from '../settings/sending-pause.ts'
import { unreadableSettings } from '../settings/service-settings.ts'
import { lastTimestampAnswer, readTimestampSettings } from '../settings/timestamp-settings.ts'
import { CERTIFICATE_WARN_DAYS } from './finding.ts'
import * as queries from './queries.ts'
import { lastAcceptedMail } from './queries.ts'

/** `step`: as that of an alert. */
type Found = Diagnosis & Pick<NewAlert, 'step'>

interface Watch extends Pick<NewAlert, 'kind' | 'subject' | 'mailAfterMs'> {
  /** Undefined: all is well. */
  find(app: App): Promise<Found | undefined>
  /** In the transaction that ends the alert. */
  ended?(tx: Tx, app: App, since: Date): Promise<void>
}

/** Who has just set the instance up has time to set up backups, too. */
const BACKUP_MAIL_AFTER_MS = 3 * DAY_MS

const WATCHES: Watch[] = [
  // Whoever restored it knows, and no mail goes out.
  { kind: 'sending_paused', mailAfterMs: 'never', find: findPause },
  // A mail about it could not go out.
  { kind: 'mail_failing', mailAfterMs: 'never', find: findMailFailure, ended: mailWorksAgain },
  { kind: 'certificate_ends', find: findCertificateEnd },
  { kind: 'timestamps_failing', find: findTimestampFailure },
  { kind: 'clock_wrong', find: findClockError },
  { kind: 'setting_unreadable', find: findUnreadableSetting },
  { kind: 'backup_missing', mailAfterMs: BACKUP_MAIL_AFTER_MS, find: findMissingBackup },
  { kind: 'backup_overdue', find: findOverdueBackup },
  { kind: 'seals_failing', subject: 'seal', find: app => findFailingSeals(app, 'seal') },
  { kind: 'seals_failing', subject: 'augment', find: app => findFailingSeals(app, 'augment') },
  ...JOB_KINDS.map((kind): Watch => ({ kind: 'jobs_stuck', subject: kind, find: app => findStuckJobs(app, kind) })),
]

/** Raises and ends what has changed. A rule that fails does not stop the others. */
export async function updateAlerts(app: App): Promise<void> {
  for (const watch of WATCHES) {
    try {
      await update(app, watch)
    } catch (error) {
      const { kind, subject } = watch
      app.log('error', 'a watch failed', { kind, subject, error: errorMessage(error) })
    }
  }
}

async function update(app: App, { kind, subject = '', mailAfterMs, find, ended }: Watch): Promise<void> {
  const found = await find(app)
  if (found) {
    await raiseAlert(app, { kind, subject, found, step: found.step, mailAfterMs })
    return
  }
  const open = await findAlert(app.db, kind, subject)
  if (!open) return
  await app.write(async tx => {
    if (await endAlertIn(tx, app, kind, subject)) await ended?.(tx, app, open.since)
  })
}

const isOlder = (app: App, at: Date, ms: number) => app.now().getTime() - at.getTime() >= ms

async function findPause({ db }: App): Promise<Found | undefined> {
  if (!(await sendingPause(db))) return undefined
  return diagnosis('sending_paused')
}

const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Addresses in the words of a mail server are personal data, which the audit log must not keep. */
const withoutAddresses = (text: string) => text.replace(/[^\s<>"']+@[^\s<>"']+/g, '…')

const MAIL_FAILS_AFTER_MS = HOUR_MS

/** None was accepted since a mail was made that has failed for an hour. */
async function findMailFailure(app: App): Promise<Found | undefined> {
  if (await sendingPause(app.db)) return undefined
  const failing = await queries.oldestFailing(app.db, 'mail', await queries.lastAcceptedMail(app.db))
  if (!failing || !isOlder(app, failing.createdAt, MAIL_FAILS_AFTER_MS)) return undefined
  return diagnosis('mail_failing', { reason: asSentence(withoutAddresses(failing.error)) })
}

function mailWorksAgain(tx: Tx, app: App, since: Date): Promise<void> {
  return mailAgain(tx, app, new Date(since.getTime() - MAIL_FAILS_AFTER_MS))
}

/** Days before the end. An own certificate is renewed long before: then something is wrong. */
const CERTIFICATE_STEPS = [CERTIFICATE_WARN_DAYS, 14, 7, 1]

async function findCertificateEnd(app: App): Promise<Found | undefined> {
  const active = await activeSealCertificate(app.db)
  if (!active) return undefined
  const daysLeft = (active.notAfter.getTime() - app.now().getTime()) / DAY_MS
  const isOwn = active.rootId !== undefined
  if (daysLeft <= 0) return { step: 0, ...diagnosis('certificate_ended', { isOwn }) }
  const step = CERTIFICATE_STEPS.findLast(days => daysLeft <= days)
  if (step === undefined) return undefined
  if (step === 1) return { step, ...diagnosis('certificate_ends_tomorrow', { isOwn }) }
  return { step, ...diagnosis('certificate_ends', { isOwn, days: step }) }
}

const TIMESTAMPS_FAIL_AFTER_MS = HOUR_MS

async function findTimestampFailure(app: App): Promise<Found | undefined> {
  const answer = await lastTimestampAnswer(app.db)
  if (!answer?.failingSince || !isOlder(app, answer.failingSince, TIMESTAMPS_FAIL_AFTER_MS)) return undefined
  if ((await readTimestampSettings(app)).authorities.length === 0) return undefined
  return diagnosis('timestamps_failing', { reason: (answer.failure ?? '').replace(/\.$/, '') })
}

/** Of the authority's clock: its answer takes seconds at most. */
export const MAX_AUTHORITY_DIFFERENCE_MS = MINUTE_MS
const MAX_FUTURE_MS = 5 * MINUTE_MS

async function findClockError(app: App): Promise<Found | undefined> {
  const last = await queries.lastEntryAt(app.db)
  if (last && last.getTime() - app.now().getTime() > MAX_FUTURE_MS) {
    return diagnosis('clock_goes_back')
  }
  const { clockDifferenceMs = 0 } = (await lastTimestampAnswer(app.db)) ?? {}
  if (Math.abs(clockDifferenceMs) <= MAX_AUTHORITY_DIFFERENCE_MS) return undefined
  return diagnosis('clock_differs_from_authority', { seconds: Math.round(Math.abs(clockDifferenceMs) / 1000) })
}

async function findUnreadableSetting(app: App): Promise<Found | undefined> {
  const [first] = await unreadableSettings(app)
  return first && diagnosis('setting_unreadable', first)
}

async function findMissingBackup(app: App): Promise<Found | undefined> {
  return (await isBackupMissed(app)) ? diagnosis('backup_missing') : undefined
}

/** Days after which the last backup is too old: one was left out, and a day has passed. */
const MAX_DAYS_DAILY = 2
const MAX_DAYS_WEEKLY = 9

async function findOverdueBackup(app: App): Promise<Found | undefined> {
  const plan = await readBackupPlan(app.db)
  if (!plan || plan.frequency === 'off' || (await sendingPause(app.db))) return undefined
  const maxDays = plan.frequency === 'daily' ? MAX_DAYS_DAILY : MAX_DAYS_WEEKLY
  const last = await newestVerified(app.db)
  const from = new Date(Math.max(last?.startedAt.getTime() ?? 0, Date.parse(plan.changedAt)))
  if (!isOlder(app, from, maxDays * DAY_MS)) return undefined
  return diagnosis('backup_overdue', { days: maxDays })
}

/** Lists of revoked certificates, which augmenting needs, are often away for hours. */
const SEALS_FAIL_AFTER_MS = { seal: HOUR_MS, augment: DAY_MS }

async function findFailingSeals(app: App, kind: 'seal' | 'augment'): Promise<Found | undefined> {
  const failing = await queries.oldestFailing(app.db, kind)
  if (!failing || !isOlder(app, failing.createdAt, SEALS_FAIL_AFTER_MS[kind])) return undefined
  return diagnosis(`${kind}_failing`, { reason: asSentence(failing.error) })
}

const STUCK_AFTER_MS = HOUR_MS

/** A long queue is none: then a node is at work. Time in which no node served does not count. */
async function findStuckJobs(app: App, kind: JobKind): Promise<Found | undefined> {
  const oldest = await queries.oldestWaiting(app.db, kind)
  if (!oldest || !isOlder(app, oldest, STUCK_AFTER_MS)) return undefined
  const servedSince = await queries.servedSince(app.db)
  if (!servedSince || !isOlder(app, servedSince, STUCK_AFTER_MS) || (await queries.isAnyLeased(app.db, kind))) return undefined
  if (!KINDS_ON_THIS_MACHINE.includes(kind) && (await sendingPause(app.db))) return undefined
  return diagnosis(`${kind}_stuck`)
}

/** On every node: its clock beside that of the database. One process alone has only its own. */
export async function watchOwnClock(app: App): Promise<void> {
  if (app.node.isAlone) return
  const kind = 'clock_wrong'
  if (!app.node.hasRightClock()) {
    const { name } = app.node
    const found = diagnosis('clock_of_node_differs', { node: name, seconds: MAX_CLOCK_DIFFERENCE_MS / 1000 })
    await raiseAlert({ ...app, write: app.writeAtAnyClock }, { kind, subject: name, found })
  } else if (await findAlert(app.db, kind, app.node.name)) {
    await app.write(tx => endAlertIn(tx, app, kind, app.node.name))
  }
}

// Mails the administrators that mails go out again, with the time in which none did.

/** Nothing is mailed if it ended because what waited was deleted. */
async function mailAgain(tx: Tx, app: App, since: Date): Promise<void> {
  const accepted = await lastAcceptedMail(tx)
  if (!accepted || accepted < since) return
  const { timeZone, language } = await readOrganisation(tx)
  for (const to of await addressesForWarnings(tx)) {
    const time = (at: Date) => pageTime(at, { timeZone, language: chooseAppLanguage(to.language ?? language, null) })
    await mailPerson(tx, app, to, ({ alerts: { mail } }) => ({
      subject: mail.again,
      paragraphs: [mail.againText(time(since), time(accepted)), mail.why],
      link: { text: mail.againLink, path: OUTBOX_PATH },
    }))
  }
}
