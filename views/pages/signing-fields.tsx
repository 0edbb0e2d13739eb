/** The fields of a recipient as entries of a form: each with the input and the keyboard that suit it. Works without a script. */
import type { SignerTexts } from '../../src/locales/catalogue.ts'
import type { ValidationErrors } from '../layout.tsx'
import type { FieldView } from './signing.tsx'
import { described, type EntryAttributes, FieldError, Label, TextEntry } from './signing-layout.tsx'

interface Props {
  field: FieldView
  pageCount: number
  texts: SignerTexts
  errors: ValidationErrors
}

export const entryName = ({ id }: Pick<FieldView, 'id'>) => `fields.${id}`

/** Filled by what the person signs with. */
export const isMark = ({ type }: Pick<FieldView, 'type'>) => type === 'signature' || type === 'initials'

/** Asks this person for nothing: written by the sender, or by the service. */
export const isGiven = ({ type, readOnly }: Pick<FieldView, 'type' | 'readOnly'>) => readOnly || type === 'date'

export function labelOf({ label, type }: FieldView, texts: SignerTexts): string {
  return label ?? texts.fieldNames[type]
}

/** As the entries stand on the page; what is of no entry comes last. */
export function inReadingOrder(errors: ValidationErrors, fields: FieldView[]): ValidationErrors {
  const paths = [...fields.map(entryName), 'signature', 'initials', 'consent']
  const placeOf = ({ path }: ValidationErrors[number]) => (paths.includes(path) ? paths.indexOf(path) : paths.length)
  return [...errors].sort((a, b) => placeOf(a) - placeOf(b))
}

/** Of the page's height: a box that holds several lines. */
const SEVERAL_LINES = 6

const KEYBOARDS: Partial<Record<FieldView['type'], EntryAttributes>> = {
  email: { type: 'email', inputMode: 'email', autoComplete: 'email' },
  name: { autoComplete: 'name', autoCapitalize: 'words' },
  number: { inputMode: 'decimal', autoComplete: 'off' },
}

export function FieldEntry({ field, pageCount, texts, errors }: Props) {
  const name = entryName(field)
  const label = {
    label: labelOf(field, texts),
    place: pageCount > 1 ? texts.onPage(field.page) : undefined,
    need: field.required ? texts.required : texts.optional,
  }
  if (isGiven(field)) return <Given field={field} texts={texts} label={{ ...label, need: undefined }} />
  return (
    <div class="entry" data-entry={name}>
      {field.type === 'checkbox' ? (
        <Tick field={field} label={label} errors={errors} />
      ) : field.type === 'dropdown' ? (
        <Choice field={field} label={label} texts={texts} errors={errors} />
      ) : (
        <Text field={field} label={label} errors={errors} />
      )}
    </div>
  )
}

interface PartProps {
  field: FieldView
  label: { label: string; place: string | undefined; need: string | undefined }
}

function Given({ field, texts, label }: PartProps & { texts: SignerTexts }) {
  const value = field.type === 'checkbox' ? (field.value === 'true' ? texts.form.ticked : texts.form.notTicked) : field.value
  return (
    <dl class="filled">
      <dt>
        <Label {...label} />
      </dt>
      <dd dir="auto">{value || (field.type === 'date' ? texts.form.filledByUs : '–')}</dd>
    </dl>
  )
}

function Tick({ field, label, errors }: PartProps & { errors: ValidationErrors }) {
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
          {...described(name, errors)}
        />
        <span>
          <Label {...label} />
        </span>
      </label>
    </>
  )
}

function Choice({ field, label, texts, errors }: PartProps & { texts: SignerTexts; errors: ValidationErrors }) {
  const name = entryName(field)
  return (
    <>
      <label for={name}>
        <Label {...label} />
      </label>
      <FieldError name={name} errors={errors} />
      <select id={name} name={name} required={field.required} {...described(name, errors)}>
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

function Text({ field, label, errors }: PartProps & { errors: ValidationErrors }) {
  const isLong = field.type === 'text' && (field.height >= SEVERAL_LINES || field.value.includes('\n'))
  return (
    <TextEntry
      {...label}
      name={entryName(field)}
      value={field.value}
      hint={field.placeholder || undefined}
      errors={errors}
      required={field.required}
      rows={isLong ? 3 : undefined}
      attributes={{
        // What is entered may be written in any direction, whatever the page's is.
        dir: 'auto',
        ...(field.maxLength ? { maxLength: field.maxLength } : {}),
        ...KEYBOARDS[field.type],
      }}
    />
  )
}
