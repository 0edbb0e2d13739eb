/** Resets a forgotten password by a one-time link that the command line creates. */
import { appendInstanceEvent } from '../audit/log.ts'
import { Refusal, refuseIfInvalid } from '../core/refusal.ts'
import { passwordError } from '../lib/password.ts'
import { randomToken, sha256Hex } from '../lib/token.ts'
import { queueNotice } from '../outbox/outbox.ts'
import { type App, type Client, type Origin, SYSTEM } from '../ports.ts'
import { newDeviceToken } from './device.ts'
import * as queries from './queries.ts'

export const RESET_LINK_MINUTES = 30

/**
 * Returns the token of a new link; it replaces an older one.
 * @throws Refusal `not_found`, `forbidden` for a disabled person
 */
export async function issueResetLink(app: App, email: string, origin: Origin): Promise<{ user: queries.User; token: string }> {
  const token = randomToken()
  const user = await app.write(async tx => {
    const found = await queries.userByEmail(tx, email)
    if (!found) throw new Refusal('not_found', `There is no account with the address ${email}: check it for typing errors.`)
    if (found.disabledAt) throw disabledRefusal(email)
    await queries.replaceResetLink(tx, found.id, sha256Hex(token), new Date(app.now().getTime() + RESET_LINK_MINUTES * 60_000))
    await appendInstanceEvent(tx, app, { type: 'user.password_reset_link_issued', data: { userId: found.id } }, origin)
    return found
  })
  return { user, token }
}

export function userOfResetLink(app: App, token: string): Promise<queries.User | undefined> {
  return queries.userByResetLink(app.db, sha256Hex(token), app.now())
}

/**
 * Sets the password and deletes the link, all sessions of the user and all device tokens except the
 * returned one. Mails a notice to the user.
 * @throws Refusal `not_found` for an invalid link, `validation_failed` for a password that is not
 *   accepted; the link stays valid then
 */
export async function setPasswordByLink(
  app: App,
  token: string,
  password: string,
  client: Client,
): Promise<{ deviceToken: string }> {
  // Checked before the password is hashed: only a valid link may cause that work.
  if (!(await userOfResetLink(app, token))) throw resetLinkRefusal()
  const message = await passwordError(password)
  if (message) refuseIfInvalid([{ path: 'password', message }])
  const passwordHash = await app.passwords.hash(password)
  return app.write(async tx => {
    const user = await queries.userByResetLink(tx, sha256Hex(token), app.now())
    if (!user) throw resetLinkRefusal()
    await queries.dropResetLink(tx, user.id)
    await queries.setPasswordHash(tx, user.id, passwordHash)
    await queries.dropSessionsOf(tx, user.id)
    const origin: Origin = { actor: { ...SYSTEM.actor, label: `user:${user.id}`, userId: user.id }, ...client }
    await appendInstanceEvent(tx, app, { type: 'user.password_reset', data: { userId: user.id } }, origin)
    await queueNotice(tx, app, user, {
      subject: 'Your password was changed',
      paragraphs: [
        `The password of your account at ${app.config.baseUrl} was changed with a one-time link that signet admin reset printed. Every session was ended.`,
        'If this was not you, contact the administrator of the server at once.',
      ],
    })
    return { deviceToken: newDeviceToken(app, { id: user.id, passwordHash }) }
  })
}

function disabledRefusal(email: string): Refusal {
  const message = `The account with the address ${email} is disabled: an administrator can enable it under Settings → People.`
  return new Refusal('forbidden', message)
}

export function resetLinkRefusal(): Refusal {
  const message = 'This link was used, was replaced by a newer one, or has expired. Run signet admin reset again for a new one.'
  return new Refusal('not_found', message)
}
