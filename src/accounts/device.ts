/** Recognises a browser in which an account signed in before, by a cookie. It replaces no password: it only passes others' pauses. */
import { isSameSecret, keyedToken, randomToken, sha256Hex } from '../lib/token.ts'
import type { App } from '../ports.ts'
import type { User } from './queries.ts'

/** Browsers keep no cookie for longer than 400 days. */
export const DEVICE_COOKIE_S = 400 * 86_400

type Account = Pick<User, 'id' | 'passwordHash'>

/** `<random>.<HMAC>`, bound to the account and its password: a new password makes every device unknown. */
export function newDeviceToken(app: Pick<App, 'linkKey'>, account: Account): string {
  const random = randomToken()
  return `${random}.${macOf(app, account, random)}`
}

/** The device's name for counting; `undefined` when the token is absent or of another account. */
export function deviceOf(app: Pick<App, 'linkKey'>, account: Account | undefined, token: string | undefined): string | undefined {
  const [random = '', mac = ''] = token?.split('.') ?? []
  // Computed for an unknown account too: both take the same time.
  const right = macOf(app, account ?? { id: '', passwordHash: '' }, random)
  return isSameSecret(mac, right) && account !== undefined && random !== '' ? random : undefined
}

function macOf({ linkKey }: Pick<App, 'linkKey'>, { id, passwordHash }: Account, random: string): string {
  return keyedToken(linkKey, 'device', id, sha256Hex(passwordHash), random)
}
