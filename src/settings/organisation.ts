/** The organisation's name, colour and habits. `logo.ts` changes its logo. */
import { appendInstanceEvent } from '../audit/log.ts'
import { colourError, parseColour } from '../core/colour.ts'
import { type DocumentDefaults, STANDARD_DEFAULTS } from '../core/create-document.ts'
import type { ReminderPlan } from '../core/document.ts'
import type { Json } from '../core/event.ts'
import { LANGUAGES, type Language, languageOf } from '../core/language.ts'
import { isTimeOfDay, type QuietHours } from '../core/quiet-hours.ts'
import { errorsIn, type Found, refuseIfInvalid } from '../core/refusal.ts'
import { cleanLine, emailError, lineError, unprintableError } from '../core/text.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { LOGO_SETTING } from '../files/queries.ts'
import type { App, Origin } from '../ports.ts'
import { allSettings, dropSetting, saveSetting } from './queries.ts'
import { readSetting, requireThat, type StoredSetting, storedSetting } from './stored-setting.ts'

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
  /** Of new documents. */
  defaults: DocumentDefaults
}

export const DEFAULT_ORGANISATION_NAME = 'Signet'
const MAX_NAME_LENGTH = 200

export async function readOrganisation(db: Db | Tx): Promise<Organisation> {
  const settings = await allSettings(db)
  return {
    name: settings.get('organisation.name') ?? DEFAULT_ORGANISATION_NAME,
    contact: settings.get('organisation.contact'),
    timeZone: readSetting(settings, TIME_ZONE),
    language: readSetting(settings, LANGUAGE),
    logoSha256: settings.get(LOGO_SETTING),
    colour: readSetting(settings, COLOUR),
    quietHours: readSetting(settings, QUIET_HOURS),
    defaults: readSetting(settings, DEFAULTS),
  }
}

const page = '/settings/organisation'

const TIME_ZONE = storedSetting({
  name: 'organisation.timeZone',
  page,
  fallback: 'UTC',
  parse(text) {
    requireThat(timeZoneError(text) === undefined, 'a time zone')
    return text
  },
})

const LANGUAGE = storedSetting({
  name: 'organisation.language',
  page,
  fallback: languageOf(undefined),
  parse(text) {
    requireThat(isLanguage(text), 'a language of the service')
    return languageOf(text)
  },
})

const COLOUR = storedSetting<string | undefined>({
  name: 'organisation.colour',
  page,
  fallback: undefined,
  parse(text) {
    const colour = parseColour(text)
    requireThat(colour !== undefined, 'a colour')
    return colour
  },
})

const QUIET_HOURS = storedSetting<QuietHours | undefined>({
  name: 'organisation.quietHours',
  page,
  fallback: undefined,
  parse(text) {
    const { from, to, weekends } = JSON.parse(text) as QuietHours
    requireThat(isTimeOfDay(from) && isTimeOfDay(to) && typeof weekends === 'boolean', 'two times of the day')
    return { from, to, weekends }
  },
})

const DEFAULTS = storedSetting<DocumentDefaults>({
  name: 'organisation.defaults',
  page,
  fallback: STANDARD_DEFAULTS,
  parse(text) {
    const { expiresInDays, reminders } = JSON.parse(text) as { expiresInDays: number; reminders: ReminderPlan | null }
    const { firstAfterDays = 1, everyDays = 1, max = 1 } = reminders ?? {}
    const days = [expiresInDays, firstAfterDays, everyDays]
    const isValid = days.every(number => numberError(number, MAX_DAYS) === undefined) && !numberError(max, MAX_REMINDERS)
    requireThat(isValid, 'numbers of days')
    return { expiresInDays, reminders: reminders ?? undefined }
  },
})

/** Name, contact and logo are any text. */
export const ORGANISATION_SETTINGS: readonly StoredSetting[] = [TIME_ZONE, LANGUAGE, COLOUR, QUIET_HOURS, DEFAULTS]

/** False for an installation of which nobody has said whose it is. */
export const hasFace = ({ name, logoSha256, colour }: Organisation): boolean =>
  name !== DEFAULT_ORGANISATION_NAME || logoSha256 !== undefined || colour !== undefined

type Identity = Pick<Organisation, 'name' | 'contact' | 'timeZone'> & Partial<Pick<Organisation, 'language' | 'colour'>>

/** The caller validates. */
export const saveOrganisationLanguage = (tx: Tx, language: Language): Promise<void> => store(tx, { language })

/** The caller validates. An undefined contact is deleted, an undefined language is kept. */
export async function saveOrganisation(tx: Tx, { name, contact, timeZone, language }: Identity): Promise<void> {
  await store(tx, { name, contact, timeZone, ...(language ? { language } : {}) })
}

/** The settings by name, as text. An undefined one is deleted. */
type Texts = Partial<Record<string, string | undefined>>

