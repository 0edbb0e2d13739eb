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
  /** E-mail address for questions of recipients. */
  contact: string | undefined
  /** IANA. */
  timeZone: string
  /** Of documents without a language. */
  language: Language
  /** SHA-256 of the stored file, PNG or JPEG. */
  logo: string | undefined
}

export const DEFAULT_ORGANISATION_NAME = 'Signet'
const MAX_NAME_LENGTH = 200

export async function organisation(db: Db | Tx): Promise<Organisation> {
  const settings = await allSettings(db)
  return {
    name: settings.get('organisation.name') ?? DEFAULT_ORGANISATION_NAME,
    contact: settings.get('organisation.contact'),
    timeZone: settings.get('organisation.timeZone') ?? 'UTC',
    language: languageOf(settings.get('organisation.language')),
    logo: settings.get(LOGO_SETTING),
  }
}

type Facts = Pick<Organisation, 'name' | 'contact' | 'timeZone'> & Partial<Pick<Organisation, 'language'>>

/** Does not validate. */
export async function saveOrganisation(tx: Tx, { name, contact, timeZone, language }: Facts): Promise<void> {
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

export interface NewOrganisation {
  name: string
  /** Empty: none. */
  contact: string
  timeZone: string
  language: string
}

const isLanguage = (text: string): text is Language => (LANGUAGES as readonly string[]).includes(text)

/** @throws Refusal `validation_failed` */
function validate(app: App, { name, contact, timeZone, language }: NewOrganisation): Required<Facts> {
  const address = contact.trim()
  const errors: [string, string | undefined][] = [
    ['name', organisationNameError(app, name)],
    ['contact', address === '' ? undefined : emailError(address)],
    ['timeZone', timeZoneError(timeZone)],
    ['language', isLanguage(language) ? undefined : `must be one of ${LANGUAGES.join(', ')}`],
  ]
  refuseIfInvalid(errors.flatMap(([path, message]): ValidationError[] => (message ? [{ path, message }] : [])))
  return { name: cleanLine(name), contact: address || undefined, timeZone, language: languageOf(language) }
}

/** Writes nothing if nothing differs. @throws Refusal with errors by member */
export async function changeOrganisation(app: App, origin: Origin, input: NewOrganisation): Promise<void> {
  const wanted = validate(app, input)
  await app.write(async tx => {
    const known = await organisation(tx)
    const members = (['name', 'contact', 'timeZone', 'language'] as const).filter(member => wanted[member] !== known[member])
    if (members.length === 0) return
    await saveOrganisation(tx, wanted)
    const data: Record<string, Json> = { changed: members }
    for (const member of members) if (member !== 'contact') data[member] = wanted[member] ?? null
    // The address can be a person's.
    const personal = members.includes('contact') ? { personal: { contact: wanted.contact ?? null } } : {}
    await appendInstanceEvent(tx, app, { type: 'organisation.changed', data, ...personal }, origin)
  })
}
