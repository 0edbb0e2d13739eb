/** How the value of a field is printed: size, alignment, format of dates. */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import {
  ALIGNMENTS,
  type Alignment,
  acceptedTypes,
  DATE_FORMATS,
  type DateFormat,
  hasMember,
  isDate,
  MAX_ATTACHMENT_BYTES,
  MAX_FONT_SIZE,
  MAX_VALUE_LENGTH,
  MEDIA_TYPES,
  MEGABYTE,
  type MediaType,
  MIN_FONT_SIZE,
} from '../../../src/core/field/field.ts'
import { format } from '../../signing/browser/data.ts'
import type { Properties as FieldProperties } from './commands.ts'
import type { EditorField } from './model.ts'
import type { Ui } from './ui.tsx'

export function Labelled({
  id,
  label,
  hint,
  children,
}: {
  id: string
  label: string
  hint?: string
  children: ComponentChildren
}) {
  return (
    <div class="property">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
    </div>
  )
}

interface TickProps {
  label: string
  isChecked: boolean
  isMixed?: boolean
  isDisabled?: boolean
  onChange(isChecked: boolean): void
}

export function Tick({ label, isChecked, isMixed = false, isDisabled = false, onChange }: TickProps) {
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={isChecked}
        indeterminate={isMixed}
        disabled={isDisabled}
        onChange={event => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

interface EntryProps {
  id: string
  value: string
  /** Called when the entry is finished. Returns false for what is refused: the text stays. */
  onEntered(text: string): unknown
  onFocus?(event: { currentTarget: HTMLInputElement }): void
  type?: 'text' | 'number'
  min?: number
  max?: number
  step?: 'any'
  inputMode?: 'decimal' | 'numeric' | 'text'
  maxLength?: number
  'aria-label'?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

/** A text that is saved when it is finished; other changes meanwhile do not take it away. */
export function Entry({ value, onEntered, type = 'text', ...attributes }: EntryProps) {
  const [typed, setTyped] = useState<string>()
  const isRefused = useRef(false)
  return (
    <input
      {...({ type } as object)}
      dir="auto"
      autoComplete="off"
      {...attributes}
      value={typed ?? value}
      onInput={event => setTyped(event.currentTarget.value)}
      onChange={event => {
        isRefused.current = onEntered(event.currentTarget.value) === false
        if (!isRefused.current) setTyped(undefined)
      }}
      // Who types the same text again causes no other event.
      onBlur={() => {
        if (!isRefused.current) setTyped(undefined)
      }}
    />
  )
}

interface NumberProps {
  id: string
  value: number | undefined
  min?: number
  max?: number
  /** `undefined`: the entry is empty or no number. */
  onEntered(number: number | undefined): void
}

export function NumberEntry({ value, onEntered, ...attributes }: NumberProps) {
  return (
    <Entry
      type="number"
      step="any"
      {...attributes}
      value={value === undefined ? '' : String(value)}
      onEntered={text => onEntered(text === '' ? undefined : Number(text))}
    />
  )
}

/** An empty text is no text. */
export const textOf = (value: string) => (value === '' ? undefined : value)

const FONT_SIZES = Array.from({ length: MAX_FONT_SIZE - MIN_FONT_SIZE + 1 }, (_, i) => MIN_FONT_SIZE + i)

export function Format({ ui, field }: { ui: Ui; field: EditorField }) {
  const { actions, texts } = ui
  const change = (properties: FieldProperties) => actions.change([field.id], properties)
  return (
    <>
      {hasMember(field.type, 'maxLength') && (
        <Labelled id="field-max" label={texts.maxLength}>
          <NumberEntry
            id="field-max"
            min={1}
            max={MAX_VALUE_LENGTH}
            value={field.maxLength}
            onEntered={(length = 0) => change({ maxLength: length >= 1 ? Math.round(length) : undefined })}
          />
        </Labelled>
      )}
      {hasMember(field.type, 'min') && <Bounds ui={ui} field={field} />}
      <Labelled id="field-size" label={texts.fontSize}>
        <select
          id="field-size"
          value={field.fontSize ?? ''}
          onChange={event =>
            change({ fontSize: event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value) })
          }
        >
          <option value="">{texts.automatic}</option>
          {FONT_SIZES.map(n => (
            <option key={n} value={n}>
              {format(texts.points, { n })}
            </option>
          ))}
        </select>
      </Labelled>
      {isDate(field.type) && (
        <Labelled id="field-date" label={texts.dateFormat}>
          <select
            id="field-date"
            value={field.dateFormat ?? ''}
            onChange={event => change({ dateFormat: (textOf(event.currentTarget.value) as DateFormat | undefined) ?? undefined })}
          >
            <option value="">{texts.byLanguage}</option>
            {DATE_FORMATS.map(name => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </Labelled>
      )}
      <Labelled id="field-align" label={texts.align}>
        <select
          id="field-align"
          value={field.align ?? ''}
          onChange={event => change({ align: textOf(event.currentTarget.value) as Alignment | undefined })}
        >
          {['', ...ALIGNMENTS].map(name => (
            <option key={name} value={name}>
              {texts.aligned[name]}
            </option>
          ))}
        </select>
      </Labelled>
    </>
  )
}

/** Of a number. */
function Bounds({ ui, field }: { ui: Ui; field: EditorField }) {
  const { actions, texts } = ui
  return (
    <div class="row">
      {(['min', 'max'] as const).map(member => (
        <Labelled key={member} id={`field-${member}imum`} label={texts[member]}>
          <NumberEntry
            id={`field-${member}imum`}
            value={field[member]}
            onEntered={bound => actions.change([field.id], { [member]: bound })}
          />
        </Labelled>
      ))}
    </div>
  )
}

/** The files that the recipient may add. An image is always one that can be drawn. */
export function Files({ ui, field }: { ui: Ui; field: EditorField }) {
  const { actions, texts } = ui
  if (!hasMember(field.type, 'accept')) return null
  const accepted = acceptedTypes({ type: field.type, accept: [...field.accept] })
  const toggle = (type: MediaType, isAccepted: boolean) => {
    const accept = MEDIA_TYPES.filter(other => (other === type ? isAccepted : accepted.includes(other)))
    actions.change([field.id], { accept: accept.length === MEDIA_TYPES.length ? [] : accept })
  }
  return (
    <fieldset class="accepted-files">
      <legend>{texts.accept}</legend>
      {MEDIA_TYPES.map(type => (
        <Tick
          key={type}
          label={texts.mediaTypes[type]}
          isChecked={accepted.includes(type)}
          isDisabled={accepted.length === 1 && accepted.includes(type)}
          onChange={isAccepted => toggle(type, isAccepted)}
        />
      ))}
      <Labelled id="field-max-bytes" label={texts.maxMegabytes}>
        <NumberEntry
          id="field-max-bytes"
          min={1}
          max={MAX_ATTACHMENT_BYTES / MEGABYTE}
          value={(field.maxBytes ?? MAX_ATTACHMENT_BYTES) / MEGABYTE}
          onEntered={(megabytes = 0) => {
            const bytes = Math.round(megabytes * MEGABYTE)
            const isBelow = bytes >= 1 && bytes < MAX_ATTACHMENT_BYTES
            actions.change([field.id], { maxBytes: isBelow ? bytes : undefined })
          }}
        />
      </Labelled>
    </fieldset>
  )
}
