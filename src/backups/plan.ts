/** When, where and for whom the instance makes backups by itself, and when the next one is due. */
import { isAbsolute, relative } from 'node:path'
import { appendInstanceEvent } from '../audit/log.ts'
import { BACKUP_PLAN_SETTING, type BackupPlan, isBackupsKept, isFrequency, MAX_BACKUPS_KEPT } from '../config/stored-rows.ts'
import { isTimeOfDay } from '../core/quiet-hours.ts'
import { errorsIn, refuseIfInvalid } from '../core/refusal.ts'
import { BACKUP_REMINDER_DAYS } from '../core/service-limits.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { isoDay, momentOf } from '../lib/clock-format.ts'
import { DAY_MS } from '../lib/duration.ts'
import { factsIfExists } from '../lib/files.ts'
import { errorMessage } from '../lib/log.ts'
import type { Random } from '../lib/machine.ts'
import { namedHostRefusal } from '../lib/net-guard.ts'
import { CodedError } from '../locales/violations.ts'
import type { App, BackupKeys, Origin } from '../ports.ts'
import { allSettings, dropSecret, saveSecret, saveSetting, sealedSecret } from '../settings/queries.ts'
import { secretName } from '../settings/sealed.ts'
import { readStoredSetting, saveStoredSetting } from '../settings/service-settings.ts'
import { parseFilesUrl, type S3Location } from '../storage/files-url.ts'
import type { BucketMachine } from '../storage/s3-bucket.ts'
import { recipientError } from './encryption.ts'

const REMINDER_SETTING = 'backups.remindFrom'
const S3_SECRET = 'backups.s3'
const PASSPHRASE_SECRET = 'backups.passphrase'

const MAX_RECIPIENTS = 20

export const readBackupPlan = (db: Db | Tx): Promise<BackupPlan | undefined> => readStoredSetting(db, 'backupPlan')

type Secrets = Pick<App, 'db' | 'secrets'>

async function readSecret({ db, secrets }: Secrets, name: string): Promise<string | undefined> {
  const sealed = await sealedSecret(db, name)
  return sealed && secrets.decrypt(secretName('stored', name), sealed).toString()
}

export async function keysOf(app: Secrets, { recipients }: BackupPlan): Promise<BackupKeys> {
  if (recipients.length > 0) return { recipients }
  const passphrase = await readSecret(app, PASSPHRASE_SECRET)
  if (passphrase === undefined) throw new Error('a plan without recipients has a pass-phrase')
  return { passphrase }
}

export async function bucketOf(app: Secrets): Promise<S3Location> {
  return parseFilesUrl((await readSecret(app, S3_SECRET)) ?? '')
}

/** Where backups go, without a login. */
export async function placeName(app: Secrets, plan: BackupPlan): Promise<string> {
  if (plan.place === 'folder') return plan.folder
  const { endpoint, bucket, prefix } = await bucketOf(app)
  return `${endpoint}/${bucket}/${prefix}`
}

/** Which secrets are stored. */
export async function storedSecrets(db: Db): Promise<{ hasS3: boolean; hasPassphrase: boolean }> {
  const isStored = async (name: string) => (await sealedSecret(db, name)) !== undefined
  return { hasS3: await isStored(S3_SECRET), hasPassphrase: await isStored(PASSPHRASE_SECRET) }
}

export interface PlanInput {
  frequency: string
  time: string
  keep: string
  place: string
  folder: string
  /** Empty: as stored. */
  s3: string
  encryption: string
  /** One in each line. */
  recipients: string
  /** Replaces the stored pass-phrase. */
  newPassphrase: boolean
}

/** Returns the pass-phrase if a new one was made: it is shown once. @throws Refusal by field */
export async function changeBackupPlan(app: App, origin: Origin, input: PlanInput): Promise<string | undefined> {
  const plan = await parsePlan(app, input)
  const hasPassphrase = (await readSecret(app, PASSPHRASE_SECRET)) !== undefined
  const isNew = plan.recipients.length === 0 && (input.newPassphrase || !hasPassphrase)
  const passphrase = isNew ? makePassphrase(app.random) : undefined
  await app.write(async tx => {
    await saveStoredSetting(tx, 'backupPlan', JSON.stringify(plan))
    const save = (name: string, text: string) =>
      saveSecret(tx, name, app.secrets.encrypt(secretName('stored', name), Buffer.from(text)))
    if (plan.place === 'folder') await dropSecret(tx, S3_SECRET)
    else if (input.s3 !== '') await save(S3_SECRET, input.s3)
    if (passphrase !== undefined) await save(PASSPHRASE_SECRET, passphrase)
    const { frequency, time, keep, place, recipients } = plan
    const data = { frequency, time, keep, place, recipients: recipients.length, newPassphrase: isNew }
    await appendInstanceEvent(tx, app, { type: 'backups.changed', data }, origin)
  })
  return passphrase
}

/** 32 letters that are not mistaken for each other: five bits each. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'

/** 150 bits in groups that can be copied by hand. */
function makePassphrase(random: Random): string {
  const letters = Array.from(random(30), octet => LETTERS[octet % LETTERS.length]).join('')
  return (letters.match(/.{5}/g) ?? []).join('-')
}

