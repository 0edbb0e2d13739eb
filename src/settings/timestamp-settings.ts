/**
 * Which time-stamps seals get: the authorities, the level, and what the authorities answered last.
 */
import type { Authority, TrustedRoots } from '../config/service-rows.ts'
import type { SealLevel, SealSubFilter } from '../core/document/document.ts'
import { SEAL_LEVELS, SEAL_SUB_FILTERS } from '../core/document/document.ts'
import { refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { MINUTE_MS } from '../lib/duration.ts'
import { errorMessage } from '../lib/log.ts'
import { readTrustFile } from '../pki/x509.ts'
import type { App, Origin } from '../ports.ts'
import { readSetting, saveSetting } from './queries.ts'
import { changeServiceSettings, readServiceSettings, type SettingChanges } from './service-settings.ts'

export interface TimestampSettings {
  /** Requested in this order. */
  authorities: Authority[]
  roots: TrustedRoots | undefined
  /** Of new seals. */
  subFilter: SealSubFilter
  /** The level whose parts new seals get. */
  level: SealLevel
  /** The same for the seals of each sub-filter. */
  levels: Record<SealSubFilter, SealLevel>
  /** When no authority responds: `wait`, or seal now and augment `later`. */
  fallback: 'wait' | 'later'
}

type Deps = Pick<App, 'config' | 'db' | 'secrets' | 'features'>

export async function readTimestampSettings(app: Deps, db: Db | Tx = app.db): Promise<TimestampSettings> {
  const { tsaUrl, tsaCaFile, sealLevel, sealSubFilter, tsaFallback } = await readServiceSettings(app, db)
  const authorities = tsaUrl.value
  const highest = (level: SealLevel): SealLevel => sealLevel.value ?? (authorities.length > 0 ? level : 'B-B')
  // Firefox does not call a PKCS#7 seal verified that validation data or a time-stamp follows.
  const levels = { 'ETSI.CAdES.detached': highest('B-LTA'), 'adbe.pkcs7.detached': highest('B-T') }
  const [standard] = SEAL_SUB_FILTERS
  // An older node would renew such a seal as if it had lost its level.
  const subFilter = (await app.features.isUsable(db, 'pkcs7Seal')) ? sealSubFilter.value : standard
  const level = levels[subFilter]
  return { authorities, roots: tsaCaFile.value, subFilter, level, levels, fallback: tsaFallback.value }
}

/** Throws `upgrade_unfinished`; Refusal if the environment fixes it. */
export async function saveSealSubFilter(app: App, origin: Origin, text: string): Promise<void> {
  const sealSubFilter = oneOf('sealSubFilter', SEAL_SUB_FILTERS, text)
  await app.write(async tx => {
    if (sealSubFilter !== SEAL_SUB_FILTERS[0]) await app.features.require(tx, 'pkcs7Seal')
    await changeServiceSettings(tx, app, origin, { sealSubFilter })
  })
}

export interface AuthorityInput {
  url: string
  user: string
  /** Empty: the stored one of this address and user name. */
  password: string
}

export interface TimestampInput {
  /** In order; those without an address are left out. */
  authorities: AuthorityInput[]
  /** Empty: the highest that is possible. */
  level: string
  fallback: string
  /** A file with the root certificates of the authorities; `none` removes them. */
  roots: Uint8Array | 'none' | undefined
}

/** What the environment fixes is left out. @throws Refusal with errors by field */
export async function saveTimestampSettings(app: App, origin: Origin, input: TimestampInput): Promise<void> {
  const { tsaUrl, sealLevel, tsaFallback, tsaCaFile } = await readServiceSettings(app)
  const changes: SettingChanges = {}
  if (tsaUrl.source !== 'environment') changes.tsaUrl = authoritiesText(input.authorities, tsaUrl.value)
  if (sealLevel.source !== 'environment') changes.sealLevel = oneOf('sealLevel', ['', ...SEAL_LEVELS], input.level)
  if (tsaFallback.source !== 'environment') changes.tsaFallback = oneOf('tsaFallback', ['later', 'wait'], input.fallback)
  if (tsaCaFile.source !== 'environment' && input.roots) changes.tsaCaFile = input.roots === 'none' ? '' : rootsText(input.roots)
  await app.write(tx => changeServiceSettings(tx, app, origin, changes))
}

function oneOf(path: string, values: readonly string[], text: string): string {
  if (!values.includes(text)) refuseIfInvalid([{ path, ...violation('not_one_of', { values: values }) }])
  return text
}

function authoritiesText(inputs: readonly AuthorityInput[], before: readonly Authority[]): string {
  const errors: ValidationError[] = []
  const texts = inputs.flatMap((input, i) => {
    if (input.url.trim() === '') return []
    const parsed = authorityText(input, before)
    if ('found' in parsed) errors.push({ path: `${parsed.part}${i + 1}`, ...parsed.found })
    return 'text' in parsed ? [parsed.text] : []
  })
  refuseIfInvalid(errors)
  return texts.join(',')
}

function authorityText(
  { url: address, user, password }: AuthorityInput,
  before: readonly Authority[],
): { text: string } | { part: 'url' | 'tsaPassword'; found: Violation } {
  const url = URL.canParse(address.trim()) ? new URL(address.trim()) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    return { part: 'url', found: violation('not_an_authority_url') }
  }
  if (url.username || url.password) return { part: 'url', found: violation('login_in_url') }
  const login = user.trim()
  if (login !== '') {
    const kept = before.find(one => one.url === url.href && one.user === login)?.password
    if (password === '' && kept === undefined) {
      return { part: 'tsaPassword', found: violation('secret_of_other_authority') }
    }
    url.username = encodeURIComponent(login)
    url.password = encodeURIComponent(password || (kept ?? ''))
  }
  // A comma separates addresses.
  return { text: url.href.replaceAll(',', '%2C') }
}

