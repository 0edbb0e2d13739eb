/** Recognises a browser by a cookie, so that failures of other clients do not delay it. */
import { isSameSecret, keyedToken, randomToken, sha256Hex } from '../lib/token.ts'
import type { App } from '../ports.ts'
import type { User } from './queries.ts'

/** Browsers delete cookies after 400 days. */
export const DEVICE_COOKIE_S = 400 * 86_400

type Account = Pick<User, 'id' | 'passwordHash'>

/** `<random>.<HMAC>`, bound to the account and its password: a new password invalidates it. */
export function newDeviceToken(app: Pick<App, 'linkKey' | 'random'>, account: Account): string {
  const random = randomToken(app.random)
  return `${random}.${macOf(app, account, random)}`
}

/** The id that counts the device's failures; `undefined` without a token of the account. */
export function deviceOf(app: Pick<App, 'linkKey'>, account: Account | undefined, token: string | undefined): string | undefined {
  const [random = '', mac = ''] = token?.split('.') ?? []
  // Also computed for an unknown account, so that both take the same time.
  const expected = macOf(app, account ?? { id: '', passwordHash: '' }, random)
  return isSameSecret(mac, expected) && account !== undefined && random !== '' ? random : undefined
}

function macOf({ linkKey }: Pick<App, 'linkKey'>, { id, passwordHash }: Account, random: string): string {
  return keyedToken(linkKey, 'device', id, sha256Hex(passwordHash), random)
}
