/** Changing one's e-mail address: the form under Profile, and the pages behind the mailed links. */
import { Layout, type PageContext, PageHead } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { ActionForm, Csrf, ErrorSummary, Input, type ValidationErrors } from '../parts/form.tsx'
import { Callout } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { PasswordAgain, SettingsLayout, type SettingsUser } from './settings-layout.tsx'

export const EMAIL_PATH = '/profile/email'

interface AddressProps {
  email: string
  /** A change that waits for its confirmation. */
  waiting: { email: string; until: string } | undefined
  csrf: string
}

/** In the profile. */
export function ProfileAddress({ email, waiting, csrf }: AddressProps) {
  const t = usePageTexts().emailChange
  return (
    <div class="sheet">
      <p class="break">
        <strong>{email}</strong>
      </p>
      {waiting && (
        <Callout
          tone="info"
          title={t.waits(waiting.email, waiting.until)}
          actions={<ActionForm action={`${EMAIL_PATH}/withdraw`} csrf={csrf} text={t.withdraw} kind="plain" />}
        >
          <p>{t.waitsText}</p>
        </Callout>
      )}
      <div class="row">
        <LinkButton href={EMAIL_PATH}>{t.change}</LinkButton>
      </div>
    </div>
  )
}

interface FormProps {
  context: PageContext
  user: SettingsUser
  value: string
  errors: ValidationErrors
  asksForPassword: boolean
}

export function ChangeEmailPage({ context, user, value, errors, asksForPassword }: FormProps) {
  const { emailChange: t, frame, settings, signIn } = context.texts
  return (
    <SettingsLayout context={context} user={user} here="/profile">
      <PageHead title={t.title} back={{ href: '/profile', text: signIn.profile.title }} />
      <p class="break">{t.lead(user.email)}</p>
      <p>{t.text}</p>
      <ErrorSummary errors={errors} labels={{ email: t.newLabel, password: settings.password.label }} />
      <form method="post" action={EMAIL_PATH} class="sheet">
        <Csrf token={user.csrf} />
        <Input name="email" label={t.newLabel} type="email" value={value} autoComplete="email" errors={errors} />
        <PasswordAgain asked={asksForPassword} reason={t.reason} errors={errors} />
        <div class="form-actions">
          <Button kind="primary">{t.submit}</Button>
          <a href="/profile">{frame.cancel}</a>
        </div>
      </form>
    </SettingsLayout>
  )
}

interface LinkProps {
  context: PageContext
  csrf: string
  action: string
  from: string
  to: string
  errors: ValidationErrors
}

export function ConfirmEmailPage({ context, csrf, action, from, to, errors }: LinkProps) {
  const t = context.texts.emailChange.confirm
  return (
    <Layout context={context} entry>
      <h1>{t.title}</h1>
      <p class="break">{t.text(from, to)}</p>
      <p class="quiet">{t.hint}</p>
      <ErrorSummary errors={errors} />
      <form method="post" action={action}>
        <Csrf token={csrf} />
        <div class="form-actions">
          <Button kind="primary">{t.submit}</Button>
        </div>
      </form>
    </Layout>
  )
}

/** `isTakeBack`: the change holds already. */
export function StopEmailPage({ context, csrf, action, from, to, errors, isTakeBack }: LinkProps & { isTakeBack: boolean }) {
  const t = context.texts.emailChange.stop
  return (
    <Layout context={context} entry>
      <h1>{isTakeBack ? t.takeBackTitle : t.title}</h1>
      <p class="break">{isTakeBack ? t.takeBackText(from, to) : t.text(from, to)}</p>
      <ErrorSummary errors={errors} />
      <form method="post" action={action}>
        <Csrf token={csrf} />
        <div class="form-actions">
          <Button kind="primary">{isTakeBack ? t.takeBackSubmit : t.submit}</Button>
        </div>
      </form>
    </Layout>
  )
}

export function EmailConfirmedPage({ context, to }: Pick<LinkProps, 'context' | 'to'>) {
  const t = context.texts.emailChange.confirm
  return (
    <Layout context={context} entry>
      <h1>{t.doneTitle}</h1>
      <p class="break" role="status">
        {t.done(to)}
      </p>
      <div class="form-actions">
        <LinkButton kind="primary" href="/">
          {t.go}
        </LinkButton>
      </div>
    </Layout>
  )
}

export function EmailStoppedPage({ context, from, isTakeBack }: Pick<LinkProps, 'context' | 'from'> & { isTakeBack: boolean }) {
  const t = context.texts.emailChange.stop
  return (
    <Layout context={context} entry>
      <h1>{isTakeBack ? t.takenBackTitle : t.doneTitle}</h1>
      <p class="break" role="status">
        {t.done(from)}
      </p>
      <p>{t.advice}</p>
      <div class="form-actions">
        <LinkButton href="/forgot">{t.reset}</LinkButton>
      </div>
    </Layout>
  )
}
