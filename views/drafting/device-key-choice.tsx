/** Whether signers use a key of their own device: for a document, a template or a person of it. */
import { DEVICE_KEY_RULES } from '../../src/core/signing/device-key.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { FieldError, useAria } from '../parts/form.tsx'

interface Props {
  /** Also the name. */
  id: string
  /** Empty: as `inherited` says. */
  value: string
  texts: AppTexts['deviceKeys']
  /** The first choice, in words. */
  inherited: string
}

export function DeviceKeyChoice({ id, value, texts, inherited }: Props) {
  const choices = [{ rule: '', text: inherited }, ...DEVICE_KEY_RULES.map(rule => ({ rule, text: texts.rules[rule] }))]
  return (
    <div>
      <label for={id}>{texts.label}</label>
      <div class="hint" id={`${id}-hint`}>
        {texts.hint}
      </div>
      <FieldError name={id} label={texts.label} />
      <select id={id} name={id} {...useAria(id, texts.hint)}>
        {choices.map(({ rule, text }) => (
          <option key={rule} value={rule} selected={rule === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
