/**
 * The second factor: codes of an authenticator app, recovery codes for when it is lost, and the
 * rule that everybody needs one.
 */
import { appendInstanceEvent } from '../audit/log.ts'
import type { InstanceEvent, Json } from '../core/document/event.ts'
import { Refusal, validationRefusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { MINUTE_MS } from '../lib/duration.ts'
import { keyedToken, newRecoveryCode, parseRecoveryCode } from '../lib/token.ts'
import { isTotpForm, newTotpSecret, readableSecret, stepOfCode, totpUri } from '../lib/totp.ts'
import type { App, Origin } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { secretName } from '../settings/sealed.ts'
import { readStoredSetting, saveStoredSetting } from '../settings/service-settings.ts'
import { mailPerson } from './account-mail.ts'
import * as queries from './factor-queries.ts'
import { anyPasskeyOf, dropPasskeysOf, passkeysOf } from './passkey-queries.ts'
import { dropSessionsOf, type Session, type SignInMethod, type User } from './queries.ts'
import { type AttemptSource, countFailure, recordDelay, resetFailures } from './throttle.ts'

const RECOVERY_CODES = 10
/** A secret that nobody confirmed by a code is shown for so long. */
const ENROLMENT_MS = 30 * MINUTE_MS

const hashOf = ({ linkKey }: Pick<App, 'linkKey'>, userId: string, code: string) =>
  keyedToken(linkKey, 'recovery code', userId, code)

async function append(tx: Tx, app: App, type: InstanceEvent, data: Record<string, Json>, origin: Origin): Promise<void> {
  await appendInstanceEvent(tx, app, { type, data }, origin)
}

export interface SecondFactor {
  since: Date
  recoveryCodesLeft: number
}

export async function secondFactorOf(db: Db | Tx, userId: string): Promise<SecondFactor | undefined> {
  const secret = await queries.totpSecretOf(db, userId)
  return secret && { since: secret.createdAt, recoveryCodesLeft: await queries.countRecoveryCodes(db, userId) }
}

/** An authenticator app. */
export async function hasSecondFactor(db: Db | Tx, userId: string): Promise<boolean> {
  return (await queries.totpSecretOf(db, userId)) !== undefined
}

/** What somebody has, or had until it was removed. */
export interface Factors {
  hasApp: boolean
  passkeys: number
}

export async function factorsOf(db: Db | Tx, userId: string): Promise<Factors> {
  return { hasApp: await hasSecondFactor(db, userId), passkeys: (await passkeysOf(db, userId)).length }
}

/** An authenticator app or a passkey. */
export async function hasAnyFactor(db: Db | Tx, userId: string): Promise<boolean> {
  return (await hasSecondFactor(db, userId)) || (await anyPasskeyOf(db, userId))
}

/** Makes the secret of a new app. The app in use stays so until the new one is confirmed. */
export async function startEnrolment(app: App, userId: string): Promise<void> {
  const sealedSecret = app.secrets.encrypt(secretName('totpEnrolment', userId), newTotpSecret(app.random))
  await app.write(tx => queries.saveEnrolment(tx, { userId, sealedSecret, createdAt: app.now() }), { wake: false })
}

async function openEnrolment(app: App, db: Db | Tx, userId: string): Promise<queries.Enrolment | undefined> {
  const enrolment = await queries.enrolmentOf(db, userId)
  return enrolment && app.now().getTime() - enrolment.createdAt.getTime() < ENROLMENT_MS ? enrolment : undefined
}

export interface ShownSecret {
  /** What the QR code holds. */
  uri: string
  text: string
}

/** The secret to be put into the app; `undefined` unless it is being set up. */
export async function enrolmentSecret(app: App, { id, email }: User): Promise<ShownSecret | undefined> {
  const enrolment = await openEnrolment(app, app.db, id)
  if (!enrolment) return undefined
  const secret = app.secrets.decrypt(secretName('totpEnrolment', id), enrolment.sealedSecret)
  const { name } = await readOrganisation(app.db)
  return { uri: totpUri(secret, { issuer: shortened(name), account: shortened(email) }), text: readableSecret(secret) }
}

/** Longer names make a QR code that cannot be scanned, and apps cut them off. */
const MAX_SHOWN_LENGTH = 40

function shortened(name: string): string {
  const characters = [...name]
  return characters.length > MAX_SHOWN_LENGTH ? `${characters.slice(0, MAX_SHOWN_LENGTH - 1).join('')}…` : name
}

/**
 * Puts the new app into use, with new recovery codes, which are returned: only their hashes are
 * stored. @throws Refusal `validation_failed` for a wrong code, `invalid_state` without a secret
 */
export async function confirmEnrolment(app: App, user: User, entered: string, origin: Origin): Promise<string[]> {
  return app.write(async tx => {
    const enrolment = await openEnrolment(app, tx, user.id)
    if (!enrolment) throw new Refusal('invalid_state', violation('enrolment_expired'))
    const secret = app.secrets.decrypt(secretName('totpEnrolment', user.id), enrolment.sealedSecret)
    const step = stepOfCode(secret, entered, app.now())
    if (step === undefined) throw validationRefusal([{ path: 'code', ...violation('code_wrong') }])
    const isNew = !(await hasSecondFactor(tx, user.id))
    const { sealedSecret } = enrolment
    await queries.saveTotpSecret(tx, { userId: user.id, sealedSecret, lastStep: step, createdAt: app.now() })
    await queries.dropEnrolment(tx, user.id)
    await append(tx, app, 'user.second_factor_added', { userId: user.id, factor: 'totp', replaces: !isNew }, origin)
    await mailPerson(tx, app, user, ({ signIn }) => signIn.mails.factorAdded(app.config.baseUrl))
    return newCodes(tx, app, user.id)
  })
}

export async function newCodes(tx: Tx, app: App, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => newRecoveryCode(app.random))
  const hashes = codes.map(code => hashOf(app, userId, code))
  await queries.replaceRecoveryCodes(tx, userId, hashes, app.now())
  return codes
}

