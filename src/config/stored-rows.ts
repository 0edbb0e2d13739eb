/**
 * Settings that pages alone give, under the names of their rows in earlier releases: the
 * organisation, the second factor, retention, the backup plan.
 */
import { isAbsolute } from 'node:path'
import { parseColour } from '../core/colour.ts'
import { type DocumentDefaults, STANDARD_DEFAULTS } from '../core/document/create-document.ts'
import type { ReminderPlan } from '../core/document/document.ts'
import { MAX_EXPIRY_DAYS, MAX_REMINDER_DAYS, MAX_REMINDERS } from '../core/document/document-limits.ts'
import { MAX_RETENTION_MONTHS, type RetentionPeriods } from '../core/document/retention.ts'
import { LANGUAGES, languageOf } from '../core/language.ts'
import { BACKUPS_PATH, ORGANISATION_PATH, RETENTION_PATH, SIGN_IN_SETTINGS_PATH } from '../core/page-paths.ts'
import { isTimeOfDay, type QuietHours } from '../core/quiet-hours.ts'
import { SERVICE_NAME } from '../core/service-limits.ts'
import { DEVICE_KEY_RULES } from '../core/signing/device-key.ts'
import { isTimeZone } from '../lib/clock-format.ts'
import { oneOf, optional, requireThat, row, type ServiceRow } from './row.ts'

const isWithin = (number: number, max: number) => Number.isInteger(number) && number >= 1 && number <= max

function parseTimeZone(text: string): string {
  requireThat(isTimeZone(text), 'a time zone')
  return text
}

function parseStoredColour(text: string): string {
  const colour = parseColour(text)
  if (colour === undefined) throw new Error('must be a colour')
  return colour
}

function parseQuietHours(text: string): QuietHours {
  const { from, to, weekends } = JSON.parse(text) as QuietHours
  requireThat(isTimeOfDay(from) && isTimeOfDay(to) && typeof weekends === 'boolean', 'two times of the day')
  return { from, to, weekends }
}

function parseDefaults(text: string): DocumentDefaults {
  const { expiresInDays, reminders } = JSON.parse(text) as { expiresInDays: number; reminders: ReminderPlan | null }
  const { firstAfterDays = 1, everyDays = 1, max = 1 } = reminders ?? {}
  const areRemindersValid = [firstAfterDays, everyDays].every(days => isWithin(days, MAX_REMINDER_DAYS))
  const isValid = isWithin(expiresInDays, MAX_EXPIRY_DAYS) && areRemindersValid
  requireThat(isValid && isWithin(max, MAX_REMINDERS), 'numbers of days')
  return { expiresInDays, reminders: reminders ?? undefined }
}

const ORGANISATION = { page: ORGANISATION_PATH, event: 'organisation.changed' } as const
const asText = (text: string) => text

/** The last part of a key is the member of the event. */
export const ORGANISATION_ROWS = {
  organisationName: row({
    ...ORGANISATION,
    key: 'organisation.name',
    fallback: SERVICE_NAME,
    parse: asText,
    kind: 'plain',
  }),
  organisationContact: row({ ...ORGANISATION, key: 'organisation.contact', parse: optional(asText), kind: 'personal' }),
  timeZone: row({ ...ORGANISATION, key: 'organisation.timeZone', fallback: 'UTC', parse: parseTimeZone, kind: 'plain' }),
  language: row({
    ...ORGANISATION,
    key: 'organisation.language',
    fallback: languageOf(undefined),
    parse: oneOf(LANGUAGES),
    kind: 'plain',
  }),
  colour: row({ ...ORGANISATION, key: 'organisation.colour', parse: optional(parseStoredColour), kind: 'plain' }),
  documentDefaults: row({
    ...ORGANISATION,
    key: 'organisation.defaults',
    fallback: JSON.stringify(STANDARD_DEFAULTS),
    parse: parseDefaults,
    kind: 'plain',
  }),
  deviceKey: row({
    ...ORGANISATION,
    key: 'organisation.deviceKey',
    fallback: 'offered',
    parse: oneOf(DEVICE_KEY_RULES),
    kind: 'plain',
  }),
  quietHours: row({ ...ORGANISATION, key: 'organisation.quietHours', parse: optional(parseQuietHours), kind: 'plain' }),
} satisfies Record<string, ServiceRow>

