/**
 * Settings → Seal: the seal certificates, what readers need to trust them, a test page, and the
 * time-stamp settings.
 */
import { SEAL_FORM_PATH, SEAL_PATH, TIMESTAMPS_PATH } from '../../src/core/page-paths.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { List, type PageContext, PageHead } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { ActionForm, CodeText, Csrf, ErrorSummary, Input } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Cell, type Fact, Facts, Table, TableHead } from '../parts/table.tsx'
import { PasswordAgain, SettingsLayout } from './settings-layout.tsx'

export interface EarlierCertificate {
  sha256: string
  subject: string
  valid: string
  source: string
  state: string
  mayRevoke: boolean
}

export interface TestResult {
  reachesLevel: boolean
  sentence: string
  /** Why the configured level was not reached. */
  missing: string[]
  /** A `data:` URL of the file. */
  file: string | undefined
}

interface SealProps {
  context: PageContext
  notice: string | undefined
  active: { facts: Fact[]; expiry: string; isExpiringSoon: boolean; isOwn: boolean }
  earlier: EarlierCertificate[]
  /** The revocation lists, that of the current root first. */
  lists: { href: string; text: string }[]
  reasons: { value: string; text: string }[]
  test: TestResult | undefined
  /** The name of the form. */
  form: string
  timestamps: Fact[]
  rollout: Rollout
}

export function SealPage(props: SealProps) {
  const { context, notice, active, earlier, lists, reasons, test, form, timestamps, rollout } = props
  const { seal: t, password } = context.texts.settings
  const labels = { file: t.fileSubject, passphrase: t.passphraseSubject, password: password.label }
  return (
    <SettingsLayout context={context} here={SEAL_PATH}>
      <PageHead title={t.title}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      {test && <TestResultSection {...test} />}
      <ErrorSummary labels={labels} />
      <h2>{t.current}</h2>
      <Active active={active} lists={lists} />
      <h2>{context.texts.sealForm.title}</h2>
      <div class="sheet">
        <Facts facts={[[context.texts.sealForm.form, form]]} />
        <p>
          <LinkButton href={SEAL_FORM_PATH}>{context.texts.sealForm.change}</LinkButton>
        </p>
      </div>
      <h2>{t.timestamps}</h2>
      <div class="sheet">
        <Facts facts={timestamps} />
        <p>
          <LinkButton href={TIMESTAMPS_PATH}>{context.texts.timestamps.change}</LinkButton>
        </p>
      </div>
      <SealRollout {...rollout} />
      <h2>{t.import}</h2>
      <ImportForm frame={context.texts.frame} />
      <h2>{t.earlier}</h2>
      {earlier.length === 0 ? <p class="quiet">{t.noEarlier}</p> : <EarlierTable rows={earlier} reasons={reasons} />}
    </SettingsLayout>
  )
}

function Active({ active, lists }: { active: SealProps['active']; lists: SealProps['lists'] }) {
  const t = usePageTexts().settings.seal
  return (
    <div class="sheet">
      <Facts facts={active.facts} />
      <p class={active.isExpiringSoon ? 'field-error' : ''}>{active.expiry}</p>
      <p>
        <a href="/seal-certificate.pem" download="seal-certificate.pem">
          {t.download}
        </a>
        {lists.map(list => (
          <>
            {' · '}
            <a key={list.href} href={list.href} download="seal.crl">
              {list.text}
            </a>
          </>
        ))}
      </p>
      <div class="row">
        <ActionForm action={`${SEAL_PATH}/test`} text={t.test} kind="plain" />
      </div>
      {active.isOwn && (
        <details>
          <summary>{t.renew}</summary>
          <p>{t.renewText}</p>
          <ActionForm action={`${SEAL_PATH}/renew`} text={t.renewCertificate} kind="primary" />
        </details>
      )}
    </div>
  )
}

function TestResultSection({ reachesLevel, sentence, missing, file }: TestResult) {
  const { downloadTest } = usePageTexts().settings.seal
  return (
    <section class={reachesLevel ? 'note' : 'error'} role="status" aria-labelledby="test-verdict">
      <h2 id="test-verdict">{sentence}</h2>
      {missing.length > 0 && <List items={missing} />}
      {file && (
        <p>
          <a href={file} download="test-page.pdf">
            {downloadTest}
          </a>
        </p>
      )}
    </section>
  )
}

