/** Who visits a page under Settings, and the password again before some changes. */
import { confirmByPasskey } from '../../../accounts/passkeys.ts'
import { confirmIdentity } from '../../../accounts/people.ts'
import { hasPassword } from '../../../accounts/queries.ts'
import { Refusal, refuseIfInvalid } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import type { ShownError } from '../../../locales/app.ts'
import { type FormState, type PageRoute, runFormAction, type Visit } from '../../frame/page.tsx'

type Session = NonNullable<Visit['session']>

export function sessionOf({ session }: Visit): Session {
  if (!session) throw new Refusal('unauthorized', violation('please_sign_in'))
  return session
}

/** By password or passkey. @throws Refusal `validation_failed`, `rate_limited` */
export async function confirmIdentityIn(visit: Visit): Promise<void> {
  const { user, token } = sessionOf(visit)
  const { password = '', passkey = '' } = visit.form
  if (passkey !== '') {
    return confirmByPasskey(visit.app, { user, token }, { browser: visit.csrf, response: passkey }, visit.client)
  }
  if (!hasPassword(user)) throw new Refusal('forbidden', violation('please_confirm'))
  if (password === '') refuseIfInvalid([{ path: 'password', ...violation('entered_long_ago') }])
  await confirmIdentity(visit.app, token, user, password)
}

/** What a page of settings shows again when its form was refused. */
export interface RefusedForm {
  errors: ShownError[]
  status: number
  asksForPassword: boolean
}

type Confirmed<T> = { done: T } | RefusedForm

/** Runs a form's action. Checks the password unless it was entered a short while ago. */
export async function runConfirmedAction<T>(visit: Visit, action: () => Promise<T>): Promise<Confirmed<T>> {
  if (!sessionOf(visit).confirmed) {
    const confirmed = await runFormAction(() => confirmIdentityIn(visit))
    if ('errors' in confirmed) return { ...confirmed, asksForPassword: true }
  }
  const result = await runFormAction(action)
  return 'errors' in result ? { ...result, asksForPassword: false } : result
}

type Html = Extract<Awaited<ReturnType<PageRoute['run']>>, { html: unknown }>['html']

/** A page for administrators that asks one question. Its answer leads back to it. */
export function questionRoutes(
  path: string,
  page: (visit: Visit, form: FormState) => Promise<Html>,
  answer: (visit: Visit) => Promise<unknown>,
): PageRoute[] {
  const ask = async (visit: Visit, form: FormState = {}) => ({ html: await page(visit, form), status: form.status ?? 200 })
  const receive = async (visit: Visit) => {
    const result = await runConfirmedAction(visit, () => answer(visit))
    return 'errors' in result ? ask(visit, result) : { redirect: path }
  }
  return [
    { method: 'GET', path, access: 'admin', run: visit => ask(visit) },
    { method: 'POST', path, access: 'admin', run: receive },
  ]
}
