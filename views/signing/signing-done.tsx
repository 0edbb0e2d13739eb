/** The page after signing, approving, declining or handing over: it follows the document. */
import { maySign, mustAct, type Role } from '../../src/core/signing/routing.ts'
import { Icon } from '../parts/icon.tsx'
import type { IconName } from '../parts/icons.ts'
import { type SignerContext, SignerLayout } from './signing-layout.tsx'

/** `late`: sealing has failed and is tried again. `reading`: of those who need not act. */
export type DoneState = 'done' | 'sealing' | 'late' | 'completed' | 'reading' | 'declined'

export interface OutcomeProps extends SignerContext {
  title: string
  role: Role
  state: DoneState
  waitingFor: string[]
  /** A copy of the sealed document is e-mailed. Undefined: the page says nothing of it. */
  isMailed: boolean | undefined
  /** The organisation, if its people are mailed about this state. */
  informed: string | undefined
  /** The sealed copy can be downloaded until this time, with its zone. */
  copyUntil: string | undefined
}

export interface DoneProps extends OutcomeProps {
  base: string
  /** Of the changes, from before the document was read. */
  position: string
  /** Without a script: reads the page again, a limited number of times. */
  refresh: { afterS: number; query: string } | undefined
  /** The page that is drawn. Undefined: the file cannot be downloaded any more. */
  picture: { page: number; pageCount: number; pdfjsUrl: string } | undefined
  /** Of those who have signed or approved. */
  hasReceipt: boolean
  /** What the drawn pages show: they are drawn again when it changes. */
  shown: { signed: string[]; file: string }
  redirectUrl: string | undefined
  script: string
}

/** States that the page does not leave by itself. */
const isFinal = (state: DoneState) => state === 'completed' || state === 'declined'

export function DonePage(props: DoneProps) {
  const { context, texts, base, position, role, state, refresh, script } = props
  const isReader = !mustAct({ role })
  const live = { 'data-live': `${base}/live`, 'data-live-after': position, 'data-live-note': texts.done.updated }
  const head = (
    <>
      <script type="module" src={script} nonce={context.nonce} />
      {refresh && (
        <noscript>
          <meta http-equiv="refresh" content={`${refresh.afterS};url=${base}${refresh.query}`} />
        </noscript>
      )}
    </>
  )
  return (
    <SignerLayout
      signer={props}
      isWide={isReader}
      head={head}
      event={state === 'declined' ? 'declined' : state === 'reading' ? undefined : 'signed'}
    >
      <div class="sheet done-sheet" {...(isFinal(state) ? {} : live)}>
        <div id="done-state" class="done-state break" data-live-part>
          <Outcome {...props} />
        </div>
        <div id="done-next" class="done-next" data-live-part>
          <Next {...props} />
        </div>
        {!isFinal(state) && (
          <noscript>
            <p>
              <a class="button plain" href={base}>
                {texts.done.lookAgain}
              </a>
            </p>
          </noscript>
        )}
        {!isReader && <Picture {...props} />}
      </div>
      {isReader && <Pages {...props} />}
    </SignerLayout>
  )
}

const ICONS: Record<DoneState, { icon: IconName; tone: string }> = {
  done: { icon: 'circle-check', tone: 'good' },
  sealing: { icon: 'circle-check', tone: 'good' },
  late: { icon: 'clock', tone: 'warn' },
  completed: { icon: 'shield-check', tone: 'good' },
  reading: { icon: 'file-text', tone: 'info' },
  declined: { icon: 'ban', tone: 'quiet' },
}

function sentenceOf({ state, role, texts: { done } }: OutcomeProps): string {
  switch (state) {
    case 'done':
      return maySign(role) ? done.thanks.signer : done.thanks.approver
    case 'reading':
      return done.viewer
    case 'late':
      return done.sealingLate
    default:
      return done[state]
  }
}

/** How the sealed document comes to them. */
function copySentenceOf({ state, isMailed, texts: { done } }: OutcomeProps): string | undefined {
  const { mailed, here } = done.copy
  if (state === 'declined' || isMailed === undefined) return undefined
  if (state === 'completed') return isMailed ? mailed.now : undefined
  const { whenAll, whenSealed } = isMailed ? mailed : here
  return state === 'sealing' || state === 'late' ? whenSealed : whenAll
}

function headline({ state, title, texts: { done } }: OutcomeProps): string {
  if (state === 'reading') return title
  return done.headline[state === 'completed' || state === 'declined' ? state : 'done']
}