export interface Announcement {
  /** Of all erasure, or of a change that erases more. */
  kind: 'first' | 'change'
  /** Ids of its mails. */
  mails: string[]
}

export interface StoredRetention {
  periods: RetentionPeriods
  /** In force until `from`. */
  before: RetentionPeriods
  from: string
  announcedAt: string | null
  /** Undefined in what the release before stored: whom its mails reached is not known yet. */
  unreached?: Announcement | null
}

const NO_RETENTION: StoredRetention = { periods: {}, before: {}, from: '', announcedAt: null, unreached: null }

const isTime = (time: string | number) => !Number.isNaN(new Date(time).getTime())
export const isRetentionPeriod = (months: number): boolean => isWithin(months, MAX_RETENTION_MONTHS)
const arePeriods = (periods: RetentionPeriods) => Object.values(periods).every(isRetentionPeriod)

function parseRetention(text: string): StoredRetention {
  const { periods, before, from, announcedAt, unreached } = JSON.parse(text) as StoredRetention
  requireThat([periods, before].every(arePeriods), 'months by status')
  requireThat([from || 0, announcedAt ?? 0].every(isTime), 'times')
  requireThat(!unreached || Array.isArray(unreached.mails), 'mails of the announcement')
  return { periods, before, from, announcedAt, ...(unreached === undefined ? {} : { unreached }) }
}

/** `off`: only on request. A digit: once a week on that day, 0 is Sunday. */
export const FREQUENCIES = ['off', 'daily', '1', '2', '3', '4', '5', '6', '0'] as const
export type Frequency = (typeof FREQUENCIES)[number]

export interface BackupPlan {
  frequency: Frequency
  /** `HH:MM` in the organisation's zone. */
  time: string
  /** Older ones are removed. */
  keep: number
  place: 'folder' | 's3'
  /** Empty for S3, whose address is a secret. */
  folder: string
  /** Empty: encrypted to the stored pass-phrase. */
  recipients: string[]
  /** The schedule makes up for nothing before. */
  changedAt: string
}

export const MAX_BACKUPS_KEPT = 366
export const isBackupsKept = (keep: number): boolean => isWithin(keep, MAX_BACKUPS_KEPT)
export const isFrequency = (text: string): text is Frequency => (FREQUENCIES as readonly string[]).includes(text)

function parseBackupPlan(text: string): BackupPlan {
  const plan = JSON.parse(text) as BackupPlan
  const { frequency, time, keep, place, folder, recipients, changedAt } = plan
  requireThat(isFrequency(frequency) && isTimeOfDay(time) && isBackupsKept(keep), 'a frequency, a time and a number to keep')
  requireThat(place === 's3' || (place === 'folder' && isAbsolute(folder)), 'a place')
  requireThat(recipients.every(one => typeof one === 'string') && isTime(changedAt), 'recipients and a time')
  return plan
}

/** The hash of a stored file. */
export const LOGO_SETTING = 'organisation.logo'

/** The row exists once a plan was stored, also one that cannot be read. */
export const BACKUP_PLAN_SETTING = 'backups.plan'

/** Changed by actions of their own, which make their own entries in the audit log. */
export const OWN_ROWS = {
  logo: row({ key: LOGO_SETTING, parse: optional(asText), page: ORGANISATION.page, kind: 'plain' }),
  secondFactor: row({
    key: 'signIn.secondFactor',
    parse: optional(oneOf(['required'])),
    page: SIGN_IN_SETTINGS_PATH,
    kind: 'plain',
  }),
  /** Unreadable, nothing is erased. */
  retention: row({
    key: 'retention',
    fallback: JSON.stringify(NO_RETENTION),
    parse: parseRetention,
    page: RETENTION_PATH,
    kind: 'plain',
  }),
  /** Unreadable, no backup is made, which alerts say. */
  backupPlan: row({ key: BACKUP_PLAN_SETTING, parse: optional(parseBackupPlan), page: BACKUPS_PATH, kind: 'plain' }),
} satisfies Record<string, ServiceRow>
