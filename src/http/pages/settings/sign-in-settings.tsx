/** Settings → Sign-in: a second factor for everybody, and when sessions end. */
import { SecondFactorRulePage, SessionSettingsPage, SignInSettingsPage } from '../../../../views/settings/sign-in-settings.tsx'
import { countPeople } from '../../../accounts/list-queries.ts'
import { hasAnyFactor, isSecondFactorRequired, requireSecondFactor } from '../../../accounts/second-factor.ts'
import { serviceRow } from '../../../config/service-rows.ts'
import { SIGN_IN_SETTINGS_PATH } from '../../../core/page-paths.ts'
import { readOpenIdConnect } from '../../../settings/openid-connect.ts'
import { changeServiceSettings, readServiceSettings } from '../../../settings/service-settings.ts'
import type { FormState, PageResponse, Visit } from '../../frame/page.tsx'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction, sessionOf } from './settings-access.ts'

/** Of those who may sign in. */
async function countsOf({ app }: Visit): Promise<{ all: number; lacking: number }> {
  const active = { isDisabled: false }
  return { all: await countPeople(app.db, active), lacking: await countPeople(app.db, { ...active, factor: 'none' }) }
}

const frameOf = (visit: Visit, { errors = [] }: FormState = {}) => ({
  context: visit.context(visit.texts.signIn.settings.title, { errors }),
})

async function idleOf({ app }: Visit) {
  const { value, source } = (await readServiceSettings(app)).sessionIdleMinutes
  return { minutes: value, variable: source === 'environment' ? serviceRow('sessionIdleMinutes').variable : undefined }
}

export async function page(visit: Visit): Promise<PageResponse> {
  const { app, texts } = visit
  const notice = visit.noticeIn(texts.signIn.settings.notices)
  const isRequired = await isSecondFactorRequired(app.db)
  const oidc = await readOpenIdConnect(app)
  const provider = oidc && { name: oidc.name, isOnlyWay: oidc.isOnlyWay }
  const hasOwn = await hasAnyFactor(app.db, sessionOf(visit).user.id)
  const props = {
    ...frameOf(visit),
    notice,
    isRequired,
    hasOwn,
    counts: await countsOf(visit),
    provider,
    idle: await idleOf(visit),
  }
  return { html: <SignInSettingsPage {...props} /> }
}

export async function rulePage(visit: Visit, shown: FormState = {}): Promise<PageResponse> {
  const isRequired = await isSecondFactorRequired(visit.app.db)
  const props = { ...frameOf(visit, shown), isRequired, counts: await countsOf(visit) }
  return { html: <SecondFactorRulePage {...props} />, status: shown.status ?? 200 }
}

/** The form says which way, so that two administrators do not undo each other's change. */
export async function saveRule(visit: Visit): Promise<PageResponse> {
  const isRequired = visit.form.rule === 'on'
  const result = await runConfirmedAction(visit, () => requireSecondFactor(visit.app, isRequired, originOf(visit)))
  if ('errors' in result) return rulePage(visit, result)
  return { redirect: `${SIGN_IN_SETTINGS_PATH}?notice=${isRequired ? 'on' : 'off'}` }
}

export async function sessionsPage(visit: Visit, shown: FormState = {}): Promise<PageResponse> {
  const chosen = Number(visit.form.sessionIdleMinutes)
  const minutes = Number.isInteger(chosen) && chosen > 0 ? chosen : (await idleOf(visit)).minutes
  return { html: <SessionSettingsPage {...frameOf(visit, shown)} minutes={minutes} />, status: shown.status ?? 200 }
}

export async function saveSessions(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const changes = { sessionIdleMinutes: form.sessionIdleMinutes ?? '' }
  const result = await runConfirmedAction(visit, () => app.write(tx => changeServiceSettings(tx, app, originOf(visit), changes)))
  return 'errors' in result ? sessionsPage(visit, result) : { redirect: `${SIGN_IN_SETTINGS_PATH}?notice=sessions` }
}
