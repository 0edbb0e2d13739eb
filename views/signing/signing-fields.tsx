/** The fields of a recipient as entries of the form, each with a suitable input and keyboard. */
import { acceptedTypes, hasLines, isFile, isMark, maxBytesOf, maxLengthOf } from '../../src/core/field/field.ts'
import { fileSize } from '../../src/core/field/number.ts'
import { MARK_NAMES, type MarkName } from '../../src/core/signing/signature-mark.ts'
import type { SignerTexts } from '../../src/locales/catalogue.ts'
import { FieldError, Input, type InputProps, LabelText, useAria, type ValidationErrors } from '../parts/form.tsx'
import { entryRows } from '../parts/text-rows.ts'
import { numberText, typesText } from './browser/data.ts'
import type { FieldView, SigningProps } from './signing.tsx'

interface FieldEntryProps {
  field: FieldView
  pageCount: number
  lang: string
  texts: SignerTexts
}

/** What the entries of all kinds are made of. */
export interface EntryProps extends Omit<FieldEntryProps, 'pageCount'> {
  /** Of the form's member. */
  name: string
  label: { label: string; place: string | undefined; note: string | undefined; condition: string | undefined }
  /** The browser may insist on a value: the field has no condition. */
  insists: boolean
}

const entryName = ({ id }: Pick<FieldView, 'id'>) => `fields.${id}`

/** Filled in by the sender or by the service. */
export const isGiven = ({ type, readOnly }: Pick<FieldView, 'type' | 'readOnly'>) => readOnly || type === 'date'

export function labelOf({ label, type }: FieldView, texts: SignerTexts): string {
  return label ?? texts.fieldNames[type]
}

/** What the form lists: a field by itself, or all fields of a mark as one. */
export type ListedEntry = { name: string; field: FieldView } | { name: MarkName }

/**
 * In reading order; a mark is where its first field is. One without a field comes last: it is in
 * the audit certificate.
 */
export function formEntries({ fields, signature, initials }: Pick<SigningProps, 'fields' | MarkName>): ListedEntry[] {
  const marks = { signature, initials }
  const open = new Set(MARK_NAMES.filter(name => marks[name]))
  const placed = fields.flatMap((field): ListedEntry[] => {
    const { type } = field
    if (!isMark(type)) return [{ name: entryName(field), field }]
    return open.delete(type) ? [{ name: type }] : []
  })
  return [...placed, ...Array.from(open, name => ({ name }))]
}

/** Sorts errors by the order of the entries on the page; an error without an entry comes last. */
export function asListed(errors: ValidationErrors, form: Parameters<typeof formEntries>[0]): ValidationErrors {
  const paths = [...formEntries(form).map(({ name }) => name), 'consent']
  const indexOf = ({ path }: ValidationErrors[number]) => (paths.includes(path) ? paths.indexOf(path) : paths.length)
  return [...errors].sort((a, b) => indexOf(a) - indexOf(b))
}

/** A shorter limit is not worth a count. */
const MIN_COUNTED = 100

const KEYBOARDS: Partial<Record<FieldView['type'], Partial<InputProps>>> = {
  email: { type: 'email', inputMode: 'email', autoComplete: 'email' },
  name: { autoComplete: 'name', autoCapitalize: 'words' },
}

/** In the words of the controlling field. */
export function conditionText({ condition }: FieldView, { form }: SignerTexts): string | undefined {
  if (!condition) return undefined
  const { label, type, is } = condition
  if (type !== 'checkbox') return form.onlyIf(label, is)
  return is === 'true' ? form.onlyIfTicked(label) : form.onlyIfNotTicked(label)
}

export function FieldEntry({ pageCount, ...props }: FieldEntryProps) {
  const { field, texts } = props
  const label = {
    label: labelOf(field, texts),
    place: pageCount > 1 ? texts.onPage(field.page) : undefined,
    note: field.required ? texts.required : texts.optional,
    condition: conditionText(field, texts),
  }
  if (isGiven(field)) return <GivenField field={field} texts={texts} label={{ ...label, note: undefined }} />
  return (
    <div class="entry" data-entry={entryName(field)}>
      <Control {...props} name={entryName(field)} label={label} insists={field.required && !field.condition} />
    </div>
  )
}

function Control(props: EntryProps) {
  const { type } = props.field
  if (isFile(type)) return <FileEntry {...props} />
  if (type === 'checkbox') return <Checkbox {...props} />
  if (type === 'dropdown') return <Dropdown {...props} />
  return type === 'radio' ? <Radio {...props} /> : <TextField {...props} />
}

type GivenProps = Pick<EntryProps, 'field' | 'label' | 'texts'>

export function GivenField({ field, texts: { form }, label }: GivenProps) {
  const value = field.type === 'checkbox' ? (field.value === 'true' ? form.ticked : form.notTicked) : field.value
  const shown = value || (field.type === 'date' ? form.filledByUs : '–')
  return (
    <dl class="filled" data-given={field.id}>
      <dt>
        <LabelText {...label} />
      </dt>
      {hasLines(field.type) ? (
        <dd class="lines" dir="auto">
          {shown}
        </dd>
      ) : (
        <dd>
          <bdi>{shown}</bdi>
        </dd>
      )}
    </dl>
  )
}

