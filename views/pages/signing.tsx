/** What a recipient sees behind their link: the landing, the form, the end. Works without a script. */
import { Csrf, ErrorSummary, type Frame, Input, Layout } from '../layout.tsx'

type Faults = { path: string; message: string }[]

interface LandingProps {
  frame: Frame
  csrf: string
  action: string
  organisation: string
  recipientName: string
  title: string
  act: string
  message: string | undefined
  expires: string | undefined
  asksCode: boolean
  ended: boolean
  faults: Faults
}

export function LandingPage(props: LandingProps) {
  const { frame, csrf, action, organisation, recipientName, title, act, message, expires, asksCode, ended, faults } = props
  return (
    <Layout frame={frame} narrow>
      <h1>{title}</h1>
      <ErrorSummary faults={faults} />
      <div class="sheet">
        <p>
          Hello {recipientName}, <strong>{organisation}</strong>{' '}
          {ended ? 'shared this document with you.' : `asks you to ${act} this document.`}
        </p>
        {message && <pre>{message}</pre>}
        {!ended && (
          <p>
            You read the document first, then fill in a short form. Your electronic signature binds you like one by hand. You need
            no account, and nothing is signed before you press the last button.
          </p>
        )}
        {expires && !ended && <p class="quiet">Please finish by {expires}.</p>}
        <form method="post" action={action}>
          <Csrf token={csrf} />
          {asksCode && (
            <Input
              name="accessCode"
              label="Access code"
              hint="The sender told it to you by other means, such as by telephone."
              autoComplete="one-time-code"
              faults={faults}
            />
          )}
          <button type="submit" class="wide">
            {ended ? 'Open' : 'Open the document'}
          </button>
        </form>
      </div>
    </Layout>
  )
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

function Entry({ field, faults }: { field: FormField; faults: Faults }) {
  const name = `fields.${field.id}`
  const label = `${field.label} (page ${field.page})`
  const fault = faults.find(f => f.path === name)
  if (field.readOnly) {
    return (
      <dl>
        <dt>{label}</dt>
        <dd>{field.type === 'checkbox' ? (field.value === 'true' ? 'ticked' : 'not ticked') : field.value}</dd>
      </dl>
    )
  }
  if (field.type === 'checkbox') {
    return (
      <>
        {fault && <div class="fault">{fault.message}</div>}
        <label class="tick" for={name}>
          <input id={name} name={name} type="checkbox" checked={field.value === 'true'} required={field.required} />
          <span>
            {label}
            {!field.required && <span class="quiet"> (optional)</span>}
          </span>
        </label>
      </>
    )
  }
  if (field.type === 'dropdown') {
    return (
      <>
        <label for={name}>
          {label}
          {!field.required && <span class="quiet"> (optional)</span>}
        </label>
        {fault && <div class="fault">{fault.message}</div>}
        <select id={name} name={name} required={field.required} {...(fault ? { 'aria-invalid': 'true' as const } : {})}>
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
      label={label}
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

export function SigningFormPage(props: FormProps) {
  const { frame, csrf, base, organisation, title, pageCount, act, intent, fields, consent, sha256, faults, declineFaults } = props
  return (
    <Layout frame={frame} narrow>
      <h1>{title}</h1>
      <ErrorSummary faults={[...faults, ...declineFaults]} />
      <div class="sheet">
        <h2>1. Read the document</h2>
        <p>
          <a class="button plain" href={`${base}/file`}>
            Download the PDF ({pageCount === 1 ? '1 page' : `${pageCount} pages`})
          </a>
        </p>
        <p class="quiet small">
          From {organisation}. SHA-256 <code>{sha256}</code>
        </p>
      </div>
      <form method="post" action={`${base}/finish`} class="sheet">
        <Csrf token={csrf} />
        <input type="hidden" name="sha256" value={sha256} />
        <input type="hidden" name="consentVersion" value={consent.version} />
        {fields.length > 0 && <h2>2. Fill in</h2>}
        {fields.map(field => (
          <Entry key={field.id} field={field} faults={faults} />
        ))}
        <h2>{fields.length > 0 ? '3.' : '2.'} Agree and finish</h2>
        <div class="consent small">
          {consent.paragraphs.map(p => (
            <p key={p}>{p}</p>
          ))}
        </div>
        <label class="tick" for="consent">
          <input id="consent" name="consent" type="checkbox" required checked={consent.given} />
          <span>I have read this and agree.</span>
        </label>
        <Input
          name="signature"
          label="Your full name, as your signature"
          value={props.signature}
          autoComplete="name"
          class="signature"
          maxLength={100}
          faults={faults}
        />
        {props.asksInitials && (
          <Input name="initials" label="Your initials" value={props.initials} class="signature" maxLength={10} faults={faults} />
        )}
        <p>{intent}</p>
        <button type="submit" class="wide">
          {act === 'approve' ? 'Approve' : 'Sign'} and finish
        </button>
      </form>
      <details {...(declineFaults.length > 0 ? { open: true } : {})}>
        <summary>I do not want to {act}</summary>
        <form method="post" action={`${base}/decline`} class="sheet">
          <Csrf token={csrf} />
          <Input name="reason" label="Reason, told to the sender" maxLength={1000} faults={declineFaults} />
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

interface DoneProps {
  frame: Frame
  base: string
  title: string
  headline: string
  sentence: string
  waitingFor: string[]
  sealed: boolean
  redirectUrl: string | undefined
}

export function DonePage({ frame, base, title, headline, sentence, waitingFor, sealed, redirectUrl }: DoneProps) {
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
            <p>Still to finish:</p>
            <ul>
              {waitingFor.map(name => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          </>
        )}
        <p class="row">
          <a class={sealed ? 'button' : 'button plain'} href={`${base}/file`}>
            {sealed ? 'Download the sealed document' : 'Download the document'}
          </a>
          {redirectUrl && (
            <a class="button plain" href={redirectUrl} rel="noreferrer">
              Continue
            </a>
          )}
        </p>
      </div>
    </Layout>
  )
}
