/** Settings → People: the list, and invitations. */
import {
  AcceptInvitationPage,
  DeliveryChoices,
  InvitationLinkPage,
  InviteFields,
} from '../../../../views/accounts/invitation.tsx'
import { type PeopleFilters, PeoplePage, type PersonRow, peopleAddress } from '../../../../views/accounts/people.tsx'
import { PersonQuestionPage } from '../../../../views/accounts/person.tsx'
import {
  acceptInvitation,
  type Delivery,
  INVITATION_MS,
  invitationOfLink,
  invitePerson,
  loadInvitation,
  refusedInvitations,
  renewInvitation,
  withdrawInvitation,
} from '../../../accounts/invitations.ts'
import {
  countPeople,
  FACTOR_FILTERS,
  type ListedPerson,
  listPeoplePage,
  PEOPLE_ORDERS,
  type PeopleFilter,
  type PeopleOrder,
  peoplePositionIn,
} from '../../../accounts/list-queries.ts'
import { acceptsInvitation } from '../../../accounts/oidc-sign-in.ts'
import { listInvitations, type Person, personById } from '../../../accounts/people-queries.ts'
import { userNames } from '../../../accounts/queries.ts'
import { PEOPLE_PATH } from '../../../core/page-paths.ts'
import { PAGE_SIZE } from '../../../core/service-limits.ts'
import { MAX_EMAIL_LENGTH } from '../../../core/text.ts'
import { violation } from '../../../core/violation.ts'
import { pageTime } from '../../../lib/clock-format.ts'
import { relativeTime } from '../../../lib/relative-time.ts'
import type { ShownError } from '../../../locales/app.ts'
import { folderInUse } from '../../../outbox/configured-mailer.ts'
import { ROLES } from '../../../ports.ts'
import { readOpenIdConnect } from '../../../settings/openid-connect.ts'
import { type FormState, type PageResponse, runFormAction, type Visit } from '../../frame/page.tsx'
import { choiceIn, type Query, trimmedIn } from '../../frame/query.ts'
import { countAttempt } from '../../limits.ts'
import { idOf, originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction } from '../settings/settings-access.ts'
import { finishSignIn } from './sign-in-code.tsx'

/** What a row shows besides the account. */
type Shown = Pick<ListedPerson, 'lastSignIn' | 'hasApp' | 'passkeys'>

export function personRow({ session, texts, clock }: Visit, person: Person & Shown): PersonRow {
  const { id, name, email, role, lastSeenAt, disabledAt, lastSignIn } = person
  const { methods } = texts.signIn.profile
  return {
    id,
    name,
    email,
    role,
    factor: texts.people.factor(person),
    hasFactor: person.hasApp || person.passkeys > 0,
    lastSignIn: lastSignIn && { at: lastSignIn.at, how: lastSignIn.methods.map(method => methods[method]).join(' + ') },
    lastSeen: lastSeenAt && relativeTime(lastSeenAt, clock),
    isDisabled: disabledAt !== undefined,
    isYou: id === session?.user.id,
  }
}

export const noticeOf = (visit: Visit) => visit.noticeIn(visit.texts.people.notices)

function filterIn(query: Query): { filter: PeopleFilter; order: PeopleOrder; filters: PeopleFilters } {
  const q = trimmedIn(query, 'q', MAX_EMAIL_LENGTH)
  const role = choiceIn(query, 'role', ROLES)
  const factor = choiceIn(query, 'factor', FACTOR_FILTERS)
  const state = choiceIn(query, 'state', ['active', 'disabled'])
  const order = choiceIn(query, 'order', PEOPLE_ORDERS) ?? 'name'
  const filter = { text: q, ...(role && { role }), ...(factor && { factor }), ...(state && { isDisabled: state === 'disabled' }) }
  const filters = { q, role: role ?? '', factor: factor ?? '', state: state ?? '', order: order === 'name' ? '' : order }
  return { filter, order, filters }
}

export async function list(visit: Visit): Promise<PageResponse> {
  const { app, texts, query, clock } = visit
  const { filter, order, filters } = filterIn(query)
  const after = peoplePositionIn(query.after)
  const { people, next } = await listPeoplePage(app.db, filter, { order, limit: PAGE_SIZE, after })
  const isWhole = after === undefined && peopleAddress({ ...filters, order: '' }) === PEOPLE_PATH
  const invitations = isWhole ? await listInvitations(app.db) : []
  const refused = await refusedInvitations(app.db, invitations)
  const names = await userNames(
    app.db,
    invitations.map(({ invitedBy }) => invitedBy),
  )
  return {
    html: (
      <PeoplePage
        context={visit.context(texts.people.title)}
        filters={filters}
        people={people.map(person => personRow(visit, person))}
        count={await countPeople(app.db, filter)}
        more={next && peopleAddress(filters, next)}
        first={after && peopleAddress(filters)}
        invitations={invitations.map(invitation => ({
          ...invitation,
          inviter: names.get(invitation.invitedBy) ?? '',
          until: pageTime(invitation.expiresAt, clock),
          isExpired: invitation.expiresAt <= clock.now,
          refusal: refused.get(invitation.id),
        }))}
        notice={noticeOf(visit)}
      />
    ),
  }
}

