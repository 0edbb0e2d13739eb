/** Settings → People: everybody with an account, and those who are invited. */
import type { Invitation } from '../../src/accounts/people-queries.ts'
import { PEOPLE_PATH } from '../../src/core/page-paths.ts'
import { MAX_EMAIL_LENGTH } from '../../src/core/text.ts'
import type { Role } from '../../src/ports.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Badge, type Tone } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { ListFilters, listAddress, Pager } from '../parts/list.tsx'
import { Moment } from '../parts/moment.tsx'
import { Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Cell, Table, TableHead } from '../parts/table.tsx'
import { SettingsLayout } from '../settings/settings-layout.tsx'

export interface PersonRow {
  id: string
  name: string
  email: string
  role: Role
  /** In words. */
  factor: string
  hasFactor: boolean
  /** `undefined`: never. */
  lastSeen: string | undefined
  /** `how`: in words; empty where it is not known. */
  lastSignIn: { at: Date; how: string } | undefined
  isDisabled: boolean
  isYou: boolean
}

export interface InvitationRow extends Invitation {
  inviter: string
  until: string
  isExpired: boolean
  /** The answer of the mail server, if it did not take the mail. */
  refusal: string | undefined
}

interface PeopleProps {
  context: PageContext
  filters: PeopleFilters
  people: readonly PersonRow[]
  /** Of all that match. */
  count: number
  /** None but on the first page without filters. */
  invitations: readonly InvitationRow[]
  notice: string | undefined
  /** Addresses of other pages of the list. */
  more: string | undefined
  first: string | undefined
}

export function PeoplePage({ context, filters, people, count, invitations, notice, more, first }: PeopleProps) {
  const t = context.texts.people
  const isFiltered = [filters.q, filters.role, filters.factor, filters.state].some(Boolean)
  return (
    <SettingsLayout context={context} here={PEOPLE_PATH}>
      <PageHead
        title={t.title}
        actions={
          <LinkButton href={`${PEOPLE_PATH}/invite`} icon="plus">
            {t.invite.action}
          </LinkButton>
        }
      >
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      {(isFiltered || count > 1) && <PeopleFilterForm filters={filters} />}
      {people.length === 0 ? (
        <EmptyState icon="users" title={t.filters.none}>
          {t.filters.noneText}
        </EmptyState>
      ) : (
        <People rows={people} />
      )}
      {(isFiltered || more !== undefined) && people.length > 0 && <p class="quiet small">{t.filters.count(count)}</p>}
      <Pager first={{ href: first, text: t.filters.first }} next={{ href: more, text: t.filters.more }} />
      {count === 1 && !isFiltered && invitations.length === 0 && <p class="quiet">{t.alone}</p>}
      {invitations.length > 0 && <Invitations rows={invitations} />}
    </SettingsLayout>
  )
}

function People({ rows }: { rows: readonly PersonRow[] }) {
  const t = usePageTexts().people
  const { person, role, factor, lastSignIn, state, actions } = t.columns
  return (
    <Table label={t.title}>
      <TableHead columns={[person, role, factor, lastSignIn, state]} actions={actions} />
      <tbody>
        {rows.map((row, i) => (
          <PersonTableRow key={row.id} row={row} index={i} />
        ))}
      </tbody>
    </Table>
  )
}

/** When and how. */
export function LastSignIn({ lastSignIn }: { lastSignIn: PersonRow['lastSignIn'] }) {
  const { never } = usePageTexts().people
  if (!lastSignIn) return <>{never}</>
  const { at, how } = lastSignIn
  return (
    <span>
      <Moment at={at} /> {how && <span class="signed-in-by">({how})</span>}
    </span>
  )
}

function PersonCell({ name, email, index, note }: { name: string; email: string; index: number; note?: string }) {
  return (
    <td>
      <span class="person-cell">
        <Avatar name={name} index={index} />
        <span>
          <span class="title" dir="auto">
            {name}
          </span>
          {note && <span class="quiet"> ({note})</span>}
          <br />
          <span class="quiet small break">{email}</span>
        </span>
      </span>
    </td>
  )
}

export function StateBadge({ isDisabled }: Pick<PersonRow, 'isDisabled'>) {
  const { states } = usePageTexts().people
  const [tone, text]: [Tone, string] = isDisabled ? ['neutral', states.disabled] : ['good', states.active]
  return (
    <Badge tone={tone} icon={isDisabled ? 'ban' : undefined}>
      {text}
    </Badge>
  )
}

