/** A signature or initials in the form. Typed here; the script adds drawing and uploading. */
import { maxLengthOf } from '../../src/core/field/field.ts'
import { HAND_AREA, HANDS, type MarkName, markMembers } from '../../src/core/signing/signature-mark.ts'
import type { SignerTexts } from '../../src/locales/catalogue.ts'
import { Input, type ValidationErrors } from '../parts/form.tsx'
import type { FieldView, MarkEntry } from './signing.tsx'
import { conditionText } from './signing-fields.tsx'

interface Props {
  name: MarkName
  base: string
  mark: MarkEntry
  fields: FieldView[]
  lang: string
  texts: SignerTexts
  errors: ValidationErrors
}

/** The pages that the mark is placed on, in words. */
function placesOf(name: MarkName, fields: FieldView[], lang: string, { form }: SignerTexts): string {
  const pages = [...new Set(fields.filter(field => field.type === name).map(field => field.page))].sort((a, b) => a - b)
  if (pages.length === 0) return form.shownInCertificate
  return form.placedOn(new Intl.ListFormat(lang, { type: 'conjunction' }).format(pages.map(String)), pages.length)
}

export function MarkField({ name, base, mark, fields, lang, texts, errors }: Props) {
  const places = placesOf(name, fields, lang, texts)
  const members = markMembers(name)
  const own = fields.filter(field => field.type === name)
  // The signature is asked of everybody: without a field it is in the audit certificate.
  const isConditional = name === 'initials' && own.every(({ condition }) => condition)
  const conditions = new Set(isConditional ? own.map(field => conditionText(field, texts)) : [])
  return (
    <div
      class="entry mark"
      data-entry={name}
      data-mark={name}
      data-kind={mark.kind}
      data-chosen={String(mark.chosen)}
      data-picture={String(mark.hasPicture)}
      data-own={mark.own}
    >
      {/* Without a script the mark is typed, even if one was drawn on another device before. */}
      <input type="hidden" name={members.kind} value="typed" />
      <input type="hidden" name={members.ink} value={mark.ink} />
      <div class="typed">
        <Input
          name={name}
          label={name === 'signature' ? texts.form.fullName : texts.form.initials}
          note={texts.required}
          required={!isConditional}
          condition={[...conditions].join(' ') || undefined}
          value={mark.text}
          hint={name === 'initials' ? `${texts.form.initialsHint} ${places}` : places}
          errors={errors}
          class="signature"
          dir="auto"
          maxLength={maxLengthOf({ type: name })}
          autoComplete={name === 'signature' ? 'name' : 'off'}
          spellcheck={false}
        />
        <HandChoice name={name} base={base} mark={mark} texts={texts} />
      </div>
    </div>
  )
}

/** Without a script the pictures show what is offered. The script draws its own. */
function HandChoice({ name, base, mark, texts: { form } }: Pick<Props, 'name' | 'base' | 'mark' | 'texts'>) {
  return (
    <fieldset class="hands">
      <legend>{form.handwriting}</legend>
      {HANDS.map(hand => (
        <label key={hand} hidden={!mark.hands.includes(hand)} data-name={form.hand(hand)}>
          <input type="radio" name={markMembers(name).hand} value={hand} checked={hand === mark.hand} />
          <noscript>
            <img
              src={`${base}/hand?for=${name}&hand=${hand}`}
              alt={form.hand(hand)}
              width={HAND_AREA.width}
              height={HAND_AREA.height}
              loading="lazy"
            />
          </noscript>
          <span />
        </label>
      ))}
    </fieldset>
  )
}