async function parsePlan(app: App, input: PlanInput): Promise<BackupPlan> {
  const recipients = input.encryption === 'recipients' ? input.recipients.split(/[\s,]+/).filter(Boolean) : []
  const place = input.place === 's3' ? 's3' : 'folder'
  const keep = /^\d{1,3}$/.test(input.keep.trim()) ? Number(input.keep) : 0
  const errors = errorsIn([
    ['frequency', isFrequency(input.frequency) ? undefined : violation('hour_missing')],
    ['time', isTimeOfDay(input.time) ? undefined : violation('not_a_time_of_day')],
    ['keep', isBackupsKept(keep) ? undefined : violation('not_a_number', { min: 1, max: MAX_BACKUPS_KEPT })],
    ['folder', place === 'folder' ? await folderError(app, input.folder.trim()) : undefined],
    ['s3', place === 's3' ? await bucketError(app, input.s3.trim()) : undefined],
    ['recipients', input.encryption === 'recipients' ? await recipientsError(recipients) : undefined],
  ])
  refuseIfInvalid(errors)
  const folder = place === 'folder' ? input.folder.trim() : ''
  const frequency = isFrequency(input.frequency) ? input.frequency : 'off'
  return { frequency, time: input.time, keep, place, folder, recipients, changedAt: app.now().toISOString() }
}

async function recipientsError(recipients: readonly string[]): Promise<Violation | undefined> {
  if (recipients.length === 0 || recipients.length > MAX_RECIPIENTS)
    return violation('lines_out_of_range', { max: MAX_RECIPIENTS })
  return (await Promise.all(recipients.map(recipientError))).find(error => error !== undefined)
}

async function folderError({ config, fileSystem }: App, folder: string): Promise<Violation | undefined> {
  if (!isAbsolute(folder)) return violation('not_an_absolute_path')
  if (!relative(config.dataFolder, folder).startsWith('..')) return violation('inside_data_folder')
  try {
    if (!(await fileSystem.facts(folder)).isFolder) return violation('not_a_folder')
    await fileSystem.requireWritable(folder)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : errorMessage(error)
    return code === 'ENOENT' ? violation('folder_missing') : violation('folder_not_writable', { errno: code })
  }
}

/** A copy on the same disk is lost with it. */
export async function isOnSameDisk({ config, fileSystem }: App, folder: string): Promise<boolean> {
  const [one, other] = await Promise.all([folder, config.dataFolder].map(path => factsIfExists(fileSystem, path)))
  return one !== undefined && one.disk === other?.disk
}

async function bucketError(app: Secrets & BucketMachine & Pick<App, 'lookup'>, text: string): Promise<Violation | undefined> {
  try {
    const location = text === '' ? await bucketOf(app) : parseFilesUrl(text)
    const refusal = await namedHostRefusal(new URL(location.endpoint).hostname, app.lookup)
    if (refusal !== undefined) return violation('not_reachable', { reason: refusal })
    const { S3Bucket } = await import('../storage/s3-bucket.ts')
    for await (const _ of new S3Bucket(location, app).list(location.prefix)) break
    return undefined
  } catch (error) {
    return error instanceof CodedError ? error.violation : violation('not_reachable', { reason: errorMessage(error) })
  }
}

/** Whether administrators are reminded that there are no backups. */
export async function isBackupMissed(app: Pick<App, 'db' | 'now' | 'instance' | 'config'>): Promise<boolean> {
  if (!app.instance.isProduction || app.config.databaseUrl !== undefined) return false
  const settings = await allSettings(app.db)
  return !settings.has(BACKUP_PLAN_SETTING) && (settings.get(REMINDER_SETTING) ?? '') <= app.now().toISOString()
}

/** Whoever makes backups in another way is not reminded for a while. */
export async function remindLater(app: App): Promise<void> {
  const from = new Date(app.now().getTime() + BACKUP_REMINDER_DAYS * DAY_MS)
  await app.write(tx => saveSetting(tx, REMINDER_SETTING, from.toISOString()))
}

// When a plan is due, by the clocks of the organisation's zone.

const DAYS_OF_A_WEEK = 7

type Rhythm = Pick<BackupPlan, 'frequency' | 'time'>

/** The time on the day so many days away in the zone; undefined if it is another weekday. */
function slotOn({ frequency, time }: Rhythm, now: Date, days: number, timeZone: string): Date | undefined {
  const day = isoDay(new Date(now.getTime() + days * DAY_MS), timeZone)
  const isDay = frequency === 'daily' || new Date(`${day}T12:00:00Z`).getUTCDay() === Number(frequency)
  return isDay ? momentOf(day, `${time}:00`, timeZone) : undefined
}

/** The last time that has come. */
export function lastSlot(plan: Rhythm, now: Date, timeZone: string): Date | undefined {
  if (plan.frequency === 'off') return undefined
  for (let days = 1; days >= -DAYS_OF_A_WEEK - 1; days--) {
    const slot = slotOn(plan, now, days, timeZone)
    if (slot && slot <= now) return slot
  }
  return undefined
}

export function nextSlot(plan: Rhythm, now: Date, timeZone: string): Date | undefined {
  if (plan.frequency === 'off') return undefined
  for (let days = -1; days <= DAYS_OF_A_WEEK + 1; days++) {
    const slot = slotOn(plan, now, days, timeZone)
    if (slot && slot > now) return slot
  }
  return undefined
}