function PersonTableRow({ row, index }: { row: PersonRow; index: number }) {
  const t = usePageTexts().people
  return (
    <tr>
      <PersonCell name={row.name} email={row.email} index={index} {...(row.isYou ? { note: t.you } : {})} />
      <Cell label={t.columns.role}>{t.roles[row.role]}</Cell>
      <Cell label={t.columns.factor} class={row.hasFactor ? undefined : 'quiet'}>
        {row.factor}
      </Cell>
      <Cell label={t.columns.lastSignIn} class="small quiet">
        <LastSignIn lastSignIn={row.lastSignIn} />
      </Cell>
      <Cell label={t.columns.state}>
        <StateBadge isDisabled={row.isDisabled} />
      </Cell>
      <td>
        <LinkButton kind="quiet" small href={`${PEOPLE_PATH}/${row.id}`} aria-label={t.manage(row.name)}>
          {t.columns.actions}
        </LinkButton>
      </td>
    </tr>
  )
}

function Invitations({ rows }: { rows: readonly InvitationRow[] }) {
  const t = usePageTexts().people
  const { title, invitedBy, until } = t.invitations
  return (
    <>
      <h2>{title}</h2>
      <Table label={title}>
        <TableHead columns={[t.columns.person, t.columns.role, invitedBy, until]} actions={t.columns.actions} />
        <tbody>
          {rows.map((row, i) => (
            <InvitationTableRow key={row.id} row={row} index={i} />
          ))}
        </tbody>
      </Table>
    </>
  )
}

function InvitationTableRow({ row, index }: { row: InvitationRow; index: number }) {
  const t = usePageTexts().people
  const { invitedBy, until, resend, resendTo, withdraw, withdrawOf } = t.invitations
  const path = `${PEOPLE_PATH}/invitations/${row.id}`
  return (
    <tr>
      <PersonCell name={row.name} email={row.email} index={index} />
      <Cell label={t.columns.role}>{t.roles[row.role]}</Cell>
      <Cell label={invitedBy} class="small quiet">
        {row.inviter}
      </Cell>
      <Cell label={until} class="small quiet">
        {row.isExpired ? (
          <Badge tone="warn" icon="clock">
            {t.states.expired}
          </Badge>
        ) : (
          row.until
        )}
        {row.refusal !== undefined && (
          <>
            <Badge tone="bad" icon="circle-alert">
              {t.states.refused}
            </Badge>
            <p class="quiet">{row.refusal}</p>
          </>
        )}
      </Cell>
      <td>
        <LinkButton kind="quiet" small href={`${path}/resend`} aria-label={resendTo(row.name)}>
          {resend}
        </LinkButton>
        <LinkButton kind="quiet" small href={`${path}/withdraw`} aria-label={withdrawOf(row.name)}>
          {withdraw}
        </LinkButton>
      </td>
    </tr>
  )
}

// Search, filters and order of the people.

/** As in the address; empty: not set. */
export type PeopleFilters = Record<'q' | 'role' | 'factor' | 'state' | 'order', string>

export const peopleAddress = (filters: Partial<PeopleFilters>, after?: string): string => listAddress(PEOPLE_PATH, filters, after)

/** The values of each field in words. */
function useChoices() {
  const { roles, states, filters } = usePageTexts().people
  return {
    role: roles as Record<string, string>,
    factor: filters.factors as Record<string, string>,
    state: { active: states.active, disabled: states.disabled } as Record<string, string>,
    order: filters.orders as Record<string, string>,
  }
}

function PeopleFilterForm({ filters }: { filters: PeopleFilters }) {
  const { filters: t } = usePageTexts().people
  const choices = useChoices()
  const choiceOf = (name: keyof typeof choices) => {
    const [value, label] = [filters[name], t.fields[name]]
    const options = Object.entries(choices[name]).map(([each, text]) => ({ value: each, text }))
    return {
      name,
      value,
      as: 'choice',
      label,
      any: t.any[name],
      options,
      chip: `${label}: ${choices[name][value] ?? value}`,
    } as const
  }
  const q = {
    name: 'q',
    value: filters.q,
    label: t.search,
    hint: t.searchHint,
    maxLength: MAX_EMAIL_LENGTH,
    chip: t.chip(filters.q),
  }
  const all = [{ ...q, as: 'search' } as const, ...(['role', 'factor', 'state', 'order'] as const).map(choiceOf)]
  return <ListFilters path={PEOPLE_PATH} filters={all} />
}
