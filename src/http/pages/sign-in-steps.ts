/** Follows when a person has proved who they are, by whatever method: opens the session. */
import { DEVICE_COOKIE_S } from '../../accounts/device.ts'
import { openSession, SESSION_ABSOLUTE_MS } from '../../accounts/people.ts'
import type { SignInMethod, User } from '../../accounts/queries.ts'
import { type PageResponse, SESSION, type Visit } from '../page.tsx'

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

/** Call after the method has been verified. `next`: the page to open. */
export async function finishSignIn(
  visit: Visit,
  user: User,
  method: SignInMethod,
  next: string = nextOf(visit),
): Promise<PageResponse> {
  const { token, deviceToken } = await openSession(visit.app, user, [method], visit.client)
  return { redirect: next, cookies: [visit.setCookie(SESSION, token, SESSION_S), deviceCookie(visit, deviceToken)] }
}
