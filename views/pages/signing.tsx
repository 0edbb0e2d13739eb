/** What a recipient sees behind their link: the landing, the form, the end. Works without a script. */
import { Csrf, ErrorSummary, FaultOf, type Faults, type Frame, Input, invalid, LabelText, Layout } from '../layout.tsx'

interface LandingProps {
  frame: Frame
  csrf: string
  action: string
  organisation: string
  recipientName: string
  title: string
  act: string
  /** Signers and approvers; a viewer only reads. */
  acts: boolean
  message: string | undefined
  expires: string | undefined
  asksCode: boolean
  ended: boolean
  faults: Faults
}

export function LandingPage(props: LandingProps) {
  const { frame, csrf, action, organisation, recipientName, title, act, message, expires, asksCode, ended, faults } = props
  const asked = !ended
  return (
    <Layout frame={frame} narrow>
      <h1>{title}</h1>
      <ErrorSummary faults={faults} />
      <div class="sheet">
        <p>Hello {recipientName},</p>
        <p class="lead">
          {asked ? (
            <>
              <strong>{organisation}</strong> asks you to {act} this document.
            </>
          ) : (
            <>
              here is the document from <strong>{organisation}</strong>. There is nothing left for you to do.
            </>
          )}
        </p>
        {asked && message && (
          <figure class="message">
            <figcaption>Their message to you:</figcaption>
            <blockquote>{message}</blockquote>
          </figure>
        )}
        {asked && props.acts && <Steps act={act} isProduction={frame.isProduction} environment={frame.environment} />}
        {asked && !props.acts && (
          <p>
            You only read it; there is nothing to sign. You need no account. When everyone has finished, you get a copy by mail.
          </p>
        )}
        {expires && asked && props.acts && (
          <p>
            Please finish by <strong>{expires}</strong>.
          </p>
        )}
        <form method="post" action={action}>
          <Csrf token={csrf} />
          {asksCode && (
            <Input
              name="accessCode"
              label="Access code"
              hint="The sender gives it to you in another way, for example by telephone."
              autoComplete="one-time-code"
              faults={faults}
            />
          )}
          <button type="submit" class="wide">
            Open the document
          </button>
        </form>
      </div>
    </Layout>
  )
}

/** What is coming, for somebody who does this for the first time. */
function Steps({ act, isProduction, environment }: { act: string; isProduction: boolean; environment: string }) {
  const button = `“${finishLabel(act)}”`
  return (
    <>
      <p>This is how it works:</p>
      <ol>
        <li>You read the document.</li>
        <li>You fill in a short form and type your name.</li>
        <li>You press {button}. Until then, nothing is final.</li>
      </ol>
      <p>
        You need no account.{' '}
        {isProduction
          ? 'Your name, typed here, is meant to bind you like a signature on paper.'
          : `This is a ${environment} environment: nothing you do here is meant to bind you.`}
      </p>
    </>
  )
}

function finishLabel(act: string): string {
  return act === 'approve' ? 'Approve and finish' : 'Sign and finish'
}

export interface FormField {
  id: string
  type: string
  page: number
  label: string
  required: boolean
  readOnly: boolean
  value: string
  placeholder: string | undefined
  options: string[]
  maxLength: number | undefined
}

interface FormProps {
  frame: Frame
  csrf: string
  base: string
  organisation: string
  title: string
  pageCount: number
  act: string
  intent: string
  fields: FormField[]
  asksInitials: boolean
  signature: string
  initials: string
  consent: { version: string; paragraphs: string[]; given: boolean }
  sha256: string
  faults: Faults
  declineFaults: Faults
}

function Entry({ field, pageCount, faults }: { field: FormField; pageCount: number; faults: Faults }) {
  const name = `fields.${field.id}`
  const place = pageCount > 1 ? `page ${field.page}` : undefined
  const label = <LabelText label={field.label} place={place} required={field.required || field.readOnly} />
  const refused = invalid(name, faults)
  if (field.readOnly) {
    return (
      <dl class="filled">
        <dt>{label}</dt>
        <dd>{field.type === 'checkbox' ? (field.value === 'true' ? 'ticked' : 'not ticked') : field.value}</dd>
      </dl>
    )
  }
  if (field.type === 'checkbox') {
    return (
      <>
        <FaultOf name={name} faults={faults} />
        <label class="tick" for={name}>
          <input id={name} name={name} type="checkbox" checked={field.value === 'true'} required={field.required} {...refused} />
          <span>{label}</span>
        </label>
      </>
    )
  }
  if (field.type === 'dropdown') {
    return (
      <>
        <label for={name}>{label}</label>
        <FaultOf name={name} faults={faults} />
        <select id={name} name={name} required={field.required} {...refused}>
          <option value="">Please choose</option>
          {field.options.map(option => (
            <option key={option} value={option} selected={option === field.value}>
              {option}
            </option>
          ))}
        </select>
      </>
    )
  }
  return (
    <Input
      name={name}
      label={field.label}
      place={place}
      value={field.value}
      required={field.required}
      faults={faults}
      {...(field.type === 'email' ? { type: 'email' as const, autoComplete: 'email' } : {})}
      {...(field.type === 'name' ? { autoComplete: 'name' } : {})}
      {...(field.type === 'number' ? { inputMode: 'decimal' as const } : {})}
      {...(field.placeholder ? { hint: field.placeholder } : {})}
      {...(field.maxLength ? { maxLength: field.maxLength } : {})}
    />
  )
}

