/** Erases documents whose retention is over: what would go, the warning before, the nightly run. */
import { queueLetter } from '../../accounts/account-mail.ts'
import { addressesForAdministrators } from '../../accounts/notified.ts'
import { appendInstanceEvent } from '../../audit/log.ts'
import type { Announcement } from '../../config/stored-rows.ts'
import { daysAfter } from '../../core/document/document.ts'
import {
  isRetentionOver,
  monthsBefore,
  RETAINED_STATUSES,
  type RetainedStatus,
  type RetentionPeriods,
} from '../../core/document/retention.ts'
import { RETENTION_PATH } from '../../core/page-paths.ts'
import type { Db, Tx } from '../../db/open.ts'
import { errorMessage } from '../../lib/log.ts'
import type { AppTexts } from '../../locales/app.ts'
import { mailsById, noticesQueued } from '../../outbox/queries.ts'
import { type App, type Origin, SYSTEM } from '../../ports.ts'
import { compactWhenDue } from '../../settings/compaction.ts'
import {
  ANNOUNCED_DAYS,
  forgetAnnouncement,
  isOff,
  mayErase,
  noteAnnouncement,
  noteReached,
  noteUnreached,
  plannedPeriods,
  planRetention,
  readRetention,
  unknownAnnouncement,
  WAITING_DAYS,
} from '../../settings/retention.ts'
import { sendingPause } from '../../settings/sending-pause.ts'
import * as queries from '../queries.ts'
import { type Erased, eraseIn, finishErasure } from './erasure.ts'
import { type RetainedDocument, retainedDocuments } from './retention-queries.ts'

const ROWS_AT_ONCE = 1000
/** Erased in one transaction: other changes wait for no more. */
const ERASED_AT_ONCE = 5
/** Between two deliveries that report erasures: others to the receiver go between them. */
const TOLD_EVERY_MS = 500

export interface DueDocument extends RetainedDocument {
  status: RetainedStatus
}

type Reading = Pick<App, 'db' | 'timers'>

/** All documents whose retention is over at the time, slice by slice. */
export async function* dueDocuments({ db, timers }: Reading, periods: RetentionPeriods, at: Date): AsyncGenerator<DueDocument[]> {
  for (const status of RETAINED_STATUSES) {
    const months = periods[status]
    if (months === undefined) continue
    const until = monthsBefore(at, months)
    let found: RetainedDocument[] = []
    do {
      found = await retainedDocuments(db, { status, until, after: found.at(-1)?.id ?? '', limit: ROWS_AT_ONCE })
      if (found.length > 0) yield found.map(document => ({ ...document, status }))
      await timers.yield()
    } while (found.length === ROWS_AT_ONCE)
  }
}

export interface DueSummary {
  count: number
  /** By status and by the month, `2026-11`, in which the period began; the oldest first. */
  months: { status: RetainedStatus; month: string; count: number }[]
  first: DueDocument[]
}

