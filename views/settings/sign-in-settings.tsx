/** Settings → Sign-in: the rule that everybody needs a second factor, and when sessions end. */
import type { ComponentChildren } from 'preact'
import { OIDC_PATH, SECOND_FACTOR_PATH, SESSIONS_PATH, SIGN_IN_SETTINGS_PATH } from '../../src/core/page-paths.ts'
import { peopleAddress } from '../accounts/people.tsx'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge } from '../parts/badge.tsx'
import { LinkButton } from '../parts/button.tsx'
import { Choices } from '../parts/choices.tsx'
import { CodeText, ErrorSummary } from '../parts/form.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { ConfirmedForm, SettingsLayout } from './settings-layout.tsx'

/** Of those who may sign in. */
interface Counts {
  all: number
  /** Without a second factor. */
  lacking: number
}

interface Props {
  context: PageContext
}

interface SettingsProps extends Props {
  notice: string | undefined
  isRequired: boolean
  /** The visitor has a second factor. */
  hasOwn: boolean
  counts: Counts
  /** The identity provider, if there is one; `isOnlyWay`: for all but administrators. */
  provider: { name: string; isOnlyWay: boolean } | undefined
  /** Minutes; `variable` fixes them. */
  idle: { minutes: number; variable: string | undefined }
}

const LACKING = peopleAddress({ factor: 'none', state: 'active' })

export function SignInSettingsPage({ context, notice, isRequired, hasOwn, counts, provider, idle }: SettingsProps) {
  const t = context.texts.signIn.settings
  return (
    <SettingsLayout context={context} here={SIGN_IN_SETTINGS_PATH}>
      <PageHead title={t.title}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <h2>{t.rule}</h2>
      <div class="sheet">
        <p>
          <Badge tone={isRequired ? 'good' : 'neutral'}>{isRequired ? t.isOn : t.isOff}</Badge>
        </p>
        <Lacking counts={counts} isRequired={isRequired} />
        {!isRequired && !hasOwn && <p>{t.ownFirst}</p>}
        <div class="row">
          {isRequired || hasOwn ? (
            <LinkButton href={`${SIGN_IN_SETTINGS_PATH}/second-factor`}>{isRequired ? t.switchOff : t.switchOn}</LinkButton>
          ) : (
            <LinkButton href={SECOND_FACTOR_PATH}>{t.ownLink}</LinkButton>
          )}
        </div>
      </div>
      <SessionsSheet idle={idle} />
      <ProviderSheet provider={provider} />
    </SettingsLayout>
  )
}

function SessionsSheet({ idle }: Pick<SettingsProps, 'idle'>) {
  const t = usePageTexts().signIn.settings
  return (
    <>
      <h2>{t.sessions}</h2>
      <div class="sheet">
        <p>{t.idleIs(t.duration(idle.minutes))}</p>
        {idle.variable === undefined ? (
          <div class="row">
            <LinkButton href={SESSIONS_PATH}>{t.idleChange}</LinkButton>
          </div>
        ) : (
          <p class="quiet">
            <CodeText text={t.idleFixed(idle.variable)} />
          </p>
        )}
      </div>
    </>
  )
}

const USUAL_MINUTES = [15, 30, 60, 120, 240, 480, 720]

export function SessionSettingsPage({ context, minutes }: QuestionProps & { minutes: number }) {
  const { settings, frame, signIn } = context.texts
  const t = signIn.settings
  const offered = [...new Set([...USUAL_MINUTES, minutes])].sort((a, b) => a - b)
  return (
    <SettingsLayout context={context} here={SIGN_IN_SETTINGS_PATH}>
      <PageHead title={t.idleTitle} back={{ href: SIGN_IN_SETTINGS_PATH, text: t.title }}>
        <p class="quiet">{t.idleHint}</p>
      </PageHead>
      <ErrorSummary labels={{ password: settings.password.label, sessionIdleMinutes: t.idleMinutes }} />
      <ConfirmedForm action={SESSIONS_PATH} reason={t.reason} submit={frame.save} cancel={SIGN_IN_SETTINGS_PATH}>
        <Choices
          name="sessionIdleMinutes"
          legend={t.idleMinutes}
          value={String(minutes)}
          choices={offered.map(each => ({ value: String(each), text: t.duration(each) }))}
        />
      </ConfirmedForm>
    </SettingsLayout>
  )
}

function ProviderSheet({ provider }: Pick<SettingsProps, 'provider'>) {
  const t = usePageTexts().openIdConnect.section
  const state = provider ? (provider.isOnlyWay ? t.onlyWay(provider.name) : t.on(provider.name)) : t.off
  return (
    <>
      <h2>{t.title}</h2>
      <div class="sheet">
        <p>
          <Badge tone={provider ? 'good' : 'neutral'}>{state}</Badge>
        </p>
        <div class="row">
          <LinkButton href={OIDC_PATH}>{provider ? t.change : t.setUp}</LinkButton>
        </div>
      </div>
    </>
  )
}

function Lacking({ counts, isRequired }: Pick<SettingsProps, 'counts' | 'isRequired'>) {
  const t = usePageTexts().signIn.settings
  const { all, lacking } = counts
  return (
    <p class="quiet">
      {t.lacking(lacking, all)} {isRequired && lacking > 0 && t.mustSetUp} {t.apiNote}{' '}
      {lacking > 0 && <a href={LACKING}>{t.who}</a>}
    </p>
  )
}

interface QuestionProps extends Props {}

/** Before the rule is switched, with how many people it concerns. */
export function SecondFactorRulePage(props: QuestionProps & Pick<SettingsProps, 'isRequired' | 'counts'>) {
  const { context, isRequired, counts } = props
  const t = context.texts.signIn.settings
  const { all, lacking } = counts
  return (
    <Question
      {...props}
      title={isRequired ? t.offTitle : t.onTitle}
      action={`${SIGN_IN_SETTINGS_PATH}/second-factor`}
      reason={t.reason}
      submit={isRequired ? t.offSubmit : t.onSubmit}
      value={isRequired ? 'off' : 'on'}
    >
      {isRequired ? (
        <p>{t.offText}</p>
      ) : (
        <Callout tone={lacking > 0 ? 'warn' : 'info'} title={t.lacking(lacking, all)}>
          {lacking > 0 && <p>{t.mustSetUp}</p>}
        </Callout>
      )}
    </Question>
  )
}

interface QuestionWords {
  title: string
  action: string
  reason: string
  submit: string
  value: string
  children: ComponentChildren
}

function Question({ context, children, ...words }: QuestionProps & QuestionWords) {
  return (
    <SettingsLayout context={context} here={SIGN_IN_SETTINGS_PATH}>
      <h1>{words.title}</h1>
      {children}
      <ErrorSummary />
      <ConfirmedForm action={words.action} reason={words.reason} submit={words.submit} cancel={SIGN_IN_SETTINGS_PATH}>
        <input type="hidden" name="rule" value={words.value} />
      </ConfirmedForm>
    </SettingsLayout>
  )
}
