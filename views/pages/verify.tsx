/** The public page that verifies a PDF, with the result in plain language. */
import type { AppTexts } from '../../src/locales/app.ts'
import { Layout, List, type PageContext, PageHead, type PageUser } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { Csrf, ErrorSummary, type ValidationErrors } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import type { IconName } from '../parts/icons.ts'
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
  /** Of the document, if this instance sealed the file. */
  title: string | undefined
  /** Who signed or approved it, and when: from the record, in order. */
  people: Fact[]
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
  const { verify, frame } = context.texts
  return (
    <Layout context={context} user={user} narrow>
      <PageHead
        title={verify.title}
        actions={
          verification && (
            <LinkButton href="/verify" icon="rotate-ccw">
              {verify.another}
            </LinkButton>
          )
        }
      >
        {!verification && <p class="quiet">{verify.lead}</p>}
      </PageHead>
      {verification && <Result {...verification} texts={verify} />}
      <ErrorSummary errors={errors} labels={{ file: verify.subject }} />
      {!verification && (
        <form method="post" action="/verify" encType="multipart/form-data">
          <Csrf token={csrf} />
          <FileDrop
            label={verify.file}
            subject={verify.subject}
            hint={verify.notKept(organisation)}
            choose={frame.chooseFile}
            drop={frame.orDrop}
            accept="application/pdf,.pdf"
            errors={errors}
            isLarge
            isWholePage
          />
          <div class="form-actions centred">
            <Button kind="primary" icon="shield-check">
              {verify.submit}
            </Button>
          </div>
        </form>
      )}
    </Layout>
  )
}

const TONES = { good: 'good', caution: 'warn', bad: 'bad' } as const
const ICONS: Record<VerificationView['tone'], IconName> = { good: 'shield-check', caution: 'triangle-alert', bad: 'circle-alert' }

type ResultProps = VerificationView & { texts: AppTexts['verify'] }

function Result({ texts, tone, heading, meaning, reasons, additions, signatures, ...file }: ResultProps) {
  const { fileName, title, record, people } = file
  return (
    <section class="verdict" role="status" aria-labelledby="verdict">
      <div class={`verdict-head ${TONES[tone]}`}>
        <Icon name={ICONS[tone]} />
        <div>
          <h2 id="verdict">{heading}</h2>
          {meaning.map(text => (
            <p key={text}>{text}</p>
          ))}
        </div>
      </div>
      <div class="verdict-part">
        <Facts
          facts={[
            [texts.nameOfFile, fileName],
            ...(title === undefined ? [] : [[texts.documentTitle, title] satisfies Fact]),
            [texts.record, record],
          ]}
        />
        <Sentences heading={texts.fileProblems} list={reasons} />
        <Sentences heading={texts.additions} list={additions} />
      </div>
      {people.length > 0 && (
        <div class="verdict-part">
          <h3>{texts.people}</h3>
          <Facts facts={people} />
          <p class="quiet small">{texts.fromRecord}</p>
        </div>
      )}
      {signatures.map(signature => (
        <Signature key={signature.heading} texts={texts} {...signature} />
      ))}
    </section>
  )
}

type SignatureProps = SignatureView & Pick<ResultProps, 'texts'>

function Signature({ texts, heading, facts, details, reasonsHeading, reasons, notes }: SignatureProps) {
  return (
    <div class="verdict-part">
      <h3>{heading}</h3>
      <Facts facts={facts} />
      <Sentences heading={reasonsHeading} list={reasons} />
      <details class="small">
        <summary>{texts.details}</summary>
        <Facts facts={details} />
        <Sentences heading={texts.notes} list={notes} />
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
