/** The public page that judges a signed PDF: a form, and the answer in plain words. */
import { Csrf, ErrorSummary, FaultOf, type Faults, type Frame, invalid, Layout } from '../layout.tsx'

export interface SignatureShown {
  heading: string
  /** Label and what stands beside it. */
  facts: [string, string][]
  reasons: string[]
}

export interface Judgement {
  isValid: boolean
  sentence: string
  fileName: string
  /** What the record of this instance says. */
  record: string
  reasons: string[]
  additions: string[]
  signatures: SignatureShown[]
}

interface Props {
  frame: Frame
  csrf: string
  organisation: string
  faults: Faults
  judgement: Judgement | undefined
}

export function VerifyPage({ frame, csrf, organisation, faults, judgement }: Props) {
  return (
    <Layout frame={frame} narrow>
      <h1>Verify a signed PDF</h1>
      {judgement && <Answer {...judgement} />}
      <ErrorSummary faults={faults} labels={{ file: 'The file' }} />
      <form method="post" action="/verify" encType="multipart/form-data" class="sheet">
        <Csrf token={csrf} />
        <label for="file">PDF file</label>
        <div class="hint">It is judged here, by {organisation}, and not kept.</div>
        <FaultOf name="file" label="The file" faults={faults} />
        <input type="file" id="file" name="file" accept="application/pdf,.pdf" required {...invalid('file', faults)} />
        <button type="submit" class="wide">
          Verify
        </button>
      </form>
    </Layout>
  )
}

function Answer({ isValid, sentence, fileName, record, reasons, additions, signatures }: Judgement) {
  return (
    <section class={isValid ? 'note' : 'error'} role="status" aria-labelledby="verdict">
      <h2 id="verdict">{sentence}</h2>
      <p>
        <strong>{fileName}</strong>
      </p>
      <p>{record}</p>
      <Sentences heading="What speaks against the file" list={reasons} />
      <Sentences heading="Added after the seal, as the standard allows" list={additions} />
      {signatures.map(({ heading, facts, reasons: own }) => (
        <div key={heading}>
          <h3>{heading}</h3>
          <dl>
            {facts.map(([label, value]) => (
              <>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </>
            ))}
          </dl>
          <Sentences heading="What speaks against it" list={own} />
        </div>
      ))}
    </section>
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
