/** Settings → E-mail: the mail server, the sender, and a test with the words of the server. */
import { MAIL_PATH, OUTBOX_PATH } from '../../src/core/page-paths.ts'
import { MAX_SENDER_NAME, MAX_SERVER_PASSWORD } from '../../src/core/service-limits.ts'
import { MAX_EMAIL_LENGTH } from '../../src/core/text.ts'
import { MAX_HOST_NAME } from '../../src/lib/net-guard.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import type { MailSettings } from '../../src/outbox/mail-settings.ts'
import { List, type PageContext, PageHead } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { ActionForm, CodeText, Csrf, ErrorSummary, Input, Select, useErrors } from '../parts/form.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { PasswordAgain, SettingsLayout } from './settings-layout.tsx'

export interface MailValues {
  host: string
  port: string
  security: string
  user: string
  ca: string
  senderName: string
  senderAddress: string
  bulkMailsPerMinute: string
}

export interface MailTestResult {
  isAccepted: boolean
  problem: keyof AppTexts['mail']['problems'] | undefined
  /** The server's words: code and text. */
  said: string | undefined
  /** What the service made of it, in English as the log has it. */
  details: string
}

export interface MailSettingsProps {
  context: PageContext
  notice: string | undefined
  values: MailValues
  /** Of the sender, where none is entered. */
  automaticName: string
  contact: string | undefined
  hasPassword: boolean
  /** What the environment fixes. */
  fixed: MailSettings['fixed']
  /** The file that the environment names. */
  rootsFile: string | undefined
  state: 'unset' | 'untested' | 'tested'
  /** Where mails are stored while there is no server; undefined on one of several nodes. */
  folder: string | undefined
  /** Of the last successful test. */
  tested: string | undefined
  test: MailTestResult | undefined
}

export function MailSettingsPage(props: MailSettingsProps) {
  const { context, notice, state } = props
  const t = context.texts.mail
  return (
    <SettingsLayout context={context} here={MAIL_PATH}>
      <PageHead
        title={t.title}
        actions={
          <LinkButton icon="mail" href={OUTBOX_PATH}>
            {t.outbox}
          </LinkButton>
        }
      >
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <TestResult {...props} />
      <ErrorSummary labels={labelsOf(context.texts)} />
      {!props.test && <State {...props} />}
      <SettingsForm {...props} />
      {state !== 'unset' && (
        <>
          <h2>{t.testTitle}</h2>
          <div class="sheet">
            <p>{t.testText(context.user?.email ?? '')}</p>
            <ActionForm action={`${MAIL_PATH}/test`} text={t.test} kind="plain" />
          </div>
        </>
      )}
    </SettingsLayout>
  )
}

function labelsOf({ mail: t, settings }: AppTexts): Record<string, string> {
  const { host, port, security, user, ca, senderName, senderAddress, bulkMailsPerMinute } = t
  return {
    host,
    port,
    security,
    user,
    ca,
    senderName,
    senderAddress,
    bulkMailsPerMinute,
    smtpPassword: t.password,
    password: settings.password.label,
  }
}

function State({ state, folder, tested }: MailSettingsProps) {
  const t = usePageTexts().mail
  if (state === 'tested') return <Callout tone="good">{tested}</Callout>
  if (state === 'untested') {
    return (
      <Callout tone="warn" title={t.untested}>
        <p>{t.untestedText}</p>
      </Callout>
    )
  }
  return (
    <Callout tone="info" title={t.noServer}>
      <p>{folder === undefined ? t.noServerNodes : <CodeText text={t.noServerText(folder)} />}</p>
    </Callout>
  )
}

function TestResult({ test, context }: MailSettingsProps) {
  const t = usePageTexts().mail
  if (!test) return null
  const { isAccepted, problem = 'other', said, details } = test
  return (
    <Callout
      tone={isAccepted ? 'good' : 'bad'}
      role="alert"
      title={isAccepted ? t.accepted(context.user?.email ?? '') : t.refused}
    >
      <p>{isAccepted ? t.acceptedText : t.problems[problem]}</p>
      <p class="small quiet">{said === undefined ? t.reported : t.said}</p>
      <pre class="server-words">{said ?? details}</pre>
      {!isAccepted && (
        <>
          <p class="callout-title">{t.tryThis}</p>
          <List items={t.advice[problem] ?? []} />
        </>
      )}
    </Callout>
  )
}

