/** The recipient's landing page and signing page. Both work without a script. */
import { type Field, isMark } from '../../src/core/field.ts'
import { mustAct, type Role } from '../../src/core/routing.ts'
import type { MarkKind } from '../../src/core/signature-mark.ts'
import { DATA_ID, type SigningData } from '../browser/signing-data.ts'
import { ariaOf, Csrf, ErrorSummary, FieldError, Input, type ValidationErrors } from '../parts/form.tsx'
import { DeclineForm, DelegationForm } from './signing-alternatives.tsx'
import { entryName, FieldEntry, inReadingOrder, isGiven, labelOf } from './signing-fields.tsx'
import { type SignerContext, SignerLayout } from './signing-layout.tsx'
import { MarkField } from './signing-marks.tsx'

export interface LandingProps extends SignerContext {
  csrf: string
  action: string
  organisation: string
  recipientName: string
  title: string
  role: Role
  message: string | undefined
  /** With its zone. */
  expires: string | undefined
  asksCode: boolean
  /** Seconds to wait before the next try. */
  accessCodeWaitS: number | undefined
  ended: boolean
  errors: ValidationErrors
}

export function LandingPage(props: LandingProps) {
  const { texts, csrf, action, organisation, recipientName, title, role, message, expires, ended, errors } = props
  const { landing } = texts
  const mayAct = !ended && mustAct({ role })
  return (
    <SignerLayout signer={props}>
      <h1 dir="auto">{title}</h1>
      <ErrorSummary errors={errors} heading={texts.check} />
      <div class="sheet break">
        <p>{texts.greeting(recipientName)}</p>
        <p class="lead">
          {ended ? (
            <>
              {landing.ended[0]}
              <strong dir="auto">{organisation}</strong>
              {landing.ended[1]}
            </>
          ) : (
            <>
              <strong dir="auto">{organisation}</strong> {landing.asks[role]}
            </>
          )}
        </p>
        {!ended && message && (
          <figure class="message">
            <figcaption>{landing.theirMessage}</figcaption>
            <blockquote dir="auto">{message}</blockquote>
          </figure>
        )}
        {mayAct && <Steps {...props} />}
        {!ended && !mayAct && <p>{landing.onlyRead}</p>}
        {expires && mayAct && (
          <p>
            {landing.doBy[0]}
            <strong>{expires}</strong>
            {landing.doBy[1]}
          </p>
        )}
        <form method="post" action={action}>
          <Csrf token={csrf} />
          <CodeEntry {...props} />
          <button type="submit" class="button wide">
            {landing.open}
          </button>
        </form>
      </div>
    </SignerLayout>
  )
}

