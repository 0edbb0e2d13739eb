/**
 * Turns orders into rows, inside the transaction of the change that asks for them. A worker carries
 * them out after the commit.
 */
import { join } from 'node:path'
import type { FollowUp } from '../core/follow-up.ts'
import { Refusal } from '../core/refusal.ts'
import type { Tx } from '../db/open.ts'
import { isOutOfFiles } from '../lib/disk.ts'
import { eraseMails, sweepMails } from '../mailer/outbox-folder.ts'
import type { App } from '../ports.ts'
import * as queries from './queries.ts'

export interface Address {
  name: string
  email: string
}

/**
 * Whom a mail goes to: the recipient, or, without a recipient, who is told in the sender's place;
 * nobody for none.
 */
export type AddressBook = (recipientId: string | undefined) => Promise<readonly Address[]>

export async function queueFollowUps(tx: Tx, app: Clock, orders: FollowUp[], addressesOf: AddressBook): Promise<void> {
  const now = app.now()
  for (const order of orders) {
    const { documentId } = order
    if (order.kind === 'seal') {
      const job = { id: app.newId('job'), kind: 'seal', subject: documentId, lane: 'seal', documentId, dueAt: now } as const
      await queries.insertJob(tx, job, now)
      continue
    }
    const mail = { kind: order.mail, documentId, recipientId: order.recipientId, notice: undefined }
    for (const address of await addressesOf(order.recipientId)) await queueMail(tx, app, address, mail)
  }
}

type Clock = Pick<App, 'newId' | 'now'>

/** Queues a mail that belongs to no document, for a user of the web app. */
export async function queueNotice(tx: Tx, app: Clock, to: Address, notice: queries.Notice): Promise<void> {
  await queueMail(tx, app, to, { kind: 'notice', documentId: undefined, recipientId: undefined, notice })
}

async function queueMail(
  tx: Tx,
  app: Clock,
  { name, email }: Address,
  mail: Pick<queries.Mail, 'kind' | 'documentId' | 'recipientId' | 'notice'>,
): Promise<void> {
  const [id, now] = [app.newId('mail'), app.now()]
  const { documentId } = mail
  await queries.insertMail(tx, {
    ...mail,
    id,
    name,
    email,
    status: 'queued',
    reply: undefined,
    createdAt: now,
    sentAt: undefined,
  })
  await queries.insertJob(tx, { id: app.newId('job'), kind: 'mail', subject: id, lane: MAIL_LANE, documentId, dueAt: now }, now)
}

/**
 * Every mail goes to the one mail server. What timed out there is tried again in a lane of its own,
 * which few may use at once.
 */
export const MAIL_LANE = 'mail'
export const MAIL_SLOW_LANE = 'mail:slow'

/** Seconds before each further attempt at a mail: nearly three days in all. */
export const MAIL_PAUSES_S = [30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 57_600, 86_400]
/** The last pause repeats: a fully signed document is never given up. */
const SEAL_PAUSES_S = [5, 30, 120, 600, 1800, 3600]
/** While only the machine is short of time: at most a minute, jitter included. */
const BUSY_PAUSE_S = 30

/** Whether the machine could not do it now, with nothing wrong with the document. */
export function isMachineBusy(error: unknown): boolean {
  return isOutOfFiles(error) || (error instanceof Refusal && (error.reason === 'overloaded' || error.reason === 'shutting_down'))
}

/** Seconds before the next attempt at a seal. `attempts`: made before the one that failed. */
export function sealRetryDelayS({ attempts }: Pick<queries.Job, 'attempts'>, error: unknown): number {
  const pauseS = SEAL_PAUSES_S[Math.min(attempts, SEAL_PAUSES_S.length - 1)] ?? 3600
  return isMachineBusy(error) ? Math.min(pauseS, BUSY_PAUSE_S) : pauseS
}

/** A moment `seconds` from now, ±10 % so that many do not come back at once. */
export function retryTime(now: Date, seconds: number, jitter = Math.random()): Date {
  return new Date(now.getTime() + seconds * 1000 * (0.9 + 0.2 * jitter))
}

/**
 * The same for every attempt at a mail, so that a mail sent twice is recognised. RFC 5322 §3.6.4.
 */
export function messageIdOf(app: Pick<App, 'config'>, mailId: string): string {
  return `<${mailId}@${new URL(app.config.baseUrl).hostname.replace(/[[\]]/g, '')}>`
}

type Place = Pick<App, 'config'>

/** Where mails lie while no mail server is set; some may still lie there after one was. */
export function outboxFolder({ config }: Place): string {
  return join(config.dataFolder, 'outbox')
}

/** What a mail's file in the outbox folder is named by. */
export function filedAs(app: Place, mail: Pick<queries.Mail, 'id' | 'createdAt'>): { messageId: string; date: Date } {
  return { messageId: messageIdOf(app, mail.id), date: mail.createdAt }
}

/** Removes the files of mails whose rows are gone. */
export function eraseFiledMails(app: Place, mails: queries.Mail[]): Promise<void> {
  return eraseMails(
    outboxFolder(app),
    mails.map(mail => filedAs(app, mail)),
  )
}

/**
 * Removes files of mails that no row speaks of: their document was erased, and the process died
 * before their turn came. Answers how many.
 */
export async function sweepFiledMails(app: Place & Pick<App, 'db'>): Promise<number> {
  const knownAt = async (moments: Date[]) => (await queries.mailsMadeAt(app.db, moments)).map(mail => filedAs(app, mail))
  return sweepMails(outboxFolder(app), knownAt)
}
