/** Queues mails and jobs as rows of the change's transaction; the worker runs them later. */
import { join } from 'node:path'
import type { FollowUp } from '../core/document/follow-up.ts'
import { Refusal, UnreachableError } from '../core/refusal.ts'
import type { Tx } from '../db/open.ts'
import { storageRefusal } from '../db/storage-refusal.ts'
import { changeTogether } from '../db/together.ts'
import { isOutOfFiles } from '../lib/disk.ts'
import { DAY_MS } from '../lib/duration.ts'
import { randomFraction } from '../lib/id.ts'
import { eraseMails, type MailIdentity, sweepMails } from '../mailer/outbox-folder.ts'
import type { App } from '../ports.ts'
import { compactWhenDue, noteCompactionDue } from '../settings/compaction.ts'
import * as queries from './queries.ts'
import { dropNoticesBefore } from './queries.ts'

export interface Address {
  name: string
  email: string
}

/** The recipient's address; without a recipient those of the users to inform. */
export type AddressBook = (recipientId: string | undefined) => Promise<readonly Address[]>

type Deps = Pick<App, 'newId' | 'now'>

/** Rows of work, to be inserted. */
export interface Queued {
  mails: queries.Mail[]
  jobs: queries.NewJob[]
}

export async function queuedFor(app: Deps, followUps: readonly FollowUp[], addressesOf: AddressBook): Promise<Queued> {
  const queued: Queued = { mails: [], jobs: [] }
  for (const followUp of followUps) {
    const { documentId } = followUp
    if (followUp.kind === 'seal') {
      queued.jobs.push({ id: app.newId('job'), kind: 'seal', subject: documentId, lane: 'seal', documentId, dueAt: app.now() })
      continue
    }
    const mail = { kind: followUp.mail, documentId, recipientId: followUp.recipientId, notice: undefined }
    for (const address of await addressesOf(followUp.recipientId)) addMail(queued, app, address, mail)
  }
  return queued
}

/** Queues a mail that belongs to no document, for a user of the web app. Returns its id. */
export async function queueNotice(tx: Tx, app: Deps, to: Address, notice: queries.Notice): Promise<string> {
  const queued: Queued = { mails: [], jobs: [] }
  const id = addMail(queued, app, to, { kind: 'notice', documentId: undefined, recipientId: undefined, notice })
  await changeTogether(tx, [...queries.mailInsertions(tx, queued.mails), ...queries.jobInsertions(tx, queued.jobs, app.now())])
  return id
}

function addMail(
  { mails, jobs }: Queued,
  app: Deps,
  { name, email }: Address,
  mail: Pick<queries.Mail, 'kind' | 'documentId' | 'recipientId' | 'notice'>,
): string {
  const [id, now] = [app.newId('mail'), app.now()]
  mails.push({ ...mail, id, name, email, status: 'queued', reply: undefined, createdAt: now, sentAt: undefined })
  const { documentId } = mail
  jobs.push({ id: app.newId('job'), kind: 'mail', subject: id, lane: MAIL_LANE, documentId, dueAt: now })
  return id
}

/**
 * All mails go to one mail server. Mails that timed out are retried in a slow lane; those of
 * batches are in a lane of their own, which leaves the capacity for single mails.
 */
export const MAIL_LANE = 'mail'
export const MAIL_SLOW_LANE = 'mail:slow'
export const MAIL_BULK_LANE = 'mail:bulk'

/** Seconds before each retry of a mail: nearly three days in total. */
export const MAIL_PAUSES_S = [30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 57_600, 86_400]
/** The last pause repeats: sealing is never given up. */
const SEAL_PAUSES_S = [5, 30, 120, 600, 1800, 3600]
/** The longest pause, without jitter, if only the machine was too busy, or a server away. */
const BUSY_PAUSE_S = 30

/** Whether the machine had no capacity: nothing is wrong with the document. */
export function isMachineBusy(error: unknown): boolean {
  return isOutOfFiles(error) || (error instanceof Refusal && (error.reason === 'overloaded' || error.reason === 'shutting_down'))
}

/** Seconds before the next attempt to seal. `attempts` excludes the one that failed. */
export function sealRetryDelayS({ attempts }: Pick<queries.Job, 'attempts'>, error: unknown): number {
  const pauseS = SEAL_PAUSES_S[Math.min(attempts, SEAL_PAUSES_S.length - 1)] ?? 3600
  const isShort = isMachineBusy(error) || storageRefusal(error) instanceof UnreachableError
  return isShort ? Math.min(pauseS, BUSY_PAUSE_S) : pauseS
}

/** The time `seconds` from now, ±10 % so that many jobs are not retried at once. */
export function retryTime({ now, random }: Pick<App, 'now' | 'random'>, seconds: number): Date {
  return new Date(now().getTime() + seconds * 1000 * (0.9 + 0.2 * randomFraction(random)))
}

/** The same for every attempt, so that a mail sent twice can be recognised. RFC 5322 §3.6.4. */
export function messageIdOf(app: Pick<App, 'config'>, mailId: string): string {
  return `<${mailId}@${new URL(app.config.baseUrl).hostname.replace(/[[\]]/g, '')}>`
}

/** The folder for mails while no mail server is configured. */
export function outboxFolder({ config }: Pick<App, 'config'>): string {
  return join(config.dataFolder, 'outbox')
}

/** The message ID and date that name the file of a mail in the outbox folder. */
export function fileIdentityOf(app: Pick<App, 'config'>, mail: Pick<queries.Mail, 'id' | 'createdAt'>): MailIdentity {
  return { messageId: messageIdOf(app, mail.id), date: mail.createdAt }
}

export function eraseMailFiles(app: Pick<App, 'config' | 'fileSystem'>, mails: queries.Mail[]): Promise<void> {
  return eraseMails(
    app.fileSystem,
    outboxFolder(app),
    mails.map(mail => fileIdentityOf(app, mail)),
  )
}

/** Deletes mail files without a row, left by a crash while deleting. Returns the number. */
export async function sweepMailFiles(app: Pick<App, 'config' | 'db' | 'fileSystem' | 'timers'>): Promise<number> {
  const findByDates = async (dates: Date[]) =>
    (await queries.mailsCreatedAt(app.db, dates)).map(mail => fileIdentityOf(app, mail))
  return sweepMails(app, outboxFolder(app), findByDates)
}

/**
 * Days for which mails that belong to no document are kept. Those that wait are kept until they
 * end.
 */
const NOTICE_DAYS = { accepted: 30, failed: 90 } as const
const NOTICES_AT_ONCE = 200

/** Deletes old mails that belong to no document, with their files. */
export async function sweepNotices(app: Pick<App, 'config' | 'db' | 'fileSystem' | 'write' | 'now' | 'compact'>): Promise<void> {
  for (const status of ['accepted', 'failed'] as const) {
    const before = new Date(app.now().getTime() - NOTICE_DAYS[status] * DAY_MS)
    for (let dropped = NOTICES_AT_ONCE; dropped === NOTICES_AT_ONCE; ) {
      const mails = await app.write(
        async tx => {
          const old = await dropNoticesBefore(tx, status, before, NOTICES_AT_ONCE)
          if (old.length > 0) await noteCompactionDue(tx)
          return old
        },
        { wake: false },
      )
      await eraseMailFiles(app, mails)
      dropped = mails.length
    }
  }
  await compactWhenDue(app)
}