function SettingsForm(props: MailSettingsProps) {
  const { fixed } = props
  const t = usePageTexts().mail
  return (
    <form method="post" action={MAIL_PATH}>
      <Csrf />
      <h2>{t.server}</h2>
      <div class="sheet">
        <ServerFields {...props} />
      </div>
      <h2>{t.sender}</h2>
      <div class="sheet">
        <SenderFields {...props} />
      </div>
      <h2>{t.bulk}</h2>
      <div class="sheet">
        <BulkFields {...props} />
        {!(fixed.server && fixed.sender && fixed.roots && fixed.bulk) && (
          <>
            <PasswordAgain reason={t.saveReason} />
            <div class="form-actions">
              <Button kind="primary">{t.save}</Button>
            </div>
          </>
        )}
      </div>
    </form>
  )
}

function Fixed({ variable }: { variable: string }) {
  return (
    <p class="small quiet">
      <CodeText text={usePageTexts().mail.fixed(variable)} />
    </p>
  )
}

function ServerFields({ values, fixed, hasPassword, rootsFile }: MailSettingsProps) {
  const t = usePageTexts().mail
  const shared = { disabled: fixed.server, required: false }
  const plain = { ...shared, autoCapitalize: 'none', spellcheck: false } as const
  return (
    <>
      {fixed.server && <Fixed variable="SIGNET_SMTP_URL" />}
      <div class="mail-server">
        <div>
          <Input
            {...plain}
            name="host"
            label={t.host}
            hint={fixed.server ? undefined : t.hostHint}
            value={values.host}
            maxLength={MAX_HOST_NAME}
            note=""
          />
        </div>
        <div>
          <Input {...shared} name="port" label={t.port} hint="" value={values.port} inputMode="numeric" maxLength={5} note="" />
        </div>
      </div>
      <Select
        name="security"
        label={t.security}
        hint={fixed.server ? undefined : t.portHint}
        value={values.security}
        options={Object.entries(t.securities).map(([value, text]) => ({ value, text }))}
        disabled={fixed.server}
      />
      <Input
        {...plain}
        name="user"
        label={t.user}
        hint={fixed.server ? undefined : t.userHint}
        value={values.user}
        autoComplete="off"
        maxLength={MAX_EMAIL_LENGTH}
      />
      {!fixed.server && (
        <Input
          {...shared}
          name="smtpPassword"
          label={t.password}
          hint={hasPassword ? t.passwordStored : t.passwordHint}
          type="password"
          autoComplete="new-password"
          note={hasPassword ? '' : undefined}
          maxLength={MAX_SERVER_PASSWORD}
        />
      )}
      <details open={values.ca !== '' || useErrors().some(({ path }) => path === 'ca')}>
        <summary>{t.caMore}</summary>
        {fixed.roots ? (
          <>
            <Fixed variable="SIGNET_SMTP_CA_FILE" />
            <p>
              <CodeText text={t.caFile(rootsFile ?? '')} />
            </p>
          </>
        ) : (
          <Input
            name="ca"
            label={t.ca}
            hint={t.caHint}
            value={values.ca}
            rows={6}
            required={false}
            spellcheck={false}
            class="code"
          />
        )}
      </details>
    </>
  )
}

function SenderFields({ values, fixed, automaticName, contact }: MailSettingsProps) {
  const t = usePageTexts().mail
  const shared = { disabled: fixed.sender }
  return (
    <>
      {fixed.sender && <Fixed variable="SIGNET_MAIL_FROM" />}
      <Input
        {...shared}
        name="senderName"
        label={t.senderName}
        hint={t.senderNameHint(automaticName)}
        value={values.senderName}
        required={false}
        maxLength={MAX_SENDER_NAME}
        autoComplete="off"
      />
      <Input
        {...shared}
        name="senderAddress"
        label={t.senderAddress}
        hint={t.senderAddressHint}
        type="email"
        required={false}
        note=""
        value={values.senderAddress}
        maxLength={MAX_EMAIL_LENGTH}
        autoComplete="off"
      />
      <p class="small quiet">{contact === undefined ? t.noReplies : t.replies(contact)}</p>
    </>
  )
}

function BulkFields({ values, fixed }: MailSettingsProps) {
  const t = usePageTexts().mail
  return (
    <>
      {fixed.bulk && <Fixed variable="SIGNET_BULK_MAILS_PER_MINUTE" />}
      <Input
        name="bulkMailsPerMinute"
        label={t.bulkMailsPerMinute}
        hint={t.bulkHint}
        value={values.bulkMailsPerMinute}
        inputMode="numeric"
        maxLength={4}
        autoComplete="off"
        disabled={fixed.bulk}
      />
    </>
  )
}
