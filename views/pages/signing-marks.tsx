/** A signature or initials in the form. Typed here; the script adds drawing and uploading. */
import { type MarkName, markMembers } from '../../src/core/signature-mark.ts'
import type { SignerTexts } from '../../src/locales/catalogue.ts'
import { Input, type ValidationErrors } from '../parts/form.tsx'
import type { FieldView, MarkEntry } from './signing.tsx'

interface Props {
  name: MarkName
  mark: MarkEntry
  fields: FieldView[]
  lang: string
  texts: SignerTexts
  errors: ValidationErrors
}

const MAX_LENGTH: Record<MarkName, number> = { signature: 100, initials: 10 }

/** The pages that the mark is placed on, in words. */
function placesOf(name: MarkName, fields: FieldView[], lang: string, { form }: SignerTexts): string {
  const pages = [...new Set(fields.filter(field => field.type === name).map(field => field.page))].sort((a, b) => a - b)
  if (pages.length === 0) return form.shownInCertificate
  return form.placedOn(new Intl.ListFormat(lang, { type: 'conjunction' }).format(pages.map(String)), pages.length)
}

export function MarkField({ name, mark, fields, lang, texts, errors }: Props) {
  const places = placesOf(name, fields, lang, texts)
  const members = markMembers(name)
  return (
    <div
      class="entry mark"
      data-entry={name}
      data-mark={name}
      data-kind={mark.kind}
      data-chosen={String(mark.chosen)}
      data-picture={String(mark.hasPicture)}
    >
      {/* Without a script the mark is typed, even if one was drawn on another device before. */}
      <input type="hidden" name={members.kind} value="typed" />
      <input type="hidden" name={members.ink} value={mark.ink} />
      <div class="typed">
        <Input
          name={name}
          label={name === 'signature' ? texts.form.fullName : texts.form.initials}
          note={texts.required}
          value={mark.text}
          hint={name === 'initials' ? `${texts.form.initialsHint} ${places}` : places}
          errors={errors}
          class="signature"
          dir="auto"
          maxLength={MAX_LENGTH[name]}
          autoComplete={name === 'signature' ? 'name' : 'off'}
          spellcheck={false}
        />
      </div>
    </div>
  )
}
