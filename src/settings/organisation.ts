/** The organisation's name, contact, time zone and language. `logo.ts` changes its logo. */
import { appendInstanceEvent } from '../audit/log.ts'
import type { Json } from '../core/event.ts'
import { LANGUAGES, type Language, languageOf } from '../core/language.ts'
import { refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import { cleanLine, emailError, lineError, unprintableError } from '../core/text.ts'
import type { Db, Tx } from '../db/open.ts'
import { LOGO_SETTING } from '../files/queries.ts'
import type { App, Origin } from '../ports.ts'
import { allSettings, dropSetting, saveSetting } from './queries.ts'

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
}

export const DEFAULT_ORGANISATION_NAME = 'Signet'
const MAX_NAME_LENGTH = 200

export async function readOrganisation(db: Db | Tx): Promise<Organisation> {
  const settings = await allSettings(db)
  return {
    name: settings.get('organisation.name') ?? DEFAULT_ORGANISATION_NAME,
    contact: settings.get('organisation.contact'),
    timeZone: settings.get('organisation.timeZone') ?? 'UTC',
    language: languageOf(settings.get('organisation.language')),
    logoSha256: settings.get(LOGO_SETTING),
  }
}

type EditableSettings = Pick<Organisation, 'name' | 'contact' | 'timeZone'> & Partial<Pick<Organisation, 'language'>>

/** The caller validates. An undefined contact is deleted, an undefined language is kept. */
export async function saveOrganisation(tx: Tx, { name, contact, timeZone, language }: EditableSettings): Promise<void> {
  await saveSetting(tx, 'organisation.name', name)
  if (contact) await saveSetting(tx, 'organisation.contact', contact)
  else await dropSetting(tx, 'organisation.contact')
  await saveSetting(tx, 'organisation.timeZone', timeZone)
  if (language) await saveSetting(tx, 'organisation.language', language)
}

export function organisationNameError(app: Pick<App, 'unprintable'>, name: string): string | undefined {
  const tooLong = [...cleanLine(name)].length > MAX_NAME_LENGTH ? `must have at most ${MAX_NAME_LENGTH} characters` : undefined
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
}

const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text)

/** @throws Refusal `validation_failed` */
function parseInput(app: App, { name, contact, timeZone, language }: OrganisationInput): Required<EditableSettings> {
  const email = contact.trim()
  const errors: [string, string | undefined][] = [
    ['name', organisationNameError(app, name)],
    ['contact', email === '' ? undefined : emailError(email)],
    ['timeZone', timeZoneError(timeZone)],
    ['language', isLanguage(language) ? undefined : `must be one of ${LANGUAGES.join(', ')}`],
  ]
  refuseIfInvalid(errors.flatMap(([path, message]): ValidationError[] => (message ? [{ path, message }] : [])))
  return { name: cleanLine(name), contact: email || undefined, timeZone, language: languageOf(language) }
}

/** Writes nothing if nothing differs. @throws Refusal with errors by field */
export async function changeOrganisation(app: App, origin: Origin, input: OrganisationInput): Promise<void> {
  const wanted = parseInput(app, input)
  await app.write(async tx => {
    const current = await readOrganisation(tx)
    const fields = (['name', 'contact', 'timeZone', 'language'] as const).filter(field => wanted[field] !== current[field])
    if (fields.length === 0) return
    await saveOrganisation(tx, wanted)
    const data: Record<string, Json> = { changed: fields }
    for (const field of fields) if (field !== 'contact') data[field] = wanted[field] ?? null
    // A contact address may be personal data, so it is logged under `personal`.
    const personal = fields.includes('contact') ? { personal: { contact: wanted.contact ?? null } } : {}
    await appendInstanceEvent(tx, app, { type: 'organisation.changed', data, ...personal }, origin)
  })
}