/** Earlier codes no longer count. @throws Refusal `invalid_state` without a second factor */
export async function renewRecoveryCodes(app: App, user: User, origin: Origin): Promise<string[]> {
  return app.write(async tx => {
    if (!(await hasAnyFactor(tx, user.id))) throw noFactor()
    await append(tx, app, 'user.recovery_codes_renewed', { userId: user.id }, origin)
    await mailPerson(tx, app, user, ({ signIn }) => signIn.mails.codesRenewed(app.config.baseUrl))
    return newCodes(tx, app, user.id)
  })
}

const noFactor = () => new Refusal('invalid_state', violation('no_second_factor'))

/**
 * By somebody else it takes the passkeys too: they may be on the same lost phone.
 * @throws Refusal `invalid_state` without a second factor
 */
export async function removeSecondFactor(app: App, user: User, origin: Origin): Promise<Factors> {
  return app.write(async tx => {
    const isOwn = origin.actor.userId === user.id
    const passkeys = isOwn ? 0 : await dropPasskeysOf(tx, user.id)
    const hasApp = await queries.dropTotpSecret(tx, user.id)
    if (!hasApp && passkeys === 0) throw noFactor()
    await append(tx, app, 'user.second_factor_removed', { userId: user.id, factor: 'totp', passkeys }, origin)
    // The phone may be in the hands of somebody else, and so may what is open on it.
    if (!isOwn) await dropSessionsOf(tx, user.id)
    await mailPerson(tx, app, user, ({ signIn }) => signIn.mails.factorRemoved(app.config.baseUrl, { isOwn, hasApp, passkeys }))
    return { hasApp, passkeys }
  })
}

interface Attempt {
  entered: string
  source: AttemptSource
  origin: Origin
}

/**
 * Accepts a code of the app, once, or an unused recovery code. Counts as a failure until it is
 * verified. @throws Refusal `rate_limited`
 */
