/** Rows of sign-in by OpenID Connect. `settings/openid-connect.ts` reads them together. */
import { OIDC_PATH } from '../core/page-paths.ts'
import { MAX_OIDC_LENGTHS } from '../core/service-limits.ts'
import { violation } from '../core/violation.ts'
import { isLoopbackHost } from '../lib/openid-connect.ts'
import { CodedError } from '../locales/violations.ts'
import { oneOf, optional, row } from './row.ts'

/** Means every domain. */
export const ANY_DOMAIN = '*'

/** The provider must call itself just so; only a bare host may have a slash behind it. */
function parseIssuer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new CodedError(violation('not_an_issuer'))
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) throw new CodedError(violation('not_https'))
  if (url.username || url.password || url.search || url.hash) throw new CodedError(violation('not_a_bare_address'))
  return url.pathname === '/' ? url.origin : url.href
}

const parseLine = (max: number) => (text: string) => {
  if (text.length > max) throw new CodedError(violation('too_long', { max }))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no line of text has them
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new CodedError(violation('not_one_line'))
  return text
}

const entriesOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)

function parseDomains(text: string): string[] {
  const domains = entriesOf(text.toLowerCase())
  const isDomain = (domain: string) => domain === ANY_DOMAIN || /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/.test(domain)
  if (!domains.every(isDomain)) throw new CodedError(violation('not_domains'))
  return domains
}

/** RFC 6749 §3.3. */
function parseScopes(text: string): string[] {
  const scopes = entriesOf(text)
  if (!scopes.every(scope => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))) throw new CodedError(violation('not_scopes'))
  return scopes
}

/** Values may hold spaces, as names of groups do. */
const parseValues = (text: string) =>
  parseLine(MAX_OIDC_LENGTHS.oidcAdmins)(text)
    .split(',')
    .map(value => value.trim())
    .filter(Boolean)

export const OIDC_ROWS = {
  oidcIssuer: row({
    variable: 'SIGNET_OIDC_ISSUER',
    what: 'identity provider (OpenID Connect), its issuer: `https://login.example.com`; unset: sign-in without one',
    parse: optional(parseIssuer),
    page: OIDC_PATH,
    kind: 'plain',
  }),
  oidcClientId: row({
    variable: 'SIGNET_OIDC_CLIENT_ID',
    what: 'id of this service at the identity provider',
    parse: parseLine(MAX_OIDC_LENGTHS.oidcClientId),
    page: OIDC_PATH,
    kind: 'plain',
  }),
  oidcClientSecret: row({
    variable: 'SIGNET_OIDC_CLIENT_SECRET',
    what: 'its secret',
    parse: parseLine(MAX_OIDC_LENGTHS.oidcClientSecret),
    page: OIDC_PATH,
    kind: 'secret',
  }),
  oidcName: row({
    variable: 'SIGNET_OIDC_NAME',
    what: 'name of the identity provider on the button; default its host',
    parse: parseLine(MAX_OIDC_LENGTHS.oidcName),
    page: OIDC_PATH,
    kind: 'plain',
  }),
  oidcDomains: row({
    variable: 'SIGNET_OIDC_DOMAINS',
    what: 'domains (comma separated) whose e-mail addresses the identity provider vouches for; `*`: all',
    parse: parseDomains,
    page: OIDC_PATH,
    kind: 'plain',
  }),
  oidcEmails: row({
    variable: 'SIGNET_OIDC_EMAILS',
    fallback: 'verified',
    what: '`verified` accepts addresses that the provider calls verified, `all` also those of which it says nothing',
    parse: oneOf(['verified', 'all']),
    page: OIDC_PATH,
    kind: 'plain',
  }),
  oidcUnknown: row({
    variable: 'SIGNET_OIDC_UNKNOWN',
    fallback: 'refuse',
    what: 'people without an account: `refuse`, or make a `member` or an `auditor`',
    parse: oneOf(['refuse', 'member', 'auditor']),
    page: OIDC_PATH,
    kind: 'plain',
  }),
  oidcRoleClaim: row({
    variable: 'SIGNET_OIDC_ROLE_CLAIM',
    what: 'claim that gives the role, such as `groups` or `realm_access.roles`',
    parse: parseLine(MAX_OIDC_LENGTHS.oidcRoleClaim),
    page: OIDC_PATH,
    kind: 'plain',
  }),
  oidcAdmins: row({
    variable: 'SIGNET_OIDC_ADMINS',
    what: 'values (comma separated) of that claim that make an administrator',
    parse: parseValues,
    page: OIDC_PATH,
    kind: 'plain',
  }),
  oidcMembers: row({
    variable: 'SIGNET_OIDC_MEMBERS',
    what: 'values that make a member',
    parse: parseValues,
    page: OIDC_PATH,
    kind: 'plain',
  }),
  oidcAuditors: row({
    variable: 'SIGNET_OIDC_AUDITORS',
    what: 'values that make an auditor',
    parse: parseValues,
    page: OIDC_PATH,
    kind: 'plain',
  }),
  oidcScopes: row({
    variable: 'SIGNET_OIDC_SCOPES',
    what: 'scopes to ask for besides `openid email profile`, such as `groups`',
    parse: parseScopes,
    page: OIDC_PATH,
    kind: 'plain',
  }),
  oidcSecondFactor: row({
    variable: 'SIGNET_OIDC_SECOND_FACTOR',
    fallback: 'signet',
    what: 'who asks for the second factor after a sign-in by the provider: `signet` or `provider`',
    parse: oneOf(['signet', 'provider']),
    page: OIDC_PATH,
    kind: 'plain',
  }),
  oidcOnly: row({
    variable: 'SIGNET_OIDC_ONLY',
    fallback: 'no',
    what: '`yes`: everybody but administrators signs in by the provider alone',
    parse: oneOf(['no', 'yes']),
    page: OIDC_PATH,
    kind: 'plain',
  }),
}