/** The steps to come, for a person who signs for the first time. */
function Steps({ texts, role, context }: LandingProps) {
  const { landing } = texts
  return (
    <>
      <p>{landing.howItWorks}</p>
      <ol>
        {landing.steps(texts.finish[role]).map(step => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        {landing.noAccount} {context.isProduction ? landing.binds : texts.notBinding(context.environment)}
      </p>
    </>
  )
}

function CodeEntry({ asksCode, accessCodeWaitS, texts, errors }: LandingProps) {
  if (!asksCode) return null
  // The error of the field names the pause itself.
  const hasError = errors.some(({ path }) => path === 'accessCode')
  return (
    <>
      <Input
        name="accessCode"
        label={texts.landing.code}
        hint={texts.landing.codeHint}
        errors={errors}
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellcheck={false}
        dir="auto"
      />
      {accessCodeWaitS !== undefined && !hasError && <p class="note">{texts.landing.codeWait(accessCodeWaitS)}</p>}
    </>
  )
}

/** A field of this recipient, with its entered or proposed value. */
export type FieldView = Field & { value: string }

export interface MarkEntry {
  kind: MarkKind
  /** Entered, or proposed from the name. */
  text: string
  ink: string
  hasPicture: boolean
  /** The person chose it, on any device; a proposal is not chosen. */
  chosen: boolean
}

export interface SigningProps extends SignerContext {
  csrf: string
  base: string
  organisation: string
  contact: string | undefined
  recipientName: string
  title: string
  pageCount: number
  role: Role
  /** All fields, in reading order. */
  fields: FieldView[]
  signature: MarkEntry
  initials: MarkEntry | undefined
  consent: { version: string; paragraphs: string[]; given: boolean }
  intent: string
  sha256: string
  mayDelegate: boolean
  /** `undefined` in production. */
  environment: string | undefined
  errors: ValidationErrors
  declineErrors: ValidationErrors
  delegationErrors: ValidationErrors
  delegate: { name: string; email: string }
  declineReason: string
  script: { src: string; css: string; pdfjsUrl: string }
}

export function SigningPage(props: SigningProps) {
  const { context, texts, base, csrf, organisation, contact, title, role, fields, mayDelegate, environment, script } = props
  const { errors, declineErrors, delegationErrors } = props
  const all = [...inReadingOrder(errors, fields), ...declineErrors, ...delegationErrors]
  const shared = { base, csrf, texts, role }
  const style = <link rel="stylesheet" href={script.css} nonce={context.nonce} />
  return (
    <SignerLayout signer={props} head={style}>
      <a class="skip" href="#sign">
        {texts.skipToForm}
      </a>
      <div id="title">
        <h1 dir="auto">{title}</h1>
        <p class="quiet">
          {texts.from(organisation)}
          {environment && <span class="env">{environment.toUpperCase()}</span>}
        </p>
      </div>
      <section id="panel" aria-label={texts.script.fields}>
        {environment && <p class="note">{texts.notBinding(environment)}</p>}
        <ErrorSummary errors={all} heading={texts.check} />
        <ReadStep {...props} />
        <SignForm {...props} />
        <DeclineForm {...shared} reason={props.declineReason} errors={declineErrors} />
        {mayDelegate && <DelegationForm {...shared} delegate={props.delegate} errors={delegationErrors} />}
        {contact && <p class="quiet small">{texts.questions(contact)}</p>}
      </section>
      <script
        type="application/json"
        id={DATA_ID}
        nonce={context.nonce}
        dangerouslySetInnerHTML={{ __html: JSON.stringify(dataOf(props)).replaceAll('<', '\\u003c') }}
      />
      <script type="module" src={script.src} nonce={context.nonce} />
    </SignerLayout>
  )
}

function dataOf({ base, csrf, lang, role, script, fields, intent, texts }: SigningProps): SigningData {
  const asked = fields.filter(field => !isGiven(field))
  return {
    base,
    csrf,
    lang,
    role,
    pdfjsUrl: script.pdfjsUrl,
    fields: asked.map(field => {
      const { id, type, page, x, y, width, height, required } = field
      return { id, type, page, x, y, width, height, required, label: labelOf(field, texts) }
    }),
    intent,
    texts: texts.script,
    viewTexts: texts.view,
  }
}

/** A heading with its number, which is hidden when the script shows all steps at once. */
function Step({ number, text }: { number: number; text: string }) {
  return (
    <h2>
      <span class="step">{number}. </span>
      {text}
    </h2>
  )
}

function ReadStep({ base, pageCount, sha256, texts: { form } }: SigningProps) {
  return (
    <div class="sheet reading">
      <Step number={1} text={form.read} />
      <p class="unscripted">{form.readAll}</p>
      <p>
        <a class="button plain wide" href={`${base}/file`}>
          {form.download(pageCount)}
        </a>
      </p>
      <details class="quiet small">
        <summary>{form.fingerprint}</summary>
        <p>
          {form.fingerprintIs} <code class="break">{sha256}</code>
        </p>
      </details>
    </div>
  )
}

function SignForm(props: SigningProps) {
  const { base, csrf, consent, sha256, fields, pageCount, texts, errors, lang, signature, initials, role } = props
  const entries = fields.filter(field => !isMark(field.type))
  const marked = { fields, lang, texts, errors }
  const steps = entries.length > 0 ? 2 : 1
  return (
    <form id="sign" method="post" action={`${base}/finish`} class="sheet" tabIndex={-1}>
      <Csrf token={csrf} />
      <input type="hidden" name="sha256" value={sha256} />
      <input type="hidden" name="consentVersion" value={consent.version} />
      {entries.length > 0 && <Step number={2} text={texts.form.fillIn} />}
      {entries.map(field => (
        <FieldEntry key={entryName(field)} field={field} pageCount={pageCount} texts={texts} errors={errors} />
      ))}
      <Step number={steps + 1} text={texts.form.agree} />
      <MarkField name="signature" mark={signature} {...marked} />
      {initials && <MarkField name="initials" mark={initials} {...marked} />}
      <Consent {...props} />
      <div class="finish">
        <p>{props.intent}</p>
        <button type="submit" class="button wide">
          {texts.finish[role]}
        </button>
      </div>
    </form>
  )
}

function Consent({ consent, texts, errors }: SigningProps) {
  return (
    <div class="entry" data-entry="consent">
      <div class="consent small">
        {consent.paragraphs.map(p => (
          <p key={p}>{p}</p>
        ))}
      </div>
      <FieldError name="consent" errors={errors} />
      <label class="tick" for="consent">
        <input
          id="consent"
          name="consent"
          type="checkbox"
          value={consent.version}
          required
          checked={consent.given}
          {...ariaOf('consent', errors)}
        />
        <span>{texts.form.consent}</span>
      </label>
    </div>
  )
}