export async function summariseDue(app: Reading, periods: RetentionPeriods, at: Date, firstCount = 0): Promise<DueSummary> {
  const first: DueDocument[] = []
  const counts = new Map<string, number>()
  let count = 0
  for await (const slice of dueDocuments(app, periods, at)) {
    first.push(...slice.slice(0, firstCount - first.length))
    count += slice.length
    for (const { status, from } of slice) {
      const key = `${status} ${from.toISOString().slice(0, 7)}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  const months = [...counts].map(([key, n]) => {
    const [status = '', month = ''] = key.split(' ')
    return { status: status as RetainedStatus, month, count: n }
  })
  months.sort((a, b) => RETAINED_STATUSES.indexOf(a.status) - RETAINED_STATUSES.indexOf(b.status) || (a.month < b.month ? -1 : 1))
  return { count, months, first }
}

/**
 * Every night. A run that ends early is continued by the next one: what is left is still due. Mails
 * administrators before the first erasure, and then waits. Returns how many documents were erased.
 */
export async function eraseRetained(app: App): Promise<number> {
  // The warning would not go out.
  if (await sendingPause(app.db)) return 0
  await settleAnnouncement(app)
  const retention = await readRetention(app.db, app.now())
  if (retention.announcedAt === undefined) await announceErasure(app)
  if (!mayErase(retention, app.now())) return 0
  let erased = 0
  const startedAt = app.now()
  for await (const slice of dueDocuments(app, retention.periods, startedAt)) {
    for (let i = 0; i < slice.length; i += ERASED_AT_ONCE) {
      const ids = slice.slice(i, i + ERASED_AT_ONCE).map(({ id }) => id)
      erased += await erasePortion(app, ids, new Date(startedAt.getTime() + erased * TOLD_EVERY_MS))
      await app.timers.yield()
    }
  }
  if (erased > 0) {
    await compactWhenDue(app)
    app.log('info', 'documents erased after their retention', { erased })
  }
  return erased
}

/** A document that fails does not keep the others from being erased. `tellAt`: of the first. */
async function erasePortion(app: App, ids: readonly string[], tellAt: Date): Promise<number> {
  try {
    return await eraseTogether(app, ids, tellAt)
  } catch (error) {
    if (ids.length > 1) {
      let erased = 0
      for (const id of ids) erased += await erasePortion(app, [id], tellAt)
      return erased
    }
    app.log('error', 'a document could not be erased', { documentId: ids[0], error: errorMessage(error) })
    return 0
  }
}

async function eraseTogether(app: App, ids: readonly string[], tellAt: Date): Promise<number> {
  const all = await app.write(
    async tx => {
      // Read again: an administrator may have called it off, or set a hold.
      const retention = await readRetention(tx, app.now())
      const erased: Erased[] = []
      if (!mayErase(retention, app.now())) return erased
      const { periods } = retention
      for (const id of ids) {
        const document = await queries.find(tx, id)
        if (document && isRetentionOver(document, periods, app.now())) {
          const at = new Date(tellAt.getTime() + erased.length * TOLD_EVERY_MS)
          erased.push(await eraseIn(tx, app, document, SYSTEM, 'retention', at))
        }
      }
      return erased
    },
    { wake: false },
  )
  await finishErasure(app, all)
  return all.length
}

/** Mails administrators if something will be erased by the end of the time of warning. */
export async function announceErasure(app: App): Promise<void> {
  const at = daysAfter(app.now(), ANNOUNCED_DAYS)
  const planned = plannedPeriods(await readRetention(app.db, app.now()))
  const { count } = await summariseDue(app, planned, at)
  if (count === 0) return
  await app.write(async tx => {
    const { announcedAt, ...retention } = await readRetention(tx, app.now())
    if (announcedAt !== undefined || isOff(plannedPeriods(retention))) return
    await appendInstanceEvent(tx, app, { type: 'retention.announced', data: { count, from: at.toISOString() } }, SYSTEM)
    const mails = await mailAdministrators(tx, app, ({ mail }) => mail(count, dayOf(at)))
    await noteAnnouncement(tx, app.now(), { kind: 'first', mails })
  })
}

/** How much later than the announcement the release before may have queued its mails. */
const QUEUED_WITHIN_MS = 60_000

/**
 * What is announced waits until somebody got the mail: a mail server took it, or without one the
 * outbox has it. If no mail of it can arrive any more, it is made anew.
 */
async function settleAnnouncement(app: App): Promise<void> {
  const isSettled = async (db: Db | Tx) =>
    (await readRetention(db, app.now())).unreached === undefined && (await unknownAnnouncement(db)) === undefined
  if (await isSettled(app.db)) return
  await app.write(async tx => {
    if (!(await isSettled(tx))) await settle(tx, app)
  })
}

async function settle(tx: Tx, app: App): Promise<void> {
  const { unreached } = await readRetention(tx, app.now())
  const unknown = await unknownAnnouncement(tx)
  const mails = unknown
    ? await noticesQueued(tx, unknown, new Date(unknown.getTime() + QUEUED_WITHIN_MS))
    : await mailsById(tx, unreached?.mails ?? [])
  const times = mails.flatMap(({ status, sentAt }) => (status === 'accepted' && sentAt ? sentAt.getTime() : []))
  if (times.length > 0) await noteReached(tx, new Date(Math.min(...times)))
  else if (mails.every(({ status }) => status === 'failed')) await announceAgain(tx, app, unreached)
  else if (unknown) await noteUnreached(tx, { kind: 'first', mails: mails.map(({ id }) => id) })
}

/** Whether the mails of an announcement were tried, and none of them has arrived. */
export async function isAnnouncementLost(app: App): Promise<boolean> {
  const { unreached } = await readRetention(app.db, app.now())
  const mails = await mailsById(app.db, unreached?.mails ?? [])
  return mails.every(({ status }) => status !== 'accepted') && mails.some(({ reply }) => reply !== undefined)
}

async function announceAgain(tx: Tx, app: App, unreached: Announcement | undefined): Promise<void> {
  if (unreached?.kind !== 'change') return forgetAnnouncement(tx)
  const from = daysAfter(app.now(), WAITING_DAYS)
  const mails = await mailAdministrators(tx, app, ({ changeMail }) => changeMail(dayOf(from)))
  await noteAnnouncement(tx, app.now(), { kind: 'change', mails })
}

/** After the first announcement, administrators are mailed about each change that erases more. */
export async function changeRetention(app: App, origin: Origin, wanted: RetentionPeriods): Promise<void> {
  await app.write(async tx => {
    const { announcedAt } = await readRetention(tx, app.now())
    const from = await planRetention(tx, app, origin, wanted)
    if (!from || !announcedAt) return
    const mails = await mailAdministrators(tx, app, ({ changeMail }) => changeMail(dayOf(from)))
    await noteAnnouncement(tx, app.now(), { kind: 'change', mails })
  })
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

type Texts = AppTexts['retention']

/** Returns the ids of the mails. */
async function mailAdministrators(tx: Tx, app: App, of: (texts: Texts) => ReturnType<Texts['mail']>): Promise<string[]> {
  const ids: string[] = []
  for (const to of await addressesForAdministrators(tx)) {
    const compose = ({ retention }: AppTexts) => {
      const { link, ...mail } = of(retention)
      return { ...mail, link: { text: link, path: RETENTION_PATH } }
    }
    ids.push(await queueLetter(tx, app, to, compose))
  }
  return ids
}
