/** Follows when a person has proved who they are, by whatever method: second factor, or session. */
import { DEVICE_COOKIE_S } from '../../../accounts/device.ts'
import { mustUseProvider } from '../../../accounts/oidc.ts'
import { holdSignIn, PENDING_S } from '../../../accounts/pending-sign-in.ts'
import { openSession, SESSION_ABSOLUTE_MS, type SessionTokens } from '../../../accounts/people.ts'
import type { SignInMethod, User } from '../../../accounts/queries.ts'
import { isStrong, secondStepOf } from '../../../accounts/second-factor-rule.ts'
import { type PageResponse, SESSION, type Visit } from '../../frame/page.tsx'

const SESSION_S = SESSION_ABSOLUTE_MS / 1000
/** Cookie that recognises a browser that signed in before. */
const DEVICE = 'signet_device'
const START_PAGE = '/documents'

/** Accepts only a path of this service: a link must not lead to another site after sign-in. */
export function safePath(next: string | null | undefined): string {
  return next && /^\/(?![/\\])[\w/.-]*$/.test(next) ? next : START_PAGE
}

/** The page that the person wanted to open before they were asked to sign in. */
export function nextOf({ url }: Visit): string {
  return safePath(url.searchParams.get('next'))
}

/** The path, with the page to open after it. */
export function withNext(path: string, next: string): string {
  return next === START_PAGE ? path : `${path}?next=${encodeURIComponent(next)}`
}

export function deviceTokenOf(visit: Visit): string | undefined {
  return visit.cookieNamed(DEVICE)
}

export function deviceCookie(visit: Visit, deviceToken: string): string {
  return visit.setCookie(DEVICE, deviceToken, DEVICE_COOKIE_S)
}

export function sessionCookies(visit: Visit, { token, deviceToken }: SessionTokens): string[] {
  return [visit.setCookie(SESSION, token, SESSION_S), deviceCookie(visit, deviceToken)]
}

/** Cookie of a sign-in that waits for its second factor. */
const PENDING = 'signet_pending_sign_in'
export const CODE_PATH = '/sign-in/code'
export const PASSKEY_SIGN_IN_PATH = '/sign-in/passkey'
export const OIDC_SIGN_IN_PATH = '/sign-in/oidc'

export function pendingTokenOf(visit: Visit): string | undefined {
  return visit.cookieNamed(PENDING)
}

export function endPendingCookie(visit: Visit): string {
  return visit.setCookie(PENDING, '', 0)
}

/**
 * Call after the method has been verified. Opens the session, or leads to the second factor if the
 * person has one and has not used it. `next`: the page to open.
 */
export async function finishSignIn(
  visit: Visit,
  user: User,
  method: SignInMethod,
  next: string = nextOf(visit),
): Promise<PageResponse> {
  const { app, client } = visit
  if (await mustUseProvider(app, user, method))
    return { redirect: `${withNext('/sign-in', next)}${next === START_PAGE ? '?' : '&'}notice=provider` }
  if (!isStrong(method) && (await secondStepOf(app.db, user.id))) {
    const token = await holdSignIn(app, user, method, next)
    return { redirect: CODE_PATH, cookies: [visit.setCookie(PENDING, token, PENDING_S)] }
  }
  return { redirect: next, cookies: sessionCookies(visit, await openSession(app, user, [method], client)) }
}
