/** The form for a new API token: what it may do is chosen on purpose, and so is its end. */
import type { NewKey } from '../../../accounts/keys.ts'
import { daysAfter } from '../../../core/document/document.ts'
import { refuseIfInvalid, type ValidationError } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { endOfDay } from '../../../lib/clock-format.ts'
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../../ports.ts'

/** Choices of permissions in words; `chosen` means single ticks. */
export const PRESETS = {
  documents: ['documents:read', 'documents:write'],
  read: ['documents:read', 'templates:read', 'webhooks:read'],
  everything: DEFAULT_SCOPES,
} as const satisfies Record<string, readonly Scope[]>

export type Preset = keyof typeof PRESETS

/** Days after which a token may end. */
export const EXPIRY_DAYS = [30, 90, 365] as const
const DEFAULT_DAYS = '365'
const MAX_DAYS = 3650

export interface TokenValues {
  name: string
  /** A preset or `chosen`; empty while nothing is chosen. */
  access: string
  scopes: readonly Scope[]
  /** A number of days, `date` or `never`. */
  expiry: string
  expiresOn: string
}

export const EMPTY: TokenValues = { name: '', access: '', scopes: [], expiry: DEFAULT_DAYS, expiresOn: '' }

/** The entered values, shown again beside their errors. Never the password. */
export function enteredToken(form: Record<string, string>): TokenValues {
  const { name = '', access = '', expiry = DEFAULT_DAYS, expiresOn = '' } = form
  return { name, access, scopes: SCOPES.filter(scope => form[`scope:${scope}`] === 'on'), expiry, expiresOn }
}

const isPreset = (text: string): text is Preset => Object.hasOwn(PRESETS, text)

/** The preset with exactly these scopes. */
export function presetOf(scopes: readonly Scope[]): Preset | undefined {
  const presets = Object.keys(PRESETS) as Preset[]
  return presets.find(
    preset => PRESETS[preset].length === scopes.length && PRESETS[preset].every(scope => scopes.includes(scope)),
  )
}

function scopesOf({ access, scopes }: TokenValues, errors: ValidationError[]): Scope[] {
  if (isPreset(access)) return [...PRESETS[access]]
  if (access !== 'chosen') errors.push({ path: 'access', ...violation('program_rights_missing') })
  else if (scopes.length === 0) errors.push({ path: 'access', ...violation('scope_missing_in_form') })
  return [...scopes]
}

interface Present {
  now: Date
  timeZone: string
}

function expiryOf({ expiry, expiresOn }: TokenValues, { now, timeZone }: Present, errors: ValidationError[]): Date | undefined {
  if (expiry === 'never') return undefined
  if (EXPIRY_DAYS.some(days => String(days) === expiry)) return daysAfter(now, Number(expiry))
  if (expiry !== 'date') errors.push({ path: 'expiry', ...violation('expiry_missing') })
  else {
    const end = endOfDay(expiresOn, timeZone)
    if (end && end > now && end <= daysAfter(now, MAX_DAYS)) return end
    errors.push({ path: 'expiresOn', ...violation('expiry_out_of_range') })
  }
  return undefined
}

/** @throws Refusal with errors by field */
export function newTokenOf(values: TokenValues, present: Present): NewKey {
  const errors: ValidationError[] = []
  const scopes = scopesOf(values, errors)
  const expiresAt = expiryOf(values, present, errors)
  refuseIfInvalid(errors)
  return { name: values.name, scopes, expiresInDays: undefined, ...(expiresAt ? { expiresAt } : {}) }
}
