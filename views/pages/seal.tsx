/** Settings → Seal: the seal certificates, a test page, and the time-stamp settings. */
import type { AppTexts } from '../../src/locales/app.ts'
import { List, type PageContext, PageHead } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { ActionForm, Csrf, ErrorSummary, Input, type ValidationErrors } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Cell, type Fact, Facts, Table, TableHead } from '../parts/table.tsx'
import { PasswordAgain, SettingsLayout, type SettingsUser } from './settings-layout.tsx'

const LABELS = { file: 'The file', passphrase: 'The pass-phrase', password: 'Your password' }

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

interface Props {
  context: PageContext
  user: SettingsUser
  notice: string | undefined
  errors: ValidationErrors
  active: { facts: Fact[]; expiry: string; isExpiringSoon: boolean; isOwn: boolean }
  earlier: EarlierCertificate[]
  /** The revocation lists, that of the current root first. */
  lists: { href: string; text: string }[]
  reasons: { value: string; text: string }[]
  asksForPassword: boolean
  test: TestResult | undefined
  timestamps: Fact[]
}

export function SealPage(props: Props) {
  const { context, user, notice, errors, active, earlier, lists, reasons, asksForPassword, test, timestamps } = props
  const { csrf } = user
  return (
    <SettingsLayout context={context} user={user} here="/settings/seal">
      <PageHead title="Seal" />
      <Notice text={notice} />
      {test && <TestResultSection {...test} />}
      <ErrorSummary errors={errors} labels={LABELS} />
      <h2>Current certificate</h2>
      <Active csrf={csrf} active={active} lists={lists} />
      <h2>Earlier certificates</h2>
      {earlier.length === 0 ? (
        <p class="quiet">None yet. Earlier certificates are kept permanently, so that their seals can still be verified.</p>
      ) : (
        <EarlierTable rows={earlier} csrf={csrf} reasons={reasons} />
      )}
      <h2>Import a certificate</h2>
      <ImportForm frame={context.texts.frame} csrf={csrf} errors={errors} asksForPassword={asksForPassword} />
      <h2>Time-stamps</h2>
      <div class="sheet">
        <Facts facts={timestamps} />
        <p class="small quiet">
          These settings come from the environment variables <code>SIGNET_TSA_URL</code>, <code>SIGNET_SEAL_LEVEL</code>,{' '}
          <code>SIGNET_TSA_FALLBACK</code> and <code>SIGNET_TSA_CA_FILE</code>. Changes take effect at the next start.
        </p>
      </div>
    </SettingsLayout>
  )
}

function Active({ csrf, active, lists }: { csrf: string; active: Props['active']; lists: Props['lists'] }) {
  return (
    <div class="sheet">
      <Facts facts={active.facts} />
      <p class={active.isExpiringSoon ? 'field-error' : ''}>{active.expiry}</p>
      <p>
        <a href="/seal-certificate.pem" download="seal-certificate.pem">
          Download the certificates
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
        <ActionForm action="/settings/seal/test" csrf={csrf} text="Seal a test page" kind="plain" />
        {active.isOwn && <ActionForm action="/settings/seal/renew" csrf={csrf} text="Renew now" kind="plain" />}
      </div>
    </div>
  )
}

function TestResultSection({ reachesLevel, sentence, missing, file }: TestResult) {
  return (
    <section class={reachesLevel ? 'note' : 'error'} role="status" aria-labelledby="test-verdict">
      <h2 id="test-verdict">{sentence}</h2>
      {missing.length > 0 && <List items={missing} />}
      {file && (
        <p>
          <a href={file} download="test-page.pdf">
            Download the test page
          </a>
        </p>
      )}
    </section>
  )
}

type Reasons = Props['reasons']

function EarlierTable({ rows, csrf, reasons }: { rows: EarlierCertificate[]; csrf: string; reasons: Reasons }) {
  return (
    <Table>
      <TableHead columns={['Certificate', 'Valid', 'Source', 'State']} actions="Revoke" />
      <tbody>
        {rows.map(row => (
          <tr key={row.sha256}>
            <td>
              <span class="title">{row.subject}</span>
              <div class="small quiet break">{row.sha256}</div>
            </td>
            <Cell label="Valid" class="small">
              {row.valid}
            </Cell>
            <Cell label="Source" class="small">
              {row.source}
            </Cell>
            <Cell label="State" class="small">
              {row.state}
            </Cell>
            <td>{row.mayRevoke && <RevokeForm row={row} csrf={csrf} reasons={reasons} />}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function RevokeForm({ row: { sha256 }, csrf, reasons }: { row: EarlierCertificate; csrf: string; reasons: Reasons }) {
  const id = `reason-${sha256.slice(0, 16)}`
  return (
    <details class="small">
      <summary>Revoke</summary>
      <form method="post" action={`/settings/seal/${sha256}/revoke`}>
        <Csrf token={csrf} />
        <p>
          Programs that check the revocation list will no longer trust its seals, unless a time-stamp proves that they were made
          before. This cannot be undone.
        </p>
        <label for={id}>Reason</label>
        <select id={id} name="reason">
          {reasons.map(reason => (
            <option key={reason.value} value={reason.value}>
              {reason.text}
            </option>
          ))}
        </select>
        <button type="submit" class="button danger compact" aria-label={`Revoke the certificate ${sha256.slice(0, 8)}`}>
          Revoke the certificate
        </button>
      </form>
    </details>
  )
}

type ImportProps = Pick<Props, 'errors' | 'asksForPassword'> & { frame: AppTexts['frame']; csrf: string }

function ImportForm({ frame, csrf, errors, asksForPassword }: ImportProps) {
  return (
    <form method="post" action="/settings/seal/import" encType="multipart/form-data" class="sheet">
      <Csrf token={csrf} />
      <p>
        Import a private key with its certificate, for example from a trust service provider. A test page is sealed with it first.
        It becomes the current certificate only if that seal is valid.
      </p>
      <FileDrop
        choose={frame.chooseFile}
        drop={frame.orDrop}
        label="PKCS#12 file"
        subject={LABELS.file}
        hint="Usually a file ending in .p12 or .pfx. At most 1 MB, with one private key."
        accept=".p12,.pfx,application/x-pkcs12"
        errors={errors}
      />
      <Input
        name="passphrase"
        label="Pass-phrase of the file"
        hint="Leave it empty if the file has none. It is used once and not stored."
        type="password"
        autoComplete="off"
        required={false}
        errors={errors}
      />
      <PasswordAgain asked={asksForPassword} reason="This replaces the key that seals for your organisation." errors={errors} />
      <div class="form-actions">
        <Button kind="primary">Import</Button>
      </div>
    </form>
  )
}
