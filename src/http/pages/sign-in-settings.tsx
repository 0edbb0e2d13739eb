/** Settings → Sign-in: a second factor for everybody, and the removal of a colleague's. */
import {
  type FactorRow,
  RemoveFactorPage,
  SecondFactorRulePage,
  SignInSettingsPage,
} from '../../../views/pages/sign-in-settings.tsx'
import { listFactorHolders } from '../../accounts/factor-queries.ts'
import { userById } from '../../accounts/queries.ts'
import { removeSecondFactor } from '../../accounts/second-factor.ts'
import { isSecondFactorRequired, requireSecondFactor } from '../../accounts/second-factor-rule.ts'
import { Refusal, type ValidationError } from '../../core/refusal.ts'
import { readOpenIdConnect } from '../../settings/openid-connect.ts'
import type { PageResponse, PageRoute, Visit } from '../page.tsx'
import { ownOrigin } from './profile.tsx'
import { runConfirmedAction, sessionOf, settingsUser } from './settings-access.ts'

const SIGN_IN_PATH = '/settings/sign-in'
const RULE_PATH = `${SIGN_IN_PATH}/second-factor`
const REMOVE_PATH = `${SIGN_IN_PATH}/people/:id/remove`

interface Shown {
  errors?: ValidationError[]
  status?: number
}

async function peopleOf(visit: Visit): Promise<FactorRow[]> {
  const own = sessionOf(visit).user.id
  return (await listFactorHolders(visit.app.db)).map(person => ({
    ...person,
    hasSecondFactor: person.hasApp || person.passkeys > 0,
    isOwn: person.id === own,
  }))
}

const frameOf = (visit: Visit) => ({
  context: visit.context(visit.texts.signIn.settings.title),
  user: settingsUser(visit),
})

const questionOf = (visit: Visit, { errors = [] }: Shown) => ({
  ...frameOf(visit),
  errors,
  asksForPassword: !sessionOf(visit).confirmed,
})

async function page(visit: Visit): Promise<PageResponse> {
  const { app, url, texts } = visit
  const notice = texts.signIn.settings.notices[url.searchParams.get('notice') ?? '']
  const isRequired = await isSecondFactorRequired(app.db)
  const people = await peopleOf(visit)
  const oidc = await readOpenIdConnect(app)
  const provider = oidc && { name: oidc.name, isOnlyWay: oidc.isOnlyWay }
  const props = { ...frameOf(visit), notice, isRequired, people, provider }
  return { html: <SignInSettingsPage {...props} /> }
}

async function rulePage(visit: Visit, shown: Shown = {}): Promise<PageResponse> {
  const isRequired = await isSecondFactorRequired(visit.app.db)
  const props = { ...questionOf(visit, shown), isRequired, people: await peopleOf(visit) }
  return { html: <SecondFactorRulePage {...props} />, status: shown.status ?? 200 }
}

/** The form says which way, so that two administrators do not undo each other's change. */
async function saveRule(visit: Visit): Promise<PageResponse> {
  const isRequired = visit.form.rule === 'on'
  const result = await runConfirmedAction(visit, () => requireSecondFactor(visit.app, isRequired, ownOrigin(visit)))
  if ('errors' in result) return rulePage(visit, result)
  return { redirect: `${SIGN_IN_PATH}?notice=${isRequired ? 'on' : 'off'}` }
}

/** @throws Refusal `not_found` without a second factor, or for the visitor's own */
async function holderOf(visit: Visit): Promise<FactorRow> {
  const person = (await peopleOf(visit)).find(({ id, isOwn }) => id === visit.params.id && !isOwn)
  if (!person?.hasSecondFactor) throw new Refusal('not_found', 'This person has no second factor.')
  return person
}

async function removePage(visit: Visit, shown: Shown = {}): Promise<PageResponse> {
  const props = { ...questionOf(visit, shown), person: await holderOf(visit) }
  return { html: <RemoveFactorPage {...props} />, status: shown.status ?? 200 }
}

async function remove(visit: Visit): Promise<PageResponse> {
  const { app } = visit
  const { id } = await holderOf(visit)
  const result = await runConfirmedAction(visit, async () => {
    const user = await userById(app.db, id)
    if (user) await removeSecondFactor(app, user, ownOrigin(visit))
  })
  return 'errors' in result ? removePage(visit, result) : { redirect: `${SIGN_IN_PATH}?notice=removed` }
}

export const signInSettingsPages: PageRoute[] = [
  { method: 'GET', path: SIGN_IN_PATH, access: 'admin', run: page },
  { method: 'GET', path: RULE_PATH, access: 'admin', run: visit => rulePage(visit) },
  { method: 'POST', path: RULE_PATH, access: 'admin', run: saveRule },
  { method: 'GET', path: REMOVE_PATH, access: 'admin', run: visit => removePage(visit) },
  { method: 'POST', path: REMOVE_PATH, access: 'admin', run: remove },
]