function Checkbox({ field, name, label, insists }: EntryProps) {
  return (
    <>
      <FieldError name={name} />
      <label class="tick" for={name}>
        <input id={name} name={name} type="checkbox" checked={field.value === 'true'} required={insists} {...useAria(name)} />
        <span>
          <LabelText {...label} />
        </span>
      </label>
    </>
  )
}

function Dropdown({ field, name, label, insists, texts }: EntryProps) {
  return (
    <>
      <label for={name}>
        <LabelText {...label} />
      </label>
      <FieldError name={name} />
      <select id={name} name={name} required={insists} {...useAria(name)}>
        <option value="">{texts.form.choose}</option>
        {field.options.map(option => (
          <option key={option} value={option} selected={option === field.value}>
            {option}
          </option>
        ))}
      </select>
    </>
  )
}

/** The links of an error summary lead to the first choice. */
function Radio({ field, name, label, insists, texts }: EntryProps) {
  const choices = field.options.map(option => ({ value: option, text: option }))
  const all = field.required ? choices : [...choices, { value: '', text: texts.form.noChoice }]
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: allows aria-invalid.
    <fieldset class="choices" role="radiogroup" aria-required={field.required} {...useAria(name)}>
      <legend>
        <LabelText {...label} />
      </legend>
      <FieldError name={name} />
      {all.map(({ value, text }, i) => (
        <label key={value} class="tick">
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === field.value}
            required={insists}
            {...(i === 0 ? { id: name } : {})}
          />
          <span dir="auto">{text}</span>
        </label>
      ))}
    </fieldset>
  )
}

function TextField(props: EntryProps) {
  const { field, name, label, insists } = props
  const isParagraph = field.type === 'paragraph'
  return (
    <>
      <Input
        {...label}
        name={name}
        value={field.value}
        hint={hintOf(props)}
        required={insists}
        rows={entryRows(field, field.value)}
        // An entry may be written in either direction, whatever the direction of the page.
        dir="auto"
        // A pasted text must not lose its end unnoticed: a paragraph is refused instead.
        {...(field.maxLength && !isParagraph ? { maxLength: field.maxLength } : {})}
        {...KEYBOARDS[field.type]}
        {...(field.type === 'number' ? numberKeyboard(field) : {})}
      />
      {isParagraph && <Limit {...props} />}
    </>
  )
}

/** The script counts the characters instead. */
function Limit({ field, lang, texts }: EntryProps) {
  const limit = maxLengthOf(field)
  if (limit < MIN_COUNTED) return null
  return <div class="hint limit">{texts.form.characters(numberText(limit, lang))}</div>
}

/** The keys for decimal numbers of some phones have no minus. */
function numberKeyboard({ min }: FieldView): Partial<InputProps> {
  return { inputMode: min !== undefined && min < 0 ? 'text' : 'decimal', autoComplete: 'off' }
}

function hintOf({ field, lang, texts: { form } }: EntryProps): string | undefined {
  const { min, max, placeholder } = field
  const [from, to] = [min, max].map(n => (n === undefined ? undefined : numberText(n, lang)))
  const range =
    from !== undefined && to !== undefined
      ? form.range.between(from, to)
      : from !== undefined
        ? form.range.atLeast(from)
        : to !== undefined && form.range.atMost(to)
  return [placeholder, range].filter(Boolean).join(' ') || undefined
}

// An entry for a file or photo. Without a script the file is sent with the form.

/** The name of the box that removes the file of a field. */
const removalName = ({ id }: { id: string }) => `remove.${id}`

/** The name of the hash of the file that the page shows, empty without one. */
const shownName = ({ id }: { id: string }) => `shown.${id}`

function FileEntry({ field, name, label, insists, lang, texts }: EntryProps) {
  const { form } = texts
  const types = acceptedTypes(field)
  const about = [typesText(types, lang), fileSize(maxBytesOf(field), lang)] as const
  const hint = field.type === 'image' ? form.photo(...about) : form.file(...about)
  return (
    <>
      <label for={name} id={`${name}-label`}>
        <LabelText {...label} />
      </label>
      <div class="hint" id={`${name}-hint`}>
        {hint}
      </div>
      <FieldError name={name} />
      <input type="hidden" name={shownName(field)} value={field.file?.sha256 ?? ''} />
      {field.file && (
        <div class="received">
          <p>
            {form.received} <bdi>{field.file.fileName}</bdi> <span class="quiet">{fileSize(field.file.bytes, lang)}</span>
          </p>
          <label class="tick">
            <input type="checkbox" name={removalName(field)} />
            <span>{form.removeFile}</span>
          </label>
          <p class="hint">{form.replaceFile}</p>
        </div>
      )}
      <input
        type="file"
        id={name}
        name={name}
        accept={types.join(',')}
        required={insists && !field.file}
        {...useAria(name, hint)}
      />
    </>
  )
}
