/**
 * A place to drop files on: a label around a real file input, so that mouse, keys, touch and
 * browsers without a script all can choose. The script shows the chosen names.
 */
import { ariaOf, FieldError, useErrors, type ValidationErrors } from './form.tsx'
import { Icon } from './icon.tsx'

interface Props {
  label: string
  hint?: string | undefined
  /** Words of the part that looks like a button, `texts.frame.chooseFile`. */
  choose: string
  /** Words beside it, `texts.frame.orDrop`; empty if the label itself asks to drop. */
  drop: string
  accept: string
  multiple?: boolean
  required?: boolean
  /** Begins the sentence of an error; by default the label does. */
  subject?: string
  errors?: ValidationErrors
  /** Takes what is dropped anywhere on the page. */
  isWholePage?: boolean
  /** Taller, as the one thing of its page. */
  isLarge?: boolean
}

export function FileDrop(props: Props) {
  const { label, hint, choose, drop, accept, multiple, required = true, subject, errors: own, isWholePage, isLarge } = props
  const errors = useErrors(own)
  return (
    <div class={isLarge ? 'file-drop large' : 'file-drop'} data-file-drop {...(isWholePage ? { 'data-whole-page': true } : {})}>
      <FieldError name="file" label={subject ?? label} errors={errors} />
      <label for="file">
        <Icon name="upload" />
        <span class={drop === '' ? 'file-drop-label for-dropping' : 'file-drop-label'}>{label}</span>
        <span class="file-drop-face">
          <span class="button plain compact">{choose}</span> <span class="file-drop-or quiet">{drop}</span>
        </span>
        <span class="file-drop-names" data-file-names />
        <input
          type="file"
          id="file"
          name="file"
          accept={accept}
          required={required}
          {...(multiple ? { multiple: true } : {})}
          {...ariaOf('file', errors, hint)}
        />
      </label>
      {hint && (
        <div class="hint" id="file-hint">
          {hint}
        </div>
      )}
    </div>
  )
}
