/** The public page that verifies a PDF, in the reader's language: the verdict, then its grounds. */
import { Fragment } from 'preact'
import { VERIFY_PATH } from '../../src/core/page-paths.ts'
import type { VerifyTexts } from '../../src/locales/verify.ts'
import { Layout, List, PageHead } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { Csrf, ErrorSummary } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import type { IconName } from '../parts/icons.ts'
import { type Fact, Facts } from '../parts/table.tsx'
import type { SignerContext } from '../signing/signing-layout.tsx'

export interface SignatureView {
  heading: string
  facts: Fact[]
  /** In the language of remarks. */
  remarks: string[]
}

export interface VerificationView {
  tone: 'good' | 'caution' | 'bad'
  heading: string
  sentence: string
  /** What the verdict does not mean, and what to do: paragraphs. */
  advice: readonly string[]
  fileName: string
  /** Of the document, if this instance sealed the file. */
  title: string | undefined
  /** The organisation whose seal by this instance is intact. */
  sealer: string | undefined
  /** Who signed or approved it, and when: from the record, in order. */
  people: [name: string, act: string][]
  /** Undefined if the file cannot be read. */
  sha256: string | undefined
  /** In the language of remarks, as the next. */
  remarks: string[]
  additions: string[]
  /** What a reader can see changed after a signature, and where: translated. */
  changes: [what: string, where: string][]
  signatures: SignatureView[]
}

interface Props {
  reader: SignerContext
  texts: VerifyTexts
  /** Of the page, in the language that was chosen. */
  address: string
  languages: { tag: string; name: string; address: string }[]
  organisation: string
  verification: VerificationView | undefined
  /** BCP 47: the verifier has words in those of the web app. */
  remarkLanguage: string
}

export function VerifyPage(props: Props) {
  const { reader, texts, address, verification, remarkLanguage } = props
  const { context, lang, dir } = reader
  return (
    <Layout context={context} section={VERIFY_PATH} narrow lang={lang} dir={dir} skip={reader.texts.skip}>
      <PageHead
        title={texts.title}
        actions={
          verification && (
            <LinkButton href={address} icon="rotate-ccw">
              {texts.another}
            </LinkButton>
          )
        }
      >
        {!verification && <p class="quiet">{texts.lead}</p>}
      </PageHead>
      {verification ? <Result {...verification} texts={texts} remarkLanguage={remarkLanguage} /> : <Form {...props} />}
    </Layout>
  )
}

function Form({ reader, texts, address, languages, organisation }: Props) {
  return (
    <>
      <ErrorSummary heading={reader.texts.check} />
      <form method="post" action={address} encType="multipart/form-data">
        <Csrf />
        <FileDrop
          label={texts.file}
          hint={texts.notKept(organisation)}
          choose={texts.choose}
          drop={texts.drop}
          accept="application/pdf,.pdf"
          isLarge
          isWholePage
        />
        <div class="form-actions centred">
          <Button kind="primary" icon="shield-check">
            {texts.submit}
          </Button>
        </div>
      </form>
      {!reader.context.user && (
        <nav class="page-languages small" aria-label={texts.languages}>
          <ul>
            {languages.map(({ tag, name, address }) => (
              <li key={tag}>
                <a href={address} lang={tag} hreflang={tag} {...(tag === reader.lang ? { 'aria-current': 'true' as const } : {})}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </>
  )
}

const TONES = { good: 'good', caution: 'warn', bad: 'bad' } as const
const ICONS: Record<VerificationView['tone'], IconName> = { good: 'shield-check', caution: 'triangle-alert', bad: 'circle-alert' }

type ResultProps = VerificationView & { texts: VerifyTexts; remarkLanguage: string }

function Result({ texts, remarkLanguage, tone, heading, sentence, advice, people, changes, ...file }: ResultProps) {
  const { fileName, title, sealer } = file
  const facts: [label: string, value: string | undefined][] = [
    [texts.documentTitle, title],
    [texts.fileName, fileName],
    [texts.sealedBy, sealer],
  ]
  return (
    <section class="verdict" role="status" aria-labelledby="verdict">
      <div class={`verdict-head ${TONES[tone]}`}>
        <Icon name={ICONS[tone]} />
        <div>
          <h2 id="verdict">{heading}</h2>
          <p>{sentence}</p>
        </div>
      </div>
      <div class="verdict-part">
        {advice.map(text => (
          <p key={text}>{text}</p>
        ))}
        <Facts facts={facts.flatMap(([label, value]): Fact[] => (value === undefined ? [] : [[label, <bdi>{value}</bdi>]]))} />
      </div>
      {changes.length > 0 && (
        <div class="verdict-part">
          <h3>{texts.changes.heading}</h3>
          <ul class="signers">
            {changes.map(([what, where], i) => (
              <li key={String(i)}>
                <bdi>{what}</bdi> <span>{where}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {people.length > 0 && (
        <div class="verdict-part">
          <h3>{texts.people}</h3>
          <ul class="signers">
            {people.map(([name, act]) => (
              <li key={name + act}>
                <bdi>{name}</bdi> <span>{act}</span>
              </li>
            ))}
          </ul>
          <p class="quiet small">{texts.fromRecord}</p>
        </div>
      )}
      <Details {...file} texts={texts.details} remarkLanguage={remarkLanguage} />
    </section>
  )
}

type DetailsProps = Pick<VerificationView, 'sha256' | 'remarks' | 'additions' | 'signatures' | 'sealer'> & {
  texts: VerifyTexts['details']
  remarkLanguage: string
}

function Details({ texts, remarkLanguage, sha256, remarks, additions, signatures, sealer }: DetailsProps) {
  return (
    <details class="verdict-part small">
      <summary>{texts.heading}</summary>
      {sha256 !== undefined && <Facts facts={[[texts.sha256, sha256]]} />}
      <RemarkList heading={texts.remarks} list={remarks} language={remarkLanguage} />
      <RemarkList heading={texts.additions} list={additions} language={remarkLanguage} />
      {signatures.map(signature => (
        <Fragment key={signature.heading}>
          <h3>{signature.heading}</h3>
          <Facts facts={signature.facts.map(([label, value]): Fact => [label, <bdi>{value}</bdi>])} />
          <RemarkList heading={texts.remarks} list={signature.remarks} language={remarkLanguage} />
        </Fragment>
      ))}
      {sealer !== undefined && (
        <p>
          <a href="/seal-certificate.pem">{texts.certificates}</a>
        </p>
      )}
    </details>
  )
}

function RemarkList({ heading, list, language }: { heading: string; list: string[]; language: string }) {
  if (list.length === 0) return null
  return (
    <>
      <p>
        <strong>{heading}:</strong>
      </p>
      <div lang={language} dir="ltr">
        <List items={list} />
      </div>
    </>
  )
}
