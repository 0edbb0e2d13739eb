/** The second page of the sign-in, and the request for a link after a forgotten password. */
import { ForgotPage, ForgotSentPage, SignInCodePage } from '../../../views/pages/sign-in-code.tsx'
import { finishHeldSignIn, heldSignIn } from '../../accounts/pending-sign-in.ts'
import { knownDevice } from '../../accounts/people.ts'
import { RESET_LINK_MINUTES, requestResetLink } from '../../accounts/reset.ts'
import type { Refusal, ValidationError } from '../../core/refusal.ts'
import { countAttempt } from '../limits.ts'
import { type PageResponse, type PageRoute, runFormAction, type Visit } from '../page.tsx'
import { CODE_PATH, deviceTokenOf, endPendingCookie, pendingTokenOf, sessionCookies } from './sign-in-steps.ts'

const FORGOT_PATH = '/forgot'
const TOO_MANY = 'Too many attempts from this address. Please wait a minute.'

async function codePage(visit: Visit, errors: ValidationError[] = [], status = 200): Promise<PageResponse> {
  const { user } = await heldSignIn(visit.app, pendingTokenOf(visit))
  const context = visit.context(visit.texts.signIn.code.title)
  return { html: <SignInCodePage context={context} csrf={visit.csrf} errors={errors} email={user.email} />, status }
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

function forgotPage(visit: Visit, errors: ValidationError[] = [], status = 200): PageResponse {
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
  { method: 'GET', path: FORGOT_PATH, access: 'public', run: async visit => forgotPage(visit) },
  { method: 'POST', path: FORGOT_PATH, access: 'public', run: askForLink },
]
