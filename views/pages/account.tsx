/** First set-up, sign-in, and the password asked again. */
import { Csrf, ErrorSummary, Input, Layout, type PageContext, type ValidationErrors } from '../layout.tsx'

/** What the fields are called, in their labels and in the list of errors. */
const LABELS = {
  organisation: 'Organisation',
  timeZone: 'Time zone',
  name: 'Your name',
  email: 'Your e-mail address',
  password: 'Password',
}

interface SetupProps {
  context: PageContext
  csrf: string
  action: string
  errors: ValidationErrors
  values: Record<string, string>
  timeZones: string[]
}

export function SetupPage({ context, csrf, action, errors, values, timeZones }: SetupProps) {
  return (
    <Layout context={context} narrow>
      <h1>Set up Signet</h1>
      <p>Welcome! Tell us who you are and who you work for. You do this once; then you are the administrator.</p>
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
        <label for="timeZone">{LABELS.timeZone}</label>
        <div class="hint" id="timeZone-hint">
          Where your organisation is, so that the times you see are yours.
        </div>
        <select id="timeZone" name="timeZone" aria-describedby="timeZone-hint">
          {timeZones.map(zone => (
            <option key={zone} value={zone} selected={zone === (values.timeZone ?? 'UTC')}>
              {zone}
            </option>
          ))}
        </select>
        <Input name="name" label={LABELS.name} value={values.name ?? ''} autoComplete="name" maxLength={100} errors={errors} />
        <Input
          name="email"
          label={LABELS.email}
          hint="You sign in with it. It is also shown to signers as the contact for questions, until you name another under Settings."
          type="email"
          value={values.email ?? ''}
          autoComplete="email"
          errors={errors}
        />
        <Input
          name="password"
          label={LABELS.password}
          hint="At least 12 characters. Four texts in a row are good."
          type="password"
          autoComplete="new-password"
          errors={errors}
        />
        <button type="submit" class="wide">
          Set up
        </button>
      </form>
    </Layout>
  )
}

interface SignInProps {
  context: PageContext
  csrf: string
  /** With where to go afterwards. */
  action: string
  errors: ValidationErrors
  email: string
  /** What was just done. */
  notice: string | undefined
}

export function SignInPage({ context, csrf, action, errors, email, notice }: SignInProps) {
  return (
    <Layout context={context} narrow>
      <h1>Sign in</h1>
      {notice && (
        <p class="note" role="status">
          {notice}
        </p>
      )}
      <ErrorSummary errors={errors} />
      <form method="post" action={action} class="sheet">
        <Csrf token={csrf} />
        <Input name="email" label="E-mail address" type="email" value={email} autoComplete="username" errors={errors} />
        <Input name="password" label="Password" type="password" autoComplete="current-password" errors={errors} />
        <button type="submit" class="wide">
          Sign in
        </button>
      </form>
      <p class="quiet small">
        Were you asked to sign a document? You need no account: use the link in your mail. Setting up for the first time? The
        set-up link is printed when <code>signet serve</code> starts. Forgot your password? Whoever runs the server can print a
        link for a new one with <code>signet admin reset</code>. Did you get a signed PDF? <a href="/verify">Verify it</a> without
        an account.
      </p>
    </Layout>
  )
}

interface NewPasswordProps {
  context: PageContext
  csrf: string
  action: string
  errors: ValidationErrors
  /** Whose password is set. */
  email: string
}

export function NewPasswordPage({ context, csrf, action, errors, email }: NewPasswordProps) {
  return (
    <Layout context={context} narrow>
      <h1>Choose a new password</h1>
      <p>
        For the account <strong class="break">{email}</strong>. Everybody who is signed in to it has to sign in again.
      </p>
      <ErrorSummary errors={errors} labels={{ password: 'New password' }} />
      <form method="post" action={action} class="sheet">
        <Csrf token={csrf} />
        <input type="hidden" name="email" value={email} autoComplete="username" />
        <Input
          name="password"
          label="New password"
          hint="At least 12 characters. Four texts in a row are good."
          type="password"
          autoComplete="new-password"
          errors={errors}
        />
        <button type="submit" class="wide">
          Set the password
        </button>
      </form>
    </Layout>
  )
}

interface ConfirmProps {
  context: PageContext
  user: { name: string; csrf: string; section: string }
  errors: ValidationErrors
  next: string
}

export function ConfirmPage({ context, user, errors, next }: ConfirmProps) {
  return (
    <Layout context={context} user={user} narrow>
      <h1>Please enter your password</h1>
      <p>You entered it a while ago, and what you are about to do cannot be undone. So we ask for it again.</p>
      <ErrorSummary errors={errors} labels={LABELS} />
      <form method="post" action="/confirm" class="sheet">
        <Csrf token={user.csrf} />
        <input type="hidden" name="next" value={next} />
        <Input name="password" label="Password" type="password" autoComplete="current-password" errors={errors} />
        <button type="submit" class="wide">
          Continue
        </button>
      </form>
    </Layout>
  )
}
