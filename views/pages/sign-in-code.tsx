/** The second page of the sign-in: the code. And a forgotten password: the request for a link. */
import { Layout, type PageContext } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { Csrf, ErrorSummary, Input, type ValidationErrors } from '../parts/form.tsx'

interface Props {
  context: PageContext
  csrf: string
  errors: ValidationErrors
}

/** `email`: the account that is signed in to. */
export function SignInCodePage({ context, csrf, errors, email }: Props & { email: string }) {
  const { code } = context.texts.signIn
  return (
    <Layout context={context} entry after={<p class="lone-help">{code.lost}</p>}>
      <h1>{code.title}</h1>
      <p class="quiet break">{code.lead(email)}</p>
      <ErrorSummary errors={errors} labels={{ code: code.label }} />
      <form method="post" action="/sign-in/code">
        <Csrf token={csrf} />
        <Input name="code" label={code.label} hint={code.hint} {...CODE_INPUT} errors={errors} />
        <div class="form-actions">
          <Button kind="primary">{code.submit}</Button>
        </div>
      </form>
      <p class="lone-more">
        <a href="/sign-in">{code.other}</a>
      </p>
    </Layout>
  )
}

/** Browsers fill it in from a password manager or a message. A recovery code fits, too. */
export const CODE_INPUT = {
  class: 'code-input',
  autoComplete: 'one-time-code',
  autoCapitalize: 'characters',
  spellcheck: false,
  maxLength: 20,
} as const

/** Its answer is the same for every address. */
export function ForgotPage({ context, csrf, errors, email }: Props & { email: string }) {
  const { forgot } = context.texts.signIn
  const label = context.texts.account.email
  return (
    <Layout context={context} entry>
      <h1>{forgot.title}</h1>
      <p class="quiet">{forgot.lead}</p>
      <ErrorSummary errors={errors} labels={{ email: label }} />
      <form method="post" action="/forgot">
        <Csrf token={csrf} />
        <Input name="email" label={label} type="email" value={email} autoComplete="username" errors={errors} />
        <div class="form-actions">
          <Button kind="primary">{forgot.submit}</Button>
        </div>
      </form>
      <p class="lone-more">
        <a href="/sign-in">{forgot.back}</a>
      </p>
    </Layout>
  )
}

export function ForgotSentPage({ context, email, minutes }: Pick<Props, 'context'> & { email: string; minutes: number }) {
  const { forgot } = context.texts.signIn
  return (
    <Layout context={context} entry>
      <h1>{forgot.sentTitle}</h1>
      <p class="break" role="status">
        {forgot.sent(email, minutes)}
      </p>
      <p class="quiet">{forgot.notArrived}</p>
      <p class="lone-more">
        <a href="/sign-in">{forgot.back}</a>
      </p>
    </Layout>
  )
}
