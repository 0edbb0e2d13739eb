/** The rule that everybody needs a second factor, which an administrator switches on and off. */
import { appendInstanceEvent } from '../audit/log.ts'
import { Refusal } from '../core/refusal.ts'
import type { Db, Tx } from '../db/open.ts'
import type { App, Origin } from '../ports.ts'
import { dropSetting, readSetting, saveSetting } from '../settings/queries.ts'
import type { Session, SignInMethod } from './queries.ts'
import { hasSecondFactor } from './second-factor.ts'

const SETTING = 'signIn.secondFactor'
const REQUIRED = 'required'

export async function isSecondFactorRequired(db: Db | Tx): Promise<boolean> {
  return (await readSetting(db, SETTING)) === REQUIRED
}

/** @throws Refusal `invalid_state` for an administrator without a second factor */
export async function requireSecondFactor(app: App, isRequired: boolean, origin: Origin): Promise<void> {
  await app.write(async tx => {
    if (isRequired === (await isSecondFactorRequired(tx))) return
    const { userId } = origin.actor
    if (isRequired && userId !== undefined && !(await hasSecondFactor(tx, userId))) {
      throw new Refusal('invalid_state', 'Set up your own second factor first, under Profile.')
    }
    if (isRequired) await saveSetting(tx, SETTING, REQUIRED)
    else await dropSetting(tx, SETTING)
    await appendInstanceEvent(
      tx,
      app,
      { type: 'sign_in.changed', data: { secondFactor: isRequired ? REQUIRED : 'optional' } },
      origin,
    )
  })
}

/** A recovery code is a second factor, and a passkey is both. */
const STRONG: readonly SignInMethod[] = ['totp', 'recovery_code', 'passkey']

/** Whether the person has to set up a second factor before anything else. */
export async function lacksSecondFactor(db: Db, { userId, methods }: Session): Promise<boolean> {
  if (methods.some(method => STRONG.includes(method))) return false
  return (await isSecondFactorRequired(db)) && !(await hasSecondFactor(db, userId))
}
