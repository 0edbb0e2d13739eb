/**
 * Conditions that need an administrator: a damaged file, a full disk, a webhook that was disabled. An open alert is a row. Raising and ending it are
 * events of the audit log; raising it mails the administrators once, and a bounded number of times in a day.
 */
import { operatorAddresses } from '../accounts/notified.ts'
import { appendInstanceEvent } from '../audit/log.ts'
import type { Tx } from '../db/open.ts'
import { type Address, queueNotice } from '../outbox/outbox.ts'
import { type App, SYSTEM } from '../ports.ts'
import * as queries from './queries.ts'

export type AlertKind = 'database_damaged' | 'file_damaged' | 'disk_low' | 'webhook_failing' | 'webhook_disabled'

export interface NewAlert {
  kind: AlertKind
  /** What it is about: the SHA-256 of a file, the id of a webhook. Empty, the default, for the instance as a whole. */
  subject?: string
  /** Subject line of the mail. */
  title: string
  /** What is wrong and what to do, in one or two sentences. */
  message: string
  /** Where in the web app to act. */
  link?: { text: string; path: string }
  /** Who is mailed in place of the administrators. */
  to?: readonly Address[]
}

type Services = Pick<App, 'newId' | 'now' | 'log'>

/** Opens the alert inside a transaction of the caller. An alert that is open already changes nothing. Returns whether it is new. */
export async function raiseAlertIn(tx: Tx, app: Services, alert: NewAlert): Promise<boolean> {
  const { kind, subject = '', title, message, link, to } = alert
  if (!(await queries.insertAlert(tx, { kind, subject, since: app.now(), message }))) return false
  app.log('error', 'alert raised', { kind, subject, message })
  await appendInstanceEvent(tx, app, { type: 'alert.raised', data: { kind, subject, message } }, SYSTEM)
  for (const address of to ?? (await operatorAddresses(tx))) {
    const count = await queries.countAlertMail(tx, kind, address.email, app.now())
    if (count > MAX_MAILS_A_DAY) continue
    const paragraphs = count === MAX_MAILS_A_DAY ? [message, LAST_OF_THE_DAY] : [message]
    await queueNotice(tx, app, address, { subject: title, paragraphs, ...(link ? { link } : {}) })
  }
  return true
}

/** Of a kind, to one address: a thousand damaged files, or a disk that is full and has room by turns, must not bury what else is mailed. */
export const MAX_MAILS_A_DAY = 10
const LAST_OF_THE_DAY = `This is the ${MAX_MAILS_A_DAY}th mail of this kind within a day: more will not be sent for a day. Run signet doctor to see every open alert.`

/** Opens the alert in a transaction of its own. */
export function raiseAlert(app: Services & Pick<App, 'write'>, alert: NewAlert): Promise<boolean> {
  return app.write(tx => raiseAlertIn(tx, app, alert))
}

/** Ends the alert inside a transaction of the caller. Returns whether it was open. */
export async function endAlertIn(tx: Tx, app: Services, kind: AlertKind, subject = ''): Promise<boolean> {
  if (!(await queries.deleteAlert(tx, kind, subject))) return false
  app.log('info', 'alert ended', { kind, subject })
  await appendInstanceEvent(tx, app, { type: 'alert.ended', data: { kind, subject } }, SYSTEM)
  return true
}

/** Ends the alert if it is open. The write lock is taken only then: callers ask often. */
export async function endAlert(app: Services & Pick<App, 'write' | 'db'>, kind: AlertKind, subject = ''): Promise<boolean> {
  if (!(await queries.isAlertOpen(app.db, kind, subject))) return false
  return app.write(tx => endAlertIn(tx, app, kind, subject))
}
