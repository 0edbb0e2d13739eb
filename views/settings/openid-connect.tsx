/** Settings → Sign-in → OpenID Connect: the provider, who may come in by it, and a test. */
import { OIDC_PATH, SIGN_IN_SETTINGS_PATH } from '../../src/core/page-paths.ts'
import { MAX_OIDC_LENGTHS } from '../../src/core/service-limits.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import type { OidcSettingName } from '../../src/settings/openid-connect.ts'
import { List, type PageContext, PageHead } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Choices } from '../parts/choices.tsx'
import { ActionForm, CodeText, Csrf, ErrorSummary, Input } from '../parts/form.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Facts } from '../parts/table.tsx'
import { ConfirmedForm, PasswordAgain, SettingsLayout } from './settings-layout.tsx'

type Field = OidcSettingName

export interface TestResult {
  /** What the provider says of itself; undefined if it did not answer as it should. */
  facts: { issuer: string; authorization: string; token: string; namesItself: boolean } | undefined
  sentence: string
  detail: string
}

interface Props {
  context: PageContext
}

export interface OpenIdConnectProps extends Props {
  notice: string | undefined
  /** Name of the provider; undefined while there is none. */
  provider: string | undefined
  redirectUri: string
  values: Record<Field, string>
  hasSecret: boolean
  /** The variables of what the environment fixes. */
  fixed: Partial<Record<Field, string>>
  test: TestResult | undefined
}

