/** The context of every page: title, skip link, header, main. Views get what they show, nothing else. */
import type { ComponentChildren, JSX } from 'preact'

export interface PageContext {
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

interface Section {
  href: string
  name: string
}

const SECTIONS: Section[] = [
  { href: '/documents', name: 'Documents' },
  { href: '/outbox', name: 'Mail' },
  { href: '/settings/tokens', name: 'Settings' },
]

interface Props {
  context: PageContext
  /** The signed-in person with the token their forms carry. */
  user?: { name: string; csrf: string; section: string } | undefined
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
  context,
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
        <title>{context.title} · Signet</title>
        <link rel="stylesheet" href={context.css} nonce={context.nonce} />
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
            {!context.isProduction && <span class="env">{context.environment.toUpperCase()}</span>}
            {user && (
              <>
                <span class="who quiet small">{user.name}</span>
                <nav aria-label="Main">
                  {SECTIONS.map(section => (
                    <a
                      key={section.href}
                      href={section.href}
                      {...(section.href === user.section ? { 'aria-current': 'page' as const } : {})}
                    >
                      {section.name}
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
          <Alerts messages={context.alerts ?? []} />
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
function errorSentence(message: string, label: string | undefined): string {
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
        {errors.map(error => (
          <li key={error.path}>
            <a href={`#${error.path}`}>{errorSentence(error.message, labels[error.path])}</a>
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

/** The error of one field, told beside it; the field points here by `aria-describedby`. */
export function FieldError({ name, label, errors }: { name: string; label?: string; errors: ValidationErrors }) {
  const error = errors.find(f => f.path === name)
  if (!error) return null
  return (
    <div class="field-error" id={`${name}-error`}>
      {errorSentence(error.message, label)}
    </div>
  )
}

/** What a field that is no `Input` carries while its entry is refused. */
export function invalid(name: string, errors: ValidationErrors) {
  return errors.some(f => f.path === name) ? { 'aria-invalid': 'true' as const, 'aria-describedby': `${name}-error` } : {}
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

/** A labelled input with its hint and its error told to every reader. */
export function Input({ name, label, place, hint, errors, required = true, optional, ...rest }: InputProps) {
  const error = errors.find(f => f.path === name)
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
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
      <FieldError name={name} label={label} errors={errors} />
      <input
        {...({
          id: name,
          name,
          required,
          ...rest,
          ...(described ? { 'aria-describedby': described } : {}),
          ...(error ? { 'aria-invalid': 'true' } : {}),
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

/** A labelled choice with its hint and its error. */
export function Select({ name, label, hint, value, options, errors }: SelectProps) {
  const error = errors.find(f => f.path === name)
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return (
    <>
      <label for={name}>{label}</label>
      {hint && (
        <div class="hint" id={`${name}-hint`}>
          {hint}
        </div>
      )}
      <FieldError name={name} label={label} errors={errors} />
      <select
        id={name}
        name={name}
        {...(described ? { 'aria-describedby': described } : {})}
        {...(error ? { 'aria-invalid': 'true' as const } : {})}
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

/** The one file of a form that takes one; `subject` begins the sentence of its error. */
export function FileInput(props: { label: string; subject: string; hint: string; accept: string; errors: ValidationErrors }) {
  const { label, subject, hint, accept, errors } = props
  const error = errors.some(f => f.path === 'file')
  return (
    <>
      <label for="file">{label}</label>
      <div class="hint" id="file-hint">
        {hint}
      </div>
      <FieldError name="file" label={subject} errors={errors} />
      <input
        type="file"
        id="file"
        name="file"
        accept={accept}
        required
        aria-describedby={error ? 'file-hint file-error' : 'file-hint'}
        {...(error ? { 'aria-invalid': 'true' as const } : {})}
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
  context,
  title,
  message,
  hint,
  link,
  lang,
  dir,
  skip,
}: {
  context: PageContext
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
    <Layout context={context} narrow {...(lang ? { lang } : {})} {...(dir ? { dir } : {})} {...(skip ? { skip } : {})}>
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
