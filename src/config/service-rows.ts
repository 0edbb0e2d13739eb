/**
 * The settings that pages change while the service runs, each with the one parser of its text. A
 * variable wins over what is stored. `settings/service-settings.ts` reads and changes them.
 */
import { isAbsolute } from 'node:path'
import type { SealLevel } from '../core/document/document.ts'
import { SEAL_LEVELS, SEAL_SUB_FILTERS } from '../core/document/document.ts'
import {
  CHECKPOINTS_PATH,
  MAIL_PATH,
  SEAL_FORM_PATH,
  SESSIONS_PATH,
  SIGNING_LINKS_PATH,
  TIMESTAMPS_PATH,
  WEBHOOKS_PATH,
  WITNESS_PATH,
} from '../core/page-paths.ts'
import { MAX_BULK_MAILS_PER_MINUTE, MAX_SESSION_HOURS } from '../core/service-limits.ts'
import { emailError } from '../core/text.ts'
import { violation } from '../core/violation.ts'
import { parseNetworks } from '../lib/net-guard.ts'
import { isLoopbackHost } from '../lib/openid-connect.ts'
import { CodedError } from '../locales/violations.ts'
import type { Mailbox } from '../mailer/message.ts'
import { parseSmtpUrl, percentDecoded } from '../mailer/smtp.ts'
import { OIDC_ROWS } from './oidc-rows.ts'
import { oneOf, optional, row, type ServiceRow } from './row.ts'
import { ORGANISATION_ROWS, OWN_ROWS } from './stored-rows.ts'

export interface Authority {
  url: string
  user: string | undefined
  password: string | undefined
}

/** Root certificates. */
export type TrustedRoots = { file: string } | { pem: string }

/** `Name <address>` or an address. Without a name the organisation's is shown. */
function parseSender(text: string): Mailbox {
  if (!/^[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/.test(text)) {
    throw new CodedError(violation('not_a_sender'))
  }
  const [, name = '', address = text] = /^\s*(.*?)\s*<([^<>]+)>$/.exec(text) ?? []
  return { name, address }
}

function parseAuthorities(text: string): Authority[] {
  const named = text.split(/[,\s]+/).filter(Boolean)
  return named.map(address => {
    const url = URL.canParse(address) ? new URL(address) : undefined
    if (!url || !/^https?:$/.test(url.protocol)) {
      throw new CodedError(violation('not_authorities'))
    }
    const [user, password] = [percentDecoded(url.username), percentDecoded(url.password)]
    if (user === undefined || password === undefined) {
      throw new CodedError(violation('login_not_encoded'))
    }
    url.username = ''
    url.password = ''
    return { url: url.href, user: user || undefined, password: password || undefined }
  })
}

function parseLevel(text: string): SealLevel {
  const level = SEAL_LEVELS.find(each => each === text)
  if (level === undefined) throw new CodedError(violation('not_one_of', { values: SEAL_LEVELS }))
  return level
}

/** The environment names a file, pages store what it holds. */
const parseRoots = (text: string): TrustedRoots => (text.includes('-----BEGIN') ? { pem: text } : { file: text })

function parseFolder(text: string): string {
  if (!isAbsolute(text)) throw new CodedError(violation('not_an_absolute_path'))
  return text
}

function parseAddress(text: string): string {
  if (emailError(text)) throw new CodedError(violation('not_an_email'))
  return text
}

/** The address of an instance. Whether it may be called is decided at each call. */
function parseWitness(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === ''
  if (!isPlain || url.hash !== '') throw new CodedError(violation('not_a_web_address'))
  return url.href.replace(/\/+$/, '')
}

function parseRate(text: string): number {
  const rate = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (rate < 1 || rate > MAX_BULK_MAILS_PER_MINUTE)
    throw new CodedError(violation('not_a_number', { min: 1, max: MAX_BULK_MAILS_PER_MINUTE }))
  return rate
}

const MAX_KEPT = 10_000

function parseKept(text: string): number {
  const kept = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (kept < 1 || kept > MAX_KEPT) throw new CodedError(violation('not_a_number', { min: 1, max: MAX_KEPT }))
  return kept
}

/** No longer than a session lasts. */
const MAX_IDLE_MINUTES = MAX_SESSION_HOURS * 60
const MIN_IDLE_MINUTES = 5

function parseIdle(text: string): number {
  const minutes = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (minutes < MIN_IDLE_MINUTES || minutes > MAX_IDLE_MINUTES)
    throw new CodedError(violation('not_a_number', { min: MIN_IDLE_MINUTES, max: MAX_IDLE_MINUTES }))
  return minutes
}

const MAX_EMBED_ORIGINS = 20
const MAX_EMBED_ORIGIN_LENGTH = 255

/** Origins (RFC 6454 §6.2), one a line or separated by commas, in the form that browsers send. */
function parseOrigins(text: string): string[] {
  const origins = new Set(
    text
      .split(/[,\s]+/)
      .filter(Boolean)
      .map(parseOrigin),
  )
  if (origins.size > MAX_EMBED_ORIGINS) throw new CodedError(violation('too_many_addresses', { max: MAX_EMBED_ORIGINS }))
  return [...origins]
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isAlone = url?.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  // A wildcard would let every page of a hosting service show the signing page.
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname))
  if (!url || !isAlone || !isSafe || !/^[\w.:[\]-]+$/.test(url.host) || text.length > MAX_EMBED_ORIGIN_LENGTH)
    throw new CodedError(violation('not_origins'))
  return url.origin
}

