/** Which passwords are accepted. */
import { type Violation, violation } from '../core/violation.ts'

const MIN_LENGTH = 12
const MAX_LENGTH = 256

/** `undefined` for an accepted password. Loads the list of 49,000 common passwords when needed. */
export async function passwordError(password: string): Promise<Violation | undefined> {
  const length = [...password].length
  if (length < MIN_LENGTH) return violation('password_too_short', { min: MIN_LENGTH })
  if (length > MAX_LENGTH) return violation('too_long', { max: MAX_LENGTH })
  const { default: common } = await import('@zxcvbn-ts/language-common/src/passwords.json')
  const isCommon = common.includes(password.toLowerCase()) || /^(.)\1+$/.test(password)
  return isCommon ? violation('password_common') : undefined
}
