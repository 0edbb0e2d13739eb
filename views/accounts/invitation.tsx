/** Invitations: the form, the link that is shown once, and the page that the link leads to. */
import { PEOPLE_PATH, SIGN_IN_PATH } from '../../src/core/page-paths.ts'
import { MAX_ACCOUNT_NAME } from '../../src/core/service-limits.ts'
import type { Role } from '../../src/ports.ts'
import { Layout, type PageContext, PageHead } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Choices } from '../parts/choices.tsx'
import { Csrf, ErrorSummary, Input, Select } from '../parts/form.tsx'
import { OneTimeSecret } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { SettingsLayout } from '../settings/settings-layout.tsx'

/** Each language in its own words. */
const LANGUAGES = [
  { value: 'en', text: 'English' },
  { value: 'de', text: 'Deutsch' },
]

export function RoleChoices({ value }: { value: string }) {
  const t = usePageTexts().people
  const roles = Object.keys(t.roles) as Role[]
  const choices = roles.map(role => ({ value: role, text: t.roles[role], hint: t.rolesText[role] }))
  return <Choices name="role" legend={t.columns.role} value={value} choices={choices} />
}

interface DeliveryProps {
  value: string
  hasMailServer: boolean
}

export function DeliveryChoices({ value, hasMailServer }: DeliveryProps) {
  const { delivery, mail, mailToFolder, link, linkHint } = usePageTexts().people.invite
  const choices = [
    { value: 'mail', text: mail, hint: hasMailServer ? undefined : mailToFolder },
    { value: 'link', text: link, hint: linkHint },
  ]
  return <Choices name="delivery" legend={delivery} value={value} choices={choices} />
}

interface FieldsProps extends Pick<DeliveryProps, 'hasMailServer'> {
  values: { name: string; email: string; role: string; language: string; delivery: string }
}

export function InviteFields({ values, hasMailServer }: FieldsProps) {
  const t = usePageTexts().people.invite
  return (
    <>
      <Input name="name" label={t.name} value={values.name} maxLength={MAX_ACCOUNT_NAME} />
      <Input name="email" label={t.email} hint={t.emailHint} type="email" value={values.email} />
      <RoleChoices value={values.role} />
      <Select name="language" label={t.language} hint={t.languageHint} value={values.language} options={LANGUAGES} />
      <DeliveryChoices value={values.delivery} hasMailServer={hasMailServer} />
    </>
  )
}

interface LinkProps {
  context: PageContext
  name: string
  link: string
  until: string
}

/** The link is shown here alone, and only now. */
export function InvitationLinkPage({ context, name, link, until }: LinkProps) {
  const t = context.texts.people.link
  return (
    <SettingsLayout context={context} here={PEOPLE_PATH}>
      <PageHead title={t.title(name)} />
      <OneTimeSecret title={t.text(name, until)} secret={link} hint={t.once} texts={context.texts.frame} />
      <p>
        <LinkButton href={PEOPLE_PATH}>{t.done}</LinkButton>
      </p>
    </SettingsLayout>
  )
}

interface AcceptProps {
  context: PageContext
  action: string
  organisation: string
  invitedBy: string
  role: Role
  email: string
  name: string
  /** The identity provider, whose sign-in accepts the invitation too. */
  provider: string | undefined
}

export function AcceptInvitationPage({ context, action, ...invitation }: AcceptProps) {
  const { people, account, openIdConnect } = context.texts
  const t = people.accept
  const { organisation, invitedBy, role, email, name, provider } = invitation
  return (
    <Layout context={context} entry>
      <h1>{t.title(organisation)}</h1>
      <p class="quiet">
        {t.lead(invitedBy, people.roles[role])} {people.rolesText[role]}
      </p>
      <p>
        {t.account} <strong class="break">{email}</strong>.
      </p>
      <ErrorSummary labels={{ name: t.name, password: t.password }} />
      <form method="post" action={action}>
        <Csrf />
        <input type="hidden" name="email" value={email} autoComplete="username" />
        <Input name="name" label={t.name} value={name} autoComplete="name" maxLength={MAX_ACCOUNT_NAME} />
        <Input name="password" label={t.password} hint={account.passwordHint} type="password" autoComplete="new-password" />
        <div class="form-actions">
          <Button kind="primary">{t.submit}</Button>
        </div>
      </form>
      {provider !== undefined && (
        <>
          <p class="quiet">{openIdConnect.orAccept}</p>
          <p class="lone-provider">
            <LinkButton class="wide" href={`${SIGN_IN_PATH}/oidc`}>
              {openIdConnect.signInWith(provider)}
            </LinkButton>
          </p>
        </>
      )}
    </Layout>
  )
}
