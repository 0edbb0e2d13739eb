/** The second page of the sign-in, and the request for a link after a forgotten password. */
import { ForgotPage, ForgotSentPage, SignInCodePage, SignInPasskeyPage } from '../../../../views/accounts/sign-in-code.tsx'
import { countRecoveryCodes } from '../../../accounts/factor-queries.ts'
import { mustUseProvider } from '../../../accounts/oidc.ts'
import { anyPasskeyOf } from '../../../accounts/passkey-queries.ts'
import { verifyPasskeySignIn } from '../../../accounts/passkeys.ts'
import { endHeldSignIn, finishHeldSignIn, heldSignIn, holdSignIn, PENDING_S } from '../../../accounts/pending-sign-in.ts'
import { knownDevice, openSession, SESSION_ABSOLUTE_MS, type SessionTokens } from '../../../accounts/people.ts'
import type { SignInMethod, User } from '../../../accounts/queries.ts'
import { RESET_LINK_MINUTES, requestResetLink } from '../../../accounts/reset.ts'
import { isStrong, secondStepOf } from '../../../accounts/second-factor.ts'
import { DEVICE_COOKIE_S } from '../../../accounts/throttle.ts'
import { DOCUMENTS_PATH, PROFILE_PATH, SIGN_IN_PATH } from '../../../core/page-paths.ts'
import type { Refusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { passkeySiteOf } from '../../../lib/web-authn.ts'
import type { ShownError } from '../../../locales/app.ts'
import { type PageResponse, runFormAction, SESSION, type Visit } from '../../frame/page.tsx'
import { countAttempt } from '../../limits.ts'

const TOO_MANY = violation('too_many_attempts')

export async function codePage(visit: Visit, errors: ShownError[] = [], status = 200): Promise<PageResponse> {
  const { app } = visit
  const { user } = await heldSignIn(app, pendingTokenOf(visit))
  const { texts } = visit.speakTo(user)
  const { code } = texts.signIn
  if ((await secondStepOf(app.db, user.id)) === 'passkey') {
    const hasCodes = (await countRecoveryCodes(app.db, user.id)) > 0
    const context = visit.context(code.passkeyTitle, { errors })
    return { html: <SignInPasskeyPage context={context} email={user.email} hasCodes={hasCodes} />, status }
  }
  const hasPasskey = passkeySiteOf(app.config.baseUrl) !== undefined && (await anyPasskeyOf(app.db, user.id))
  const context = visit.context(code.title, { errors })
  return { html: <SignInCodePage context={context} email={user.email} hasPasskey={hasPasskey} />, status }
}

/** In place of the code: a passkey is both factors. It may be of another account of the person. */
export async function usePasskey(visit: Visit): Promise<PageResponse> {
  const { app, client, form, csrf: browser } = visit
  const token = pendingTokenOf(visit)
  const { user, method, next } = await heldSignIn(app, token)
  const result = await runFormAction(async () => {
    countAttempt(app, 'passkey sign-in', client.ip, TOO_MANY)
    return verifyPasskeySignIn(app, { browser, response: form.passkey ?? '' }, client)
  })
  if ('errors' in result) return codePage(visit, result.errors, result.status)
  await endHeldSignIn(app, token)
  const isAfterProvider = method === 'oidc' && result.done.id === user.id
  const opened = await finishSignIn(visit, result.done, isAfterProvider ? 'oidc_with_factor' : 'passkey', next)
  return 'redirect' in opened ? { ...opened, cookies: [...(opened.cookies ?? []), endPendingCookie(visit)] } : opened
}

export async function enterCode(visit: Visit): Promise<PageResponse> {
  const { app, client, form } = visit
  const token = pendingTokenOf(visit) ?? ''
  const deviceToken = deviceTokenOf(visit)
  const { user } = await heldSignIn(app, token)
  const result = await runFormAction(async () => {
    countAttempt(app, 'code', (await knownDevice(app, user.email, deviceToken)) ?? client.ip, TOO_MANY)
    return finishHeldSignIn(app, { token, entered: form.code ?? '', deviceToken }, client)
  })
  if ('errors' in result) return codePage(visit, result.errors, result.status)
  const { next, recoveryCodesLeft } = result.done
  const redirect = recoveryCodesLeft === undefined ? next : `${PROFILE_PATH}?notice=recovery-code`
  return { redirect, cookies: [...sessionCookies(visit, result.done), endPendingCookie(visit)] }
}

/** Without a sign-in that waits, the first page says what to do. */
export async function toSignIn(visit: Visit, refusal: Refusal): Promise<PageResponse> {
  if (refusal.reason !== 'invalid_state') throw refusal
  return { redirect: `${SIGN_IN_PATH}?notice=code-expired`, cookies: [endPendingCookie(visit)] }
}

export function forgotPage(visit: Visit, errors: ShownError[] = [], status = 200): PageResponse {
  const { form, texts } = visit
  const context = visit.context(texts.signIn.forgot.title, { errors })
  return { html: <ForgotPage context={context} email={form.email ?? ''} />, status }
}

export async function askForLink(visit: Visit): Promise<PageResponse> {
  const { app, client, form, texts } = visit
  const { email = '' } = form
  const result = await runFormAction(async () => {
    countAttempt(app, 'forgotten password', client.ip, TOO_MANY)
    await requestResetLink(app, email, client)
  })
  if ('errors' in result) return forgotPage(visit, result.errors, result.status)
  const context = visit.context(texts.signIn.forgot.sentTitle)
  return { html: <ForgotSentPage context={context} email={email.trim()} minutes={RESET_LINK_MINUTES} /> }
}

// Follows when a person has proved who they are, by whatever method: second factor, or session.

const SESSION_S = SESSION_ABSOLUTE_MS / 1000
/** Cookie that recognises a browser that signed in before. */
const DEVICE = 'signet_device'
const START_PAGE = DOCUMENTS_PATH

/** Accepts only a path of this service: a link must not lead to another site after sign-in. */
export function safePath(next: string | null | undefined): string {
  return next && /^\/(?![/\\])[\w/.-]*$/.test(next) ? next : START_PAGE
}

/** The page that the person wanted to open before they were asked to sign in. */
export function nextOf({ query }: Visit): string {
  return safePath(query.next)
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

function sessionCookies(visit: Visit, { token, deviceToken }: SessionTokens): string[] {
  return [visit.setCookie(SESSION, token, SESSION_S), deviceCookie(visit, deviceToken)]
}

/** Cookie of a sign-in that waits for its second factor. */
const PENDING = 'signet_pending_sign_in'
const CODE_PATH = `${SIGN_IN_PATH}/code`
export const PASSKEY_SIGN_IN_PATH = `${SIGN_IN_PATH}/passkey`
export const OIDC_SIGN_IN_PATH = `${SIGN_IN_PATH}/oidc`

function pendingTokenOf(visit: Visit): string | undefined {
  return visit.cookieNamed(PENDING)
}

function endPendingCookie(visit: Visit): string {
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
    return { redirect: `${withNext(SIGN_IN_PATH, next)}${next === START_PAGE ? '?' : '&'}notice=provider` }
  if (!isStrong(method) && (await secondStepOf(app.db, user.id))) {
    const token = await holdSignIn(app, user, method, next)
    return { redirect: CODE_PATH, cookies: [visit.setCookie(PENDING, token, PENDING_S)] }
  }
  return { redirect: next, cookies: sessionCookies(visit, await openSession(app, user, [method], client)) }
}
