/** What the verify page shows where a script verifies: results, the place for files, trust. */
import { VERIFY_PAGE_PATH } from '../../src/core/page-paths.ts'
import type { LocalVerifyTexts } from '../../src/locales/local-verify.ts'
import type { VerifyTexts } from '../../src/locales/verify.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { type Fact, Facts } from '../parts/table.tsx'
import type { GivenFile, Progress } from './browser/local-verify.ts'
import type { OutcomeView, ProblemView } from './outcome-view.ts'
import type { CheckView } from './pack-view.ts'
import { Remarks, Result, VerdictHead } from './result.tsx'

export interface LocalActions {
  add(files: readonly File[]): void
  cancel(): void
  clear(): void
  print(): void
  removeGiven(id: number): void
  setPurpose(id: number, purpose: GivenFile['purpose']): void
  /** Undefined on a page that no service has given. */
  askRecord: ((sha256: string) => void) | undefined
  /** Sends the file itself. */
  upload: ((id: number) => void) | undefined
}

/** What the instance said of a file; undefined before it was asked. */
export type RecordAnswer = { known: true; time: string } | { known: false } | 'asking' | 'failed' | undefined

export interface ShownOutcome {
  id: number
  outcome: OutcomeView
  /** Of a PDF that the instance may have in its record. */
  sha256: string | undefined
  record: RecordAnswer
}

export interface LocalProps {
  texts: VerifyTexts
  local: LocalVerifyTexts
  /** BCP 47: the verifier has words in those of the web app. */
  remarkLanguage: string
  /** The organisation whose page it is. */
  organisation: string | undefined
  outcomes: readonly ShownOutcome[]
  given: readonly GivenFile[]
  progress: Progress | undefined
  isCancelled: boolean
  actions: LocalActions
}

export function LocalVerifyView(props: LocalProps) {
  const { outcomes, local, progress, actions } = props
  return (
    <>
      <Announced {...props} />
      {outcomes.map(outcome => (
        <Outcome key={outcome.id} {...props} {...outcome} />
      ))}
      {outcomes.length > 0 && !progress && (
        <div class="row local-actions">
          <Button type="button" onClick={actions.print}>
            {local.print}
          </Button>
          <Button type="button" kind="quiet" onClick={actions.clear}>
            {local.clear}
          </Button>
        </div>
      )}
      <DropArea {...props} />
      <GivenFiles {...props} />
      {props.organisation !== undefined && (
        <p class="small no-print">
          <a href={VERIFY_PAGE_PATH} download>
            {local.keep}
          </a>
        </p>
      )}
    </>
  )
}

function Announced({ progress, isCancelled, local, actions }: LocalProps) {
  const { fileName, percent, seconds } = progress ?? { fileName: '', percent: undefined, seconds: 0 }
  const words = percent === undefined ? local.checking(fileName, seconds) : local.reading(fileName, percent)
  return (
    <div class={progress ? 'local-progress' : ''}>
      {/* Each second is shown; that the check goes on is announced once. */}
      <p class="unseen" role="status">
        {progress && local.checking(fileName, 0)}
        {isCancelled && local.cancelled}
      </p>
      {progress && (
        <>
          <progress {...(percent === undefined ? {} : { value: percent, max: 100 })} aria-label={local.checking(fileName, 0)} />
          <span class="progress-text">
            <bdi>{words}</bdi>
          </span>
          <Button type="button" small onClick={actions.cancel}>
            {local.cancel}
          </Button>
        </>
      )}
      {isCancelled && <p aria-hidden="true">{local.cancelled}</p>}
    </div>
  )
}

type OutcomeProps = LocalProps & ShownOutcome

function Outcome(props: OutcomeProps) {
  const { outcome, id, texts, local, remarkLanguage } = props
  const heading = `verdict-${id}`
  if (outcome.kind === 'problem') return <Problem {...outcome.view} id={heading} texts={texts} remarkLanguage={remarkLanguage} />
  const { view, trust, fingerprint } = outcome
  const facts: Fact[] = [
    ...(trust.length > 0 ? [[local.trust.label, trust.map(text => <span key={text}>{text} </span>)] satisfies Fact] : []),
    ...(fingerprint === undefined ? [] : [[local.trust.fingerprint, <Grouped key="f" hex={fingerprint} />] satisfies Fact]),
  ]
  return (
    <Result
      {...view}
      id={heading}
      isLive={false}
      texts={texts}
      remarkLanguage={remarkLanguage}
      more={
        <>
          {facts.length > 0 && (
            <div class="verdict-part">
              <Facts facts={facts} />
            </div>
          )}
          <AskRecord {...props} />
        </>
      }
      moreDetails={'checks' in view && <Checks {...view} heading={local.pack.checks} remarkLanguage={remarkLanguage} />}
    />
  )
}

