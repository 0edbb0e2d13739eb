/**
 * Settings → API tokens: the list and the form of a new one. Creating and revoking ask for the
 * password again.
 */
import { RevokeTokenPage, TokenPage, type TokenRow, TokensPage } from '../../../../views/settings/tokens.tsx'
import { createKey, type NewKey, NOTE_DAYS, revokeKey } from '../../../accounts/keys.ts'
import { type ApiKey, listKeys, userNames } from '../../../accounts/queries.ts'
import { daysAfter } from '../../../core/document/document.ts'
import { TOKENS_PATH } from '../../../core/page-paths.ts'
import { Refusal, refuseIfInvalid, type ValidationError } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { endOfDay, pageDay } from '../../../lib/clock-format.ts'
import { DAY_MS } from '../../../lib/duration.ts'
import type { ShownError } from '../../../locales/app.ts'
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../../ports.ts'
import type { FormState, PageResponse, Visit } from '../../frame/page.tsx'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction, sessionOf } from './settings-access.ts'

/** The tokens that this person may see and revoke: administrators all, others their own. */
function keysOf(visit: Visit): Promise<ApiKey[]> {
  const { actor } = sessionOf(visit)
  return listKeys(visit.app.db, actor.isAdmin ? undefined : actor.userId)
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: Date): Pick<TokenRow, 'state' | 'endsInDays'> {
  if (revokedAt) return { state: 'revoked', endsInDays: undefined }
  if (expiresAt && expiresAt <= now) return { state: 'expired', endsInDays: undefined }
  const isSoon = expiresAt !== undefined && expiresAt <= daysAfter(now, NOTE_DAYS)
  return { state: 'live', endsInDays: isSoon ? Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS) : undefined }
}

async function rowsOf(visit: Visit, keys: readonly ApiKey[]): Promise<TokenRow[]> {
  const { app } = visit
  const names = await userNames(app.db, [...new Set(keys.flatMap(({ ownerId }) => ownerId ?? []))])
  return keys.map(key => ({
    ...key,
    shown: `${key.prefix}…${key.lastFour}`,
    preset: presetOf(key.scopes),
    owner: key.ownerId === undefined ? undefined : (names.get(key.ownerId) ?? visit.texts.settings.tokens.formerOwner),
    ...stateOf(key, app.now()),
  }))
}

interface PageState extends FormState {
  created?: { name: string; key: string }
}

export async function page(
  visit: Visit,
  { errors = [], status = 200, asksForPassword, created }: PageState = {},
): Promise<PageResponse> {
  const { app, texts } = visit
  const { actor } = sessionOf(visit)
  const t = texts.settings.tokens
  const presets = (Object.keys(PRESETS) as Preset[]).filter(name => PRESETS[name].every(scope => actor.scopes.includes(scope)))
  return {
    html: (
      <TokensPage
        context={visit.context(t.title, { errors, asksForPassword })}
        notice={visit.noticeIn(t.notices)}
        rows={await rowsOf(visit, await keysOf(visit))}
        showsOwners={actor.isAdmin}
        presets={presets}
        scopes={actor.scopes}
        expiries={EXPIRY_DAYS.map(days => ({
          days,
          date: pageDay(daysAfter(app.now(), days), visit.clock),
        }))}
        values={created || visit.form.csrf === undefined ? EMPTY : enteredToken(visit.form)}
        created={created}
      />
    ),
    status,
  }
}

export async function create(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const { actor } = sessionOf(visit)
  const values = enteredToken(form)
  const result = await runConfirmedAction(visit, async () =>
    createKey(app, actor, newTokenOf(values, visit.clock), originOf(visit)),
  )
  if ('errors' in result) return page(visit, result)
  return page(visit, { asksForPassword: false, created: { name: values.name, key: result.done.key } })
}

/** @throws Refusal `not_found` */
async function loadKey(visit: Visit): Promise<ApiKey> {
  const key = (await keysOf(visit)).find(({ id }) => id === visit.params.id)
  if (!key) throw new Refusal('not_found', violation('api_token_not_found'))
  return key
}

export async function tokenPage(visit: Visit): Promise<PageResponse> {
  const [row] = await rowsOf(visit, [await loadKey(visit)])
  if (!row) throw new Refusal('not_found', violation('api_token_not_found'))
  return { html: <TokenPage context={visit.context(row.name)} row={row} /> }
}

export async function revokePage(visit: Visit, errors: ShownError[], status = 200): Promise<PageResponse> {
  const key = await loadKey(visit)
  const [row] = await rowsOf(visit, [key])
  if (!row || key.revokedAt) throw new Refusal('not_found', violation('api_token_not_found'))
  return {
    html: <RevokeTokenPage context={visit.context(visit.texts.settings.tokens.revokeTitle, { errors })} row={row} />,
    status,
  }
}

export async function revoke(visit: Visit): Promise<PageResponse> {
  const result = await runConfirmedAction(visit, () => revokeKey(visit.app, originOf(visit), visit.params.id ?? ''))
  return 'errors' in result ? revokePage(visit, result.errors, result.status) : { redirect: `${TOKENS_PATH}?notice=revoked` }
}

// The form for a new API token: what it may do is chosen on purpose, and so is its end.

/** Choices of permissions in words; `chosen` means single ticks. */
const PRESETS = {
  documents: ['documents:read', 'documents:write'],
  read: ['documents:read', 'templates:read', 'webhooks:read'],
  everything: DEFAULT_SCOPES,
} as const satisfies Record<string, readonly Scope[]>

type Preset = keyof typeof PRESETS

/** Days after which a token may end. */
const EXPIRY_DAYS = [30, 90, 365] as const
const DEFAULT_DAYS = '365'
const MAX_DAYS = 3650

interface TokenValues {
  name: string
  /** A preset or `chosen`; empty while nothing is chosen. */
  access: string
  scopes: readonly Scope[]
  /** A number of days, `date` or `never`. */
  expiry: string
  expiresOn: string
}

const EMPTY: TokenValues = { name: '', access: '', scopes: [], expiry: DEFAULT_DAYS, expiresOn: '' }

/** The entered values, shown again beside their errors. Never the password. */
function enteredToken(form: Record<string, string>): TokenValues {
  const { name = '', access = '', expiry = DEFAULT_DAYS, expiresOn = '' } = form
  return { name, access, scopes: SCOPES.filter(scope => form[`scope:${scope}`] === 'on'), expiry, expiresOn }
}

const isPreset = (text: string): text is Preset => Object.hasOwn(PRESETS, text)

/** The preset with exactly these scopes. */
function presetOf(scopes: readonly Scope[]): Preset | undefined {
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
function newTokenOf(values: TokenValues, present: Present): NewKey {
  const errors: ValidationError[] = []
  const scopes = scopesOf(values, errors)
  const expiresAt = expiryOf(values, present, errors)
  refuseIfInvalid(errors)
  return { name: values.name, scopes, expiresInDays: undefined, ...(expiresAt ? { expiresAt } : {}) }
}
