/** The second page of the sign-in, and the request for a link after a forgotten password. */
import { ForgotPage, ForgotSentPage, SignInCodePage, SignInPasskeyPage } from '../../../../views/accounts/sign-in-code.tsx'
import { countRecoveryCodes } from '../../../accounts/factor-queries.ts'
import { anyPasskeyOf } from '../../../accounts/passkey-queries.ts'
import { verifyPasskeySignIn } from '../../../accounts/passkeys.ts'
import { endHeldSignIn, finishHeldSignIn, heldSignIn } from '../../../accounts/pending-sign-in.ts'
import { knownDevice } from '../../../accounts/people.ts'
import { RESET_LINK_MINUTES, requestResetLink } from '../../../accounts/reset.ts'
import { secondStepOf } from '../../../accounts/second-factor-rule.ts'
import type { Refusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { passkeySiteOf } from '../../../lib/web-authn.ts'
import type { ShownError } from '../../../locales/app.ts'
import { type PageResponse, type PageRoute, runFormAction, type Visit } from '../../frame/page.tsx'
import { countAttempt } from '../../limits.ts'
import { CODE_PATH, deviceTokenOf, endPendingCookie, finishSignIn, pendingTokenOf, sessionCookies } from './sign-in-steps.ts'

const FORGOT_PATH = '/forgot'
const CODE_PASSKEY_PATH = `${CODE_PATH}/passkey`
const TOO_MANY = violation('too_many_attempts')

async function codePage(visit: Visit, errors: ShownError[] = [], status = 200): Promise<PageResponse> {
  const { app, csrf } = visit
  const { user } = await heldSignIn(app, pendingTokenOf(visit))
  const { texts } = visit.speakTo(user)
  const { code } = texts.signIn
  const shown = { csrf, errors, email: user.email }
  if ((await secondStepOf(app.db, user.id)) === 'passkey') {
    const hasCodes = (await countRecoveryCodes(app.db, user.id)) > 0
    const context = visit.context(code.passkeyTitle)
    return { html: <SignInPasskeyPage {...shown} context={context} hasCodes={hasCodes} />, status }
  }
  const hasPasskey = passkeySiteOf(app.config.baseUrl) !== undefined && (await anyPasskeyOf(app.db, user.id))
  return { html: <SignInCodePage {...shown} context={visit.context(code.title)} hasPasskey={hasPasskey} />, status }
}

/** In place of the code: a passkey is both factors. It may be of another account of the person. */
async function usePasskey(visit: Visit): Promise<PageResponse> {
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

async function enterCode(visit: Visit): Promise<PageResponse> {
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
  const redirect = recoveryCodesLeft === undefined ? next : '/profile?notice=recovery-code'
  return { redirect, cookies: [...sessionCookies(visit, result.done), endPendingCookie(visit)] }
}

/** Without a sign-in that waits, the first page says what to do. */
async function toSignIn(visit: Visit, refusal: Refusal): Promise<PageResponse> {
  if (refusal.reason !== 'invalid_state') throw refusal
  return { redirect: '/sign-in?notice=code-expired', cookies: [endPendingCookie(visit)] }
}

function forgotPage(visit: Visit, errors: ShownError[] = [], status = 200): PageResponse {
  const { csrf, form, texts } = visit
  const context = visit.context(texts.signIn.forgot.title)
  return { html: <ForgotPage context={context} csrf={csrf} errors={errors} email={form.email ?? ''} />, status }
}

async function askForLink(visit: Visit): Promise<PageResponse> {
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

export const signInCodePages: PageRoute[] = [
  { method: 'GET', path: CODE_PATH, access: 'public', refused: toSignIn, run: visit => codePage(visit) },
  { method: 'POST', path: CODE_PATH, access: 'public', refused: toSignIn, run: enterCode },
  { method: 'POST', path: CODE_PASSKEY_PATH, access: 'public', refused: toSignIn, run: usePasskey },
  { method: 'GET', path: FORGOT_PATH, access: 'public', run: async visit => forgotPage(visit) },
  { method: 'POST', path: FORGOT_PATH, access: 'public', run: askForLink },
]