/** PEM. */
function rootsText(file: Uint8Array): string {
  const read = readTrustFile(file)
  if ('error' in read) refuseIfInvalid([{ path: 'file', ...violation('not_certificates') }])
  return 'pem' in read ? read.pem : ''
}

// The last answer of the time-stamp authorities: to a seal, a renewal or a test.

const ANSWER_SETTING = 'timestamps.answer'
/** The same answer again is not stored more often. */
const STORE_EVERY_MS = 10 * MINUTE_MS

export interface TimestampAnswer {
  at: Date
  /** Why none gave a time-stamp, in a clause; undefined if one did. */
  failure: string | undefined
  /** Of the first failure since the last time-stamp. */
  failingSince: Date | undefined
  /** How far the clock of the authority was ahead of ours. */
  clockDifferenceMs: number | undefined
}

interface StoredAnswer {
  at: string
  failure?: string
  failingSince?: string
  clockDifferenceMs?: number
}

export async function lastTimestampAnswer(db: Db): Promise<TimestampAnswer | undefined> {
  const text = await readSetting(db, ANSWER_SETTING)
  if (text === undefined) return undefined
  const { at, failure, failingSince, clockDifferenceMs } = JSON.parse(text) as StoredAnswer
  return { at: new Date(at), failure, failingSince: failingSince ? new Date(failingSince) : undefined, clockDifferenceMs }
}

/** Never throws: a seal does not fail because its answer could not be noted. */
export async function noteTimestampAnswer(
  app: Pick<App, 'db' | 'write' | 'now' | 'log'>,
  answer: { stampedAt: Date } | { failure: string },
): Promise<void> {
  try {
    const now = app.now()
    const before = await lastTimestampAnswer(app.db)
    const isSame = before !== undefined && before.failure === ('failure' in answer ? answer.failure : undefined)
    const sinceMs = now.getTime() - (before?.at.getTime() ?? 0)
    if (isSame && sinceMs >= 0 && sinceMs < STORE_EVERY_MS) return
    const stored: StoredAnswer =
      'failure' in answer
        ? { at: now.toISOString(), failure: answer.failure, failingSince: (before?.failingSince ?? now).toISOString() }
        : { at: now.toISOString(), clockDifferenceMs: answer.stampedAt.getTime() - now.getTime() }
    await app.write(tx => saveSetting(tx, ANSWER_SETTING, JSON.stringify(stored)), { wake: false })
  } catch (error) {
    app.log('error', 'the answer of the time-stamp authority could not be noted', { error: errorMessage(error) })
  }
}