const hasMailServer = async ({ app }: Visit) => (await folderInUse(app)) === undefined

function entered(visit: Visit) {
  const { name = '', email = '', role = 'member', language = visit.language, delivery = 'mail' } = visit.form
  return { name, email, role, language, delivery }
}

const deliveryOf = ({ form }: Visit): Delivery => (form.delivery === 'link' ? 'link' : 'mail')
const back = ({ texts }: Visit) => ({ href: PEOPLE_PATH, text: texts.people.person.back })

/** What all questions of these pages show. */
export function questionOf(visit: Visit, title: string, state: FormState) {
  return {
    context: visit.context(title, state),
    title,
    action: visit.url.pathname,
    back: back(visit),
    labels: {},
  }
}

export async function invitePage(visit: Visit, state: FormState = {}): Promise<PageResponse> {
  const { invite } = visit.texts.people
  const { status = 200 } = state
  const labels = { name: invite.name, email: invite.email, role: invite.role, language: invite.language }
  return {
    html: (
      <PersonQuestionPage
        {...questionOf(visit, invite.title, state)}
        paragraphs={[invite.lead]}
        labels={labels}
        submit={invite.submit}
      >
        <InviteFields values={entered(visit)} hasMailServer={await hasMailServer(visit)} />
      </PersonQuestionPage>
    ),
    status,
  }
}

export async function postInvite(visit: Visit): Promise<PageResponse> {
  const input = entered(visit)
  const result = await runConfirmedAction(visit, () => invitePerson(visit.app, input, deliveryOf(visit), originOf(visit)))
  return 'errors' in result ? invitePage(visit, result) : invited(visit, input.name, result.done)
}

/** With the link, if it was asked for. */
async function invited(visit: Visit, name: string, link: string | undefined): Promise<PageResponse> {
  const { app, texts } = visit
  if (link === undefined)
    return { redirect: `${PEOPLE_PATH}?notice=${(await hasMailServer(visit)) ? 'invited' : 'invitedToFolder'}` }
  const until = pageTime(new Date(app.now().getTime() + INVITATION_MS), visit.clock)
  const title = texts.people.link.title(name)
  const props = { context: visit.context(title), name, link, until }
  return { html: <InvitationLinkPage {...props} /> }
}

export async function resendPage(visit: Visit, state: FormState = {}): Promise<PageResponse> {
  const { resend } = visit.texts.people
  const { name } = await loadInvitation(visit.app.db, idOf(visit))
  const { status = 200 } = state
  return {
    html: (
      <PersonQuestionPage {...questionOf(visit, resend.title(name), state)} paragraphs={[resend.text]} submit={resend.submit}>
        <DeliveryChoices value={entered(visit).delivery} hasMailServer={await hasMailServer(visit)} />
      </PersonQuestionPage>
    ),
    status,
  }
}

export async function postResend(visit: Visit): Promise<PageResponse> {
  const { name } = await loadInvitation(visit.app.db, idOf(visit))
  const result = await runConfirmedAction(visit, () =>
    renewInvitation(visit.app, idOf(visit), deliveryOf(visit), originOf(visit)),
  )
  return 'errors' in result ? resendPage(visit, result) : invited(visit, name, result.done)
}

export async function withdrawPage(visit: Visit, state: FormState = {}): Promise<PageResponse> {
  const { withdraw } = visit.texts.people
  const { name } = await loadInvitation(visit.app.db, idOf(visit))
  const question = questionOf(visit, withdraw.title(name), state)
  return {
    html: <PersonQuestionPage {...question} paragraphs={[withdraw.text]} submit={withdraw.submit} isDangerous />,
    status: state.status ?? 200,
  }
}

export async function postWithdraw(visit: Visit): Promise<PageResponse> {
  const result = await runConfirmedAction(visit, () => withdrawInvitation(visit.app, idOf(visit), originOf(visit)))
  return 'errors' in result ? withdrawPage(visit, result) : { redirect: `${PEOPLE_PATH}?notice=withdrawn` }
}

export async function acceptPage(visit: Visit, errors: ShownError[] = [], status = 200): Promise<PageResponse> {
  const { app, params, form, texts } = visit
  const invitation = await invitationOfLink(app, params.token ?? '')
  const { name: organisation } = visit.organisation
  const by = await personById(app.db, invitation.invitedBy)
  const oidc = await readOpenIdConnect(app)
  return {
    html: (
      <AcceptInvitationPage
        context={visit.context(texts.people.accept.pageTitle, { errors })}
        action={visit.url.pathname}
        organisation={organisation}
        invitedBy={by?.name ?? organisation}
        role={invitation.role}
        email={invitation.email}
        name={form.name ?? invitation.name}
        provider={oidc && acceptsInvitation(oidc, invitation) ? oidc.name : undefined}
      />
    ),
    status,
  }
}

export async function postAccept(visit: Visit): Promise<PageResponse> {
  const { app, params, form, client, language } = visit
  const { name = '', password = '' } = form
  const result = await runFormAction(() => {
    countAttempt(app, 'invitation', client.ip, violation('too_many_attempts'))
    return acceptInvitation(app, params.token ?? '', { name, password, language }, client)
  })
  return 'errors' in result ? acceptPage(visit, result.errors, result.status) : finishSignIn(visit, result.done, 'password')
}
