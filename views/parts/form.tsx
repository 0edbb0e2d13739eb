/** Parts of a form: fields with label, hint and error, and the summary of errors. */
import type { ComponentChildren, JSX } from 'preact'
import { type AppTexts, errorText, followsName, type ShownError } from '../../src/locales/app.ts'
import { usePage, usePageTexts } from './page-texts.ts'

/** A text of the catalogue in which names between backticks are shown as code. */
export function CodeText({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code class="break">{part}</code> : part))}</>
}

export type ValidationErrors = readonly ShownError[]

export function Csrf() {
  return <input type="hidden" name="csrf" value={usePage().csrf} />
}

/** Actions report "must not be empty"; a person reads a sentence that names the field. */
function errorSentence(texts: AppTexts, error: ShownError, label?: string): string {
  const own = errorText(texts, error)
  const sentence = label !== undefined && followsName(texts, error) ? `${label} ${own}` : own
  return /[.!?。؟]$/u.test(sentence) ? sentence : `${sentence}.`
}

/** Those of the page, unless a part has its own. */
export function useErrors(own?: ValidationErrors): ValidationErrors {
  const { errors } = usePage()
  return own ?? errors
}

interface ErrorSummaryProps {
  errors?: ValidationErrors
  /** The fields' names, by path; that of the password that confirms a change is known. */
  labels?: Record<string, string>
  heading?: string
}

/** All errors of a page, each a link to its field. Takes the focus when the page opens. */
export function ErrorSummary({ errors: own, labels = {}, heading }: ErrorSummaryProps) {
  const texts = usePageTexts()
  const errors = useErrors(own)
  if (errors.length === 0) return null
  return (
    <div id="summary" class="error" role="alert" tabIndex={-1} {...{ autofocus: true }}>
      <strong>{heading ?? texts.frame.pleaseCheck}</strong>
      <ul>
        {errors.map(error => (
          <li key={error.path}>
            <a href={`#${error.path}`}>
              {errorSentence(texts, error, { password: texts.settings.password.label, ...labels }[error.path])}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Hidden without an error: the script of the signing page fills it. */
export function FieldError({ name, label, errors }: { name: string; label?: string; errors?: ValidationErrors }) {
  const error = useErrors(errors).find(({ path }) => path === name)
  const texts = usePageTexts()
  return (
    <div class="field-error" id={`${name}-error`} hidden={!error}>
      {error && errorSentence(texts, error, label)}
    </div>
  )
}

/** Refers from a field to its hint and its error. */
export function ariaOf(name: string, errors: ValidationErrors, hint?: string) {
  const isInvalid = errors.some(({ path }) => path === name)
  const ids = [hint && `${name}-hint`, isInvalid && `${name}-error`].filter(Boolean).join(' ')
  return {
    ...(ids ? { 'aria-describedby': ids } : {}),
    ...(isInvalid ? { 'aria-invalid': 'true' as const } : {}),
  }
}

/** By the errors of the page. */
export const useAria = (name: string, hint?: string) => ariaOf(name, useErrors(), hint)

interface LabelProps {
  label: string
  /** Position in the document. */
  place?: string | undefined
  /** In parentheses after the label. */
  note?: string | undefined
  /** When the field has to be filled in, as a sentence. */
  condition?: string | undefined
}

export function LabelText({ label, place, note, condition }: LabelProps) {
  return (
    <>
      {label}
      {place && <span class="quiet"> · {place}</span>}
      {note && <span class="quiet"> ({note})</span>}
      {condition && <span class="quiet condition"> {condition}</span>}
    </>
  )
}

interface FieldProps extends LabelProps {
  name: string
  hint?: string | undefined
  /** Begins the sentence of an error; by default the label does. */
  subject?: string
  errors?: ValidationErrors | undefined
}

function Field({ name, hint, subject, errors, children, ...label }: FieldProps & { children: ComponentChildren }) {
  return (
    <>
      <label for={name}>
        <LabelText {...label} />
      </label>
      {hint && (
        <div class="hint" id={`${name}-hint`}>
          {hint}
        </div>
      )}
      <FieldError name={name} label={subject ?? label.label} {...(errors ? { errors } : {})} />
      {children}
    </>
  )
}

type Attributes = Pick<
  JSX.IntrinsicElements['input'],
  'type' | 'class' | 'dir' | 'maxLength' | 'inputMode' | 'autoComplete' | 'autoCapitalize' | 'spellcheck' | 'disabled'
>

export interface InputProps extends FieldProps, Attributes {
  value?: string
  required?: boolean
  /** Makes it a text area of so many lines. */
  rows?: number | undefined
  /** On the same line, after the input. */
  beside?: ComponentChildren
}

export function Input(props: InputProps) {
  const { name, label, place, note, condition, hint, subject, errors, value, required = true, rows, beside, ...rest } = props
  const { optional } = usePageTexts().frame
  const shared = { id: name, name, required, ...rest, ...ariaOf(name, useErrors(errors), hint) } as object
  const field = { name, label, place, note: note ?? (required ? undefined : optional), condition, hint, errors }
  return (
    <Field {...field} {...(subject ? { subject } : {})}>
      <Beside part={beside}>
        {rows ? <textarea {...shared} rows={rows} value={value} /> : <input {...shared} value={value} />}
      </Beside>
    </Field>
  )
}

function Beside({ part, children }: { part: ComponentChildren; children: ComponentChildren }) {
  if (!part) return <>{children}</>
  return (
    <div class="beside">
      {children}
      {part}
    </div>
  )
}

interface SelectProps extends FieldProps {
  value: string
  disabled?: boolean
  options: readonly { value: string; text: string }[]
}

export function Select({ value, options, disabled = false, ...field }: SelectProps) {
  const { name, errors, hint } = field
  return (
    <Field {...field}>
      <select id={name} name={name} disabled={disabled} {...ariaOf(name, useErrors(errors), hint)}>
        {options.map(option => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </Field>
  )
}

interface ActionFormProps {
  action: string
  text: string
  kind?: string
}

/** A form with nothing but its button. */
export function ActionForm({ action, text, kind = '' }: ActionFormProps) {
  return (
    <form method="post" action={action}>
      <Csrf />
      <button type="submit" class={kind ? `button ${kind}` : 'button'}>
        {text}
      </button>
    </form>
  )
}
