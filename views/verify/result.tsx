/** What was found out about one file: the verdict, then its grounds. */
import { type ComponentChildren, Fragment } from 'preact'
import type { VerifyTexts } from '../../src/locales/verify.ts'
import { Icon } from '../parts/icon.tsx'
import type { IconName } from '../parts/icons.ts'
import { type Fact, Facts } from '../parts/table.tsx'
import type { Tone, VerificationView } from './report-view.ts'

const TONES = { good: 'good', caution: 'warn', bad: 'bad' } as const
const ICONS: Record<Tone, IconName> = { good: 'shield-check', caution: 'triangle-alert', bad: 'circle-alert' }

type ResultProps = VerificationView & {
  texts: VerifyTexts
  /** BCP 47: the verifier has words in those of the web app. */
  remarkLanguage: string
  /** Where a page shows several: of the heading. */
  id?: string
  /** Announced as it appears; false where the heading takes the focus. */
  isLive?: boolean
  /** Shown before the details, and at their beginning. */
  more?: ComponentChildren
  moreDetails?: ComponentChildren
}

interface VerdictHeadProps extends Pick<VerificationView, 'tone' | 'heading' | 'sentence'> {
  id: string
}

/** It takes the focus where a script shows it. */
export function VerdictHead({ id, tone, heading, sentence }: VerdictHeadProps) {
  return (
    <div class={`verdict-head ${TONES[tone]}`}>
      <Icon name={ICONS[tone]} />
      <div>
        <h2 id={id} tabIndex={-1}>
          {heading}
        </h2>
        <p>{sentence}</p>
      </div>
    </div>
  )
}

export function Result({ texts, tone, heading, sentence, id = 'verdict', isLive = true, more, ...view }: ResultProps) {
  return (
    <section class="verdict" {...(isLive ? { role: 'status' } : {})} aria-labelledby={id}>
      <VerdictHead id={id} tone={tone} heading={heading} sentence={sentence} />
      <Meaning {...view} texts={texts} />
      <People {...view} texts={texts} />
      {more}
      <Details {...view} texts={texts.details} />
    </section>
  )
}

type MeaningProps = Pick<VerificationView, 'advice' | 'fileName' | 'title' | 'sealer' | 'changes'> & { texts: VerifyTexts }

function Meaning({ advice, fileName, title, sealer, changes, texts }: MeaningProps) {
  const facts: [label: string, value: string | undefined][] = [
    [texts.documentTitle, title],
    [texts.fileName, fileName],
    [texts.sealedBy, sealer],
  ]
  return (
    <>
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
    </>
  )
}

function People({ people, peopleSource, texts }: Pick<VerificationView, 'people' | 'peopleSource'> & { texts: VerifyTexts }) {
  if (people.length === 0) return null
  return (
    <div class="verdict-part">
      <h3>{texts.people}</h3>
      <ul class="signers">
        {people.map(([name, act]) => (
          <li key={name + act}>
            <bdi>{name}</bdi> <span>{act}</span>
          </li>
        ))}
      </ul>
      <p class="quiet small">{peopleSource}</p>
    </div>
  )
}

type DetailsProps = Pick<VerificationView, 'sha256' | 'remarks' | 'additions' | 'signatures' | 'sealer'> & {
  texts: VerifyTexts['details']
  remarkLanguage: string
  moreDetails?: ComponentChildren
}

function Details({ texts, remarkLanguage, moreDetails, sha256, remarks, additions, signatures, sealer }: DetailsProps) {
  return (
    <details class="verdict-part small">
      <summary>{texts.heading}</summary>
      {moreDetails}
      {sha256 !== undefined && <Facts facts={[[texts.sha256, sha256]]} />}
      <Remarks heading={texts.remarks} list={remarks} language={remarkLanguage} />
      <Remarks heading={texts.additions} list={additions} language={remarkLanguage} />
      {signatures.map(signature => (
        <Fragment key={signature.heading}>
          <h3>{signature.heading}</h3>
          <Facts facts={signature.facts.map(([label, value]): Fact => [label, <bdi>{value}</bdi>])} />
          <Remarks heading={texts.remarks} list={signature.remarks} language={remarkLanguage} />
        </Fragment>
      ))}
      {signatures.length > 0 && <p>{texts.otherPrograms}</p>}
      {sealer !== undefined && (
        <p>
          <a href="/seal-certificate.pem">{texts.certificates}</a>
        </p>
      )}
    </details>
  )
}

export function Remarks({ heading, list, language }: { heading: string; list: string[]; language: string }) {
  if (list.length === 0) return null
  return (
    <>
      <p>
        <strong>{heading}:</strong>
      </p>
      <div lang={language} dir="ltr">
        <ul>
          {list.map(item => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </div>
    </>
  )
}
