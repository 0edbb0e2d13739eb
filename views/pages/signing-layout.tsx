/** What the recipient's pages have in common: the context in their language, and entries with their hint and their error notice to every reader. */
import type { ComponentChildren, JSX } from 'preact'
import type { SignerTexts } from '../../src/locales/catalogue.ts'
import { Layout, type PageContext, type ValidationErrors } from '../layout.tsx'

export interface SignerContext {
  context: PageContext
  /** BCP 47. */
  lang: string
  dir: 'ltr' | 'rtl'
  texts: SignerTexts
}

interface LayoutProps {
  signer: SignerContext
  head?: ComponentChildren
  children: ComponentChildren
}

export function SignerLayout({ signer: { context, lang, dir, texts }, head, children }: LayoutProps) {
  return (
    <Layout context={context} narrow lang={lang} dir={dir} skip={texts.skip} head={head}>
      {children}
    </Layout>
  )
}

/** Rules end their sentences without a stop where the API joins them to others. */
function sentence(message: string): string {
  return /[.!?。؟]$/u.test(message) ? message : `${message}.`
}

/** What is wrong, before the forms it is about; takes the focus when the page opens. */
export function Summary({ errors, texts }: { errors: ValidationErrors; texts: SignerTexts }) {
  if (errors.length === 0) return null
  return (
    <div id="summary" class="error" role="alert" tabIndex={-1} {...{ autofocus: true }}>
      <strong>{texts.check}</strong>
      <ul>
        {errors.map(error => (
          <li key={error.path}>
            <a href={`#${error.path}`}>{sentence(error.message)}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The error of one entry, notice beside it; the entry points here by `aria-describedby`. */
export function FieldError({ name, errors }: { name: string; errors: ValidationErrors }) {
  const error = errors.find(f => f.path === name)
  return (
    <div class="field-error" id={`${name}-error`} hidden={!error}>
      {error && sentence(error.message)}
    </div>
  )
}

/** What an entry carries: whether it is refused, and where that and its hint are notice. */
export function described(name: string, errors: ValidationErrors, hint?: string | undefined) {
  const isRefused = errors.some(f => f.path === name)
  const by = [hint && `${name}-hint`, isRefused && `${name}-error`].filter(Boolean).join(' ')
  return {
    ...(by ? { 'aria-describedby': by } : {}),
    ...(isRefused ? { 'aria-invalid': 'true' as const } : {}),
  }
}

interface LabelProps {
  label: string
  /** Where it stands in the document. */
  place?: string | undefined
  /** Whether it may be left out, in texts. */
  need?: string | undefined
}

export function Label({ label, place, need }: LabelProps) {
  return (
    <>
      {label}
      {place && <span class="quiet"> · {place}</span>}
      {need && <span class="quiet"> ({need})</span>}
    </>
  )
}

export type EntryAttributes = Pick<
  JSX.IntrinsicElements['input'],
  'type' | 'class' | 'dir' | 'maxLength' | 'inputMode' | 'autoComplete' | 'autoCapitalize' | 'spellcheck'
>

interface EntryProps extends LabelProps {
  name: string
  value?: string
  hint?: string | undefined
  errors: ValidationErrors
  required?: boolean
  /** More than one line. */
  rows?: number | undefined
  attributes?: EntryAttributes
}

/** A line of text, or several, with its label. */
export function TextEntry({ name, value, hint, errors, required = true, rows, attributes = {}, ...label }: EntryProps) {
  const shared = { id: name, name, required, ...attributes, ...described(name, errors, hint) }
  return (
    <>
      <label for={name}>
        <Label {...label} />
      </label>
      {hint && (
        <div class="hint" id={`${name}-hint`}>
          {hint}
        </div>
      )}
      <FieldError name={name} errors={errors} />
      {rows ? <textarea {...(shared as object)} rows={rows} value={value} /> : <input {...(shared as object)} value={value} />}
    </>
  )
}
