/** The input of a setting, by its kind. The environment’s is shown and cannot be changed. */
import { Choices } from './choices.tsx'
import { CodeText } from './code-text.tsx'
import { ErrorSummary, Input, type InputProps } from './form.tsx'
import { usePageTexts } from './page-texts.ts'

type LineProps = Pick<
  InputProps,
  'type' | 'hint' | 'note' | 'required' | 'rows' | 'maxLength' | 'inputMode' | 'autoComplete' | 'autoCapitalize' | 'spellcheck'
>

export type SettingField = { label: string } & (
  | { input: 'tick'; hint: string }
  | { input: 'choice'; choices: Record<string, string> }
  | ({ input: 'line' } & LineProps)
)

export interface SettingState {
  text: string
  /** Of the environment, which sets it. */
  variable: string | undefined
}

interface FieldsProps {
  fields: Record<string, SettingField>
  states: Record<string, SettingState>
}

export function SettingInputs({ fields, states }: FieldsProps) {
  return (
    <>
      {Object.entries(fields).map(([name, field]) => (
        <SettingInput key={name} name={name} field={field} {...(states[name] ?? UNKNOWN)} />
      ))}
    </>
  )
}

const UNKNOWN: SettingState = { text: '', variable: undefined }

/** The summary of errors, by the names of the fields. */
export function SettingErrors({ fields }: Pick<FieldsProps, 'fields'>) {
  return <ErrorSummary labels={Object.fromEntries(Object.entries(fields).map(([name, { label }]) => [name, label]))} />
}

type SettingFieldProps = SettingState & { name: string; field: SettingField }

export function SettingInput({ name, field, text, variable }: SettingFieldProps) {
  const { fixed } = usePageTexts().settings
  const isFixed = variable !== undefined
  if (isFixed && field.input === 'line' && field.type === 'password')
    return (
      <p>
        {field.label}: <CodeText text={fixed(variable)} />
      </p>
    )
  return (
    <>
      {field.input === 'tick' && <Tick name={name} field={field} isOn={text === 'on'} isFixed={isFixed} />}
      {field.input === 'choice' && (
        <Choices
          name={name}
          legend={field.label}
          value={text}
          choices={Object.entries(field.choices).map(([value, words]) => ({ value, text: words }))}
          disabled={isFixed}
        />
      )}
      {field.input === 'line' && <Line name={name} field={field} text={text} isFixed={isFixed} />}
      {isFixed && <SetByEnvironment variable={variable} />}
    </>
  )
}

export function SetByEnvironment({ variable }: { variable: string }) {
  return (
    <p class="small quiet">
      <CodeText text={usePageTexts().settings.fixed(variable)} />
    </p>
  )
}

interface Parts<F> {
  name: string
  field: F
  isFixed: boolean
}

type Of<Kind> = Extract<SettingField, { input: Kind }>

function Tick({ name, field: { label, hint }, isOn, isFixed }: Parts<Of<'tick'>> & { isOn: boolean }) {
  return (
    <>
      <label class="tick">
        <input type="checkbox" name={name} checked={isOn} disabled={isFixed} aria-describedby={`${name}-hint`} />
        <span>{label}</span>
      </label>
      <div class="hint" id={`${name}-hint`}>
        <CodeText text={hint} />
      </div>
    </>
  )
}

/** A stored secret is not shown. */
function Line({ name, field, text, isFixed }: Parts<Of<'line'>> & { text: string }) {
  const { input: _, required = false, ...rest } = field
  const value = rest.type === 'password' ? '' : text
  return <Input name={name} required={required} disabled={isFixed} value={value} {...rest} />
}
