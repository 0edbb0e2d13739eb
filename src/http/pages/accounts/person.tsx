/** Settings → People → one person. Each change is asked about on a page of its own. */
import type { ComponentChildren } from 'preact'
import { RoleChoices } from '../../../../views/accounts/invitation.tsx'
import { PERSON_VERBS, PersonPage, PersonQuestionPage, type PersonVerb } from '../../../../views/accounts/person.tsx'
import { Input, Select } from '../../../../views/parts/form.tsx'
import { type EmailChange, openChangeOf } from '../../../accounts/address-queries.ts'
import { requestEmailChange, withdrawEmailChange } from '../../../accounts/email-change.ts'
import { lastSignInOf } from '../../../accounts/list-queries.ts'
import { changeRole, disablePerson, enablePerson, loadPerson, removePerson, renamePerson } from '../../../accounts/manage.ts'
import { linkedIdentity } from '../../../accounts/oidc-identity.ts'
import { anyPasskeyOf } from '../../../accounts/passkey-queries.ts'
import { type Belongings, belongingsOf, listPeople, ownsSomething, type Person } from '../../../accounts/people-queries.ts'
import { hasPassword, userById } from '../../../accounts/queries.ts'
import { type Factors, factorsOf, removeSecondFactor } from '../../../accounts/second-factor.ts'
import { PEOPLE_PATH } from '../../../core/page-paths.ts'
import { errorsIn, Refusal, refuseIfInvalid } from '../../../core/refusal.ts'
import { MAX_ACCOUNT_NAME } from '../../../core/service-limits.ts'
import { violation } from '../../../core/violation.ts'
import { handOver, mayReceive } from '../../../documents/lifecycle/hand-over.ts'
import { pageTime } from '../../../lib/clock-format.ts'
import type { ShownError } from '../../../locales/app.ts'
import { ROLES } from '../../../ports.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { idOf, originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction, sessionOf } from '../settings/settings-access.ts'
import { noticeOf, personRow, questionOf } from './people.tsx'

/** What a question shows besides the title. */
interface Question {
  title: string
  paragraphs: string[]
  submit: string
  obstacle?: { text: string; link?: { href: string; text: string } } | undefined
  isDangerous?: boolean
  labels?: Record<string, string>
  fields?: ComponentChildren
}

interface Subject {
  person: Person
  belongings: Belongings
  factors: Factors
  change: EmailChange | undefined
  errors: ShownError[]
}

interface PersonAction {
  /** The name of the notice. */
  notice: string
  ask(visit: Visit, subject: Subject): Question | Promise<Question>
  run(visit: Visit): Promise<unknown>
}

export const ACTIONS: Record<PersonVerb, PersonAction> = {
  name: {
    notice: 'renamed',
    ask: ({ texts, form }, { person, errors }) => {
      const { title, detail, label, submit } = texts.people.name
      const value = form.name ?? person.name
      const fields = <Input name="name" label={label} value={value} maxLength={MAX_ACCOUNT_NAME} errors={errors} />
      return { title: title(person.name), paragraphs: [detail], submit, labels: { name: label }, fields }
    },
    run: visit => renamePerson(visit.app, idOf(visit), visit.form.name ?? '', originOf(visit)),
  },
  email: {
    notice: 'email-sent',
    ask: ({ texts, form }, { person, errors }) => {
      const { title, detail, label, submit } = texts.emailChange.person
      const fields = <Input name="email" label={label} type="email" value={form.email ?? ''} autoComplete="off" errors={errors} />
      return { title: title(person.name), paragraphs: [detail], submit, labels: { email: label }, fields }
    },
    run: visit => requestEmailChange(visit.app, idOf(visit), visit.form.email ?? '', originOf(visit)),
  },
  'withdraw-email': {
    notice: 'email-kept',
    ask: ({ texts }, { person, change }) => {
      const { title, detail, submit } = texts.emailChange.withdrawal
      return { title: title(person.name), paragraphs: change ? [detail(change.newEmail)] : [], submit }
    },
    run: visit => withdrawEmailChange(visit.app, idOf(visit), originOf(visit)),
  },
  role: {
    notice: 'role',
    ask: ({ texts, form }, { person }) => {
      const { title, detail, label, submit } = texts.people.role
      const fields = <RoleChoices value={form.role ?? person.role} />
      return { title: title(person.name), paragraphs: [detail], submit, labels: { role: label }, fields }
    },
    run: async visit => {
      const role = ROLES.find(each => each === visit.form.role)
      if (role) await changeRole(visit.app, idOf(visit), role, originOf(visit))
      else refuseIfInvalid(errorsIn([['role', violation('not_chosen')]]))
    },
  },
  'second-factor': {
    notice: 'factor-removed',
    ask: (visit, { person, factors }) => {
      const { title, detail, ends, submit } = visit.texts.people.secondFactor
      const isOwn = person.id === sessionOf(visit).user.id
      if (isOwn || (!factors.hasApp && factors.passkeys === 0)) throw new Refusal('not_found', violation('person_without_factor'))
      return { title: title(person.name), paragraphs: [detail(person.email, factors), ends], submit, isDangerous: true }
    },
    run: async visit => {
      const user = await userById(visit.app.db, idOf(visit))
      if (user) await removeSecondFactor(visit.app, user, originOf(visit))
    },
  },
  'hand-over': {
    notice: 'handed-over',
    ask: askHandOver,
    run: visit => handOver(visit.app, idOf(visit), visit.form.to ?? '', originOf(visit)),
  },
  disable: {
    notice: 'disabled',
    ask: ({ texts }, { person }) => {
      const { title, detail, stays, submit } = texts.people.disable
      return { title: title(person.name), paragraphs: [detail, stays], submit, isDangerous: true }
    },
    run: visit => disablePerson(visit.app, idOf(visit), originOf(visit)),
  },
  enable: {
    notice: 'enabled',
    ask: ({ texts }, { person }) => {
      const { title, detail, submit } = texts.people.enable
      return { title: title(person.name), paragraphs: [detail], submit }
    },
    run: visit => enablePerson(visit.app, idOf(visit), originOf(visit)),
  },
  remove: {
    notice: 'removed',
    ask: ({ texts }, { person, belongings }) => {
      const { title, detail, notEmpty, submit } = texts.people.remove
      const link = { href: `${PEOPLE_PATH}/${person.id}/hand-over`, text: texts.people.handOver.action }
      const obstacle = ownsSomething(belongings) ? { text: notEmpty(belongings), link } : undefined
      return { title: title(person.name), paragraphs: [detail], submit, obstacle, isDangerous: true }
    },
    run: visit => removePerson(visit.app, idOf(visit), originOf(visit)),
  },
}

