/** Changing one's e-mail address: the form under Profile, and the pages behind the mailed links. */
import { PROFILE_PATH } from '../../src/core/page-paths.ts'
import { Layout, type PageContext, PageHead } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { ActionForm, Csrf, ErrorSummary, Input } from '../parts/form.tsx'
import { Callout } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { ConfirmedForm, SettingsLayout } from '../settings/settings-layout.tsx'

const EMAIL_PATH = `${PROFILE_PATH}/email`

interface AddressProps {
  email: string
  /** A change that waits for its confirmation. */
  waiting: { email: string; until: string } | undefined
}

/** In the profile. */
export function ProfileAddress({ email, waiting }: AddressProps) {
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
          actions={<ActionForm action={`${EMAIL_PATH}/withdraw`} text={t.withdraw} kind="plain" />}
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
  value: string
}

export function ChangeEmailPage({ context, value }: FormProps) {
  const { emailChange: t, signIn } = context.texts
  return (
    <SettingsLayout context={context} here={PROFILE_PATH}>
      <PageHead title={t.title} back={{ href: PROFILE_PATH, text: signIn.profile.title }} />
      <p class="break">{t.lead(context.user?.email ?? '')}</p>
      <p>{t.text}</p>
      <ErrorSummary labels={{ email: t.newLabel }} />
      <ConfirmedForm action={EMAIL_PATH} reason={t.reason} submit={t.submit} cancel={PROFILE_PATH}>
        <Input name="email" label={t.newLabel} type="email" value={value} autoComplete="email" />
      </ConfirmedForm>
    </SettingsLayout>
  )
}

interface LinkProps {
  context: PageContext
  action: string
  from: string
  to: string
}

export function ConfirmEmailPage({ context, action, from, to }: LinkProps) {
  const t = context.texts.emailChange.confirm
  return (
    <Layout context={context} entry>
      <h1>{t.title}</h1>
      <p class="break">{t.text(from, to)}</p>
      <p class="quiet">{t.hint}</p>
      <ErrorSummary />
      <form method="post" action={action}>
        <Csrf />
        <div class="form-actions">
          <Button kind="primary">{t.submit}</Button>
        </div>
      </form>
    </Layout>
  )
}

/** `isTakeBack`: the change holds already. */
export function StopEmailPage({ context, action, from, to, isTakeBack }: LinkProps & { isTakeBack: boolean }) {
  const t = context.texts.emailChange.stop
  return (
    <Layout context={context} entry>
      <h1>{isTakeBack ? t.takeBackTitle : t.title}</h1>
      <p class="break">{isTakeBack ? t.takeBackText(from, to) : t.text(from, to)}</p>
      <ErrorSummary />
      <form method="post" action={action}>
        <Csrf />
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
