/** What was found out about one file: the verdict, then its grounds. */
import { Fragment } from 'preact'
import type { VerifyTexts } from '../../src/locales/verify.ts'
import { Icon } from '../parts/icon.tsx'
import type { IconName } from '../parts/icons.ts'
import { type Fact, Facts } from '../parts/table.tsx'
import type { Tone, VerificationView } from './report-view.ts'

const TONES = { good: 'good', caution: 'warn', bad: 'bad' } as const
const ICONS: Record<Tone, IconName> = { good: 'shield-check', caution: 'triangle-alert', bad: 'circle-alert' }

type ResultProps = VerificationView & { texts: VerifyTexts; remarkLanguage: string }

export function Result({
  texts,
  remarkLanguage,
  tone,
  heading,
  sentence,
  advice,
  people,
  peopleSource,
  changes,
  ...file
}: ResultProps) {
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
          <p class="quiet small">{peopleSource}</p>
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
        <ul>
          {list.map(item => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </div>
    </>
  )
}