async function askHandOver({ app, texts, form, language }: Visit, { person, belongings, errors }: Subject): Promise<Question> {
  const { title, moves, stays, cannotUndo, nothing, nobody, label, choose, submit } = texts.people.handOver
  const { compare } = new Intl.Collator(language)
  const people = (await listPeople(app.db))
    .filter(other => mayReceive(other, person))
    .sort((one, other) => compare(one.name, other.name))
  const options = people.map(({ id, name, email }) => ({ value: id, text: `${name} (${email})` }))
  const isEmpty = !ownsSomething(belongings)
  const obstacle = isEmpty ? { text: nothing } : people.length === 0 ? { text: nobody } : undefined
  return {
    title: title(person.name),
    paragraphs: isEmpty ? [] : [moves(belongings), stays, cannotUndo],
    submit,
    obstacle,
    labels: { to: label },
    fields: (
      <Select name="to" label={label} value={form.to ?? ''} options={[{ value: '', text: choose }, ...options]} errors={errors} />
    ),
  }
}

/** One's own second factor is removed under Profile. */
const OTHERS_ONLY: readonly PersonVerb[] = ['second-factor', 'disable', 'remove']

/** Those that make sense for the person now. */
function verbsFor(person: Person & Factors, change: EmailChange | undefined, { session }: Visit): PersonVerb[] {
  const { disabledAt, id, hasApp, passkeys } = person
  const isYou = id === session?.user.id
  const left: PersonVerb[] = [disabledAt ? 'disable' : 'enable', ...(isYou ? OTHERS_ONLY : [])]
  if (!hasApp && passkeys === 0) left.push('second-factor')
  if (!change) left.push('withdraw-email')
  return PERSON_VERBS.filter(verb => !left.includes(verb))
}

/** Those in which the person can sign in, in words. */
async function waysOf({ app, texts }: Visit, id: string): Promise<string> {
  const { ways } = texts.openIdConnect.person
  const identity = await linkedIdentity(app, id)
  const all = [
    ...(hasPassword(await userById(app.db, id)) ? [ways.password] : []),
    ...((await anyPasskeyOf(app.db, id)) ? [ways.passkey] : []),
    ...(identity ? [`${identity.provider} (${identity.email})`] : []),
  ]
  return all.join(', ')
}

export async function personPage(visit: Visit): Promise<PageResponse> {
  const { app, texts } = visit
  const person = await loadPerson(app.db, idOf(visit))
  const factors = await factorsOf(app.db, person.id)
  const change = await openChangeOf(app.db, person.id, app.now())
  const shown = { ...person, ...factors, lastSignIn: await lastSignInOf(app.db, person.id) }
  return {
    html: (
      <PersonPage
        context={visit.context(person.name)}
        person={personRow(visit, shown)}
        ways={await waysOf(visit, person.id)}
        since={pageTime(person.createdAt, visit.clock)}
        belongs={texts.people.person.counts(await belongingsOf(app.db, person.id))}
        newEmail={change?.newEmail}
        verbs={verbsFor(shown, change, visit)}
        notice={noticeOf(visit)}
      />
    ),
  }
}

interface Failed {
  errors: ShownError[]
  status: number
  asksForPassword: boolean
}

export async function questionPage(visit: Visit, { ask }: PersonAction, failed?: Failed): Promise<PageResponse> {
  const { app } = visit
  const person = await loadPerson(app.db, idOf(visit))
  const errors = failed?.errors ?? []
  const {
    title,
    fields,
    labels = {},
    ...question
  } = await ask(visit, {
    person,
    belongings: await belongingsOf(app.db, person.id),
    factors: await factorsOf(app.db, person.id),
    change: await openChangeOf(app.db, person.id, app.now()),
    errors,
  })
  const back = { href: `${PEOPLE_PATH}/${person.id}`, text: person.name }
  return {
    html: (
      <PersonQuestionPage {...questionOf(visit, title, failed ?? {})} {...question} labels={labels} back={back}>
        {fields}
      </PersonQuestionPage>
    ),
    status: failed?.status ?? 200,
  }
}

export async function runAction(visit: Visit, verb: PersonVerb): Promise<PageResponse> {
  const action = ACTIONS[verb]
  const result = await runConfirmedAction(visit, () => action.run(visit))
  if ('errors' in result) return questionPage(visit, action, result)
  const page = verb === 'remove' ? PEOPLE_PATH : `${PEOPLE_PATH}/${idOf(visit)}`
  return { redirect: `${page}?notice=${action.notice}` }
}
