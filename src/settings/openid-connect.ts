/** Sign-in by an identity provider, as an administrator has set it up. */
import { ANY_DOMAIN } from '../config/oidc-rows.ts'
import { type ServiceSettingName, serviceRow } from '../config/service-rows.ts'
import { SIGN_IN_PATH } from '../core/page-paths.ts'
import { errorsIn, refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import type { Registration } from '../lib/openid-connect.ts'
import type { App, Origin, Role } from '../ports.ts'
import { changeServiceSettings, readServiceSettings, type ServiceSettings, type SettingChanges } from './service-settings.ts'

export const OIDC_SETTINGS = [
  'oidcIssuer',
  'oidcClientId',
  'oidcClientSecret',
  'oidcName',
  'oidcDomains',
  'oidcEmails',
  'oidcUnknown',
  'oidcRoleClaim',
  'oidcAdmins',
  'oidcMembers',
  'oidcAuditors',
  'oidcScopes',
  'oidcSecondFactor',
  'oidcOnly',
] as const satisfies ServiceSettingName[]
export type OidcSettingName = (typeof OIDC_SETTINGS)[number]

/** Where the provider sends the browser back to. */
const CALLBACK_PATH = `${SIGN_IN_PATH}/oidc/callback`

export const redirectUriOf = ({ baseUrl }: Pick<App['config'], 'baseUrl'>): string => baseUrl + CALLBACK_PATH

export interface RoleRule {
  /** Of the name or, for a claim inside another, the names with dots between them. */
  claim: string
  /** In the order in which they are looked for. */
  roles: readonly { role: Role; values: readonly string[] }[]
}

/** In force. */
export interface OpenIdConnect {
  registration: Registration
  /** On buttons. */
  name: string
  domains: readonly string[]
  /** Also addresses of which the provider does not say whether they are verified. */
  acceptsUnmarked: boolean
  /** For people without an account; undefined: refused. */
  unknownRole: Role | undefined
  /** Undefined: administrators decide alone. */
  roleRule: RoleRule | undefined
  scopes: readonly string[]
  asksSecondFactor: boolean
  /** Only administrators sign in by other ways. */
  isOnlyWay: boolean
}

type Deps = Pick<App, 'config' | 'db' | 'secrets'>

/** Undefined while there is no provider. */
export async function readOpenIdConnect(app: Deps, db: Db | Tx = app.db): Promise<OpenIdConnect | undefined> {
  const settings = await readServiceSettings(app, db)
  const issuer = settings.oidcIssuer.value
  const [clientId, clientSecret] = [settings.oidcClientId.value, settings.oidcClientSecret.value]
  if (issuer === undefined || clientId === '' || clientSecret === '') return undefined
  const unknown = settings.oidcUnknown.value
  return {
    registration: { issuer, clientId, clientSecret, redirectUri: redirectUriOf(app.config) },
    name: settings.oidcName.value || new URL(issuer).host,
    domains: settings.oidcDomains.value,
    acceptsUnmarked: settings.oidcEmails.value === 'all',
    unknownRole: unknown === 'refuse' ? undefined : unknown,
    roleRule: roleRuleOf(settings),
    scopes: settings.oidcScopes.value,
    asksSecondFactor: settings.oidcSecondFactor.value === 'provider',
    isOnlyWay: settings.oidcOnly.value === 'yes',
  }
}

function roleRuleOf({ oidcRoleClaim, oidcAdmins, oidcMembers, oidcAuditors }: ServiceSettings): RoleRule | undefined {
  if (oidcRoleClaim.value === '') return undefined
  return {
    claim: oidcRoleClaim.value,
    roles: [
      { role: 'admin', values: oidcAdmins.value },
      { role: 'member', values: oidcMembers.value },
      { role: 'auditor', values: oidcAuditors.value },
    ],
  }
}

/** Whether the domain is in the list, which an empty list never is. */
export function isListedDomain({ domains }: Pick<OpenIdConnect, 'domains'>, email: string): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return domains.includes(ANY_DOMAIN) || domains.includes(domain)
}

export type OidcInput = Record<OidcSettingName, string>

/** What the environment fixes is left out. @throws Refusal with errors by setting */
export async function saveOpenIdConnect(app: App, origin: Origin, input: OidcInput): Promise<void> {
  await app.write(async tx => {
    const before = await readServiceSettings(app, tx)
    const changes: SettingChanges = {}
    for (const name of OIDC_SETTINGS) {
      const text = input[name].trim()
      if (before[name].source !== 'environment') changes[name] = text === serviceRow(name).fallback ? '' : text
    }
    if (changes.oidcClientSecret === '' && mayKeepSecret(before, changes)) delete changes.oidcClientSecret
    await changeServiceSettings(tx, app, origin, changes)
    refuseIfInvalid(contradictions(await readServiceSettings(app, tx)))
  })
}

/** Another provider is never sent the secret of this one. */
function mayKeepSecret({ oidcIssuer, oidcClientId }: ServiceSettings, changes: SettingChanges): boolean {
  const isSame = (old: string, text: string | undefined) => text === undefined || text === old
  return isSame(oidcIssuer.text, changes.oidcIssuer) && isSame(oidcClientId.text, changes.oidcClientId)
}

/** What settings that are valid alone must not be together. */
function contradictions(settings: ServiceSettings): ValidationError[] {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcDomains, oidcEmails, oidcUnknown, oidcOnly } = settings
  const { oidcRoleClaim, oidcAdmins, oidcMembers, oidcAuditors } = settings
  const hasDomain = oidcDomains.value.length > 0
  const hasValue = [oidcAdmins, oidcMembers, oidcAuditors].some(({ value }) => value.length > 0)
  const rules: [isBroken: boolean, path: OidcSettingName, found: Violation][] = [
    [oidcIssuer.value === undefined, 'oidcIssuer', violation('not_entered')],
    [oidcClientId.value === '', 'oidcClientId', violation('not_entered')],
    [oidcClientSecret.value === '', 'oidcClientSecret', violation('secret_of_other_provider')],
    [
      !hasDomain && (oidcUnknown.value !== 'refuse' || oidcEmails.value === 'all' || oidcOnly.value === 'yes'),
      'oidcDomains',
      violation('claim_missing'),
    ],
    [oidcRoleClaim.value === '' && hasValue, 'oidcRoleClaim', violation('claim_value_missing')],
    [oidcRoleClaim.value !== '' && !hasValue, 'oidcAdmins', violation('claim_without_role')],
  ]
  return errorsIn(rules.map(([isBroken, path, found]) => [path, isBroken ? found : undefined]))
}

/** Identities stay, and count again when the same provider is set up again. */
export async function removeOpenIdConnect(app: App, origin: Origin): Promise<void> {
  await app.write(async tx => {
    const before = await readServiceSettings(app, tx)
    const stored = OIDC_SETTINGS.filter(name => before[name].source === 'stored')
    await changeServiceSettings(tx, app, origin, Object.fromEntries(stored.map(name => [name, ''])))
  })
}