/** Hexadecimal digits in groups of four, which people compare more easily. */
function Grouped({ hex }: { hex: string }) {
  return (
    <code class="break" dir="ltr">
      {hex.replace(/(.{4})(?=.)/g, '$1 ')}
    </code>
  )
}

interface ProblemProps extends ProblemView {
  id: string
  texts: VerifyTexts
  remarkLanguage: string
}

function Problem({ heading, sentence, fileName, remarks, id, texts, remarkLanguage }: ProblemProps) {
  return (
    <section class="verdict" aria-labelledby={id}>
      <VerdictHead id={id} tone="caution" heading={heading} sentence={sentence} />
      <div class="verdict-part">
        <Facts facts={[[texts.fileName, <bdi key="n">{fileName}</bdi>]]} />
      </div>
      {remarks.length > 0 && (
        <details class="verdict-part small">
          <summary>{texts.details.heading}</summary>
          <Remarks heading={texts.details.remarks} list={remarks} language={remarkLanguage} />
        </details>
      )}
    </section>
  )
}

interface ChecksProps {
  heading: string
  checks: readonly CheckView[]
  checksOf: string
  remarkLanguage: string
}

function Checks({ heading, checks, checksOf, remarkLanguage }: ChecksProps) {
  return (
    <>
      <h3>{heading}</h3>
      <ul class="checks">
        {checks.map(({ outcome, word, text }) => (
          <li key={text} class={outcome}>
            <strong>{word}</strong>{' '}
            <span lang={remarkLanguage} dir="ltr">
              {text}
            </span>
          </li>
        ))}
      </ul>
      <h3>{checksOf}</h3>
    </>
  )
}

function AskRecord({ id, sha256, record, local, organisation, actions }: OutcomeProps) {
  const { askRecord, upload } = actions
  if (!askRecord || !upload || sha256 === undefined || organisation === undefined) return null
  const texts = local.record
  const isAnswered = record !== undefined && record !== 'asking'
  return (
    <div class="verdict-part no-print">
      <p role="status">
        {typeof record === 'object' && (record.known ? texts.known(organisation, record.time) : texts.unknown)}
        {record === 'failed' && texts.failed}
      </p>
      {(!isAnswered || record === 'failed') && (
        <>
          <Button type="button" disabled={record === 'asking'} onClick={() => askRecord(sha256)}>
            {texts.ask(organisation)}
          </Button>
          <p class="quiet small">{texts.sends}</p>
        </>
      )}
      {typeof record === 'object' && record.known && (
        <Button type="button" onClick={() => upload(id)}>
          {texts.upload}
        </Button>
      )}
    </div>
  )
}

function DropArea({ texts, local, organisation, outcomes, progress, actions }: LocalProps) {
  const take = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    actions.add([...(currentTarget.files ?? [])])
    // The same file again is a change too.
    currentTarget.value = ''
  }
  return (
    <div class={outcomes.length > 0 ? 'file-drop no-print' : 'file-drop large no-print'} data-drop-area>
      <label for="local-files">
        <Icon name="upload" />
        <span class="file-drop-label">{outcomes.length > 0 ? texts.another : local.files}</span>
        <span class="file-drop-face">
          <span class="button plain compact">{local.choose}</span> <span class="file-drop-or quiet">{local.drop}</span>
        </span>
        <input
          type="file"
          id="local-files"
          multiple
          disabled={progress !== undefined}
          accept=".pdf,.zip,.eml,.pem,.crt,.cer,.der,application/pdf,application/zip"
          aria-describedby="local-stays"
          onChange={take}
        />
      </label>
      <p class="hint" id="local-stays">
        <Icon name="lock" /> {organisation === undefined ? local.stays : local.staysHere(organisation)}
      </p>
    </div>
  )
}

function GivenFiles({ local, given, progress, actions }: LocalProps) {
  const { trust } = local
  return (
    <details class="given-files" open={given.length > 0}>
      <summary>{trust.heading}</summary>
      <p class="quiet small">{trust.hint}</p>
      {given.length > 0 && (
        <ul class="signers">
          {given.map(({ id, fileName, names, purpose }) => (
            <li key={id}>
              <span>
                <bdi>{fileName}</bdi> <span class="quiet">{names.join(', ')}</span>
              </span>
              <span class="given-choice no-print">
                <select
                  aria-label={trust.purpose(fileName)}
                  value={purpose}
                  disabled={progress !== undefined}
                  onChange={({ currentTarget }) => actions.setPurpose(id, currentTarget.value as GivenFile['purpose'])}
                >
                  <option value="signers">{trust.signers}</option>
                  <option value="timestamps">{trust.timestamps}</option>
                </select>
                <Button
                  type="button"
                  kind="quiet"
                  icon="x"
                  iconOnly
                  disabled={progress !== undefined}
                  onClick={() => actions.removeGiven(id)}
                >
                  {trust.remove(fileName)}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}
