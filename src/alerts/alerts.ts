/** Raises and ends alerts, and mails those of some minutes as one, in the reader's language. */
import { type Addressee, mailPerson } from '../accounts/account-mail.ts'
import { addressesForOwner, addressesForWarnings } from '../accounts/notified.ts'
import { appendInstanceEvent } from '../audit/log.ts'
import { type AlertKind, alertPath, isAlertKind } from '../core/alert.ts'
import { HEALTH_PATH, WEBHOOKS_PATH } from '../core/page-paths.ts'
import type { Tx } from '../db/open.ts'
import { MINUTE_MS } from '../lib/duration.ts'
import type { AppTexts } from '../locales/app.ts'
import { type Diagnosis, englishOfDiagnosis } from '../locales/diagnoses.ts'
import { type App, SYSTEM } from '../ports.ts'
import * as queries from './queries.ts'

// Alerts report conditions that need an administrator. An open alert is a row; pages show it, and
// a mail tells of it. Raising it, its next step and its end are audit events.

export interface NewAlert {
  kind: AlertKind
  /** A file by its SHA-256, a webhook by id, a node by name; empty for the whole instance. */
  subject?: string
  /**
   * How bad it is: a smaller number is worse, such as days left. The alert is mailed again at each
   * smaller step, and keeps the smallest.
   */
  step?: number | undefined
  /** Problem and remedy, stored in English. */
  found: Diagnosis
  /** Mailed to this user, too. */
  ownerId?: string | undefined
  /** When it is mailed; by default after `MAIL_DELAY_MS`. */
  mailAfterMs?: number | 'never' | undefined
}

/** What is raised within this time goes into one mail. What ends within it is not mailed. */
const MAIL_DELAY_MS = 2 * MINUTE_MS

type Services = Pick<App, 'newId' | 'now' | 'random' | 'log' | 'afterCommit'>

/** Opens the alert in the caller's transaction, or updates it. Whether it is new or worse. */
export async function raiseAlertIn(tx: Tx, app: Services, alert: NewAlert): Promise<boolean> {
  const { kind, subject = '', step, found, ownerId, mailAfterMs = MAIL_DELAY_MS } = alert
  const message = englishOfDiagnosis(found)
  const open = await queries.findAlert(tx, kind, subject)
  const isWorse = open?.step !== undefined && step !== undefined && step < open.step
  if (open && !isWorse) {
    if (open.message !== message) await queries.setAlertMessage(tx, kind, subject, message)
    return false
  }
  const now = app.now()
  const mailDueAt = mailAfterMs === 'never' ? undefined : new Date(now.getTime() + mailAfterMs)
  await queries.saveAlert(tx, { kind, subject, since: open?.since ?? now, message, step, ownerId, mailDueAt })
  app.afterCommit(tx, () => app.log('error', 'alert raised', { kind, subject, message }))
  const data = { kind, subject, message, ...(step === undefined ? {} : { step }) }
  await appendInstanceEvent(tx, app, { type: 'alert.raised', data }, SYSTEM)
  return true
}

/** As `raiseAlertIn`. An alert that is open as it is begins no transaction. */
export async function raiseAlert(app: Services & Pick<App, 'write' | 'db'>, alert: NewAlert): Promise<boolean> {
  const open = await queries.findAlert(app.db, alert.kind, alert.subject ?? '')
  const isSame = open?.message === englishOfDiagnosis(alert.found) && (alert.step === undefined || alert.step >= (open.step ?? 0))
  return isSame ? false : app.write(tx => raiseAlertIn(tx, app, alert))
}

/** Ends the alert in the caller's transaction. Returns whether it was open. */
export async function endAlertIn(tx: Tx, app: Services, kind: AlertKind, subject = ''): Promise<boolean> {
  if (!(await queries.deleteAlert(tx, kind, subject))) return false
  app.afterCommit(tx, () => app.log('info', 'alert ended', { kind, subject }))
  await appendInstanceEvent(tx, app, { type: 'alert.ended', data: { kind, subject } }, SYSTEM)
  return true
}

/** Ends the alert if it is open. Most calls find none open and thus begin no transaction. */
export async function endAlert(app: Services & Pick<App, 'write' | 'db'>, kind: AlertKind, subject = ''): Promise<boolean> {
  if ((await queries.findAlert(app.db, kind, subject)) === undefined) return false
  return app.write(tx => endAlertIn(tx, app, kind, subject))
}

// The mail about the alerts of some minutes.

