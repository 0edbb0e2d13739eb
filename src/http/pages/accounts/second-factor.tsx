/** The person's own second factor: setting it up, new recovery codes, removing it. */
import {
  FactorQuestionPage,
  RecoveryCodesPage,
  ShowFactorPage,
  StartFactorPage,
} from '../../../../views/accounts/second-factor.tsx'
import { anyPasskeyOf } from '../../../accounts/passkey-queries.ts'
import {
  confirmEnrolment,
  enrolmentSecret,
  hasSecondFactor,
  isSecondFactorRequired,
  removeSecondFactor,
  renewRecoveryCodes,
  secondStepOf,
  startEnrolment,
} from '../../../accounts/second-factor.ts'
import { PROFILE_PATH, SECOND_FACTOR_PATH } from '../../../core/page-paths.ts'
import { encodeQrCode, qrCodePath } from '../../../lib/qr-code.ts'
import { passkeySiteOf } from '../../../lib/web-authn.ts'
import { type FormState, type PageResponse, type PageRoute, runFormAction, type Visit } from '../../frame/page.tsx'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction, sessionOf } from '../settings/settings-access.ts'

/** Of routes that set a second factor up: sessions that lack one may open them. */
export const FACTOR_ACCESS = { access: 'session', isForSecondFactor: true } as const

const SET_UP_PATH = `${SECOND_FACTOR_PATH}/set-up`

const propsOf = (visit: Visit, { errors = [] }: FormState) => ({
  context: visit.context(visit.texts.signIn.factor.title, { errors }),
  isRequired: sessionOf(visit).lacksSecondFactor,
})

export async function startPage(visit: Visit, shown: FormState = {}): Promise<PageResponse> {
  const hasPasskeys = passkeySiteOf(visit.app.config.baseUrl) !== undefined
  return { html: <StartFactorPage {...propsOf(visit, shown)} hasPasskeys={hasPasskeys} />, status: shown.status ?? 200 }
}

export async function start(visit: Visit): Promise<PageResponse> {
  const { user } = sessionOf(visit)
  const result = await runConfirmedAction(visit, () => startEnrolment(visit.app, user.id))
  return 'errors' in result ? startPage(visit, result) : { redirect: SET_UP_PATH }
}

export async function setUpPage(visit: Visit, shown: FormState = {}): Promise<PageResponse> {
  const secret = await enrolmentSecret(visit.app, sessionOf(visit).user)
  if (!secret) return { redirect: SECOND_FACTOR_PATH }
  const modules = encodeQrCode(secret.uri)
  const qr = modules && qrCodePath(modules)
  return { html: <ShowFactorPage {...propsOf(visit, shown)} qr={qr} secret={secret.text} />, status: shown.status ?? 200 }
}

export async function setUp(visit: Visit): Promise<PageResponse> {
  const { user } = sessionOf(visit)
  const result = await runFormAction(() => confirmEnrolment(visit.app, user, visit.form.code ?? '', originOf(visit)))
  return 'errors' in result ? setUpPage(visit, result) : codesPage(visit, result.done, 'app')
}

/** Shown once: a reload sends the form again, and finds no secret to confirm. */
export function codesPage(visit: Visit, codes: string[], after: 'app' | 'passkey' | 'renewal'): PageResponse {
  const service = visit.app.config.baseUrl
  return { html: <RecoveryCodesPage {...propsOf(visit, {})} codes={codes} after={after} service={service} /> }
}

export async function questionPage(visit: Visit, question: 'codes' | 'remove', shown: FormState = {}): Promise<PageResponse> {
  const { db } = visit.app
  const { id } = sessionOf(visit).user
  const isThere = question === 'codes' ? (await secondStepOf(db, id)) !== undefined : await hasSecondFactor(db, id)
  if (!isThere) return { redirect: PROFILE_PATH }
  const isRequired = (await isSecondFactorRequired(db)) && !(await anyPasskeyOf(db, id))
  const props = { ...propsOf(visit, shown), question, isRequired }
  return { html: <FactorQuestionPage {...props} />, status: shown.status ?? 200 }
}

export async function renewCodes(visit: Visit): Promise<PageResponse> {
  const { user } = sessionOf(visit)
  const result = await runConfirmedAction(visit, () => renewRecoveryCodes(visit.app, user, originOf(visit)))
  return 'errors' in result ? questionPage(visit, 'codes', result) : codesPage(visit, result.done, 'renewal')
}

export async function remove(visit: Visit): Promise<PageResponse> {
  const { user } = sessionOf(visit)
  const result = await runConfirmedAction(visit, () => removeSecondFactor(visit.app, user, originOf(visit)))
  return 'errors' in result ? questionPage(visit, 'remove', result) : { redirect: `${PROFILE_PATH}?notice=removed` }
}

export const refusedSetUp: NonNullable<PageRoute['refused']> = async (_, refusal) => {
  if (refusal.reason !== 'invalid_state') throw refusal
  return { redirect: SECOND_FACTOR_PATH }
}
