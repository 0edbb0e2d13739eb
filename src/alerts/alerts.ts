/**
 * Alerts report conditions that need an administrator. An open alert is a row of `alerts`; raising
 * and ending it are audit events, and raising it sends mails, up to a limit per day.
 */
import { addressesForAdministrators } from '../accounts/notified.ts'
import { appendInstanceEvent } from '../audit/log.ts'
import type { Tx } from '../db/open.ts'
import { type Address, queueNotice } from '../outbox/outbox.ts'
import { type App, SYSTEM } from '../ports.ts'
import * as queries from './queries.ts'

export type AlertKind =
  | 'database_damaged'
  | 'file_damaged'
  | 'disk_low'
  | 'webhook_failing'
  | 'webhook_disabled'
  | 'backup_failed'

export interface NewAlert {
  kind: AlertKind
  /** A file by its SHA-256, a webhook by id, a node by name; empty for the whole instance. */
  subject?: string
  /** Subject line of the mail. */
  title: string
  /** Problem and remedy in one or two sentences. */
  message: string
  /** The page of the web app that shows the problem. */
  link?: { text: string; path: string }
  /** Recipients of the mail; by default those of `addressesForAdministrators`. */
  to?: readonly Address[]
}

type Services = Pick<App, 'newId' | 'now' | 'log' | 'afterCommit'>

/** Opens the alert in the caller's transaction unless already open. Returns whether it is new. */
export async function raiseAlertIn(tx: Tx, app: Services, alert: NewAlert): Promise<boolean> {
  const { kind, subject = '', title, message, link, to } = alert
  if (!(await queries.insertAlert(tx, { kind, subject, since: app.now(), message }))) return false
  app.afterCommit(tx, () => app.log('error', 'alert raised', { kind, subject, message }))
  await appendInstanceEvent(tx, app, { type: 'alert.raised', data: { kind, subject, message } }, SYSTEM)
  for (const address of to ?? (await addressesForAdministrators(tx))) {
    const mailsToday = await queries.incrementAlertMails(tx, kind, address.email, app.now())
    if (mailsToday > MAX_MAILS_PER_DAY) continue
    const paragraphs = mailsToday === MAX_MAILS_PER_DAY ? [message, LAST_MAIL_NOTE] : [message]
    await queueNotice(tx, app, address, { subject: title, paragraphs, ...(link ? { link } : {}) })
  }
  return true
}

/** Per kind and address: a thousand damaged files must not flood the inbox. */
export const MAX_MAILS_PER_DAY = 10
const LAST_MAIL_NOTE = `This is the ${MAX_MAILS_PER_DAY}th mail of this kind within a day: no more will be sent for a day. Run signet doctor to see every open alert.`

export function raiseAlert(app: Services & Pick<App, 'write'>, alert: NewAlert): Promise<boolean> {
  return app.write(tx => raiseAlertIn(tx, app, alert))
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
  if (!(await queries.isAlertOpen(app.db, kind, subject))) return false
  return app.write(tx => endAlertIn(tx, app, kind, subject))
}
