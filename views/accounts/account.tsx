/** Set-up, sign-in, a new password, and the password asked again. */
import { CONFIRM_PATH, SIGN_IN_PATH, VERIFY_PATH } from '../../src/core/page-paths.ts'
import { MAX_ACCOUNT_NAME, MAX_ORGANISATION_NAME } from '../../src/core/service-limits.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { Layout, type PageContext } from '../layout.tsx'
import { BrowserZone } from '../parts/browser-zone.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Csrf, ErrorSummary, Input, Select } from '../parts/form.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { PasskeyButton } from '../parts/passkey.tsx'
import { OtherProofs } from '../settings/settings-layout.tsx'

interface FormProps {
  context: PageContext
  action: string
}

function NewPassword({ label, texts }: { label: string; texts: AppTexts }) {
  return <Input name="password" label={label} hint={texts.account.passwordHint} type="password" autoComplete="new-password" />
}

type SetupProps = FormProps & {
  values: Record<string, string>
  timeZones: string[]
  /** By their own names. */
  languages: { value: string; text: string }[]
}

export function SetupPage({ context, action, values, timeZones, languages }: SetupProps) {
  const { setup, password } = context.texts.account
  const { organisation, language, timeZone, name, email } = setup
  const labels = { organisation, language, timeZone, name, email, password }
  return (
    <Layout context={context} entry bundle="settings">
      <h1>{setup.title}</h1>
      <p class="quiet">{setup.lead}</p>
      <ErrorSummary labels={labels} />
      <form method="post" action={action}>
        <Csrf />
        <h2>{setup.yourOrganisation}</h2>
        <Input
          name="organisation"
          label={setup.organisation}
          hint={setup.organisationHint}
          value={values.organisation ?? ''}
          autoComplete="organization"
          maxLength={MAX_ORGANISATION_NAME}
        />
        <Select
          name="language"
          label={setup.language}
          hint={setup.languageHint}
          value={values.language ?? ''}
          options={languages}
        />
        <Select
          name="timeZone"
          label={setup.timeZone}
          hint={setup.timeZoneHint}
          value={values.timeZone ?? 'UTC'}
          options={timeZones.map(zone => ({ value: zone, text: zone }))}
        />
        <BrowserZone list="timeZone" isPreset={values.timeZone === undefined} texts={context.texts.frame} />
        <h2>{setup.yourAccount}</h2>
        <Input name="name" label={setup.name} value={values.name ?? ''} autoComplete="name" maxLength={MAX_ACCOUNT_NAME} />
        <Input
          name="email"
          label={setup.email}
          hint={setup.emailHint}
          type="email"
          value={values.email ?? ''}
          autoComplete="email"
        />
        <NewPassword label={password} texts={context.texts} />
        <Submit text={setup.submit} />
      </form>
    </Layout>
  )
}

function Submit({ text }: { text: string }) {
  return (
    <div class="form-actions">
      <Button kind="primary">{text}</Button>
    </div>
  )
}

interface SignInProps extends FormProps {
  email: string
  notice: string | undefined
  /** The notice says why the last attempt failed. */
  hasFailed: boolean
  /** Takes a passkey; undefined where there are none. */
  passkeyAction: string | undefined
  /** There is an administrator. */
  isSetUp: boolean
  /** The identity provider; `isOnlyWay`: for all but administrators. */
  provider: { name: string; href: string; isOnlyWay: boolean } | undefined
}

