/** Setting up an authenticator app, its recovery codes, and the questions before a change. */
import type { ComponentChildren } from 'preact'
import { PASSKEYS_PATH, PROFILE_PATH, SECOND_FACTOR_PATH } from '../../src/core/page-paths.ts'
import { Layout, type PageContext } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { ActionForm, Csrf, ErrorSummary, Input } from '../parts/form.tsx'
import { Callout } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { PasswordAgain, SettingsLayout } from '../settings/settings-layout.tsx'
import { CODE_INPUT } from './sign-in-code.tsx'

interface Props {
  context: PageContext
  /** The organisation requires it, and the person can do nothing else before. */
  isRequired: boolean
}

interface FrameProps extends Props {
  /** What is required has just been set up. */
  isDone?: boolean
  children: ComponentChildren
}

/** Without navigation while every other page leads back here. */
export function FactorFrame({ context, isRequired, isDone = false, children }: FrameProps) {
  if (!isRequired) {
    return (
      <SettingsLayout context={context} here={PROFILE_PATH}>
        {children}
      </SettingsLayout>
    )
  }
  const { signIn, frame } = context.texts
  const signOut = <ActionForm action="/sign-out" text={frame.signOut} kind="link" />
  return (
    <Layout context={context} entry after={<div class="lone-help">{signOut}</div>}>
      {!isDone && (
        <Callout tone="info" title={signIn.factor.required}>
          <p>{signIn.factor.requiredText}</p>
        </Callout>
      )}
      {children}
    </Layout>
  )
}

interface StartProps extends Props {
  /** Browsers make passkeys for this address. */
  hasPasskeys: boolean
}

export function StartFactorPage({ hasPasskeys, ...props }: StartProps) {
  const { context, isRequired } = props
  const { signIn } = context.texts
  const t = signIn.factor
  if (isRequired && hasPasskeys) return <ChooseFactorPage {...props} />
  return (
    <FactorFrame {...props}>
      <h1>{t.setUpTitle}</h1>
      <p>{t.startText}</p>
      <ErrorSummary />
      <StartForm {...props} submit={t.start} />
    </FactorFrame>
  )
}

type StartFormProps = Omit<StartProps, 'hasPasskeys'> & { submit: string; kind?: 'plain' }

function StartForm({ isRequired, submit, kind }: StartFormProps) {
  const { signIn, frame } = usePageTexts()
  return (
    <form method="post" action={SECOND_FACTOR_PATH} class={isRequired ? undefined : 'sheet'}>
      <Csrf />
      <PasswordAgain reason={signIn.factor.startReason} />
      <div class="form-actions">
        <Button kind={kind ?? 'primary'}>{submit}</Button>
        {!isRequired && <a href={PROFILE_PATH}>{frame.cancel}</a>}
      </div>
    </form>
  )
}

/** The two kinds that satisfy the rule. */
function ChooseFactorPage(props: Omit<StartProps, 'hasPasskeys'>) {
  const { context } = props
  const { signIn, passkeys } = context.texts
  const t = signIn.factor
  return (
    <FactorFrame {...props}>
      <h1>{t.chooseTitle}</h1>
      <ErrorSummary />
      <h2>{t.passkeyTitle}</h2>
      <p>{t.passkeyText}</p>
      <div class="form-actions">
        <LinkButton kind="primary" href={`${PASSKEYS_PATH}/add`}>
          {passkeys.add}
        </LinkButton>
      </div>
      <h2>{t.appTitle}</h2>
      <p>{t.appText}</p>
      <StartForm {...props} submit={t.appStart} kind="plain" />
    </FactorFrame>
  )
}

interface ShowProps extends Props {
  qr: { side: number; path: string } | undefined
  /** The secret in Base32. */
  secret: string
}

