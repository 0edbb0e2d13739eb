/** The fields of a recipient as entries of the form, each with a suitable input and keyboard. */
import type { SignerTexts } from '../../src/locales/catalogue.ts'
import { ariaOf, FieldError, Input, type InputProps, LabelText, type ValidationErrors } from '../parts/form.tsx'
import type { FieldView } from './signing.tsx'

interface Props {
  field: FieldView
  pageCount: number
  texts: SignerTexts
  errors: ValidationErrors
}

export const entryName = ({ id }: Pick<FieldView, 'id'>) => `fields.${id}`

/** Filled in by the sender or by the service. */
export const isGiven = ({ type, readOnly }: Pick<FieldView, 'type' | 'readOnly'>) => readOnly || type === 'date'

export function labelOf({ label, type }: FieldView, texts: SignerTexts): string {
  return label ?? texts.fieldNames[type]
}

/** Sorts errors by the order of the entries on the page; an error without an entry comes last. */
export function inReadingOrder(errors: ValidationErrors, fields: FieldView[]): ValidationErrors {
  const paths = [...fields.map(entryName), 'signature', 'initials', 'consent']
  const indexOf = ({ path }: ValidationErrors[number]) => (paths.includes(path) ? paths.indexOf(path) : paths.length)
  return [...errors].sort((a, b) => indexOf(a) - indexOf(b))
}

/** A text field at least this high, in percent of the page, gets a text area. */
const TEXT_AREA_PERCENT = 6

const KEYBOARDS: Partial<Record<FieldView['type'], Partial<InputProps>>> = {
  email: { type: 'email', inputMode: 'email', autoComplete: 'email' },
  name: { autoComplete: 'name', autoCapitalize: 'words' },
  number: { inputMode: 'decimal', autoComplete: 'off' },
}

export function FieldEntry({ field, pageCount, texts, errors }: Props) {
  const name = entryName(field)
  const label = {
    label: labelOf(field, texts),
    place: pageCount > 1 ? texts.onPage(field.page) : undefined,
    note: field.required ? texts.required : texts.optional,
  }
  if (isGiven(field)) return <GivenField field={field} texts={texts} label={{ ...label, note: undefined }} />
  return (
    <div class="entry" data-entry={name}>
      {field.type === 'checkbox' ? (
        <Checkbox field={field} label={label} errors={errors} />
      ) : field.type === 'dropdown' ? (
        <Dropdown field={field} label={label} texts={texts} errors={errors} />
      ) : (
        <TextField field={field} label={label} errors={errors} />
      )}
    </div>
  )
}

interface PartProps {
  field: FieldView
  label: { label: string; place: string | undefined; note: string | undefined }
}

function GivenField({ field, texts: { form }, label }: PartProps & { texts: SignerTexts }) {
  const value = field.type === 'checkbox' ? (field.value === 'true' ? form.ticked : form.notTicked) : field.value
  return (
    <dl class="filled">
      <dt>
        <LabelText {...label} />
      </dt>
      <dd dir="auto">{value || (field.type === 'date' ? form.filledByUs : '–')}</dd>
    </dl>
  )
}

function Checkbox({ field, label, errors }: PartProps & { errors: ValidationErrors }) {
  const name = entryName(field)
  return (
    <>
      <FieldError name={name} errors={errors} />
      <label class="tick" for={name}>
        <input
          id={name}
          name={name}
          type="checkbox"
          checked={field.value === 'true'}
          required={field.required}
          {...ariaOf(name, errors)}
        />
        <span>
          <LabelText {...label} />
        </span>
      </label>
    </>
  )
}

function Dropdown({ field, label, texts, errors }: PartProps & { texts: SignerTexts; errors: ValidationErrors }) {
  const name = entryName(field)
  return (
    <>
      <label for={name}>
        <LabelText {...label} />
      </label>
      <FieldError name={name} errors={errors} />
      <select id={name} name={name} required={field.required} {...ariaOf(name, errors)}>
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

function TextField({ field, label, errors }: PartProps & { errors: ValidationErrors }) {
  const isLong = field.type === 'text' && (field.height >= TEXT_AREA_PERCENT || field.value.includes('\n'))
  return (
    <Input
      {...label}
      name={entryName(field)}
      value={field.value}
      hint={field.placeholder || undefined}
      errors={errors}
      required={field.required}
      rows={isLong ? 3 : undefined}
      // An entry may be written in either direction, whatever the direction of the page.
      dir="auto"
      {...(field.maxLength ? { maxLength: field.maxLength } : {})}
      {...KEYBOARDS[field.type]}
    />
  )
}
