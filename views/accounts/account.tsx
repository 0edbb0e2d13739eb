/** Set-up, sign-in, a new password, and the password asked again. */
import type { AppTexts } from '../../src/locales/app.ts'
import { Layout, type PageContext, type PageUser } from '../layout.tsx'
import { BrowserZone } from '../parts/browser-zone.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Csrf, ErrorSummary, Input, Select, type ValidationErrors } from '../parts/form.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { PasskeyButton } from '../parts/passkey.tsx'
import { OtherProofs } from '../settings/settings-layout.tsx'

interface Props {
  context: PageContext
  errors: ValidationErrors
}

interface FormProps extends Props {
  csrf: string
  action: string
}

function NewPassword({ label, texts, errors }: { label: string; texts: AppTexts; errors: ValidationErrors }) {
  return (
    <Input
      name="password"
      label={label}
      hint={texts.account.passwordHint}
      type="password"
      autoComplete="new-password"
      errors={errors}
    />
  )
}

type SetupProps = FormProps & {
  values: Record<string, string>
  timeZones: string[]
  /** By their own names. */
  languages: { value: string; text: string }[]
}

export function SetupPage({ context, csrf, action, errors, values, timeZones, languages }: SetupProps) {
  const { setup, password } = context.texts.account
  const { organisation, language, timeZone, name, email } = setup
  const labels = { organisation, language, timeZone, name, email, password }
  return (
    <Layout context={context} entry bundle="settings">
      <h1>{setup.title}</h1>
      <p class="quiet">{setup.lead}</p>
      <ErrorSummary errors={errors} labels={labels} />
      <form method="post" action={action}>
        <Csrf token={csrf} />
        <h2>{setup.yourOrganisation}</h2>
        <Input
          name="organisation"
          label={setup.organisation}
          hint={setup.organisationHint}
          value={values.organisation ?? ''}
          autoComplete="organization"
          maxLength={100}
          errors={errors}
        />
        <Select
          name="language"
          label={setup.language}
          hint={setup.languageHint}
          value={values.language ?? ''}
          options={languages}
          errors={errors}
        />
        <Select
          name="timeZone"
          label={setup.timeZone}
          hint={setup.timeZoneHint}
          value={values.timeZone ?? 'UTC'}
          options={timeZones.map(zone => ({ value: zone, text: zone }))}
          errors={errors}
        />
        <BrowserZone list="timeZone" isPreset={values.timeZone === undefined} texts={context.texts.frame} />
        <h2>{setup.yourAccount}</h2>
        <Input name="name" label={setup.name} value={values.name ?? ''} autoComplete="name" maxLength={100} errors={errors} />
        <Input
          name="email"
          label={setup.email}
          hint={setup.emailHint}
          type="email"
          value={values.email ?? ''}
          autoComplete="email"
          errors={errors}
        />
        <NewPassword label={password} texts={context.texts} errors={errors} />
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
  const { context, errors, notice, hasFailed, provider, isSetUp } = props
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
      <ErrorSummary errors={errors} />
      {provider?.isOnlyWay ? (
        <>
          <p class="lone-provider">{button}</p>
          <details open={errors.length > 0}>
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

function OwnWays({ context, csrf, action, errors, email, passkeyAction, provider }: SignInProps) {
  const { signIn, ...account } = context.texts.account
  const autoComplete = passkeyAction === undefined ? 'username' : 'username webauthn'
  return (
    <>
      <form method="post" action={action}>
        <Csrf token={csrf} />
        <Input name="email" label={account.email} type="email" value={email} autoComplete={autoComplete} errors={errors} />
        <Input name="password" label={account.password} type="password" autoComplete="current-password" errors={errors} />
        <div class="form-actions">
          <Button kind={provider?.isOnlyWay ? 'plain' : 'primary'} class="wide">
            {signIn.submit}
          </Button>
        </div>
      </form>
      {passkeyAction && (
        <form method="post" action={passkeyAction} class="lone-passkey">
          <Csrf token={csrf} />
          <PasskeyButton optionsFrom="/sign-in/passkey/options" text={context.texts.passkeys.signIn} isAutofilled />
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
          <a href="/verify">{signIn.helpVerify}</a> ({signIn.helpVerifyNote})
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
export function NewPasswordPage({ context, csrf, action, errors, email }: FormProps & { email: string }) {
  const { reset } = context.texts.account
  return (
    <Layout context={context} entry>
      <h1>{reset.title}</h1>
      <p class="quiet">
        {reset.forAccount} <strong class="break">{email}</strong>. {reset.ends}
      </p>
      <ErrorSummary errors={errors} labels={{ password: reset.label }} />
      <form method="post" action={action}>
        <Csrf token={csrf} />
        <input type="hidden" name="email" value={email} autoComplete="username" />
        <NewPassword label={reset.label} texts={context.texts} errors={errors} />
        <Submit text={reset.submit} />
      </form>
    </Layout>
  )
}

interface ConfirmProps extends Props {
  user: PageUser
  next: string
  /** Of the form that waits for the proof, with what it contains. */
  action?: string | undefined
  kept?: Record<string, string> | undefined
}

export function ConfirmPage({ context, user, errors, next, action = '/confirm', kept = {} }: ConfirmProps) {
  const { confirm } = context.texts.account
  return (
    <Layout context={context} user={user} narrow>
      <h1>{confirm.title}</h1>
      <p>{confirm.lead}</p>
      <ErrorSummary errors={errors} labels={{ password: confirm.label }} />
      <form method="post" action={action} class="sheet">
        <Csrf token={user.csrf} />
        {Object.entries(kept).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="next" value={next} />
        {user.hasPassword && (
          <Input
            name="password"
            label={confirm.label}
            hint={confirm.hint}
            type="password"
            autoComplete="current-password"
            errors={errors}
          />
        )}
        <OtherProofs next={next} />
        {user.hasPassword && <Submit text={confirm.submit} />}
      </form>
    </Layout>
  )
}
