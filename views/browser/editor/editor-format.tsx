/** How the value of a field is printed: size, alignment, format of dates. */
import type { ComponentChildren } from 'preact'
import {
  ALIGNMENTS,
  type Alignment,
  DATE_FORMATS,
  type DateFormat,
  isDate,
  MAX_FONT_SIZE,
  MIN_FONT_SIZE,
} from '../../../src/core/field.ts'
import { format } from '../signing-texts.ts'
import { type Properties as FieldProperties, hasMaxLength } from './editor-commands.ts'
import type { EditorField } from './editor-model.ts'
import type { Ui } from './editor-ui.tsx'

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

/** An empty text is no text. */
export const textOf = (value: string) => (value === '' ? undefined : value)

const FONT_SIZES = Array.from({ length: MAX_FONT_SIZE - MIN_FONT_SIZE + 1 }, (_, i) => MIN_FONT_SIZE + i)

export function Format({ ui, field }: { ui: Ui; field: EditorField }) {
  const { actions, texts } = ui
  const change = (properties: FieldProperties) => actions.change([field.id], properties)
  return (
    <>
      {hasMaxLength(field.type) && (
        <Labelled id="field-max" label={texts.maxLength}>
          <input
            id="field-max"
            type="number"
            min={1}
            max={5000}
            value={field.maxLength ?? ''}
            onChange={event => {
              const length = event.currentTarget.valueAsNumber
              change({ maxLength: length >= 1 ? Math.round(length) : undefined })
            }}
          />
        </Labelled>
      )}
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
