/**
 * Alerts report conditions that need an administrator. An open alert is a row; pages show it, and
 * `alert-mails.ts` mails it. Raising it, its next step and its end are audit events.
 */
import { appendInstanceEvent } from '../audit/log.ts'
import type { AlertKind } from '../core/alert.ts'
import type { Tx } from '../db/open.ts'
import { type App, SYSTEM } from '../ports.ts'
import * as queries from './queries.ts'

export interface NewAlert {
  kind: AlertKind
  /** A file by its SHA-256, a webhook by id, a node by name; empty for the whole instance. */
  subject?: string
  /**
   * How bad it is: a smaller number is worse, such as days left. The alert is mailed again at each
   * smaller step, and keeps the smallest.
   */
  step?: number
  /** Problem and remedy in one or two sentences, with its German in `alert-texts.ts`. */
  message: string
  /** Mailed to this user, too. */
  ownerId?: string | undefined
  /** When it is mailed; by default after `MAIL_DELAY_MS`. */
  mailAfterMs?: number | 'never'
}

/** What is raised within this time goes into one mail. What ends within it is not mailed. */
export const MAIL_DELAY_MS = 2 * 60_000

type Services = Pick<App, 'newId' | 'now' | 'random' | 'log' | 'afterCommit'>

/** Opens the alert in the caller's transaction, or updates it. Whether it is new or worse. */
export async function raiseAlertIn(tx: Tx, app: Services, alert: NewAlert): Promise<boolean> {
  const { kind, subject = '', step, message, ownerId, mailAfterMs = MAIL_DELAY_MS } = alert
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
  const isSame = open?.message === alert.message && (alert.step === undefined || alert.step >= (open.step ?? 0))
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
