/** Settings → Sign-in: the second factor of everybody, and the removal of somebody's. */
import type { ComponentChildren } from 'preact'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Csrf, ErrorSummary, type ValidationErrors } from '../parts/form.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Cell, Table, TableHead } from '../parts/table.tsx'
import { OIDC_PATH } from './openid-connect.tsx'
import { PasswordAgain, SettingsLayout, type SettingsUser } from './settings-layout.tsx'

export interface FactorRow {
  id: string
  name: string
  email: string
  hasSecondFactor: boolean
  hasApp: boolean
  passkeys: number
  /** The visitor, whose own is removed under Profile. */
  isOwn: boolean
}

interface Props {
  context: PageContext
  user: SettingsUser
}

interface SettingsProps extends Props {
  notice: string | undefined
  isRequired: boolean
  people: FactorRow[]
  /** The identity provider, if there is one; `isOnlyWay`: for all but administrators. */
  provider: { name: string; isOnlyWay: boolean } | undefined
}

const HERE = '/settings/sign-in'

export function SignInSettingsPage({ context, user, notice, isRequired, people, provider }: SettingsProps) {
  const t = context.texts.signIn.settings
  const hasOwn = people.some(({ isOwn, hasSecondFactor }) => isOwn && hasSecondFactor)
  return (
    <SettingsLayout context={context} user={user} here={HERE}>
      <PageHead title={t.title}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <h2>{t.rule}</h2>
      <div class="sheet">
        <p>
          <Badge tone={isRequired ? 'good' : 'neutral'}>{isRequired ? t.isOn : t.isOff}</Badge>
        </p>
        <Lacking people={people} isRequired={isRequired} />
        {!isRequired && !hasOwn && <p>{t.ownFirst}</p>}
        <div class="row">
          {isRequired || hasOwn ? (
            <LinkButton href={`${HERE}/second-factor`}>{isRequired ? t.switchOff : t.switchOn}</LinkButton>
          ) : (
            <LinkButton href="/profile/second-factor">{t.ownLink}</LinkButton>
          )}
        </div>
      </div>
      <ProviderSheet provider={provider} />
      <h2>{t.people}</h2>
      <Table label={t.people}>
        <TableHead columns={[t.columns.name, t.columns.factor]} actions={t.remove} />
        <tbody>
          {people.map(person => (
            <FactorTableRow key={person.id} person={person} />
          ))}
        </tbody>
      </Table>
    </SettingsLayout>
  )
}

function ProviderSheet({ provider }: Pick<SettingsProps, 'provider'>) {
  const t = usePageTexts().openIdConnect.section
  const state = provider ? (provider.isOnlyWay ? t.onlyWay(provider.name) : t.on(provider.name)) : t.off
  return (
    <>
      <h2>{t.title}</h2>
      <div class="sheet">
        <p>
          <Badge tone={provider ? 'good' : 'neutral'}>{state}</Badge>
        </p>
        <div class="row">
          <LinkButton href={OIDC_PATH}>{provider ? t.change : t.setUp}</LinkButton>
        </div>
      </div>
    </>
  )
}

function Lacking({ people, isRequired }: Pick<SettingsProps, 'people' | 'isRequired'>) {
  const t = usePageTexts().signIn.settings
  const count = people.filter(({ hasSecondFactor }) => !hasSecondFactor).length
  return (
    <p class="quiet">
      {t.lacking(count, people.length)} {isRequired && count > 0 && t.mustSetUp} {t.apiNote}
    </p>
  )
}

function FactorTableRow({ person }: { person: FactorRow }) {
  const t = usePageTexts().signIn.settings
  return (
    <tr>
      <td class="title">
        {person.name} <span class="quiet small break">{person.email}</span>
      </td>
      <Cell label={t.columns.factor}>
        <Badge tone={person.hasSecondFactor ? 'good' : 'neutral'}>{person.hasSecondFactor ? t.has : t.hasNone}</Badge>
      </Cell>
      <td>
        {person.hasSecondFactor && !person.isOwn && (
          <LinkButton kind="quiet" small href={`${HERE}/people/${person.id}/remove`} aria-label={t.removeNamed(person.name)}>
            {t.remove}
          </LinkButton>
        )}
      </td>
    </tr>
  )
}

interface QuestionProps extends Props {
  errors: ValidationErrors
  asksForPassword: boolean
}

/** Before the rule is switched, with how many people it concerns. */
export function SecondFactorRulePage(props: QuestionProps & Pick<SettingsProps, 'isRequired' | 'people'>) {
  const { context, isRequired, people } = props
  const t = context.texts.signIn.settings
  const lacking = people.filter(({ hasSecondFactor }) => !hasSecondFactor).length
  return (
    <Question
      {...props}
      title={isRequired ? t.offTitle : t.onTitle}
      action={`${HERE}/second-factor`}
      reason={t.reason}
      submit={isRequired ? t.offSubmit : t.onSubmit}
      value={isRequired ? 'off' : 'on'}
    >
      {isRequired ? (
        <p>{t.offText}</p>
      ) : (
        <Callout tone={lacking > 0 ? 'warn' : 'info'} title={t.lacking(lacking, people.length)}>
          {lacking > 0 && <p>{t.mustSetUp}</p>}
        </Callout>
      )}
    </Question>
  )
}

export function RemoveFactorPage(props: QuestionProps & { person: FactorRow }) {
  const { context, person } = props
  const t = context.texts.signIn.settings
  const action = `${HERE}/people/${person.id}/remove`
  return (
    <Question
      {...props}
      title={t.removeTitle(person.name)}
      action={action}
      reason={t.removeReason}
      submit={t.removeSubmit}
      isDanger
    >
      <p class="break">{t.removeText(person.email, person)}</p>
    </Question>
  )
}

interface QuestionWords {
  title: string
  action: string
  reason: string
  submit: string
  value?: string
  isDanger?: boolean
  children: ComponentChildren
}

function Question({ context, user, errors, asksForPassword, children, ...words }: QuestionProps & QuestionWords) {
  const { settings, frame } = context.texts
  return (
    <SettingsLayout context={context} user={user} here={HERE}>
      <h1>{words.title}</h1>
      {children}
      <ErrorSummary errors={errors} labels={{ password: settings.password.label }} />
      <form method="post" action={words.action} class="sheet">
        <Csrf token={user.csrf} />
        {words.value && <input type="hidden" name="rule" value={words.value} />}
        <PasswordAgain asked={asksForPassword} reason={words.reason} errors={errors} />
        <div class="form-actions">
          <Button kind={words.isDanger ? 'danger' : 'primary'}>{words.submit}</Button>
          <a href={HERE}>{frame.cancel}</a>
        </div>
      </form>
    </SettingsLayout>
  )
}
