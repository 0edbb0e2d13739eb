/** What the recipient's pages have in common: the frame in their language, and entries with their hint and their fault told to every reader. */
import type { ComponentChildren, JSX } from 'preact'
import type { SignerTexts } from '../../src/locales/catalogue.ts'
import { type Frame, Layout, type ValidationErrors } from '../layout.tsx'

export interface SignerFrame {
  frame: Frame
  /** BCP 47. */
  lang: string
  dir: 'ltr' | 'rtl'
  words: SignerTexts
}

interface LayoutProps {
  signer: SignerFrame
  head?: ComponentChildren
  children: ComponentChildren
}

export function SignerLayout({ signer: { frame, lang, dir, words }, head, children }: LayoutProps) {
  return (
    <Layout frame={frame} narrow lang={lang} dir={dir} skip={words.skip} head={head}>
      {children}
    </Layout>
  )
}

/** Rules end their sentences without a stop where the API joins them to others. */
function sentence(message: string): string {
  return /[.!?。؟]$/u.test(message) ? message : `${message}.`
}

/** What is wrong, before the forms it is about; takes the focus when the page opens. */
export function Summary({ errors, words }: { errors: ValidationErrors; words: SignerTexts }) {
  if (errors.length === 0) return null
  return (
    <div id="summary" class="error" role="alert" tabIndex={-1} {...{ autofocus: true }}>
      <strong>{words.check}</strong>
      <ul>
        {errors.map(fault => (
          <li key={fault.path}>
            <a href={`#${fault.path}`}>{sentence(fault.message)}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The fault of one entry, told beside it; the entry points here by `aria-describedby`. */
export function ValidationError({ name, errors }: { name: string; errors: ValidationErrors }) {
  const fault = errors.find(f => f.path === name)
  return (
    <div class="fault" id={`${name}-fault`} hidden={!fault}>
      {fault && sentence(fault.message)}
    </div>
  )
}

/** What an entry carries: whether it is refused, and where that and its hint are told. */
export function described(name: string, errors: ValidationErrors, hint?: string | undefined) {
  const isRefused = errors.some(f => f.path === name)
  const by = [hint && `${name}-hint`, isRefused && `${name}-fault`].filter(Boolean).join(' ')
  return {
    ...(by ? { 'aria-describedby': by } : {}),
    ...(isRefused ? { 'aria-invalid': 'true' as const } : {}),
  }
}

interface LabelProps {
  label: string
  /** Where it stands in the document. */
  place?: string | undefined
  /** Whether it may be left out, in words. */
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
      <ValidationError name={name} errors={errors} />
      {rows ? <textarea {...(shared as object)} rows={rows} value={value} /> : <input {...(shared as object)} value={value} />}
    </>
  )
}
