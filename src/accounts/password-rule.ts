/** Which passwords are accepted. */
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../core/service-limits.ts'
import { type Violation, violation } from '../core/violation.ts'

/** `undefined` for an accepted password. Loads the list of 49,000 common passwords when needed. */
export async function passwordError(password: string): Promise<Violation | undefined> {
  const length = [...password].length
  if (length < MIN_PASSWORD_LENGTH) return violation('password_too_short', { min: MIN_PASSWORD_LENGTH })
  if (length > MAX_PASSWORD_LENGTH) return violation('too_long', { max: MAX_PASSWORD_LENGTH })
  const { default: common } = await import('@zxcvbn-ts/language-common/src/passwords.json')
  const isCommon = common.includes(password.toLowerCase()) || /^(.)\1+$/.test(password)
  return isCommon ? violation('password_common') : undefined
}