type Reasons = SealProps['reasons']

function EarlierTable({ rows, reasons }: { rows: EarlierCertificate[]; reasons: Reasons }) {
  const { columns, revoke } = usePageTexts().settings.seal
  const { certificate, valid, source, state } = columns
  return (
    <Table>
      <TableHead columns={[certificate, valid, source, state]} actions={revoke} />
      <tbody>
        {rows.map(row => (
          <tr key={row.sha256}>
            <td>
              <span class="title">{row.subject}</span>
              <div class="small quiet break">{row.sha256}</div>
            </td>
            <Cell label={valid} class="small">
              {row.valid}
            </Cell>
            <Cell label={source} class="small">
              {row.source}
            </Cell>
            <Cell label={state} class="small">
              {row.state}
            </Cell>
            <td>{row.mayRevoke && <RevokeForm row={row} reasons={reasons} />}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function RevokeForm({ row: { sha256 }, reasons }: { row: EarlierCertificate; reasons: Reasons }) {
  const t = usePageTexts().settings.seal
  const id = `reason-${sha256.slice(0, 16)}`
  return (
    <details class="small">
      <summary>{t.revoke}</summary>
      <form method="post" action={`${SEAL_PATH}/${sha256}/revoke`}>
        <Csrf />
        <p>{t.revokeText}</p>
        <label for={id}>{t.reason}</label>
        <select id={id} name="reason">
          {reasons.map(reason => (
            <option key={reason.value} value={reason.value}>
              {reason.text}
            </option>
          ))}
        </select>
        <button type="submit" class="button danger compact" aria-label={t.revokeNamed(sha256.slice(0, 8))}>
          {t.revokeCertificate}
        </button>
      </form>
    </details>
  )
}

function ImportForm({ frame }: { frame: AppTexts['frame'] }) {
  const t = usePageTexts().settings.seal
  return (
    <form method="post" action={`${SEAL_PATH}/import`} encType="multipart/form-data" class="sheet">
      <Csrf />
      <p>{t.importText}</p>
      <FileDrop
        choose={frame.chooseFile}
        drop={frame.orDrop}
        label={t.file}
        subject={t.fileSubject}
        hint={t.fileHint}
        accept=".p12,.pfx,application/x-pkcs12"
      />
      <Input name="passphrase" label={t.passphrase} hint={t.passphraseHint} type="password" autoComplete="off" required={false} />
      <PasswordAgain reason={t.importReason} />
      <div class="form-actions">
        <Button kind="primary">{t.importNow}</Button>
      </div>
    </form>
  )
}

// What Acrobat and Windows need to trust the seal: the certificate, and steps in words.

export interface Rollout {
  isOwn: boolean
  name: string
  sha256: string
  sha1: string
}

function SealRollout({ isOwn, name, sha256, sha1 }: Rollout) {
  const t = usePageTexts().timestamps
  return (
    <>
      <h2>{t.rollout}</h2>
      <div class="sheet">
        <p>{isOwn ? t.rolloutOwn : t.rolloutImported}</p>
        <Facts
          facts={[
            [isOwn ? t.rootName : t.sealName, name],
            [t.rootSha256, <CodeText text={`\`${sha256}\``} />],
            [t.rootSha1, <CodeText text={`\`${sha1}\``} />],
          ]}
        />
        <p>
          <LinkButton icon="download" href={`${SEAL_PATH}/root.cer`} download>
            {isOwn ? t.rootDownload : t.sealDownload}
          </LinkButton>
        </p>
        <p class="small quiet">{t.rolloutCheck}</p>
        <Steps title={t.acrobat} steps={t.acrobatSteps} />
        {isOwn && <Steps title={t.windows} steps={t.windowsSteps} />}
      </div>
    </>
  )
}

function Steps({ title, steps }: { title: string; steps: readonly string[] }) {
  return (
    <details>
      <summary>{title}</summary>
      <ol>
        {steps.map(step => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </details>
  )
}
