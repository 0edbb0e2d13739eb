/** Set-up, sign-in, sign-out, a new password, and the password asked again. */
import { ConfirmPage, NewPasswordPage, SetupPage, SignInPage } from '../../../../views/accounts/account.tsx'
import {
  chooseLanguage,
  isSetupTokenValid,
  knownDevice,
  setUp,
  setupLinkRefusal,
  signOut,
  verifySignIn,
} from '../../../accounts/people.ts'
import { anyAdmin } from '../../../accounts/queries.ts'
import { resetLinkRefusal, setPasswordByLink, userOfResetLink } from '../../../accounts/reset.ts'
import { LANGUAGES, chooseLanguage as languageOfBrowser } from '../../../core/language.ts'
import { SIGN_IN_PATH } from '../../../core/page-paths.ts'
import { violation } from '../../../core/violation.ts'
import { passkeySiteOf } from '../../../lib/web-authn.ts'
import type { ShownError } from '../../../locales/app.ts'
import { LANGUAGE_NAMES } from '../../../locales/language-names.ts'
import { readOpenIdConnect } from '../../../settings/openid-connect.ts'
import { type PageResponse, runFormAction, SESSION, type Visit } from '../../frame/page.tsx'
import { countAttempt } from '../../limits.ts'
import { originOf } from '../documents/sender-visit.ts'
import { confirmIdentityIn } from '../settings/settings-access.ts'
import {
  deviceCookie,
  deviceTokenOf,
  finishSignIn,
  nextOf,
  OIDC_SIGN_IN_PATH,
  PASSKEY_SIGN_IN_PATH,
  safePath,
  withNext,
} from './sign-in-code.tsx'

export async function demandSetupLink({ app, params }: Visit): Promise<string> {
  const token = params.token ?? ''
  if (await isSetupTokenValid(app, token)) return token
  throw await setupLinkRefusal(app.config, app.db)
}

/** Chosen, else the first of the browser’s that there is: the web app has fewer. */
const languageOfSetup = ({ form, request }: Visit) =>
  form.language ?? languageOfBrowser([], request.headers.get('accept-language'))

export function setupPage(visit: Visit, token: string, errors: ShownError[]) {
  return (
    <SetupPage
      context={visit.context(visit.texts.account.setup.title, { errors })}
      action={`/setup/${token}`}
      values={{ ...visit.form, language: languageOfSetup(visit) }}
      languages={LANGUAGES.map(value => ({ value, text: LANGUAGE_NAMES[value] }))}
      timeZones={['UTC', ...Intl.supportedValuesOf('timeZone')]}
    />
  )
}

/** The only outcome that leads here and is no failure. */
const PASSWORD_SET = 'password'

/** The forms keep the page that the person wanted to open. */
export async function signInPage(visit: Visit, errors: ShownError[], email: string) {
  const oidc = await readOpenIdConnect(visit.app)
  const href = withNext(OIDC_SIGN_IN_PATH, nextOf(visit))
  return (
    <SignInPage
      context={visit.context(visit.texts.account.signIn.title, { errors })}
      action={withNext(SIGN_IN_PATH, nextOf(visit))}
      isSetUp={await anyAdmin(visit.app.db)}
      passkeyAction={passkeySiteOf(visit.app.config.baseUrl) && withNext(PASSKEY_SIGN_IN_PATH, nextOf(visit))}
      provider={oidc && { name: oidc.name, href, isOnlyWay: oidc.isOnlyWay }}
      email={email}
      notice={visit.noticeIn(visit.texts.account.signIn.notices)}
      hasFailed={visit.query.notice !== PASSWORD_SET}
    />
  )
}

export function confirmPage(
  visit: Visit,
  next: string,
  errors: ShownError[] = [],
  action?: string,
  kept?: Record<string, string>,
) {
  const context = visit.context(visit.texts.account.confirm.pageTitle, { errors })
  return <ConfirmPage context={context} next={next} action={action} kept={kept} />
}

export async function newPasswordPage(visit: Visit, errors: ShownError[]) {
  const token = visit.params.token ?? ''
  const user = await userOfResetLink(visit.app, token)
  if (!user) throw resetLinkRefusal()
  const { texts } = visit.speakTo(user)
  return (
    <NewPasswordPage
      context={visit.context(texts.account.reset.pageTitle, { errors })}
      action={`/reset/${token}`}
      email={user.email}
    />
  )
}

export async function postSetup(visit: Visit): Promise<PageResponse> {
  const { app, form, client } = visit
  const token = await demandSetupLink(visit)
  const { organisation = '', timeZone = 'UTC', name = '', email = '', password = '' } = form
  const language = languageOfSetup(visit)
  const result = await runFormAction(() => setUp(app, token, { organisation, timeZone, language, name, email, password }, client))
  if ('errors' in result) return { html: setupPage(visit, token, result.errors), status: result.status }
  return finishSignIn(visit, result.done, 'password')
}

export async function postSignIn(visit: Visit): Promise<PageResponse> {
  const { app, form, client } = visit
  const { email = '', password = '' } = form
  const deviceToken = deviceTokenOf(visit)
  const result = await runFormAction(async () => {
    // Counts a known device on its own, so that other people behind the same address cannot use
    // up its attempts.
    const attemptKey = (await knownDevice(app, email, deviceToken)) ?? client.ip
    countAttempt(app, 'sign-in', attemptKey, violation('too_many_sign_ins'))
    return verifySignIn(app, { email, password, deviceToken }, client)
  })
  if ('errors' in result) return { html: await signInPage(visit, result.errors, email), status: result.status }
  return finishSignIn(visit, result.done, 'password')
}

export async function postReset(visit: Visit): Promise<PageResponse> {
  const { app, form, params, client } = visit
  const { password = '' } = form
  const result = await runFormAction(async () => setPasswordByLink(app, params.token ?? '', password, client))
  if ('errors' in result) return { html: await newPasswordPage(visit, result.errors), status: result.status }
  const { deviceToken } = result.done
  return {
    redirect: `${SIGN_IN_PATH}?notice=${PASSWORD_SET}`,
    cookies: [deviceCookie(visit, deviceToken), visit.setCookie(SESSION, '', 0)],
  }
}

export async function postLanguage({ app, form, session }: Visit): Promise<PageResponse> {
  if (session) await chooseLanguage(app, session.user, form.language ?? '')
  return { redirect: safePath(form.next) }
}

export async function postSignOut(visit: Visit): Promise<PageResponse> {
  if (visit.session) await signOut(visit.app, visit.session.token, originOf(visit))
  return { redirect: SIGN_IN_PATH, cookies: [visit.setCookie(SESSION, '', 0)] }
}

export async function getConfirm(visit: Visit): Promise<PageResponse> {
  return { html: confirmPage(visit, nextOf(visit)) }
}

export async function postConfirm(visit: Visit): Promise<PageResponse> {
  const { form } = visit
  const next = safePath(form.next)
  const result = await runFormAction(async () => {
    await confirmIdentityIn(visit)
  })
  if ('done' in result) return { redirect: next }
  return { html: confirmPage(visit, next, result.errors), status: result.status }
}