async function store(tx: Tx, texts: Texts): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    if (text) await saveSetting(tx, `organisation.${name}`, text)
    else await dropSetting(tx, `organisation.${name}`)
  }
}

export function organisationNameError(app: Pick<App, 'unprintable'>, name: string): Violation | undefined {
  const tooLong = [...cleanLine(name)].length > MAX_NAME_LENGTH ? violation('too_long', { max: MAX_NAME_LENGTH }) : undefined
  return lineError(name) ?? tooLong ?? unprintableError(name, app)
}

export function timeZoneError(zone: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    // Intl accepts offsets too, but they have no daylight saving time.
    return /^[A-Za-z]/.test(zone) ? undefined : 'must be a zone such as Europe/Berlin'
  } catch (error) {
    if (error instanceof RangeError) return 'must be a zone such as Europe/Berlin'
    throw error
  }
}

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

export function organisationLanguageError(language: string): string | undefined {
  return isLanguage(language) ? undefined : `must be one of ${LANGUAGES.join(', ')}`
}

function colourTextError(text: string): string | undefined {
  if (text.trim() === '') return undefined
  const colour = parseColour(text)
  return colour === undefined ? 'must be a colour such as #2346c7' : colourError(colour)
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
  await changeTexts(app, origin, {
    name: cleanLine(name),
    contact: email || undefined,
    timeZone,
    language,
    ...(colour === undefined ? {} : { colour: parseColour(colour) }),
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
}

/** The defaults of new documents, and quiet hours. @throws Refusal with errors by field */
export async function changeHabits(app: App, origin: Origin, input: HabitsInput): Promise<void> {
  const { reminds, quietFrom, quietTo, quietWeekends } = input
  const [expiry, first, every, max] = [input.expiresInDays, input.firstAfterDays, input.everyDays, input.maxReminders].map(
    text => (/^\s*\d{1,4}\s*$/.test(text) ? Number(text) : 0),
  )
  refuseErrors([
    ['expiresInDays', numberError(expiry, MAX_DAYS)],
    ['firstAfterDays', reminds ? numberError(first, MAX_DAYS) : undefined],
    ['everyDays', reminds ? numberError(every, MAX_DAYS) : undefined],
    ['maxReminders', reminds ? numberError(max, MAX_REMINDERS) : undefined],
    ['quietFrom', timeOfDayError(quietFrom, quietTo)],
    ['quietTo', timeOfDayError(quietTo, quietFrom)],
  ])
  const reminders = reminds ? { firstAfterDays: first ?? 0, everyDays: every ?? 0, max: max ?? 0 } : null
  const isQuiet = quietFrom !== quietTo || quietWeekends
  const quietHours = { from: quietFrom || '00:00', to: quietTo || '00:00', weekends: quietWeekends }
  await changeTexts(app, origin, {
    defaults: textUnless(JSON.stringify({ expiresInDays: expiry, reminders }), JSON.stringify(STANDARD_DEFAULTS)),
    quietHours: isQuiet ? JSON.stringify(quietHours) : undefined,
  })
}

/** As the API takes them. */
const MAX_DAYS = 365
const MAX_REMINDERS = 50

const textUnless = (text: string, standard: string) => (text === standard ? undefined : text)

function numberError(value: number | undefined, max: number): string | undefined {
  return value !== undefined && Number.isInteger(value) && value >= 1 && value <= max
    ? undefined
    : `must be a whole number from 1 to ${max}`
}

function timeOfDayError(text: string, other: string): string | undefined {
  if (text === '' && other === '') return undefined
  return isTimeOfDay(text) ? undefined : 'must be a time such as 20:00, or both must be empty'
}

function refuseErrors(found: [path: string, found: Found | undefined][]): void {
  refuseIfInvalid(errorsIn(found))
}

/** What is stored where nothing was ever changed. */
const FIRST: Texts = { name: DEFAULT_ORGANISATION_NAME, timeZone: 'UTC', language: languageOf(undefined) }

async function changeTexts(app: App, origin: Origin, wanted: Texts): Promise<void> {
  await app.write(async tx => {
    const settings = await allSettings(tx)
    const fields = Object.keys(wanted).filter(name => wanted[name] !== (settings.get(`organisation.${name}`) ?? FIRST[name]))
    if (fields.length === 0) return
    await store(tx, wanted)
    const data: Record<string, Json> = { changed: fields }
    for (const field of fields) if (field !== 'contact') data[field] = wanted[field] ?? null
    // A contact address may be personal data, so it is logged under `personal`.
    const personal = fields.includes('contact') ? { personal: { contact: wanted.contact ?? null } } : {}
    await appendInstanceEvent(tx, app, { type: 'organisation.changed', data, ...personal }, origin)
  })
}