export function SignInPage(props: SignInProps) {
  const { context, notice, hasFailed, provider, isSetUp } = props
  const { account, openIdConnect } = context.texts
  const button = provider && (
    <LinkButton kind={provider.isOnlyWay ? 'primary' : 'plain'} class="wide" href={provider.href}>
      {openIdConnect.signInWith(provider.name)}
    </LinkButton>
  )
  return (
    <Layout context={context} entry after={<SignInHelp context={context} isSetUp={isSetUp} />}>
      <h1>{account.signIn.title}</h1>
      {hasFailed && notice !== undefined ? <Callout tone="bad" role="alert" title={notice} /> : <Notice text={notice} />}
      <ErrorSummary />
      {provider?.isOnlyWay ? (
        <>
          <p class="lone-provider">{button}</p>
          <details open={context.errors.length > 0}>
            <summary>{openIdConnect.administrators}</summary>
            <OwnWays {...props} />
          </details>
        </>
      ) : (
        <>
          <OwnWays {...props} />
          {button && <p class="lone-provider">{button}</p>}
        </>
      )}
      <p class="lone-more">
        <a href="/forgot">{context.texts.signIn.forgot.link}</a>
      </p>
    </Layout>
  )
}

function OwnWays({ context, action, email, passkeyAction, provider }: SignInProps) {
  const { signIn, ...account } = context.texts.account
  const autoComplete = passkeyAction === undefined ? 'username' : 'username webauthn'
  return (
    <>
      <form method="post" action={action}>
        <Csrf />
        <Input name="email" label={account.email} type="email" value={email} autoComplete={autoComplete} />
        <Input name="password" label={account.password} type="password" autoComplete="current-password" />
        <div class="form-actions">
          <Button kind={provider?.isOnlyWay ? 'plain' : 'primary'} class="wide">
            {signIn.submit}
          </Button>
        </div>
      </form>
      {passkeyAction && (
        <form method="post" action={passkeyAction} class="lone-passkey">
          <Csrf />
          <PasskeyButton optionsFrom={`${SIGN_IN_PATH}/passkey/options`} text={context.texts.passkeys.signIn} isAutofilled />
        </form>
      )}
    </>
  )
}

function SignInHelp({ context, isSetUp }: Pick<SignInProps, 'context' | 'isSetUp'>) {
  const { signIn } = context.texts.account
  return (
    <section class="lone-help" aria-labelledby="help">
      <h2 id="help">{signIn.help}</h2>
      <ul>
        <li>{signIn.helpSigners}</li>
        <li>
          <a href={VERIFY_PATH}>{signIn.helpVerify}</a> ({signIn.helpVerifyNote})
        </li>
        <li>
          {signIn.helpPassword} <code>signet admin reset</code>
        </li>
        {!isSetUp && (
          <li>
            {signIn.helpSetup} <code>signet serve</code>
          </li>
        )}
      </ul>
    </section>
  )
}

/** `email`: the account whose password is set. */
export function NewPasswordPage({ context, action, email }: FormProps & { email: string }) {
  const { reset } = context.texts.account
  return (
    <Layout context={context} entry>
      <h1>{reset.title}</h1>
      <p class="quiet">
        {reset.forAccount} <strong class="break">{email}</strong>. {reset.ends}
      </p>
      <ErrorSummary labels={{ password: reset.label }} />
      <form method="post" action={action}>
        <Csrf />
        <input type="hidden" name="email" value={email} autoComplete="username" />
        <NewPassword label={reset.label} texts={context.texts} />
        <Submit text={reset.submit} />
      </form>
    </Layout>
  )
}

interface ConfirmProps {
  context: PageContext
  next: string
  /** Of the form that waits for the proof, with what it contains. */
  action?: string | undefined
  kept?: Record<string, string> | undefined
}

export function ConfirmPage({ context, next, action = CONFIRM_PATH, kept = {} }: ConfirmProps) {
  const { confirm } = context.texts.account
  const hasPassword = context.user?.hasPassword ?? false
  return (
    <Layout context={context} section="" narrow>
      <h1>{confirm.title}</h1>
      <p>{confirm.lead}</p>
      <ErrorSummary labels={{ password: confirm.label }} />
      <form method="post" action={action} class="sheet">
        <Csrf />
        {Object.entries(kept).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="next" value={next} />
        {hasPassword && (
          <Input name="password" label={confirm.label} hint={confirm.hint} type="password" autoComplete="current-password" />
        )}
        <OtherProofs next={next} />
        {hasPassword && <Submit text={confirm.submit} />}
      </form>
    </Layout>
  )
}