export async function verifySecondFactor(app: App, user: User, attempt: Attempt): Promise<SignInMethod | undefined> {
  const { entered, source } = attempt
  const isDelayed = await app.write(tx => countFailure(tx, 'code', user.email, source, app.now()), { wake: false })
  const used = await app.write(async tx => {
    const method = isTotpForm(entered) ? await useTotpCode(tx, app, user, entered) : await useRecoveryCode(tx, app, user, attempt)
    if (method) await resetFailures(tx, 'code', user.email, source)
    return method
  })
  if (isDelayed && used === undefined) await recordDelay(app, { email: user.email, user }, 'code', source)
  return used
}

async function useTotpCode(tx: Tx, app: App, { id }: User, entered: string): Promise<SignInMethod | undefined> {
  const row = await queries.totpSecretOf(tx, id)
  const step = row && stepOfCode(app.secrets.decrypt(secretName('totp', id), row.sealedSecret), entered, app.now())
  return step !== undefined && (await queries.takeStep(tx, id, step)) ? 'totp' : undefined
}

async function useRecoveryCode(tx: Tx, app: App, user: User, { entered, origin }: Attempt): Promise<SignInMethod | undefined> {
  const code = parseRecoveryCode(entered)
  if (code === undefined || !(await queries.useRecoveryCode(tx, user.id, hashOf(app, user.id, code), app.now()))) return undefined
  const left = await queries.countRecoveryCodes(tx, user.id)
  await append(tx, app, 'user.recovery_code_used', { userId: user.id, left }, origin)
  await mailPerson(tx, app, user, ({ signIn }) => signIn.mails.codeUsed(app.config.baseUrl, left))
  return 'recovery_code'
}

// The rule that everybody needs a second factor, which an administrator switches on and off.

export async function isSecondFactorRequired(db: Db | Tx): Promise<boolean> {
  return (await readStoredSetting(db, 'secondFactor')) === 'required'
}

/**
 * What the sign-in asks for after the password: a code of the app, or the passkey of a person who
 * has no app, where a second factor is required. A recovery code takes the place of either.
 */
export async function secondStepOf(db: Db | Tx, userId: string): Promise<'code' | 'passkey' | undefined> {
  if (await hasSecondFactor(db, userId)) return 'code'
  return (await isSecondFactorRequired(db)) && (await anyPasskeyOf(db, userId)) ? 'passkey' : undefined
}

/** The organisation requires a second factor, and the person has one passkey and nothing else. */
export async function isOnlyFactor(db: Db | Tx, userId: string): Promise<boolean> {
  return (await secondStepOf(db, userId)) === 'passkey' && (await passkeysOf(db, userId)).length === 1
}

/** @throws Refusal `invalid_state` for an administrator without a second factor */
export async function requireSecondFactor(app: App, isRequired: boolean, origin: Origin): Promise<void> {
  await app.write(async tx => {
    if (isRequired === (await isSecondFactorRequired(tx))) return
    const { userId } = origin.actor
    if (isRequired && userId !== undefined && !(await hasAnyFactor(tx, userId))) {
      throw new Refusal('invalid_state', violation('own_factor_first'))
    }
    await saveStoredSetting(tx, 'secondFactor', isRequired ? 'required' : '')
    const data = { secondFactor: isRequired ? 'required' : 'optional' }
    await appendInstanceEvent(tx, app, { type: 'sign_in.changed', data }, origin)
  })
}

/** A recovery code is a second factor, and the last two are both. */
const STRONG: readonly SignInMethod[] = ['totp', 'recovery_code', 'passkey', 'oidc_with_factor']

/** Whether the method is enough where a second factor is asked for. */
export const isStrong = (method: SignInMethod): boolean => STRONG.includes(method)

/** Whether the person has to set up a second factor before anything else. */
export async function lacksSecondFactor(db: Db, { userId, methods }: Session): Promise<boolean> {
  if (methods.some(isStrong)) return false
  return (await isSecondFactorRequired(db)) && !(await hasAnyFactor(db, userId))
}
