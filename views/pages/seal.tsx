/** Settings → Seal: the certificate that seals and those before it, what may be done with them, a test page, and what is set for time-stamps. */
import { Csrf, ErrorSummary, FileInput, Input, type PageContext, type ValidationErrors } from '../layout.tsx'
import { PasswordAgain, SettingsLayout, type SettingsUser } from './settings-layout.tsx'

const LABELS = { file: 'The file', passphrase: 'The pass-phrase', password: 'Your password' }

type Fact = [label: string, value: string]

export interface OlderCertificate {
  sha256: string
  subject: string
  valid: string
  source: string
  state: string
  mayRevoke: boolean
}

export interface TestShown {
  isSound: boolean
  sentence: string
  /** What is missing, as sentences or clauses. */
  missing: string[]
  /** Address of the file. */
  file: string | undefined
}

interface Props {
  context: PageContext
  user: SettingsUser
  notice: string | undefined
  errors: ValidationErrors
  active: { facts: Fact[]; life: string; isNear: boolean; isOwn: boolean }
  older: OlderCertificate[]
  /** Where the revocation lists are had, the present authority's first. */
  lists: { href: string; text: string }[]
  reasons: { value: string; text: string }[]
  /** Who entered it a while ago enters it again. */
  asksPassword: boolean
  test: TestShown | undefined
  timestamps: Fact[]
}

export function SealPage(props: Props) {
  const { context, user, notice, errors, active, older, lists, reasons, asksPassword, test, timestamps } = props
  const { csrf } = user
  return (
    <SettingsLayout context={context} user={user} here="/settings/seal">
      <h1>Seal</h1>
      {notice && (
        <div class="note" role="status">
          {notice}
        </div>
      )}
      {test && <TestAnswer {...test} />}
      <ErrorSummary errors={errors} labels={LABELS} />
      <h2>The certificate that seals</h2>
      <Active csrf={csrf} active={active} lists={lists} />
      <h2>Earlier certificates</h2>
      <div class="sheet">
        {older.length === 0 ? (
          <p class="quiet">None yet. Certificates that have sealed are kept for ever, so that their seals can be judged.</p>
        ) : (
          <OlderTable rows={older} csrf={csrf} reasons={reasons} />
        )}
      </div>
      <h2>Import a certificate</h2>
      <ImportForm csrf={csrf} errors={errors} asksPassword={asksPassword} />
      <h2>Time-stamps</h2>
      <div class="sheet">
        <Facts facts={timestamps} />
        <p class="small quiet">
          This is set where the service is started, by the variables <code>SIGNET_TSA_URL</code>, <code>SIGNET_SEAL_LEVEL</code>,{' '}
          <code>SIGNET_TSA_FALLBACK</code> and <code>SIGNET_TSA_CA_FILE</code>, and holds from the next start on.
        </p>
      </div>
    </SettingsLayout>
  )
}

function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl>
      {facts.map(([label, value]) => (
        <>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  )
}

function Active({ csrf, active, lists }: { csrf: string; active: Props['active']; lists: Props['lists'] }) {
  return (
    <div class="sheet">
      <Facts facts={active.facts} />
      <p class={active.isNear ? 'field-error' : ''}>{active.life}</p>
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
        <form method="post" action="/settings/seal/test">
          <Csrf token={csrf} />
          <button type="submit" class="plain">
            Seal a test page
          </button>
        </form>
        {active.isOwn && (
          <form method="post" action="/settings/seal/renew">
            <Csrf token={csrf} />
            <button type="submit" class="plain">
              Renew now
            </button>
          </form>
        )}
      </div>
    </div>
  )
}

function TestAnswer({ isSound, sentence, missing, file }: TestShown) {
  return (
    <section class={isSound ? 'note' : 'error'} role="status" aria-labelledby="test-verdict">
      <h2 id="test-verdict">{sentence}</h2>
      {missing.length > 0 && (
        <ul>
          {missing.map(clause => (
            <li key={clause}>{clause}</li>
          ))}
        </ul>
      )}
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

function OlderTable({ rows, csrf, reasons }: { rows: OlderCertificate[]; csrf: string; reasons: Reasons }) {
  return (
    <table class="stack">
      <thead>
        <tr>
          <th scope="col">Certificate</th>
          <th scope="col">Valid</th>
          <th scope="col">Source</th>
          <th scope="col">State</th>
          <th scope="col">
            <span class="unseen">Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.sha256}>
            <td>
              <span class="title">{row.subject}</span>
              <div class="small quiet break">{row.sha256}</div>
            </td>
            <td class="small" data-label="Valid">
              {row.valid}
            </td>
            <td class="small" data-label="Source">
              {row.source}
            </td>
            <td class="small" data-label="State">
              {row.state}
            </td>
            <td>{row.mayRevoke && <RevokeForm row={row} csrf={csrf} reasons={reasons} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RevokeForm({ row: { sha256 }, csrf, reasons }: { row: OlderCertificate; csrf: string; reasons: Reasons }) {
  const id = `reason-${sha256.slice(0, 16)}`
  return (
    <details class="small">
      <summary>Revoke</summary>
      <form method="post" action={`/settings/seal/${sha256}/revoke`}>
        <Csrf token={csrf} />
        <p>
          Readers that ask the revocation list no longer trust its seals, unless a time-stamp shows them to be older. This cannot
          be undone.
        </p>
        <label for={id}>Reason</label>
        <select id={id} name="reason">
          {reasons.map(reason => (
            <option key={reason.value} value={reason.value}>
              {reason.text}
            </option>
          ))}
        </select>
        <button type="submit" class="danger" aria-label={`Revoke it: the certificate ${sha256.slice(0, 8)}`}>
          Revoke it
        </button>
      </form>
    </details>
  )
}

function ImportForm({ csrf, errors, asksPassword }: { csrf: string; errors: ValidationErrors; asksPassword: boolean }) {
  return (
    <form method="post" action="/settings/seal/import" encType="multipart/form-data" class="sheet">
      <Csrf token={csrf} />
      <p>
        A key with its certificate, for example of a trust service provider. A test page is sealed with it first; only if that is
        valid does it seal documents from then on.
      </p>
      <FileInput
        label="PKCS#12 file"
        subject={LABELS.file}
        hint="Its name often ends in .p12 or .pfx. At most 1 MB, with one private key."
        accept=".p12,.pfx,application/x-pkcs12"
        errors={errors}
      />
      <Input
        name="passphrase"
        label="Pass-phrase of the file"
        hint="Leave it empty where the file has none. It is used once and not kept."
        type="password"
        autoComplete="off"
        required={false}
        errors={errors}
      />
      <PasswordAgain
        asked={asksPassword}
        why="The seal speaks for your organisation, and its key is about to be replaced."
        errors={errors}
      />
      <button type="submit" class="wide">
        Import
      </button>
    </form>
  )
}