export function OpenIdConnectPage(props: OpenIdConnectProps) {
  const { context, notice, provider, test, fixed } = props
  const t = context.texts.openIdConnect.settings
  return (
    <SettingsLayout context={context} here={SIGN_IN_SETTINGS_PATH}>
      <PageHead title={t.title} back={{ href: SIGN_IN_SETTINGS_PATH, text: t.back }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      {test && <TestCallout test={test} />}
      <ErrorSummary labels={{ ...t.labels }} />
      {!test && <State provider={provider} />}
      <RedirectUri address={props.redirectUri} texts={context.texts} />
      <SettingsForm {...props} />
      {provider !== undefined && (
        <>
          <h2>{t.testTitle}</h2>
          <div class="sheet">
            <p>{t.testText}</p>
            <ActionForm action={`${OIDC_PATH}/test`} text={t.test} kind="plain" />
          </div>
          {!fixed.oidcIssuer && (
            <>
              <h2>{t.offTitle}</h2>
              <div class="sheet">
                <p>{t.offText}</p>
                <LinkButton href={`${OIDC_PATH}/remove`}>{t.off}</LinkButton>
              </div>
            </>
          )}
        </>
      )}
    </SettingsLayout>
  )
}

function State({ provider }: Pick<OpenIdConnectProps, 'provider'>) {
  const t = usePageTexts().openIdConnect.settings
  if (provider !== undefined) return <Callout tone="good">{t.isOn(provider)}</Callout>
  return (
    <Callout tone="info" title={t.unset}>
      <List items={t.steps} />
    </Callout>
  )
}

function TestCallout({ test: { facts, sentence, detail } }: { test: TestResult }) {
  const t = usePageTexts().openIdConnect.settings
  if (facts) {
    const { issuer, authorization, token, namesItself } = t.facts
    const shown: [string, string][] = [
      [issuer, facts.issuer],
      [authorization, facts.authorization],
      [token, facts.token],
      [namesItself, facts.namesItself ? t.yes : t.no],
    ]
    return (
      <Callout tone="good" role="status" title={t.testGood}>
        <Facts facts={shown} />
        <p>{t.testNext}</p>
      </Callout>
    )
  }
  return (
    <Callout tone="bad" role="alert" title={t.testBad}>
      <p>{sentence}</p>
      <p class="small quiet">{t.testDetail}</p>
      <pre class="server-words">{detail}</pre>
    </Callout>
  )
}

function RedirectUri({ address, texts }: { address: string; texts: AppTexts }) {
  const { openIdConnect, frame } = texts
  const t = openIdConnect.settings
  return (
    <>
      <h2>{t.redirectUri}</h2>
      <div class="sheet">
        <p>{t.redirectUriHint}</p>
        <pre class="key" data-copy={frame.copy} data-copied={frame.copied} data-not-copied={frame.notCopied}>
          {address}
        </pre>
      </div>
    </>
  )
}

function Fixed({ variable }: { variable: string | undefined }) {
  const t = usePageTexts().openIdConnect.settings
  return variable === undefined ? null : (
    <p class="small quiet">
      <CodeText text={t.fixed(variable)} />
    </p>
  )
}

interface LineProps extends OpenIdConnectProps {
  name: keyof typeof MAX_OIDC_LENGTHS
  hint?: string
  isRequired?: boolean
  isSecret?: boolean
}

function Line({ name, hint, isRequired = false, isSecret = false, values, fixed }: LineProps) {
  const t = usePageTexts().openIdConnect.settings
  const variable = fixed[name]
  if (isSecret && variable !== undefined) {
    return (
      <p>
        {t.labels[name]}: <CodeText text={t.fixed(variable)} />
      </p>
    )
  }
  return (
    <>
      <Input
        name={name}
        label={t.labels[name]}
        hint={hint}
        value={values[name]}
        type={isSecret ? 'password' : 'text'}
        autoComplete={isSecret ? 'new-password' : 'off'}
        autoCapitalize="none"
        spellcheck={false}
        required={false}
        disabled={variable !== undefined}
        {...(isRequired ? { note: '' } : {})}
        maxLength={MAX_OIDC_LENGTHS[name]}
      />
      <Fixed variable={variable} />
    </>
  )
}

interface ChoiceProps extends OpenIdConnectProps {
  name: Field
  options: Record<string, string>
}

function Choice({ name, options, values, fixed }: ChoiceProps) {
  const t = usePageTexts().openIdConnect.settings
  return (
    <>
      <Choices
        name={name}
        legend={t.labels[name]}
        value={values[name]}
        choices={Object.entries(options).map(([value, text]) => ({ value, text }))}
        disabled={fixed[name] !== undefined}
      />
      <Fixed variable={fixed[name]} />
    </>
  )
}

function SettingsForm(props: OpenIdConnectProps) {
  const { hasSecret } = props
  const t = usePageTexts().openIdConnect.settings
  const { hints } = t
  return (
    <form method="post" action={OIDC_PATH}>
      <Csrf />
      <h2>{t.provider}</h2>
      <div class="sheet">
        <Line {...props} name="oidcIssuer" hint={hints.oidcIssuer} isRequired />
        <Line {...props} name="oidcClientId" isRequired />
        <Line
          {...props}
          name="oidcClientSecret"
          hint={hasSecret ? hints.oidcSecretStored : hints.oidcClientSecret}
          isRequired
          isSecret
        />
        <Line {...props} name="oidcName" hint={hints.oidcName} />
      </div>
      <h2>{t.people}</h2>
      <div class="sheet">
        <Line {...props} name="oidcDomains" hint={hints.oidcDomains} />
        <Choice {...props} name="oidcEmails" options={t.emails} />
        <Choice {...props} name="oidcUnknown" options={t.unknown} />
        <Choice {...props} name="oidcSecondFactor" options={t.secondFactor} />
        <Choice {...props} name="oidcOnly" options={t.only} />
        <p class="small quiet">{t.onlyNote}</p>
      </div>
      <h2>{t.roles}</h2>
      <div class="sheet">
        <p class="quiet">{t.rolesText}</p>
        <Line {...props} name="oidcRoleClaim" hint={hints.oidcRoleClaim} />
        <Line {...props} name="oidcAdmins" hint={hints.oidcValues} />
        <Line {...props} name="oidcMembers" />
        <Line {...props} name="oidcAuditors" />
        <Line {...props} name="oidcScopes" hint={hints.oidcScopes} />
        <PasswordAgain reason={t.saveReason} />
        <div class="form-actions">
          <Button kind="primary">{t.save}</Button>
        </div>
      </div>
    </form>
  )
}

interface RemoveProps extends Props {
  provider: string
  /** People without a password. */
  locked: number
}

export function RemoveOpenIdConnectPage({ context, provider, locked }: RemoveProps) {
  const { openIdConnect } = context.texts
  const t = openIdConnect.settings
  return (
    <SettingsLayout context={context} here={SIGN_IN_SETTINGS_PATH}>
      <h1 class="break">{t.offQuestion(provider)}</h1>
      <p>{t.offDetail}</p>
      <Callout tone={locked > 0 ? 'warn' : 'info'}>
        <p>{t.offLocked(locked)}</p>
      </Callout>
      <ErrorSummary />
      <ConfirmedForm action={`${OIDC_PATH}/remove`} reason={t.offReason} submit={t.offSubmit} kind="danger" cancel={OIDC_PATH} />
    </SettingsLayout>
  )
}
