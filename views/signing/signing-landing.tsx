/** The page behind a signing link: who asks for what, or what became of it. Without a script. */
import { mustAct, type Role } from '../../src/core/signing/routing.ts'
import { Csrf, ErrorSummary } from '../parts/form.tsx'
import { Outcome, type OutcomeProps } from './signing-done.tsx'
import { type SignerContext, SignerLayout } from './signing-layout.tsx'

export interface LandingProps extends SignerContext {
  action: string
  /** As in the invitation: the person, with the organisation. */
  sender: string
  recipientName: string
  title: string
  role: Role
  message: { from: string; text: string } | undefined
  /** With its zone. */
  expires: string | undefined
  /** Of a link that was handed out, with its zone. */
  onlyOnceUntil: string | undefined
  /** A copy of the sealed document is e-mailed. */
  isMailed: boolean
  /** Set when there is nothing left to do. */
  outcome: OutcomeProps | undefined
}

export function LandingPage(props: LandingProps) {
  const { texts, title, outcome } = props
  return (
    <SignerLayout signer={props}>
      {!outcome && (
        <h1>
          <bdi>{title}</bdi>
        </h1>
      )}
      <ErrorSummary heading={texts.check} />
      <div class={outcome ? 'sheet done-sheet' : 'sheet break'}>
        {outcome ? <Ended {...props} outcome={outcome} /> : <Request {...props} />}
      </div>
    </SignerLayout>
  )
}

function Ended({ outcome, ...props }: LandingProps & { outcome: OutcomeProps }) {
  const { open, openSealed } = props.texts.landing
  return (
    <>
      <div class="done-state break">
        <Outcome {...outcome} />
      </div>
      <OpenForm {...props} text={outcome.state === 'completed' ? openSealed : open} />
    </>
  )
}

function OpenForm({ action, text }: Pick<LandingProps, 'action'> & { text: string }) {
  return (
    <form method="post" action={action}>
      <Csrf />
      <button type="submit" class="button wide">
        {text}
      </button>
    </form>
  )
}

/** Who asks for what, and until when. The button comes before the explanations: phones are low. */
function Request(props: LandingProps) {
  const { texts, sender, recipientName, role, message, expires, onlyOnceUntil } = props
  const { landing } = texts
  return (
    <>
      <p>{texts.greeting(recipientName)}</p>
      <p class="lead">
        <strong dir="auto">{sender}</strong> {landing.asks[role]}
      </p>
      {message && (
        <figure class="message">
          <figcaption>{landing.messageFrom(message.from)}</figcaption>
          <blockquote dir="auto">{message.text}</blockquote>
        </figure>
      )}
      {expires && mustAct({ role }) && (
        <p>
          {landing.doBy[0]}
          <strong>{expires}</strong>
          {landing.doBy[1]}
        </p>
      )}
      <OpenForm {...props} text={landing.open} />
      {onlyOnceUntil && <p>{landing.onlyOnce(onlyOnceUntil)}</p>}
      <div class="explanation">{mustAct({ role }) ? <Steps {...props} /> : <Reading {...props} />}</div>
    </>
  )
}

function Reading({ texts: { landing, done }, isMailed }: LandingProps) {
  return (
    <p>
      {landing.onlyRead} {isMailed && done.copy.mailed.whenAll}
    </p>
  )
}

/** The steps to come, for a person who signs for the first time. */
function Steps({ texts, role, context }: LandingProps) {
  const { landing } = texts
  return (
    <>
      <p>{landing.howItWorks}</p>
      <ol>
        {landing.steps(texts.finish[role], landing.act[role]).map(step => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        {landing.noAccount} {context.isProduction ? landing.binds[role] : texts.notBinding(context.environment)}
      </p>
    </>
  )
}

// In place of a document whose link opens nothing more: what became of it, and whom to ask.

export interface EndedProps extends SignerContext {
  heading: string
  /** Undefined where the link alone does not show it. */
  title: string | undefined
  /** As in the invitation. */
  sender: string | undefined
  message: string
  /** Asks for a new link. */
  request: { action: string; effect: keyof SignerContext['texts']['ended'] } | undefined
  /** Who answers questions. */
  ask: string | undefined
}

export function EndedPage(props: EndedProps) {
  const { texts, heading, title, sender, message, request, ask } = props
  const { ended, failure } = texts
  return (
    <SignerLayout signer={props} event="closed">
      <h1>{heading}</h1>
      <div class="sheet break">
        {title !== undefined && (
          <p class="done-title">
            <strong dir="auto">{title}</strong>
            {sender !== undefined && <span class="quiet"> · {texts.from(sender)}</span>}
          </p>
        )}
        <p>{message}</p>
        {request && (
          <form method="post" action={request.action}>
            <Csrf />
            <p>{ended[request.effect]}</p>
            <button type="submit" class="button wide">
              {ended.ask}
            </button>
          </form>
        )}
        {ask !== undefined && <p class="quiet">{failure.ask(ask)}</p>}
      </div>
    </SignerLayout>
  )
}
