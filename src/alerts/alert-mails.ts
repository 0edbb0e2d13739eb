/** One mail for all alerts that were raised within some minutes, in the reader's language. */
import type { Addressee } from '../accounts/account-mail.ts'
import { mailPerson } from '../accounts/account-mail.ts'
import { addressesForOwner, addressesForWarnings } from '../accounts/notified.ts'
import { type AlertKind, alertPath, isAlertKind } from '../core/alert.ts'
import type { Tx } from '../db/open.ts'
import type { AppTexts } from '../locales/app.ts'
import type { App } from '../ports.ts'
import { MAIL_DELAY_MS } from './alerts.ts'
import * as queries from './queries.ts'

/** Per kind and address: an alert that comes and goes must not flood the inbox. */
export const MAX_MAILS_PER_DAY = 10
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
    const messages = alerts.slice(0, MAX_OF_A_KIND).map(({ message }) => texts.errors(message))
    const [head = '', ...rest] = isOne
      ? messages
      : messages.map((text, i) => (i === 0 ? namedMessage(t.kinds[kind], text) : text))
    const more = alerts.length - messages.length
    return [head, ...rest, ...(more > 0 ? [t.mail.more(more)] : [])]
  })
  const path = isOne ? alertPath(first.kind, first.alerts[0]?.subject ?? '') : isAdmin ? '/settings/health' : '/settings/webhooks'
  return {
    subject: isOne ? t.kinds[first.kind] : t.mail.several(groups.length),
    paragraphs: [...paragraphs, ...(isLast ? [t.mail.last(MAX_MAILS_PER_DAY)] : []), ...(isAdmin ? [t.mail.why] : [])],
    link: { text: isOne ? t.links[first.kind] : t.mail.link, path },
  }
}
