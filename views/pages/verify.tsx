/** The public page that verifies a PDF, with the result in plain language. */
import { Layout, List, type PageContext, type PageUser } from '../layout.tsx'
import { Csrf, ErrorSummary, FileInput, type ValidationErrors } from '../parts/form.tsx'
import { type Fact, Facts } from '../parts/table.tsx'

export interface SignatureView {
  heading: string
  facts: Fact[]
  details: Fact[]
  reasonsHeading: string
  reasons: string[]
  /** Why the PAdES level is not higher. */
  notes: string[]
}

export interface VerificationView {
  tone: 'good' | 'caution' | 'bad'
  heading: string
  /** Paragraphs: what the result means, and what to do. */
  meaning: string[]
  fileName: string
  /** Whether this instance sealed the file. */
  record: string
  reasons: string[]
  additions: string[]
  signatures: SignatureView[]
}

interface Props {
  context: PageContext
  user: PageUser | undefined
  csrf: string
  organisation: string
  errors: ValidationErrors
  verification: VerificationView | undefined
}

export function VerifyPage({ context, user, csrf, organisation, errors, verification }: Props) {
  return (
    <Layout context={context} user={user} narrow>
      <h1>Verify a signed PDF</h1>
      {verification && <Result {...verification} />}
      <ErrorSummary errors={errors} labels={{ file: 'The file' }} />
      <form method="post" action="/verify" encType="multipart/form-data" class="sheet">
        <Csrf token={csrf} />
        <FileInput
          label="PDF file"
          subject="The file"
          hint={`${organisation} verifies the file and does not keep it.`}
          accept="application/pdf,.pdf"
          errors={errors}
        />
        <button type="submit" class="button wide">
          Verify
        </button>
      </form>
    </Layout>
  )
}

const TONES = { good: 'note good', caution: 'note caution', bad: 'error' } as const

function Result({ tone, heading, meaning, fileName, record, reasons, additions, signatures }: VerificationView) {
  return (
    <section class={TONES[tone]} role="status" aria-labelledby="verdict">
      <h2 id="verdict">{heading}</h2>
      {meaning.map(text => (
        <p key={text}>{text}</p>
      ))}
      <dl>
        <dt>File</dt>
        <dd>{fileName}</dd>
        <dt>Sealed by this service</dt>
        <dd>{record}</dd>
      </dl>
      <Sentences heading="Problems with the file" list={reasons} />
      <Sentences heading="Permitted changes after the signature" list={additions} />
      {signatures.map(signature => (
        <Signature key={signature.heading} {...signature} />
      ))}
    </section>
  )
}

function Signature({ heading, facts, details, reasonsHeading, reasons, notes }: SignatureView) {
  return (
    <div>
      <h3>{heading}</h3>
      <Facts facts={facts} />
      <Sentences heading={reasonsHeading} list={reasons} />
      <details class="small">
        <summary>Technical details</summary>
        <Facts facts={details} />
        <Sentences heading="Notes" list={notes} />
      </details>
    </div>
  )
}

function Sentences({ heading, list }: { heading: string; list: string[] }) {
  if (list.length === 0) return null
  return (
    <>
      <p>
        <strong>{heading}:</strong>
      </p>
      <List items={list} />
    </>
  )
}