/** Per kind and address: an alert that comes and goes must not flood the inbox. */
const MAX_MAILS_PER_DAY = 10
/** Of one kind in one mail: a thousand damaged files are one sentence. */
const MAX_OF_A_KIND = 3

type Mailed = queries.Alert & { kind: AlertKind }

interface Reader extends Addressee {
  /** Wants the alerts of the instance; others get only their own. */
  isAdmin: boolean
}

/**
 * Scheduled: mails what is due. The rows are marked in the transaction that queues the mails, so
 * nothing is mailed twice. While mail itself fails they stay due, and are mailed if open later.
 */
export async function mailAlerts(app: App): Promise<void> {
  if (!(await queries.isAlertMailDue(app.db, app.now())) || (await queries.findAlert(app.db, 'mail_failing', ''))) return
  await app.write(async tx => {
    const taken = await queries.takeAlertsToMail(tx, new Date(app.now().getTime() + MAIL_DELAY_MS))
    const alerts = taken.filter((alert): alert is Mailed => isAlertKind(alert.kind))
    for (const { reader, own } of await readersOf(tx, alerts)) await mailReader(tx, app, reader, own)
  })
}

/** The administrators get all of them, the owner of a webhook those about it. Each once. */
async function readersOf(tx: Tx, alerts: readonly Mailed[]): Promise<{ reader: Reader; own: Mailed[] }[]> {
  const readers = new Map<string, { reader: Reader; own: Mailed[] }>()
  for (const to of await addressesForWarnings(tx)) readers.set(to.email, { reader: { ...to, isAdmin: true }, own: [...alerts] })
  for (const alert of alerts.filter(({ ownerId }) => ownerId !== undefined)) {
    for (const to of await addressesForOwner(tx, alert.ownerId)) {
      const known = readers.get(to.email)
      if (known === undefined) readers.set(to.email, { reader: { ...to, isAdmin: false }, own: [alert] })
      else if (!known.own.includes(alert)) known.own.push(alert)
    }
  }
  return [...readers.values()]
}

async function mailReader(tx: Tx, app: App, reader: Reader, alerts: readonly Mailed[]): Promise<void> {
  const groups = groupsOf(alerts)
  const within: Group[] = []
  let isLast = false
  for (const group of groups) {
    const mailsToday = await queries.incrementAlertMails(tx, group.kind, reader.email, app.now())
    if (mailsToday > MAX_MAILS_PER_DAY) continue
    within.push(group)
    isLast ||= mailsToday === MAX_MAILS_PER_DAY
  }
  const [first] = within
  if (!first) return
  await mailPerson(tx, app, reader, texts => letterOf(texts, within, first, { isLast, isAdmin: reader.isAdmin }))
}

interface Group {
  kind: AlertKind
  /** The oldest. */
  alerts: readonly Mailed[]
}

function groupsOf(alerts: readonly Mailed[]): Group[] {
  const kinds = [...new Set(alerts.map(({ kind }) => kind))]
  return kinds.map(kind => ({ kind, alerts: alerts.filter(each => each.kind === kind) }))
}

/** After the name of the warning, unless the message begins with the same words. */
export function namedMessage(name: string, message: string): string {
  const begin = (text: string) => text.split(' ', 3).join(' ')
  return begin(name) === begin(message) ? message : `${name}. ${message}`
}

/** One alert is the subject of its mail; several are listed. */
function letterOf(
  texts: AppTexts,
  groups: readonly Group[],
  first: Group,
  { isLast, isAdmin }: { isLast: boolean; isAdmin: boolean },
) {
  const t = texts.alerts
  const isOne = groups.length === 1
  const paragraphs = groups.flatMap(({ kind, alerts }) => {
    const messages = alerts.slice(0, MAX_OF_A_KIND).map(({ message }) => texts.storedText(message))
    const [head = '', ...rest] = isOne
      ? messages
      : messages.map((text, i) => (i === 0 ? namedMessage(t.kinds[kind], text) : text))
    const more = alerts.length - messages.length
    return [head, ...rest, ...(more > 0 ? [t.mail.more(more)] : [])]
  })
  const path = isOne ? alertPath(first.kind, first.alerts[0]?.subject ?? '') : isAdmin ? HEALTH_PATH : WEBHOOKS_PATH
  return {
    subject: isOne ? t.kinds[first.kind] : t.mail.several(groups.length),
    paragraphs: [...paragraphs, ...(isLast ? [t.mail.last(MAX_MAILS_PER_DAY)] : []), ...(isAdmin ? [t.mail.why] : [])],
    link: { text: isOne ? t.links[first.kind] : t.mail.link, path },
  }
}
