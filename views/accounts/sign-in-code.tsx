/** The second page of the sign-in: the code. And a forgotten password: the request for a link. */
import { SIGN_IN_PATH } from '../../src/core/page-paths.ts'
import { Layout, type PageContext } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { Csrf, ErrorSummary, Input } from '../parts/form.tsx'
import { PasskeyButton } from '../parts/passkey.tsx'

interface StepProps {
  context: PageContext
  /** The account that is signed in to, or is asked for. */
  email: string
}

export function SignInCodePage({ context, email, hasPasskey }: StepProps & { hasPasskey: boolean }) {
  const { signIn, passkeys } = context.texts
  const { code } = signIn
  return (
    <Layout context={context} entry after={<p class="lone-help">{code.lost}</p>}>
      <h1>{code.title}</h1>
      <p class="quiet break">{code.lead(email)}</p>
      <ErrorSummary labels={{ code: code.label }} />
      <form method="post" action={`${SIGN_IN_PATH}/code`}>
        <Csrf />
        <Input name="code" label={code.label} hint={code.hint} {...CODE_INPUT} />
        <div class="form-actions">
          <Button kind="primary">{code.submit}</Button>
        </div>
      </form>
      {hasPasskey && <PasskeyForm text={passkeys.confirm} />}
      <p class="lone-more">
        <a href={SIGN_IN_PATH}>{code.other}</a>
      </p>
    </Layout>
  )
}

function PasskeyForm({ text, kind }: { text: string; kind?: 'primary' }) {
  return (
    <form method="post" action={`${SIGN_IN_PATH}/code/passkey`} class="lone-passkey">
      <Csrf />
      <PasskeyButton optionsFrom={`${SIGN_IN_PATH}/passkey/options`} text={text} kind={kind} />
    </form>
  )
}

/** For a person whose second factor is a passkey. `hasCodes`: recovery codes are left. */
export function SignInPasskeyPage({ context, email, hasCodes }: StepProps & { hasCodes: boolean }) {
  const { signIn, passkeys } = context.texts
  const { code } = signIn
  const hasFailed = context.errors.some(({ path }) => path === 'code')
  return (
    <Layout context={context} entry after={<p class="lone-help">{code.passkeyLost}</p>}>
      <h1>{code.passkeyTitle}</h1>
      <p class="quiet break">{code.passkeyLead(email)}</p>
      <ErrorSummary labels={{ code: code.recoveryLabel }} />
      <PasskeyForm text={passkeys.signIn} kind="primary" />
      {hasCodes && (
        <details class="lone-more" open={hasFailed}>
          <summary>{code.passkeyMissing}</summary>
          <form method="post" action={`${SIGN_IN_PATH}/code`}>
            <Csrf />
            <Input name="code" label={code.recoveryLabel} hint={code.recoveryHint} {...CODE_INPUT} />
            <div class="form-actions">
              <Button>{code.submit}</Button>
            </div>
          </form>
        </details>
      )}
      <p class="lone-more">
        <a href={SIGN_IN_PATH}>{code.other}</a>
      </p>
    </Layout>
  )
}

/**
 * Browsers fill it in from a password manager or a message. A recovery code fits, too: 24
 * characters in groups of four, and the spaces that pasting adds.
 */
export const CODE_INPUT = {
  class: 'code-input',
  autoComplete: 'one-time-code',
  autoCapitalize: 'characters',
  spellcheck: false,
  maxLength: 40,
} as const

/** Its answer is the same for every address. */
export function ForgotPage({ context, email }: StepProps) {
  const { forgot } = context.texts.signIn
  const label = context.texts.account.email
  return (
    <Layout context={context} entry>
      <h1>{forgot.title}</h1>
      <p class="quiet">{forgot.lead}</p>
      <ErrorSummary labels={{ email: label }} />
      <form method="post" action="/forgot">
        <Csrf />
        <Input name="email" label={label} type="email" value={email} autoComplete="username" />
        <div class="form-actions">
          <Button kind="primary">{forgot.submit}</Button>
        </div>
      </form>
      <p class="lone-more">
        <a href={SIGN_IN_PATH}>{forgot.back}</a>
      </p>
    </Layout>
  )
}

export function ForgotSentPage({ context, email, minutes }: StepProps & { minutes: number }) {
  const { forgot } = context.texts.signIn
  return (
    <Layout context={context} entry>
      <h1>{forgot.sentTitle}</h1>
      <p class="break" role="status">
        {forgot.sent(email, minutes)}
      </p>
      <p class="quiet">{forgot.notArrived}</p>
      <p class="lone-more">
        <a href={SIGN_IN_PATH}>{forgot.back}</a>
      </p>
    </Layout>
  )
}
