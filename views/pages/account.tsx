/** Set-up, sign-in, a new password, and the password asked again. */
import { Layout, type PageContext, type PageUser } from '../layout.tsx'
import { Csrf, ErrorSummary, Input, Select, type ValidationErrors } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'

const LABELS = {
  organisation: 'Organisation',
  timeZone: 'Time zone',
  name: 'Your name',
  email: 'Your e-mail address',
  password: 'Password',
}

interface Props {
  context: PageContext
  errors: ValidationErrors
}

interface FormProps extends Props {
  csrf: string
  action: string
}

function NewPassword({ label, errors }: { label: string; errors: ValidationErrors }) {
  return (
    <Input
      name="password"
      label={label}
      hint="At least 12 characters. A few random words make a good password."
      type="password"
      autoComplete="new-password"
      errors={errors}
    />
  )
}

type SetupProps = FormProps & { values: Record<string, string>; timeZones: string[] }

export function SetupPage({ context, csrf, action, errors, values, timeZones }: SetupProps) {
  return (
    <Layout context={context} narrow>
      <h1>Set up Signet</h1>
      <p>Welcome! Enter your organisation and your own account. You will be the first administrator.</p>
      <ErrorSummary errors={errors} labels={LABELS} />
      <form method="post" action={action} class="sheet">
        <Csrf token={csrf} />
        <Input
          name="organisation"
          label={LABELS.organisation}
          hint="Everyone you ask to sign sees this name."
          value={values.organisation ?? ''}
          autoComplete="organization"
          maxLength={100}
          errors={errors}
        />
        <Select
          name="timeZone"
          label={LABELS.timeZone}
          hint="The time zone of your organisation. Times are shown in it."
          value={values.timeZone ?? 'UTC'}
          options={timeZones.map(zone => ({ value: zone, text: zone }))}
          errors={errors}
        />
        <Input name="name" label={LABELS.name} value={values.name ?? ''} autoComplete="name" maxLength={100} errors={errors} />
        <Input
          name="email"
          label={LABELS.email}
          hint="You sign in with it. Signers see it as the contact for questions; you can change the contact under Settings."
          type="email"
          value={values.email ?? ''}
          autoComplete="email"
          errors={errors}
        />
        <NewPassword label={LABELS.password} errors={errors} />
        <button type="submit" class="button wide">
          Set up
        </button>
      </form>
    </Layout>
  )
}

type SignInProps = FormProps & { email: string; notice: string | undefined }

export function SignInPage({ context, csrf, action, errors, email, notice }: SignInProps) {
  return (
    <Layout context={context} narrow>
      <h1>Sign in</h1>
      <Notice text={notice} />
      <ErrorSummary errors={errors} />
      <form method="post" action={action} class="sheet">
        <Csrf token={csrf} />
        <Input name="email" label="E-mail address" type="email" value={email} autoComplete="username" errors={errors} />
        <Input name="password" label="Password" type="password" autoComplete="current-password" errors={errors} />
        <button type="submit" class="button wide">
          Sign in
        </button>
      </form>
      <h2>Need help?</h2>
      <ul class="quiet small">
        <li>Asked to sign a document? You do not need an account: use the signing link in your e-mail.</li>
        <li>
          Received a signed PDF? You can <a href="/verify">verify it</a> without an account.
        </li>
        <li>
          Forgotten your password? The person who runs the server can create a link for a new one with{' '}
          <code>signet admin reset</code>.
        </li>
        <li>
          Setting up Signet for the first time? <code>signet serve</code> prints the set-up link when it starts.
        </li>
      </ul>
    </Layout>
  )
}

/** `email`: the account whose password is set. */
export function NewPasswordPage({ context, csrf, action, errors, email }: FormProps & { email: string }) {
  return (
    <Layout context={context} narrow>
      <h1>Choose a new password</h1>
      <p>
        For the account <strong class="break">{email}</strong>. All its sessions will end.
      </p>
      <ErrorSummary errors={errors} labels={{ password: 'New password' }} />
      <form method="post" action={action} class="sheet">
        <Csrf token={csrf} />
        <input type="hidden" name="email" value={email} autoComplete="username" />
        <NewPassword label="New password" errors={errors} />
        <button type="submit" class="button wide">
          Set the password
        </button>
      </form>
    </Layout>
  )
}

export function ConfirmPage({ context, user, errors, next }: Props & { user: PageUser; next: string }) {
  return (
    <Layout context={context} user={user} narrow>
      <h1>Please enter your password</h1>
      <p>You are about to do something that cannot be undone. Please confirm that it is you.</p>
      <ErrorSummary errors={errors} labels={LABELS} />
      <form method="post" action="/confirm" class="sheet">
        <Csrf token={user.csrf} />
        <input type="hidden" name="next" value={next} />
        <Input name="password" label="Password" type="password" autoComplete="current-password" errors={errors} />
        <button type="submit" class="button wide">
          Continue
        </button>
      </form>
    </Layout>
  )
}