/** What became of the document, and of this recipient's part. */
export function Outcome(props: OutcomeProps) {
  const { texts, title, state, waitingFor, informed, copyUntil } = props
  const { done } = texts
  const { icon, tone } = ICONS[state]
  return (
    <>
      <div class={`done-icon ${tone}`}>
        <Icon name={icon} />
      </div>
      <h1 dir="auto">{headline(props)}</h1>
      {state !== 'reading' && (
        <p class="done-title">
          <strong dir="auto">{title}</strong>
        </p>
      )}
      <p>
        {sentenceOf(props)} {copySentenceOf(props)}
      </p>
      {informed !== undefined && <p>{done.informed(informed)}</p>}
      {waitingFor.length > 0 && (
        <>
          <p>{done.waitingFor}</p>
          <ul>
            {waitingFor.map(name => (
              <li key={name}>
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      {state === 'completed' && <p>{done.sealedMeaning}</p>}
      {state === 'completed' && copyUntil && <p>{done.copyUntil(copyUntil)}</p>}
    </>
  )
}

/** Of those who only read: the document, drawn by the script. Without it they have the file. */
function Pages({ base, texts, picture, shown }: DoneProps) {
  if (!picture) return null
  return (
    <div class="reading-pages">
      <div id="viewer-state" data-live-part data-signed={shown.signed.join(' ')} data-file={shown.file} />
      <div
        class="document-viewer"
        data-document-view
        data-base={base}
        data-pdfjs={picture.pdfjsUrl}
        data-texts={JSON.stringify(texts.view)}
      />
    </div>
  )
}

/** Drawn by the script; hidden without one. */
function Picture({ base, texts, picture }: DoneProps) {
  if (!picture) return null
  const { page, pageCount, pdfjsUrl } = picture
  const { view } = texts
  const words = JSON.stringify({ page: view.page, pageFailed: view.pageFailed, tryAgain: view.tryAgain })
  return (
    <div class="done-picture" data-base={base} data-page={page} data-pages={pageCount} data-pdfjs={pdfjsUrl} data-texts={words} />
  )
}

function Next({ context, base, texts, state, isMailed, picture, hasReceipt, redirectUrl }: DoneProps) {
  const { done } = texts
  // Who gets no copy by e-mail waits for it here.
  const mayClose = isFinal(state) || isMailed
  const isSealed = state === 'completed'
  return (
    <>
      {(picture || redirectUrl) && (
        <p class="row">
          {picture && (
            <a class={isSealed ? 'button' : 'button plain'} href={`${base}/file`} data-sealed={isSealed ? '' : undefined}>
              {isSealed ? done.downloadSealed : done.downloadUnsealed}
            </a>
          )}
          {redirectUrl && (
            <a class="button plain" href={redirectUrl} target={context.frame && '_top'} rel="noreferrer">
              {done.continueTo(new URL(redirectUrl).host)}
            </a>
          )}
        </p>
      )}
      {hasReceipt && (
        <div class="done-receipt">
          <p class="row">
            <a class="button plain" href={`${base}/receipt`} download>
              {done.receipt.download}
            </a>
          </p>
          <p class="quiet small">{done.receipt.meaning}</p>
        </div>
      )}
      {!isFinal(state) && <p class="quiet small done-updates">{done.updates}</p>}
      {mayClose && !redirectUrl && !context.frame && <p class="quiet small">{done.close}</p>}
    </>
  )
}

export interface DelegatedProps extends SignerContext {
  title: string
  /** The colleague's name. */
  to: string
  /** The link is e-mailed to them. */
  isMailed: boolean
  /** The organisation, if its people are mailed about it. */
  informed: string | undefined
}

export function DelegatedPage(props: DelegatedProps) {
  const { delegated, done } = props.texts
  const { title, to, isMailed, informed } = props
  return (
    <SignerLayout signer={props} event="closed">
      <h1>{delegated.headline}</h1>
      <div class="sheet break">
        <p>
          <strong dir="auto">{title}</strong>
        </p>
        <p>{isMailed ? delegated.to(to) : delegated.toBySender(to)}</p>
        <p>{delegated.linkEnded}</p>
        {informed !== undefined && <p>{done.informed(informed)}</p>}
        <p class="quiet">{done.close}</p>
      </div>
    </SignerLayout>
  )
}