export function ShowFactorPage({ qr, secret, ...props }: ShowProps) {
  const { context, isRequired } = props
  const { signIn, frame } = context.texts
  const t = signIn.factor
  return (
    <FactorFrame {...props}>
      <h1>{t.setUpTitle}</h1>
      <ErrorSummary labels={{ code: t.code }} />
      <div class={isRequired ? undefined : 'sheet'}>
        {qr && (
          <>
            <h2 class="factor-step">{t.scan}</h2>
            <svg class="qr-code" viewBox={`0 0 ${qr.side} ${qr.side}`} role="img" aria-label={t.qrName}>
              <path class="qr-ground" d={`M0 0h${qr.side}v${qr.side}H0z`} />
              <path class="qr-modules" d={qr.path} />
            </svg>
          </>
        )}
        <p class="small">{t.orType}</p>
        <pre class="key">{secret}</pre>
        <h2 class="factor-step">{t.enter}</h2>
        <form method="post" action={`${SECOND_FACTOR_PATH}/set-up`}>
          <Csrf />
          <Input name="code" label={t.code} hint={t.codeHint} inputMode="numeric" {...CODE_INPUT} />
          <div class="form-actions">
            <Button kind="primary">{t.confirm}</Button>
            {!isRequired && <a href={PROFILE_PATH}>{frame.cancel}</a>}
          </div>
        </form>
      </div>
    </FactorFrame>
  )
}

interface CodesProps extends Props {
  codes: readonly string[]
  /** What has led to them. */
  after: 'app' | 'passkey' | 'renewal'
  /** Address of the service. */
  service: string
}

/** Shown once, as the answer to the form that made them. */
export function RecoveryCodesPage({ codes, after, service, ...props }: CodesProps) {
  const { context } = props
  const t = context.texts.signIn.factor
  const titles = { app: t.codesOn, passkey: t.passkeyOn, renewal: t.codesRenewed }
  const file = `${t.fileHead(context.user?.email ?? '', service)}\n\n${codes.join('\n')}\n`
  return (
    <FactorFrame {...props} isDone>
      <Callout tone="good" role="status" title={titles[after]} />
      <h1>{t.codesTitle}</h1>
      <p>{t.codesLead}</p>
      <ol class="recovery-codes">
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="form-actions">
        <LinkButton icon="download" href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`} download={t.fileName}>
          {t.download}
        </LinkButton>
        <LinkButton kind="primary" href={PROFILE_PATH}>
          {t.done}
        </LinkButton>
      </div>
      <p class="quiet small">{t.print}</p>
    </FactorFrame>
  )
}

interface QuestionProps extends Props {
  question: 'codes' | 'remove'
}

/** Before new recovery codes, and before the second factor is removed. */
export function FactorQuestionPage({ question, isRequired, ...props }: QuestionProps) {
  const { context } = props
  const { signIn } = context.texts
  const t = signIn.factor
  const words =
    question === 'codes'
      ? { title: t.renewTitle, text: t.renewText, reason: t.renewReason, submit: t.renewSubmit }
      : { title: t.removeTitle, text: t.removeText, reason: t.removeReason, submit: t.removeSubmit }
  return (
    <FactorFrame {...props} isRequired={false}>
      <h1>{words.title}</h1>
      <p>{words.text}</p>
      {question === 'remove' && isRequired && <Callout tone="warn" title={t.removeRequired} />}
      <ErrorSummary />
      <form method="post" action={`${SECOND_FACTOR_PATH}/${question}`} class="sheet">
        <Csrf />
        <PasswordAgain reason={words.reason} />
        <QuestionButtons kind={question === 'remove' ? 'danger' : 'primary'} submit={words.submit} />
      </form>
    </FactorFrame>
  )
}

function QuestionButtons({ kind, submit }: { kind: 'danger' | 'primary'; submit: string }) {
  const { frame } = usePageTexts()
  return (
    <div class="form-actions">
      <Button kind={kind}>{submit}</Button>
      <a href={PROFILE_PATH}>{frame.cancel}</a>
    </div>
  )
}
