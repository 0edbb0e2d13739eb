/** The organisation's name, colour and habits. `logo.ts` changes its logo. */
import { SERVICE_ROWS } from '../config/service-rows.ts'
import { colourError, parseColour } from '../core/colour.ts'
import type { DocumentDefaults } from '../core/document/create-document.ts'
import { MAX_EXPIRY_DAYS, MAX_REMINDER_DAYS, MAX_REMINDERS } from '../core/document/document-limits.ts'
import { LANGUAGES, type Language } from '../core/language.ts'
import { isTimeOfDay, type QuietHours } from '../core/quiet-hours.ts'
import { errorsIn, type Found, refuseIfInvalid } from '../core/refusal.ts'
import { MAX_ORGANISATION_NAME, SERVICE_NAME } from '../core/service-limits.ts'
import { DEVICE_KEY_RULES, type DeviceKeyRule, deviceKeyRuleIn } from '../core/signing/device-key.ts'
import { cleanLine, emailError, lineError, unprintableError } from '../core/text.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { isTimeZone } from '../lib/clock-format.ts'
import { passkeySiteOf } from '../lib/web-authn.ts'
import type { App, Origin } from '../ports.ts'
import {
  changeServiceSettings,
  DEFAULT_SETTINGS,
  readStoredSettings,
  type SettingChanges,
  type StoredSettings,
  saveStoredSetting,
} from './service-settings.ts'

export interface Organisation {
  name: string
  /** E-mail address to which recipients may send questions. */
  contact: string | undefined
  /** IANA time zone name. */
  timeZone: string
  /** Default language of documents. */
  language: Language
  /** Of the stored logo, a PNG or JPEG file. */
  logoSha256: string | undefined
  /** `#rrggbb`, in place of the action colour where recipients look. */
  colour: string | undefined
  quietHours: QuietHours | undefined
  /** Of documents that say nothing else. */
  deviceKey: DeviceKeyRule
  /** Of new documents. */
  defaults: DocumentDefaults
}

export const readOrganisation = async (db: Db | Tx): Promise<Organisation> => organisationIn(await readStoredSettings(db))

/** Before anybody has said whose the installation is. */
export const defaultOrganisation = (): Organisation => organisationIn(DEFAULT_SETTINGS)

function organisationIn(read: StoredSettings): Organisation {
  return {
    name: read('organisationName'),
    contact: read('organisationContact'),
    timeZone: read('timeZone'),
    language: read('language'),
    logoSha256: read('logo'),
    colour: read('colour'),
    quietHours: read('quietHours'),
    deviceKey: read('deviceKey'),
    defaults: read('documentDefaults'),
  }
}

/** False for an installation of which nobody has said whose it is. */
export const hasFace = ({ name, logoSha256, colour }: Organisation): boolean =>
  name !== SERVICE_NAME || logoSha256 !== undefined || colour !== undefined

type Identity = Pick<Organisation, 'name' | 'contact' | 'timeZone'> & Partial<Pick<Organisation, 'language' | 'colour'>>

/** The caller validates. */
export const saveOrganisationLanguage = (tx: Tx, language: Language): Promise<void> => saveStoredSetting(tx, 'language', language)

/** The caller validates. An undefined contact is deleted, an undefined language is kept. */
export async function saveOrganisation(tx: Tx, { name, contact = '', timeZone, language }: Identity): Promise<void> {
  await saveStoredSetting(tx, 'organisationName', name)
  await saveStoredSetting(tx, 'organisationContact', contact)
  await saveStoredSetting(tx, 'timeZone', timeZone)
  if (language) await saveStoredSetting(tx, 'language', language)
}

export function organisationNameError(app: Pick<App, 'unprintable'>, name: string): Violation | undefined {
  const tooLong =
    [...cleanLine(name)].length > MAX_ORGANISATION_NAME ? violation('too_long', { max: MAX_ORGANISATION_NAME }) : undefined
  return lineError(name) ?? tooLong ?? unprintableError(name, app)
}

export const timeZoneError = (zone: string): Violation | undefined => (isTimeZone(zone) ? undefined : violation('not_a_zone'))

export interface OrganisationInput {
  name: string
  /** Empty if there is no contact. */
  contact: string
  timeZone: string
  language: string
  /** Empty for the colour of the service. Kept if it is left out. */
  colour?: string
}

const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text)

export function organisationLanguageError(language: string): Violation | undefined {
  return isLanguage(language) ? undefined : violation('not_one_of', { values: LANGUAGES })
}

