/** Passkeys: the person's own in the profile, at sign-in, and before sensitive changes. */
import { NamePasskeyPage, RemovePasskeyPage } from '../../../../views/accounts/passkeys.tsx'
import {
  demandPasskey,
  register,
  removePasskey,
  renamePasskey,
  startConfirmation,
  startRegistration,
  startSignIn,
  verifyPasskeySignIn,
} from '../../../accounts/passkeys.ts'
import { isOnlyFactor } from '../../../accounts/second-factor.ts'
import { CONFIRM_PATH, PASSKEYS_PATH, PROFILE_PATH } from '../../../core/page-paths.ts'
import { Refusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { type FormState, type PageResponse, runFormAction, type Visit } from '../../frame/page.tsx'
import { countAttempt } from '../../limits.ts'
import { PRIVATE } from '../../version-headers.ts'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction, sessionOf } from '../settings/settings-access.ts'
import { signInPage } from './account.tsx'
import { codesPage } from './second-factor.tsx'
import { finishSignIn } from './sign-in-code.tsx'

const ADD_PATH = `${PASSKEYS_PATH}/add`
const TOO_MANY = violation('too_many_sign_ins')

const browserOf = ({ csrf }: Visit) => ({ browser: csrf })

const asJson = (options: unknown): PageResponse => ({ response: Response.json(options, { headers: PRIVATE }) })

const propsOf = (visit: Visit, { errors = [] }: FormState) => ({
  context: visit.context(visit.texts.passkeys.title, { errors }),
})

/** A new passkey signs in: the person first proves who they are. */
const proofFirst = { redirect: `${CONFIRM_PATH}?next=${encodeURIComponent(ADD_PATH)}` }

export async function addPage(visit: Visit, shown: FormState = {}): Promise<PageResponse> {
  if (!sessionOf(visit).confirmed) return proofFirst
  const props = { ...propsOf(visit, shown), isRequired: sessionOf(visit).lacksSecondFactor }
  return { html: <NamePasskeyPage {...props} name={visit.form.name ?? ''} />, status: shown.status ?? 200 }
}

export async function creationOptions(visit: Visit): Promise<PageResponse> {
  const { user, confirmed } = sessionOf(visit)
  if (!confirmed) throw new Refusal('forbidden', violation('password_before_passkey'))
  return asJson(await startRegistration(visit.app, user, browserOf(visit)))
}

export async function add(visit: Visit): Promise<PageResponse> {
  const { user, confirmed } = sessionOf(visit)
  if (!confirmed) return proofFirst
  const { name = '', passkey: response = '' } = visit.form
  const registration = { ...browserOf(visit), name, response }
  const result = await runFormAction(() => register(visit.app, user, registration, originOf(visit)))
  if ('errors' in result) return addPage(visit, result)
  return result.done ? codesPage(visit, result.done, 'passkey') : { redirect: `${PROFILE_PATH}?notice=passkey-added` }
}

const idOf = ({ params }: Visit) => params.id ?? ''

export async function renamePage(visit: Visit, shown: FormState = {}): Promise<PageResponse> {
  const { id, name } = await demandPasskey(visit.app.db, sessionOf(visit).user.id, idOf(visit))
  const props = { ...propsOf(visit, shown), isRequired: false, id, name: visit.form.name ?? name }
  return { html: <NamePasskeyPage {...props} />, status: shown.status ?? 200 }
}

export async function rename(visit: Visit): Promise<PageResponse> {
  const { user } = sessionOf(visit)
  const { name = '' } = visit.form
  const result = await runFormAction(() => renamePasskey(visit.app, user, idOf(visit), name, originOf(visit)))
  return 'errors' in result ? renamePage(visit, result) : { redirect: `${PROFILE_PATH}?notice=passkey-renamed` }
}

export async function removePage(visit: Visit, shown: FormState = {}): Promise<PageResponse> {
  const { db } = visit.app
  const { user } = sessionOf(visit)
  const passkey = await demandPasskey(db, user.id, idOf(visit))
  const isNeeded = await isOnlyFactor(db, user.id)
  const props = { ...propsOf(visit, shown), passkey, isNeeded }
  return { html: <RemovePasskeyPage {...props} />, status: shown.status ?? 200 }
}

export async function remove(visit: Visit): Promise<PageResponse> {
  const { user } = sessionOf(visit)
  const result = await runConfirmedAction(visit, () => removePasskey(visit.app, user, idOf(visit), originOf(visit)))
  return 'errors' in result ? removePage(visit, result) : { redirect: `${PROFILE_PATH}?notice=passkey-removed` }
}

export async function signInOptions(visit: Visit): Promise<PageResponse> {
  const { app, client, form } = visit
  // Every visit of the page asks once: this must not use up what is left for the button.
  countAttempt(app, form.autofill ? 'passkey autofill' : 'passkey', client.ip, TOO_MANY)
  return asJson(await startSignIn(app, browserOf(visit)))
}

export async function signIn(visit: Visit): Promise<PageResponse> {
  const { app, client, form } = visit
  const result = await runFormAction(async () => {
    countAttempt(app, 'passkey sign-in', client.ip, TOO_MANY)
    return verifyPasskeySignIn(app, { ...browserOf(visit), response: form.passkey ?? '' }, client)
  })
  if ('errors' in result) return { html: await signInPage(visit, result.errors, ''), status: result.status }
  return finishSignIn(visit, result.done, 'passkey')
}

export async function confirmationOptions(visit: Visit): Promise<PageResponse> {
  return asJson(await startConfirmation(visit.app, sessionOf(visit).user, browserOf(visit)))
}

/** Also the way to the second factor that the organisation requires. */