export const SERVICE_ROWS = {
  smtpUrl: row({
    variable: 'SIGNET_SMTP_URL',
    what: '`smtp://user:password@host:587` (STARTTLS), `smtps://…:465` (TLS), `smtp://host:25?security=none`; unset: mails are stored in `outbox/`',
    parse: optional(parseSmtpUrl),
    page: MAIL_PATH,
    kind: 'secret',
  }),
  smtpCaFile: row({
    variable: 'SIGNET_SMTP_CA_FILE',
    what: 'PEM file with the root certificates of the mail server, in place of the built-in ones',
    parse: optional(parseRoots),
    page: MAIL_PATH,
    kind: 'long',
  }),
  mailFrom: row({
    variable: 'SIGNET_MAIL_FROM',
    fallback: 'signet@localhost',
    what: 'sender of all mails, `Name <address>`',
    parse: parseSender,
    page: MAIL_PATH,
    kind: 'personal',
  }),
  bulkMailsPerMinute: row({
    variable: 'SIGNET_BULK_MAILS_PER_MINUTE',
    fallback: '60',
    what: 'how many mails of batches are sent in a minute at most',
    parse: parseRate,
    page: MAIL_PATH,
    kind: 'plain',
  }),
  webhookAllow: row({
    variable: 'SIGNET_WEBHOOK_ALLOW',
    what: 'private networks (CIDR, comma separated) that webhooks may reach',
    parse: parseNetworks,
    page: WEBHOOKS_PATH,
    kind: 'plain',
  }),
  signingLinks: row({
    fallback: 'off',
    parse: oneOf(['on', 'off']),
    page: SIGNING_LINKS_PATH,
    kind: 'plain',
  }),
  embedOrigins: row({
    parse: parseOrigins,
    page: SIGNING_LINKS_PATH,
    kind: 'plain',
  }),
  tsaUrl: row({
    variable: 'SIGNET_TSA_URL',
    what: 'time-stamp authorities (RFC 3161), comma separated, asked in this order: `https://user:password@tsa.example.com/`',
    parse: parseAuthorities,
    page: TIMESTAMPS_PATH,
    kind: 'secret',
  }),
  tsaCaFile: row({
    variable: 'SIGNET_TSA_CA_FILE',
    what: 'PEM file with the root certificates of the time-stamp authorities',
    parse: optional(parseRoots),
    page: TIMESTAMPS_PATH,
    kind: 'long',
  }),
  tsaFallback: row({
    variable: 'SIGNET_TSA_FALLBACK',
    fallback: 'later',
    what: 'when no authority responds: `later` seals without a time-stamp and adds it later, `wait` delays the seal',
    parse: oneOf(['wait', 'later']),
    page: TIMESTAMPS_PATH,
    kind: 'plain',
  }),
  sealLevel: row({
    variable: 'SIGNET_SEAL_LEVEL',
    what: '`B-B`, `B-T`, `B-LT` or `B-LTA` (PAdES); default `B-LTA` with a time-stamp authority, `B-B` without',
    parse: optional(parseLevel),
    page: TIMESTAMPS_PATH,
    kind: 'plain',
  }),
  sealSubFilter: row({
    variable: 'SIGNET_SEAL_SUB_FILTER',
    fallback: SEAL_SUB_FILTERS[0],
    what: '`ETSI.CAdES.detached` (PAdES), or `adbe.pkcs7.detached`, which Firefox verifies too and which has no PAdES level',
    parse: oneOf(SEAL_SUB_FILTERS),
    page: SEAL_FORM_PATH,
    kind: 'plain',
  }),
  ...OIDC_ROWS,
  sessionIdleMinutes: row({
    variable: 'SIGNET_SESSION_IDLE_MINUTES',
    fallback: '480',
    what: 'minutes without use after which a session of the web app ends; it lasts 12 hours at most',
    parse: parseIdle,
    page: SESSIONS_PATH,
    kind: 'plain',
  }),
  checkpointFolder: row({
    variable: 'SIGNET_CHECKPOINT_FOLDER',
    what: 'folder on another disk, into which signed checkpoints of the audit log are written',
    parse: optional(parseFolder),
    page: CHECKPOINTS_PATH,
    kind: 'plain',
  }),
  checkpointEmail: row({
    variable: 'SIGNET_CHECKPOINT_EMAIL',
    what: 'address, best outside this organisation, to which signed checkpoints of the audit log are mailed',
    parse: optional(parseAddress),
    page: CHECKPOINTS_PATH,
    kind: 'personal',
  }),
  checkpointEvery: row({
    variable: 'SIGNET_CHECKPOINT_EVERY',
    fallback: 'daily',
    what: 'how often a checkpoint is made: `daily` or `weekly`',
    parse: oneOf(['daily', 'weekly']),
    page: CHECKPOINTS_PATH,
    kind: 'plain',
  }),
  checkpointKeep: row({
    variable: 'SIGNET_CHECKPOINT_KEEP',
    fallback: '400',
    what: 'how many checkpoints the folder keeps',
    parse: parseKept,
    page: CHECKPOINTS_PATH,
    kind: 'plain',
  }),
  witnessUrl: row({
    variable: 'SIGNET_WITNESS_URL',
    what: 'address of another Signet that co-signs the checkpoints of the audit log',
    parse: optional(parseWitness),
    page: WITNESS_PATH,
    kind: 'plain',
  }),
  witnessCertificateFile: row({
    variable: 'SIGNET_WITNESS_CERTIFICATE_FILE',
    what: 'PEM file with the seal certificate of the witness, or its root',
    parse: optional(parseRoots),
    page: WITNESS_PATH,
    kind: 'long',
  }),
  ...ORGANISATION_ROWS,
  ...OWN_ROWS,
} satisfies Record<string, ServiceRow>

export type ServiceSettingName = keyof typeof SERVICE_ROWS
export type ServiceValue<Name extends ServiceSettingName> = ReturnType<(typeof SERVICE_ROWS)[Name]['parse']>

/** Without a variable, and no secret. */
export type StoredSettingName = keyof typeof ORGANISATION_ROWS | keyof typeof OWN_ROWS
/** Changed by `changeServiceSettings`. */
export type ChangeableSettingName = Exclude<ServiceSettingName, keyof typeof OWN_ROWS>

export const SERVICE_SETTING_NAMES = Object.keys(SERVICE_ROWS) as ServiceSettingName[]

/** The rows without the types of their values. */
export const serviceRow = (name: ServiceSettingName): ServiceRow => SERVICE_ROWS[name]
