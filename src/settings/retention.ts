/** For how long documents are kept: the periods in force, and a change that waits. */
import { appendInstanceEvent } from '../audit/log.ts'
import { type Announcement, isRetentionPeriod, type StoredRetention } from '../config/stored-rows.ts'
import { daysAfter } from '../core/document/document.ts'
import {
  isShorter,
  longerOf,
  MAX_RETENTION_MONTHS,
  RETAINED_STATUSES,
  type RetentionPeriods,
} from '../core/document/retention.ts'
import { refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { DAY_MS } from '../lib/duration.ts'
import type { App, Origin } from '../ports.ts'
import { readStoredSetting, saveStoredSetting } from './service-settings.ts'

/** Between a change that erases more and the first erasure under it. */
export const WAITING_DAYS = 7
/** Between the mail to administrators and the first erasure of all. */
export const ANNOUNCED_DAYS = 14

export interface Retention {
  /** In force at the time. */
  periods: RetentionPeriods
  /** A change that can still be called off. */
  next: { periods: RetentionPeriods; from: Date } | undefined
  /** When administrators were mailed about the first erasure. */
  announcedAt: Date | undefined
  /** The announcement whose mails have reached nobody yet: what it announces waits. */
  unreached: Announcement | undefined
}

const readStored = (db: Db | Tx): Promise<StoredRetention> => readStoredSetting(db, 'retention')

export async function readRetention(db: Db | Tx, now: Date): Promise<Retention> {
  const { periods, before, from, announcedAt, unreached } = await readStored(db)
  const isUnknown = unreached?.kind === 'change'
  const waits = from !== '' && (new Date(from) > now || isUnknown)
  return {
    periods: waits ? before : periods,
    next: waits
      ? { periods, from: isUnknown ? laterOf(new Date(from), daysAfter(now, WAITING_DAYS)) : new Date(from) }
      : undefined,
    announcedAt: announcedAt === null ? undefined : new Date(announcedAt),
    unreached: unreached ?? undefined,
  }
}

const laterOf = (one: Date, other: Date) => (one > other ? one : other)

/** Before this time nothing is erased. `undefined`: it is not yet announced, or nothing is set. */
export function firstErasureAt({ announcedAt }: Retention): Date | undefined {
  return announcedAt && daysAfter(announcedAt, ANNOUNCED_DAYS)
}

/** Whether anything may be erased at the time. */
export function mayErase(retention: Retention, now: Date): boolean {
  const first = firstErasureAt(retention)
  return first !== undefined && first <= now && retention.unreached?.kind !== 'first' && !isOff(retention.periods)
}

/** The periods that are in force once no change waits. */
export const plannedPeriods = ({ periods, next }: Pick<Retention, 'periods' | 'next'>): RetentionPeriods =>
  next?.periods ?? periods

export const isOff = (periods: RetentionPeriods): boolean => Object.keys(periods).length === 0

/** Months as text by status; empty: kept. @throws Refusal with errors by status */
export function parsePeriods(input: Partial<Record<string, string>>): RetentionPeriods {
  const errors: ValidationError[] = []
  const periods: RetentionPeriods = {}
  for (const status of RETAINED_STATUSES) {
    const text = (input[status] ?? '').trim()
    if (text === '') continue
    const months = /^\d{1,4}$/.test(text) ? Number(text) : 0
    if (isRetentionPeriod(months)) periods[status] = months
    else
      errors.push({
        path: status,
        ...violation('not_months', { max: MAX_RETENTION_MONTHS }),
      })
  }
  refuseIfInvalid(errors)
  return periods
}

export const isSamePeriods = (one: RetentionPeriods, other: RetentionPeriods) =>
  RETAINED_STATUSES.every(status => one[status] === other[status])

/**
 * What erases more waits for `WAITING_DAYS`; what erases less counts at once, and calls off a
 * change that waits. Returns since when more is erased.
 */
export async function planRetention(
  tx: Tx,
  app: Pick<App, 'newId' | 'now' | 'random' | 'secrets'>,
  origin: Origin,
  wanted: RetentionPeriods,
): Promise<Date | undefined> {
  const now = app.now()
  const current = await readRetention(tx, now)
  if (isSamePeriods(wanted, plannedPeriods(current))) return undefined
  const waits = isShorter(wanted, current.periods)
  const from = waits ? daysAfter(now, WAITING_DAYS) : now
  const before = waits ? longerOf(wanted, current.periods) : wanted
  // Whoever switches it on again after it was off is warned again.
  const announcedAt = isOff(wanted) ? null : (current.announcedAt?.toISOString() ?? null)
  const stored = await readStored(tx)
  // A first announcement that reached nobody holds back all; that of a change is replaced with it.
  const unreached = isOff(wanted) || stored.unreached?.kind === 'change' ? { unreached: null } : pick(stored)
  await save(tx, { periods: wanted, before, from: from.toISOString(), announcedAt, ...unreached })
  const months = Object.fromEntries(RETAINED_STATUSES.map(status => [status, wanted[status] ?? null]))
  await appendInstanceEvent(tx, app, { type: 'retention.changed', data: { ...months, from: from.toISOString() } }, origin)
  return waits ? from : undefined
}

const pick = ({ unreached }: StoredRetention) => (unreached === undefined ? {} : { unreached })

/**
 * In the transaction that queues the mails. Of a change, those of the first announcement still
 * count.
 */
export async function noteAnnouncement(tx: Tx, now: Date, { kind, mails }: Announcement): Promise<void> {
  const stored = await readStored(tx)
  if (kind === 'first') return save(tx, { ...stored, announcedAt: now.toISOString(), unreached: { kind, mails } })
  const { unreached } = stored
  const all = unreached?.kind === 'first' ? { kind: unreached.kind, mails: [...unreached.mails, ...mails] } : { kind, mails }
  return save(tx, { ...stored, unreached: all })
}

/**
 * Somebody got the announcement. If that took a day or more, the time of warning begins only then.
 */
export async function noteReached(tx: Tx, at: Date): Promise<void> {
  const { unreached: reached, ...stored } = await readStored(tx)
  const next: StoredRetention = { ...stored, unreached: null }
  const isLate = (since: string | null, days: number) => since !== null && at.getTime() - Date.parse(since) >= (1 - days) * DAY_MS
  if (reached?.kind === 'change' && isLate(stored.from, WAITING_DAYS)) next.from = daysAfter(at, WAITING_DAYS).toISOString()
  if (reached?.kind === 'first' && isLate(stored.announcedAt, 0)) next.announcedAt = at.toISOString()
  await save(tx, next)
}

/** What the release before stored, with the mails that were found. */
export async function noteUnreached(tx: Tx, unreached: Announcement): Promise<void> {
  await save(tx, { ...(await readStored(tx)), unreached })
}

/** Nobody got the announcement of the first erasure: it is made anew. */
export async function forgetAnnouncement(tx: Tx): Promise<void> {
  await save(tx, { ...(await readStored(tx)), announcedAt: null, unreached: null })
}

/**
 * When the release before announced the first erasure; undefined if it is known whom the mails
 * reached.
 */
export async function unknownAnnouncement(db: Db | Tx): Promise<Date | undefined> {
  const { announcedAt, unreached } = await readStored(db)
  return unreached === undefined && announcedAt !== null ? new Date(announcedAt) : undefined
}

const save = (tx: Tx, stored: StoredRetention): Promise<void> => saveStoredSetting(tx, 'retention', JSON.stringify(stored))
