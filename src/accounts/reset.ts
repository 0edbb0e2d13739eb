/** Resets a forgotten password by a one-time link, printed by the command line or mailed. */
import { appendInstanceEvent } from '../audit/log.ts'
import { errorsIn, Refusal, refuseIfInvalid } from '../core/refusal.ts'
import { RESET_MAIL_PAUSE_MINUTES } from '../core/service-limits.ts'
import { emailError } from '../core/text.ts'
import { violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import { MINUTE_MS } from '../lib/duration.ts'
import { sha256Hex } from '../lib/sha256.ts'
import { keyedToken, randomToken } from '../lib/token.ts'
import { type App, type Client, type Origin, SYSTEM } from '../ports.ts'
import { mailPerson } from './account-mail.ts'
import * as links from './factor-queries.ts'
import { passwordError } from './password-rule.ts'
import * as queries from './queries.ts'
import { actorOfUser } from './rights.ts'
import { newDeviceToken } from './throttle.ts'

export const RESET_LINK_MINUTES = 30

/**
 * Returns the token of a new link; it replaces an older one.
 * @throws Refusal `not_found`, `forbidden` for a disabled person
 */
export function issueResetLink(app: App, email: string, origin: Origin): Promise<{ user: queries.User; token: string }> {
  return app.write(async tx => {
    const user = await queries.userByEmail(tx, email)
    if (!user) throw noAccount(email)
    if (user.disabledAt) throw disabledRefusal(email)
    const keyedBy = await newResetLink(tx, app, user, 'command_line', origin)
    return { user, token: keyedToken(app.linkKey, ...keyedBy) }
  })
}

/** Returns what `keyedToken` makes the token of, so that no row of a mail contains it. */
async function newResetLink(tx: Tx, app: App, user: queries.User, kind: links.ResetLinkKind, origin: Origin): Promise<string[]> {
  const keyedBy = ['password reset', user.id, randomToken(app.random)]
  const tokenSha256 = sha256Hex(keyedToken(app.linkKey, ...keyedBy))
  const expiresAt = new Date(app.now().getTime() + RESET_LINK_MINUTES * MINUTE_MS)
  await links.replaceResetLink(tx, { userId: user.id, tokenSha256, expiresAt, kind })
  await appendInstanceEvent(tx, app, { type: 'user.password_reset_link_issued', data: { userId: user.id, kind } }, origin)
  return keyedBy
}

/**
 * Stores that somebody forgot the password of this address. `mailResetLinks` answers it later, so
 * that this takes the same time whether or not there is such an account.
 */
export async function requestResetLink(app: App, email: string, { ip, userAgent }: Client): Promise<void> {
  const address = email.trim()
  refuseIfInvalid(errorsIn([['email', emailError(address)]]))
  const request = { mailboxSha256: sha256Hex(address.toLowerCase()), email: address, ip, userAgent, requestedAt: app.now() }
  await app.write(tx => links.insertResetRequest(tx, request), { wake: false })
}

const MAX_REQUESTS_AT_ONCE = 50
/** Nobody can fill a mailbox, or replace the link in a mail before it is read. */

/** Mails a link to each account for which one was requested. Returns the number of requests. */
export async function mailResetLinks(app: App): Promise<number> {
  const requests = await links.resetRequests(app.db, MAX_REQUESTS_AT_ONCE)
  for (const request of requests) await app.write(tx => answerRequest(tx, app, request))
  return requests.length
}

async function answerRequest(tx: Tx, app: App, request: links.ResetRequest): Promise<void> {
  // Another node may have answered it.
  if (!(await links.dropResetRequest(tx, request.mailboxSha256))) return
  const user = await queries.userByEmail(tx, request.email)
  if (!user || user.disabledAt || isTooSoon(app, await links.resetLinkOf(tx, user.id))) return
  const { ip, userAgent } = request
  const keyedBy = await newResetLink(tx, app, user, 'mail', { ...SYSTEM, ip, userAgent })
  await mailPerson(tx, app, user, ({ signIn }) => {
    const { link, ...mail } = signIn.mails.resetLink(app.config.baseUrl, RESET_LINK_MINUTES)
    return { ...mail, link: { text: link, path: '/reset/', keyedBy } }
  })
}

/** A link of the command line is never replaced by a request that anybody can make. */
function isTooSoon(app: App, link: Pick<links.ResetLink, 'kind' | 'expiresAt'> | undefined): boolean {
  const minutesLeft = link === undefined ? 0 : (link.expiresAt.getTime() - app.now().getTime()) / MINUTE_MS
  return minutesLeft > (link?.kind === 'mail' ? RESET_LINK_MINUTES - RESET_MAIL_PAUSE_MINUTES : 0)
}

export function userOfResetLink(app: App, token: string): Promise<queries.User | undefined> {
  return links.userByResetLink(app.db, sha256Hex(token), app.now())
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
  refuseIfInvalid(errorsIn([['password', await passwordError(password)]]))
  const passwordHash = await app.passwords.hash(password)
  return app.write(async tx => {
    const user = await links.userByResetLink(tx, sha256Hex(token), app.now())
    if (!user) throw resetLinkRefusal()
    const kind = (await links.resetLinkOf(tx, user.id))?.kind ?? 'command_line'
    await links.dropResetLink(tx, user.id)
    await queries.setPasswordHash(tx, user.id, passwordHash)
    await queries.dropSessionsOf(tx, user.id)
    const origin: Origin = { actor: actorOfUser(user), ...client }
    await appendInstanceEvent(tx, app, { type: 'user.password_reset', data: { userId: user.id } }, origin)
    await mailPerson(tx, app, user, ({ signIn }) => signIn.mails.passwordReset(app.config.baseUrl, kind))
    return { deviceToken: newDeviceToken(app, { id: user.id, passwordHash }) }
  })
}

export function noAccount(email: string): Refusal {
  return new Refusal('not_found', violation('address_unknown', { email }))
}

function disabledRefusal(email: string): Refusal {
  return new Refusal('forbidden', violation('address_disabled', { email }))
}

export function resetLinkRefusal(): Refusal {
  return new Refusal('not_found', violation('reset_link_spent'))
}
