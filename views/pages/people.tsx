/** Settings → People: everybody with an account, and those who are invited. */
import { type PageContext, PageHead } from '../layout.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { Badge, type Tone } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Cell, Table, TableHead } from '../parts/table.tsx'
import { SettingsLayout, type SettingsUser } from './settings-layout.tsx'

export const PEOPLE_PATH = '/settings/people'

export type PersonRole = 'admin' | 'member' | 'auditor'

export interface PersonRow {
  id: string
  name: string
  email: string
  role: PersonRole
  /** `undefined`: never. */
  lastSeen: string | undefined
  isDisabled: boolean
  isYou: boolean
}

export interface InvitationRow {
  id: string
  name: string
  email: string
  role: PersonRole
  invitedBy: string
  until: string
  isExpired: boolean
}

interface Props {
  context: PageContext
  user: SettingsUser
  people: readonly PersonRow[]
  invitations: readonly InvitationRow[]
  notice: string | undefined
}

export function PeoplePage({ context, user, people, invitations, notice }: Props) {
  const t = context.texts.people
  return (
    <SettingsLayout context={context} user={user} here={PEOPLE_PATH}>
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
      <Table label={t.title}>
        <TableHead
          columns={[t.columns.person, t.columns.role, t.columns.lastSeen, t.columns.state]}
          actions={t.columns.actions}
        />
        <tbody>
          {people.map((row, i) => (
            <PersonTableRow key={row.id} row={row} index={i} />
          ))}
        </tbody>
      </Table>
      {people.length === 1 && invitations.length === 0 && <p class="quiet">{t.alone}</p>}
      {invitations.length > 0 && <Invitations rows={invitations} />}
    </SettingsLayout>
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
      <Cell label={t.columns.lastSeen} class="small quiet">
        {row.lastSeen ?? t.never}
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
        {row.invitedBy}
      </Cell>
      <Cell label={until} class="small quiet">
        {row.isExpired ? (
          <Badge tone="warn" icon="clock">
            {t.states.expired}
          </Badge>
        ) : (
          row.until
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
