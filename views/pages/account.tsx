/** First set-up, sign-in, and the password asked again. */
import { Csrf, ErrorSummary, type Frame, Input, Layout } from '../layout.tsx'

type Faults = { path: string; message: string }[]

interface SetupProps {
  frame: Frame
  csrf: string
  action: string
  faults: Faults
  values: Record<string, string>
  timeZones: string[]
}

export function SetupPage({ frame, csrf, action, faults, values, timeZones }: SetupProps) {
  return (
    <Layout frame={frame} narrow>
      <h1>Set up Signet</h1>
      <p>This makes the first administrator and names your organisation. It is done once.</p>
      <ErrorSummary faults={faults} />
      <form method="post" action={action} class="sheet">
        <Csrf token={csrf} />
        <Input
          name="organisation"
          label="Organisation"
          hint="Stands in mails, on certificate pages and in the seal certificate."
          value={values.organisation ?? ''}
          autoComplete="organization"
          maxLength={100}
          faults={faults}
        />
        <label for="timeZone">Time zone</label>
        <div class="hint">Times are printed in UTC and in this zone.</div>
        <select id="timeZone" name="timeZone">
          {timeZones.map(zone => (
            <option key={zone} value={zone} selected={zone === (values.timeZone ?? 'UTC')}>
              {zone}
            </option>
          ))}
        </select>
        <Input name="name" label="Your name" value={values.name ?? ''} autoComplete="name" maxLength={100} faults={faults} />
        <Input
          name="email"
          label="Your e-mail address"
          type="email"
          value={values.email ?? ''}
          autoComplete="email"
          faults={faults}
        />
        <Input
          name="password"
          label="Password"
          hint="At least 12 characters. A sentence of four words is good."
          type="password"
          autoComplete="new-password"
          faults={faults}
        />
        <button type="submit" class="wide">
          Set up
        </button>
      </form>
    </Layout>
  )
}

export function SignInPage({ frame, csrf, faults, email }: { frame: Frame; csrf: string; faults: Faults; email: string }) {
  return (
    <Layout frame={frame} narrow>
      <h1>Sign in</h1>
      <ErrorSummary faults={faults} />
      <form method="post" action="/sign-in" class="sheet">
        <Csrf token={csrf} />
        <Input name="email" label="E-mail address" type="email" value={email} autoComplete="username" faults={faults} />
        <Input name="password" label="Password" type="password" autoComplete="current-password" faults={faults} />
        <button type="submit" class="wide">
          Sign in
        </button>
      </form>
      <p class="quiet small">
        You received a document to sign? You need no account: use the link in the mail. No administrator yet? The set-up link
        stands in the output of <code>signet serve</code>.
      </p>
    </Layout>
  )
}

interface ConfirmProps {
  frame: Frame
  user: { name: string; csrf: string; room: string }
  faults: Faults
  next: string
}

export function ConfirmPage({ frame, user, faults, next }: ConfirmProps) {
  return (
    <Layout frame={frame} user={user} narrow>
      <h1>Please enter your password</h1>
      <p>API tokens open all your documents, so we ask again before one is made or revoked.</p>
      <ErrorSummary faults={faults} />
      <form method="post" action="/confirm" class="sheet">
        <Csrf token={user.csrf} />
        <input type="hidden" name="next" value={next} />
        <Input name="password" label="Password" type="password" autoComplete="current-password" faults={faults} />
        <button type="submit" class="wide">
          Continue
        </button>
      </form>
    </Layout>
  )
}
