/** A new password by a one-time link, for who has forgotten theirs. The command line makes the link, a page takes the password. */
import { appendInstanceEvent } from '../audit/log.ts'
import { Refusal, refuseIfInvalid } from '../core/refusal.ts'
import { passwordError } from '../lib/password.ts'
import { randomToken, sha256Hex } from '../lib/token.ts'
import { queueNotice } from '../outbox/outbox.ts'
import { type App, type Origin, SYSTEM } from '../ports.ts'
import { newDeviceToken } from './device.ts'
import * as queries from './queries.ts'

export const RESET_LINK_MINUTES = 30

/** The token of a new link; an older link of this user is replaced. @throws Refusal `not_found` */
export async function issueResetLink(app: App, email: string, origin: Origin): Promise<{ user: queries.User; token: string }> {
  const token = randomToken()
  const user = await app.write(async tx => {
    const found = await queries.userByEmail(tx, email)
    if (!found) throw new Refusal('not_found', `Nobody has an account with the address ${email}: check it for typing errors.`)
    await queries.replaceResetLink(tx, found.id, sha256Hex(token), new Date(app.now().getTime() + RESET_LINK_MINUTES * 60_000))
    await appendInstanceEvent(tx, app, { type: 'user.password_reset_link_issued', data: { userId: found.id } }, origin)
    return found
  })
  return { user, token }
}

/** Whose password the link sets; `undefined` when it was used, was replaced or has expired. */
export function userOfResetLink(app: App, token: string): Promise<queries.User | undefined> {
  return queries.userByResetLink(app.db, sha256Hex(token), app.now())
}

/**
 * Sets the password and spends the link. Every session of the user ends and every device becomes unknown, but for the device token that is
 * returned. The user is mailed that it happened.
 * @throws Refusal `not_found` for a link that does not hold, `validation_failed` for a password that is not accepted; the link stays then
 */
export async function setPasswordByLink(
  app: App,
  token: string,
  password: string,
  client: Pick<Origin, 'ip' | 'userAgent'>,
): Promise<{ deviceToken: string }> {
  // Before the password is hashed: that is work which nobody without a link may ask for.
  if (!(await userOfResetLink(app, token))) throw resetLinkRefusal()
  const fault = await passwordError(password)
  if (fault) refuseIfInvalid([{ path: 'password', message: fault }])
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
        'If this was not you, tell whoever runs the server at once.',
      ],
    })
    return { deviceToken: newDeviceToken(app, { id: user.id, passwordHash }) }
  })
}

export function resetLinkRefusal(): Refusal {
  const message = 'This link was used, was replaced by a newer one, or has expired. Run signet admin reset again for a new one.'
  return new Refusal('not_found', message)
}
