/** The public page that verifies a signed PDF: a form, and the answer in plain texts, with the technical details folded away. */
import { Csrf, ErrorSummary, FieldError, invalid, Layout, type PageContext, type ValidationErrors } from '../layout.tsx'

/** A label and what stands beside it. */
type Fact = [label: string, value: string]

export interface SignatureShown {
  heading: string
  facts: Fact[]
  /** For those who know the standards. */
  details: Fact[]
  reasonsHeading: string
  reasons: string[]
  /** Why the level is not higher. */
  notes: string[]
}

export interface VerificationShown {
  tone: 'good' | 'caution' | 'bad'
  heading: string
  /** What it means, and what to do; paragraphs. */
  meaning: string[]
  fileName: string
  /** What the record of this instance says. */
  record: string
  reasons: string[]
  additions: string[]
  signatures: SignatureShown[]
}

interface Props {
  context: PageContext
  /** Whoever is signed in. */
  user: { name: string; csrf: string; section: string } | undefined
  csrf: string
  organisation: string
  errors: ValidationErrors
  verification: VerificationShown | undefined
}

export function VerifyPage({ context, user, csrf, organisation, errors, verification }: Props) {
  return (
    <Layout context={context} user={user} narrow>
      <h1>Verify a signed PDF</h1>
      {verification && <Answer {...verification} />}
      <ErrorSummary errors={errors} labels={{ file: 'The file' }} />
      <form method="post" action="/verify" encType="multipart/form-data" class="sheet">
        <Csrf token={csrf} />
        <label for="file">PDF file</label>
        <div class="hint">It is checked by {organisation} and not kept.</div>
        <FieldError name="file" label="The file" errors={errors} />
        <input type="file" id="file" name="file" accept="application/pdf,.pdf" required {...invalid('file', errors)} />
        <button type="submit" class="wide">
          Verify
        </button>
      </form>
    </Layout>
  )
}

const TONES = { good: 'note good', caution: 'note caution', bad: 'error' } as const

function Answer({ tone, heading, meaning, fileName, record, reasons, additions, signatures }: VerificationShown) {
  return (
    <section class={TONES[tone]} role="status" aria-labelledby="verdict">
      <h2 id="verdict">{heading}</h2>
      {meaning.map(text => (
        <p key={text}>{text}</p>
      ))}
      <dl>
        <dt>File</dt>
        <dd>{fileName}</dd>
        <dt>Record of this service</dt>
        <dd>{record}</dd>
      </dl>
      <Sentences heading="What speaks against the file" list={reasons} />
      <Sentences heading="Added after the signature, as it allows" list={additions} />
      {signatures.map(signature => (
        <Signature key={signature.heading} {...signature} />
      ))}
    </section>
  )
}

function Signature({ heading, facts, details, reasonsHeading, reasons, notes }: SignatureShown) {
  return (
    <div>
      <h3>{heading}</h3>
      <Facts list={facts} />
      <Sentences heading={reasonsHeading} list={reasons} />
      <details class="small">
        <summary>Technical details</summary>
        <Facts list={details} />
        <Sentences heading="Notes" list={notes} />
      </details>
    </div>
  )
}

function Facts({ list }: { list: Fact[] }) {
  return (
    <dl>
      {list.map(([label, value]) => (
        <>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  )
}

function Sentences({ heading, list }: { heading: string; list: string[] }) {
  if (list.length === 0) return null
  return (
    <>
      <p>
        <strong>{heading}:</strong>
      </p>
      <ul>
        {list.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  )
}