function colourTextError(text: string): Violation | undefined {
  if (text.trim() === '') return undefined
  const colour = parseColour(text)
  return colour === undefined ? violation('not_a_colour') : colourError(colour)
}

/** Writes nothing if nothing differs. @throws Refusal with errors by field */
export async function changeOrganisation(app: App, origin: Origin, input: OrganisationInput): Promise<void> {
  const { name, contact, timeZone, language, colour } = input
  const email = contact.trim()
  refuseErrors([
    ['name', organisationNameError(app, name)],
    ['contact', email === '' ? undefined : emailError(email)],
    ['timeZone', timeZoneError(timeZone)],
    ['language', organisationLanguageError(language)],
    ['colour', colour === undefined ? undefined : colourTextError(colour)],
  ])
  await change(app, origin, {
    organisationName: cleanLine(name),
    organisationContact: email,
    timeZone,
    language,
    ...(colour === undefined ? {} : { colour: parseColour(colour) ?? '' }),
  })
}

export interface HabitsInput {
  expiresInDays: string
  reminds: boolean
  firstAfterDays: string
  everyDays: string
  maxReminders: string
  /** Both empty: no quiet hours of the day. */
  quietFrom: string
  quietTo: string
  quietWeekends: boolean
  /** One of DEVICE_KEY_RULES. */
  deviceKey: string
}

/** The defaults of new documents, and quiet hours. @throws Refusal with errors by field */
export async function changeHabits(app: App, origin: Origin, input: HabitsInput): Promise<void> {
  const { reminds, quietFrom, quietTo, quietWeekends } = input
  const deviceKeyRule = deviceKeyRuleIn(input.deviceKey)
  const [expiry, first, every, max] = [input.expiresInDays, input.firstAfterDays, input.everyDays, input.maxReminders].map(
    text => (/^\s*\d{1,4}\s*$/.test(text) ? Number(text) : 0),
  )
  refuseErrors([
    ['expiresInDays', numberError(expiry, MAX_EXPIRY_DAYS)],
    ['firstAfterDays', reminds ? numberError(first, MAX_REMINDER_DAYS) : undefined],
    ['everyDays', reminds ? numberError(every, MAX_REMINDER_DAYS) : undefined],
    ['maxReminders', reminds ? numberError(max, MAX_REMINDERS) : undefined],
    ['quietFrom', timeOfDayError(quietFrom, quietTo)],
    ['quietTo', timeOfDayError(quietTo, quietFrom)],
    ['deviceKey', deviceKeyError(app, deviceKeyRule)],
  ])
  const reminders = reminds ? { firstAfterDays: first ?? 0, everyDays: every ?? 0, max: max ?? 0 } : null
  const isQuiet = quietFrom !== quietTo || quietWeekends
  const quietHours = { from: quietFrom || '00:00', to: quietTo || '00:00', weekends: quietWeekends }
  const defaults = JSON.stringify({ expiresInDays: expiry, reminders })
  if (deviceKeyRule === 'required') await app.features.require(app.db, 'deviceKeyRequired')
  await change(app, origin, {
    documentDefaults: defaults === SERVICE_ROWS.documentDefaults.fallback ? '' : defaults,
    quietHours: isQuiet ? JSON.stringify(quietHours) : '',
    deviceKey: deviceKeyRule ?? '',
  })
}

function deviceKeyError({ config }: App, rule: DeviceKeyRule | undefined): Violation | undefined {
  if (rule === undefined) return violation('not_one_of', { values: DEVICE_KEY_RULES })
  const isPossible = rule !== 'required' || passkeySiteOf(config.baseUrl) !== undefined
  return isPossible ? undefined : violation('device_key_impossible')
}

function numberError(value: number | undefined, max: number): Violation | undefined {
  return value !== undefined && Number.isInteger(value) && value >= 1 && value <= max
    ? undefined
    : violation('not_a_whole_number', { max })
}

function timeOfDayError(text: string, other: string): Violation | undefined {
  if (text === '' && other === '') return undefined
  return isTimeOfDay(text) ? undefined : violation('not_hours_of_a_day')
}

function refuseErrors(found: [path: string, found: Found | undefined][]): void {
  refuseIfInvalid(errorsIn(found))
}

async function change(app: App, origin: Origin, changes: SettingChanges): Promise<void> {
  await app.write(tx => changeServiceSettings(tx, app, origin, changes))
}
