/** The rule that everybody needs a second factor, which an administrator switches on and off. */
import { appendInstanceEvent } from '../audit/log.ts'
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import type { App, Origin } from '../ports.ts'
import { readStoredSetting, saveStoredSetting } from '../settings/service-settings.ts'
import { anyPasskeyOf, passkeysOf } from './passkey-queries.ts'
import type { Session, SignInMethod } from './queries.ts'
import { hasAnyFactor, hasSecondFactor } from './second-factor.ts'

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
