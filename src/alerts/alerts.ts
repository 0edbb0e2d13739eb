/**
 * Alerts report conditions that need an administrator. An open alert is a row. Its start and its
 * end are audit events; the start sends mails, a limited number of them per day.
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
  /** SHA-256 of a file or id of a webhook. Empty, the default, for the whole instance. */
  subject?: string
  /** Subject line of the mail. */
  title: string
  /** Problem and remedy in one or two sentences. */
  message: string
  /** The page of the web app that shows the problem. */
  link?: { text: string; path: string }
  /** Recipients of the mail; the administrators by default. */
  to?: readonly Address[]
}

type Services = Pick<App, 'newId' | 'now' | 'log'>

/** Opens the alert in the caller's transaction, unless it is open. Returns whether it is new. */
export async function raiseAlertIn(tx: Tx, app: Services, alert: NewAlert): Promise<boolean> {
  const { kind, subject = '', title, message, link, to } = alert
  if (!(await queries.insertAlert(tx, { kind, subject, since: app.now(), message }))) return false
  app.log('error', 'alert raised', { kind, subject, message })
  await appendInstanceEvent(tx, app, { type: 'alert.raised', data: { kind, subject, message } }, SYSTEM)
  for (const address of to ?? (await operatorAddresses(tx))) {
    const count = await queries.countAlertMail(tx, kind, address.email, app.now())
    if (count > MAX_MAILS_A_DAY) continue
    const paragraphs = count === MAX_MAILS_A_DAY ? [message, LAST_MAIL_NOTE] : [message]
    await queueNotice(tx, app, address, { subject: title, paragraphs, ...(link ? { link } : {}) })
  }
  return true
}

/** Per kind and address: a thousand damaged files must not flood the inbox. */
export const MAX_MAILS_A_DAY = 10
const LAST_MAIL_NOTE = `This is the ${MAX_MAILS_A_DAY}th mail of this kind within a day: no more will be sent for a day. Run signet doctor to see every open alert.`

export function raiseAlert(app: Services & Pick<App, 'write'>, alert: NewAlert): Promise<boolean> {
  return app.write(tx => raiseAlertIn(tx, app, alert))
}

/** Ends the alert in the caller's transaction. Returns whether it was open. */
export async function endAlertIn(tx: Tx, app: Services, kind: AlertKind, subject = ''): Promise<boolean> {
  if (!(await queries.deleteAlert(tx, kind, subject))) return false
  app.log('info', 'alert ended', { kind, subject })
  await appendInstanceEvent(tx, app, { type: 'alert.ended', data: { kind, subject } }, SYSTEM)
  return true
}

/** Ends the alert if it is open. Often it is not: then no transaction is begun. */
export async function endAlert(app: Services & Pick<App, 'write' | 'db'>, kind: AlertKind, subject = ''): Promise<boolean> {
  if (!(await queries.isAlertOpen(app.db, kind, subject))) return false
  return app.write(tx => endAlertIn(tx, app, kind, subject))
}
