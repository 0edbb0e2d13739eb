/** The frame of every page: title, skip link, header, main. Views get what they show, nothing else. */
import type { ComponentChildren, JSX } from 'preact'

export interface Frame {
  title: string
  /** Address of the style sheet, with its hash. */
  css: string
  nonce: string
  /** Shown large where it is not production. */
  environment: string
  isProduction: boolean
  /** What needs an administrator, for the administrator who is signed in; one sentence or two each. */
  alerts?: readonly string[]
}

interface Room {
  href: string
  name: string
}

const ROOMS: Room[] = [
  { href: '/documents', name: 'Documents' },
  { href: '/outbox', name: 'Mail' },
  { href: '/settings/tokens', name: 'Settings' },
]

interface Props {
  frame: Frame
  /** The signed-in person with the token their forms carry. */
  user?: { name: string; csrf: string; room: string } | undefined
  narrow?: boolean
  /** BCP 47. */
  lang?: string
  dir?: 'ltr' | 'rtl'
  /** The words of the link past the header. */
  skip?: string
  /** What a page adds to its head. */
  head?: ComponentChildren
  children: ComponentChildren
}

export function Layout({
  frame,
  user,
  narrow = false,
  lang = 'en',
  dir = 'ltr',
  skip = 'Skip to content',
  head,
  children,
}: Props) {
  return (
    <html lang={lang} dir={dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{frame.title} · Signet</title>
        <link rel="stylesheet" href={frame.css} nonce={frame.nonce} />
        <link rel="icon" href="data:," />
        {head}
      </head>
      <body>
        <a class="skip" href="#main">
          {skip}
        </a>
        <header class="bar">
          <div class={narrow && !user ? 'narrow' : ''}>
            {user ? (
              <a class="brand" href="/documents">
                Signet
              </a>
            ) : (
              <span class="brand">Signet</span>
            )}
            {!frame.isProduction && <span class="env">{frame.environment.toUpperCase()}</span>}
            {user && (
              <>
                <span class="who quiet small">{user.name}</span>
                <nav aria-label="Main">
                  {ROOMS.map(room => (
                    <a key={room.href} href={room.href} {...(room.href === user.room ? { 'aria-current': 'page' as const } : {})}>
                      {room.name}
                    </a>
                  ))}
                </nav>
                <form method="post" action="/sign-out">
                  <Csrf token={user.csrf} />
                  <button type="submit" class="link">
                    Sign out
                  </button>
                </form>
              </>
            )}
          </div>
        </header>
        <main id="main" class={narrow ? 'narrow' : ''}>
          <Alerts messages={frame.alerts ?? []} />
          {children}
        </main>
      </body>
    </html>
  )
}

function Alerts({ messages }: { messages: readonly string[] }) {
  if (messages.length === 0) return null
  return (
    <section class="error" aria-labelledby="alerts">
      <strong id="alerts">Needs an administrator:</strong>
      <ul>
        {messages.map(message => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </section>
  )
}

export function Csrf({ token }: { token: string }) {
  return <input type="hidden" name="csrf" value={token} />
}

export type ValidationErrors = { path: string; message: string }[]

/** Actions tell what is wrong with a member (“must not be empty”); a person reads a sentence that names the field. */
function faultSentence(message: string, label: string | undefined): string {
  const whole = label !== undefined && /^(must|is|has|holds) /.test(message) ? `${label} ${message}` : message
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}

/** What is wrong, before the form it is about; takes the focus when the page opens. `labels` names the fields by their path. */
export function ErrorSummary({
  errors,
  labels = {},
  heading = 'Please check:',
}: {
  errors: ValidationErrors
  labels?: Record<string, string>
  heading?: string
}) {
  if (errors.length === 0) return null
  return (
    <div class="error" role="alert" tabIndex={-1} {...{ autofocus: true }}>
      <strong>{heading}</strong>
      <ul>
        {errors.map(fault => (
          <li key={fault.path}>
            <a href={`#${fault.path}`}>{faultSentence(fault.message, labels[fault.path])}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The label of a field, with what belongs to it: where it stands, whether it may be left out. */
export function LabelText({
  label,
  place,
  required,
  optional = '(optional)',
}: {
  label: string
  place?: string | undefined
  required: boolean
  optional?: string
}) {
  return (
    <>
      {label}
      {place && <span class="quiet"> · {place}</span>}
      {!required && <span class="quiet"> {optional}</span>}
    </>
  )
}

/** The fault of one field, told beside it; the field points here by `aria-describedby`. */
export function ErrorOf({ name, label, errors }: { name: string; label?: string; errors: ValidationErrors }) {
  const fault = errors.find(f => f.path === name)
  if (!fault) return null
  return (
    <div class="fault" id={`${name}-fault`}>
      {faultSentence(fault.message, label)}
    </div>
  )
}

/** What a field that is no `Input` carries while its entry is refused. */
export function invalid(name: string, errors: ValidationErrors) {
  return errors.some(f => f.path === name) ? { 'aria-invalid': 'true' as const, 'aria-describedby': `${name}-fault` } : {}
}

interface InputProps {
  name: string
  label: string
  /** Where it stands in the document. */
  place?: string | undefined
  hint?: string
  value?: string
  type?: 'text' | 'email' | 'password'
  autoComplete?: string
  required?: boolean
  class?: string
  maxLength?: number
  inputMode?: 'decimal' | 'text'
  /** What is said of one that may be left out. */
  optional?: string
  errors: ValidationErrors
}

/** A labelled input with its hint and its fault told to every reader. */
export function Input({ name, label, place, hint, errors, required = true, optional, ...rest }: InputProps) {
  const fault = errors.find(f => f.path === name)
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ')
  return (
    <>
      <label for={name}>
        <LabelText label={label} place={place} required={required} {...(optional ? { optional } : {})} />
      </label>
      {hint && (
        <div class="hint" id={`${name}-hint`}>
          {hint}
        </div>
      )}
      <ErrorOf name={name} label={label} errors={errors} />
      <input
        {...({
          id: name,
          name,
          required,
          ...rest,
          ...(described ? { 'aria-describedby': described } : {}),
          ...(fault ? { 'aria-invalid': 'true' } : {}),
        } as JSX.IntrinsicElements['input'])}
      />
    </>
  )
}

interface SelectProps {
  name: string
  label: string
  hint?: string
  value: string
  options: readonly { value: string; text: string }[]
  errors: ValidationErrors
}

/** A labelled choice with its hint and its fault. */
export function Select({ name, label, hint, value, options, errors }: SelectProps) {
  const fault = errors.find(f => f.path === name)
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ')
  return (
    <>
      <label for={name}>{label}</label>
      {hint && (
        <div class="hint" id={`${name}-hint`}>
          {hint}
        </div>
      )}
      <ErrorOf name={name} label={label} errors={errors} />
      <select
        id={name}
        name={name}
        {...(described ? { 'aria-describedby': described } : {})}
        {...(fault ? { 'aria-invalid': 'true' as const } : {})}
      >
        {options.map(option => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </>
  )
}

/** The one file of a form that takes one; `subject` begins the sentence of its fault. */
export function FileInput(props: { label: string; subject: string; hint: string; accept: string; errors: ValidationErrors }) {
  const { label, subject, hint, accept, errors } = props
  const fault = errors.some(f => f.path === 'file')
  return (
    <>
      <label for="file">{label}</label>
      <div class="hint" id="file-hint">
        {hint}
      </div>
      <ErrorOf name="file" label={subject} errors={errors} />
      <input
        type="file"
        id="file"
        name="file"
        accept={accept}
        required
        aria-describedby={fault ? 'file-hint file-fault' : 'file-hint'}
        {...(fault ? { 'aria-invalid': 'true' as const } : {})}
      />
    </>
  )
}

/** A state as a person calls it. `state` is the word of the data and gives the colour. */
export function Status({ state, word }: { state: string; word: string }) {
  return <span class={`status ${state}`}>{word}</span>
}

/** One sentence where a page would have been. */
export function MessagePage({
  frame,
  title,
  message,
  hint,
  link,
  lang,
  dir,
  skip,
}: {
  frame: Frame
  title: string
  message: string
  hint?: string | undefined
  /** Where to go on. */
  link?: { href: string; text: string } | undefined
  lang?: string
  dir?: 'ltr' | 'rtl'
  skip?: string
}) {
  return (
    <Layout frame={frame} narrow {...(lang ? { lang } : {})} {...(dir ? { dir } : {})} {...(skip ? { skip } : {})}>
      <h1>{title}</h1>
      <div class="sheet">
        <p>{message}</p>
        {link && (
          <p>
            <a class="break" href={link.href}>
              {link.text}
            </a>
          </p>
        )}
        {hint && <p class="quiet">{hint}</p>}
      </div>
    </Layout>
  )
}
