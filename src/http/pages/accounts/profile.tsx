/** The person's own account: name and language, password, sessions. */
import { type IdentityState, ProfilePage } from '../../../../views/accounts/profile.tsx'
import { openChangeOf } from '../../../accounts/address-queries.ts'
import { countRecoveryCodes } from '../../../accounts/factor-queries.ts'
import { linkedIdentity } from '../../../accounts/oidc-identity.ts'
import { changePassword, changeProfile, endSessions, listSessions } from '../../../accounts/own-account.ts'
import { passkeysOf } from '../../../accounts/passkey-queries.ts'
import { hasPassword } from '../../../accounts/queries.ts'
import { secondFactorOf, secondStepOf } from '../../../accounts/second-factor.ts'
import { APP_LANGUAGES } from '../../../core/language.ts'
import { PROFILE_PATH } from '../../../core/page-paths.ts'
import { pageDay, pageTime } from '../../../lib/clock-format.ts'
import { sha256Hex } from '../../../lib/sha256.ts'
import { keyedToken } from '../../../lib/token.ts'
import { passkeySiteOf } from '../../../lib/web-authn.ts'
import type { ShownError } from '../../../locales/app.ts'
import { LANGUAGE_NAMES } from '../../../locales/language-names.ts'
import { readOpenIdConnect } from '../../../settings/openid-connect.ts'
import { readServiceSetting } from '../../../settings/service-settings.ts'
import { type PageResponse, runFormAction, type Visit } from '../../frame/page.tsx'
import { originOf } from '../documents/sender-visit.ts'
import { sessionOf } from '../settings/settings-access.ts'
import { deviceCookie } from './sign-in-code.tsx'

const LANGUAGES = APP_LANGUAGES.map(language => ({ value: language, text: LANGUAGE_NAMES[language] }))

/** Of all the pages that lead back here. */
const noticesOf = ({ signIn, passkeys, emailChange, openIdConnect }: Visit['texts']): Record<string, string> => ({
  ...signIn.profile.notices,
  ...passkeys.notices,
  ...emailChange.notices,
  ...openIdConnect.profile.notices,
})

/** Begins to link an identity, in this session only. */
export function linkTokenOf(visit: Visit): string {
  return keyedToken(visit.app.linkKey, 'oidc link', sessionOf(visit).token)
}

/** Undefined while there is no identity provider. */
async function identityState(visit: Visit): Promise<IdentityState | undefined> {
  const settings = await readOpenIdConnect(visit.app)
  if (!settings) return undefined
  const own = await linkedIdentity(visit.app, sessionOf(visit).user.id)
  const linked = own && { email: own.email, since: pageDay(own.linkedAt, visit.clock) }
  return { provider: settings.name, linked, linkFrom: `${PROFILE_PATH}/identity/link?start=${linkTokenOf(visit)}` }
}

export async function profilePage(visit: Visit, errors: ShownError[] = [], status = 200): Promise<PageResponse> {
  const { app, form, texts, language } = visit
  const { user, token } = sessionOf(visit)
  const factor = await secondFactorOf(app.db, user.id)
  const sessions = await listSessions(app, user.id)
  const passkeys = await passkeysOf(app.db, user.id)
  const change = await openChangeOf(app.db, user.id, app.now())
  const step = await secondStepOf(app.db, user.id)
  return {
    html: (
      <ProfilePage
        context={visit.context(texts.signIn.profile.title, { errors })}
        notice={visit.noticeIn(noticesOf(texts))}
        hasPassword={hasPassword(user)}
        identity={await identityState(visit)}
        codesLeft={visit.query.notice === 'recovery-code' ? await countRecoveryCodes(app.db, user.id) : undefined}
        values={{
          name: form.name ?? user.name,
          language: form.language ?? language,
          warningMails:
            user.role === 'admin' ? (form.name === undefined ? user.warningMails : form.warningMails === 'on') : undefined,
        }}
        languages={LANGUAGES}
        factor={factor && { since: pageDay(factor.since, visit.clock), recoveryCodesLeft: factor.recoveryCodesLeft }}
        waiting={change && { email: change.newEmail, until: pageTime(change.confirmUntil, visit.clock) }}
        passkeyCodesLeft={step === 'passkey' ? await countRecoveryCodes(app.db, user.id) : undefined}
        passkeys={passkeySiteOf(app.config.baseUrl) ? passkeys : { impossibleAt: new URL(app.config.baseUrl).hostname }}
        idleMinutes={await readServiceSetting(app, 'sessionIdleMinutes')}
        sessions={sessions}
        present={sha256Hex(token)}
      />
    ),
    status,
  }
}

export async function save(visit: Visit): Promise<PageResponse> {
  const { name = '', language = '', warningMails } = visit.form
  const { user } = sessionOf(visit)
  const result = await runFormAction(() =>
    changeProfile(visit.app, user, { name, language, warningMails: warningMails === 'on' }, originOf(visit)),
  )
  return 'errors' in result ? profilePage(visit, result.errors, result.status) : { redirect: `${PROFILE_PATH}?notice=saved` }
}

export async function savePassword(visit: Visit): Promise<PageResponse> {
  const { current = '', password = '' } = visit.form
  const { user, token } = sessionOf(visit)
  const change = { sessionToken: token, current, password }
  const result = await runFormAction(() => changePassword(visit.app, user, change, originOf(visit)))
  if ('errors' in result) return profilePage(visit, result.errors, result.status)
  return { redirect: `${PROFILE_PATH}?notice=password`, cookies: [deviceCookie(visit, result.done.deviceToken)] }
}

export async function endSession(visit: Visit): Promise<PageResponse> {
  const { user } = sessionOf(visit)
  await endSessions(visit.app, user, { tokenSha256: visit.form.session ?? '' }, originOf(visit))
  return { redirect: `${PROFILE_PATH}?notice=ended` }
}

export async function endOtherSessions(visit: Visit): Promise<PageResponse> {
  const { user, token } = sessionOf(visit)
  await endSessions(visit.app, user, { allBut: sha256Hex(token) }, originOf(visit))
  return { redirect: `${PROFILE_PATH}?notice=others-ended` }
}
