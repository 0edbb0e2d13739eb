/** Settings → Sign-in → OpenID Connect. Each change asks for the password again. */
import { OpenIdConnectPage, RemoveOpenIdConnectPage, type TestResult } from '../../../../views/settings/openid-connect.tsx'
import { demandProvider, testProvider } from '../../../accounts/oidc.ts'
import { countPasswordless } from '../../../accounts/oidc-queries.ts'
import { serviceRow } from '../../../config/service-rows.ts'
import { OIDC_PATH } from '../../../core/page-paths.ts'
import { violation } from '../../../core/violation.ts'
import {
  OIDC_SETTINGS,
  type OidcInput,
  type OidcSettingName,
  readOpenIdConnect,
  redirectUriOf,
  removeOpenIdConnect,
  saveOpenIdConnect,
} from '../../../settings/openid-connect.ts'
import { readServiceSettings, type ServiceSettings } from '../../../settings/service-settings.ts'
import type { FormState, PageResponse, Visit } from '../../frame/page.tsx'
import { countAttempt } from '../../limits.ts'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction } from './settings-access.ts'

const SECRET: OidcSettingName = 'oidcClientSecret'

const eachOf = <T,>(value: (name: OidcSettingName) => T) =>
  Object.fromEntries(OIDC_SETTINGS.map(name => [name, value(name)])) as Record<OidcSettingName, T>

function fixedOf(settings: ServiceSettings): Partial<Record<OidcSettingName, string>> {
  const fixed = OIDC_SETTINGS.filter(name => settings[name].source === 'environment')
  return Object.fromEntries(fixed.map(name => [name, serviceRow(name).variable ?? '']))
}

interface Shown extends FormState {
  test?: TestResult
}

export async function page(
  visit: Visit,
  { errors = [], status = 200, asksForPassword, test }: Shown = {},
): Promise<PageResponse> {
  const { app, form, texts } = visit
  const t = texts.openIdConnect.settings
  const settings = await readServiceSettings(app)
  const values = eachOf(name => (name === SECRET ? '' : (form[name] ?? settings[name].text)))
  return {
    html: (
      <OpenIdConnectPage
        context={visit.context(t.title, { errors, asksForPassword })}
        notice={visit.noticeIn(t.notices)}
        provider={(await readOpenIdConnect(app))?.name}
        redirectUri={redirectUriOf(app.config)}
        values={values}
        hasSecret={settings.oidcClientSecret.value !== ''}
        fixed={fixedOf(settings)}
        test={test}
      />
    ),
    status,
  }
}

export async function save(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const input: OidcInput = eachOf(name => form[name] ?? '')
  const result = await runConfirmedAction(visit, () => saveOpenIdConnect(app, originOf(visit), input))
  return 'errors' in result ? page(visit, result) : { redirect: `${OIDC_PATH}?notice=saved` }
}

export async function test(visit: Visit): Promise<PageResponse> {
  const { app, client, texts } = visit
  countAttempt(app, 'test identity provider', client.ip, violation('too_many_tests'))
  const result = await testProvider(app)
  if ('failure' in result) {
    const { failure, detail } = result
    const sentences: Record<string, string> = texts.openIdConnect.settings.testFailures
    return page(visit, { test: { facts: undefined, sentence: sentences[failure] ?? '', detail } })
  }
  const { issuer, authorizationEndpoint: authorization, tokenEndpoint: token, namesItself } = result.facts
  return page(visit, { test: { facts: { issuer, authorization, token, namesItself }, sentence: '', detail: '' } })
}

export async function removePage(visit: Visit, state: Shown = {}): Promise<PageResponse> {
  const { name } = await demandProvider(visit.app)
  const props = { context: visit.context(visit.texts.openIdConnect.settings.title, state), provider: name }
  const locked = await countPasswordless(visit.app.db)
  return { html: <RemoveOpenIdConnectPage {...props} locked={locked} />, status: state.status ?? 200 }
}

export async function remove(visit: Visit): Promise<PageResponse> {
  const result = await runConfirmedAction(visit, () => removeOpenIdConnect(visit.app, originOf(visit)))
  return 'errors' in result ? removePage(visit, result) : { redirect: `${OIDC_PATH}?notice=removed` }
}