/** As the fields stand on the page; what is asked below them comes after. */
function inReadingOrder(faults: Faults, fields: FormField[]): Faults {
  const paths = fields.map(field => `fields.${field.id}`)
  const placeOf = ({ path }: Faults[number]) => (paths.includes(path) ? paths.indexOf(path) : paths.length)
  return [...faults].sort((a, b) => placeOf(a) - placeOf(b))
}

export function SigningFormPage(props: FormProps) {
  const { frame, base, organisation, title, pageCount, act, fields, sha256, faults, declineFaults } = props
  return (
    <Layout frame={frame} narrow>
      <h1>{title}</h1>
      <p class="quiet">From {organisation}</p>
      <ErrorSummary faults={[...inReadingOrder(faults, fields), ...declineFaults]} />
      <div class="sheet">
        <h2>1. Read the document</h2>
        <p>Please read all of it before you go on. You get it as a PDF file.</p>
        <p>
          <a class="button plain wide" href={`${base}/file`}>
            Download the PDF ({pageCount === 1 ? '1 page' : `${pageCount} pages`})
          </a>
        </p>
        <details class="quiet small">
          <summary>Fingerprint of the file</summary>
          <p>
            Anyone can compute this number (SHA-256) from the file. If it is the same, the file is the same:{' '}
            <code class="break">{sha256}</code>
          </p>
        </details>
      </div>
      <form method="post" action={`${base}/finish`} class="sheet">
        <Csrf token={props.csrf} />
        <input type="hidden" name="sha256" value={sha256} />
        <input type="hidden" name="consentVersion" value={props.consent.version} />
        {fields.length > 0 && <h2>2. Fill in</h2>}
        {fields.map(field => (
          <Entry key={field.id} field={field} pageCount={pageCount} faults={faults} />
        ))}
        <h2>{fields.length > 0 ? '3.' : '2.'} Agree and finish</h2>
        <Agreement {...props} />
      </form>
      <details {...(declineFaults.length > 0 ? { open: true } : {})}>
        <summary>I do not want to {act}</summary>
        <form method="post" action={`${base}/decline`} class="sheet">
          <Csrf token={props.csrf} />
          <p>
            If you decline, nobody can sign this document any more, and it cannot be taken back. If you only have a question,
            please ask the sender first.
          </p>
          <Input name="reason" label="Your reason" hint="The sender reads it." maxLength={1000} faults={declineFaults} />
          <p>
            <button type="submit" class="danger">
              Decline
            </button>
          </p>
        </form>
      </details>
    </Layout>
  )
}

/** Consent, the typed name and the button that counts. */
function Agreement({ consent, signature, initials, asksInitials, intent, act, faults }: FormProps) {
  return (
    <>
      <div class="consent small">
        {consent.paragraphs.map(p => (
          <p key={p}>{p}</p>
        ))}
      </div>
      <FaultOf name="consent" faults={faults} />
      <label class="tick" for="consent">
        <input id="consent" name="consent" type="checkbox" required checked={consent.given} {...invalid('consent', faults)} />
        <span>I have read this and agree.</span>
      </label>
      <Input
        name="signature"
        label="Your full name, as your signature"
        value={signature}
        autoComplete="name"
        class="signature"
        maxLength={100}
        faults={faults}
      />
      {asksInitials && (
        <Input
          name="initials"
          label="Your initials"
          hint="The first letters of your names, such as AL for Ada Lovelace."
          value={initials}
          class="signature"
          maxLength={10}
          faults={faults}
        />
      )}
      <p>{intent}</p>
      <button type="submit" class="wide">
        {finishLabel(act)}
      </button>
    </>
  )
}

interface DoneProps {
  frame: Frame
  base: string
  title: string
  headline: string
  sentence: string
  waitingFor: string[]
  sealed: boolean
  /** The document can still be fetched behind the link. */
  offersFile: boolean
  redirectUrl: string | undefined
}

export function DonePage({ frame, base, title, headline, sentence, waitingFor, sealed, offersFile, redirectUrl }: DoneProps) {
  return (
    <Layout frame={frame} narrow>
      <h1>{headline}</h1>
      <div class="sheet">
        <p>
          <strong>{title}</strong>
        </p>
        <p>{sentence}</p>
        {waitingFor.length > 0 && (
          <>
            <p>We are still waiting for:</p>
            <ul>
              {waitingFor.map(name => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          </>
        )}
        {sealed && (
          <p>
            Sealed means: a digital signature protects it, so that later changes can be detected. The last pages tell who signed
            and when. Please keep a copy.
          </p>
        )}
        {(offersFile || redirectUrl) && (
          <p class="row">
            {offersFile && (
              <a class={sealed ? 'button' : 'button plain'} href={`${base}/file`}>
                {sealed ? 'Download the sealed document' : 'Download the document, not signed yet'}
              </a>
            )}
            {redirectUrl && (
              <a class="button plain" href={redirectUrl} rel="noreferrer">
                Continue to {new URL(redirectUrl).host}
              </a>
            )}
          </p>
        )}
      </div>
    </Layout>
  )
}
