/** A person's signature or initials as an entry of the form: typed here; the page's script adds drawing and uploading around it. */
import type { MarkName } from '../../src/core/signature-mark.ts'
import type { SignerTexts } from '../../src/locales/catalogue.ts'
import type { ValidationErrors } from '../layout.tsx'
import type { FieldView, MarkEntry } from './signing.tsx'
import { TextEntry } from './signing-layout.tsx'

interface Props {
  name: MarkName
  mark: MarkEntry
  fields: FieldView[]
  lang: string
  texts: SignerTexts
  errors: ValidationErrors
}

const LONGEST: Record<MarkName, number> = { signature: 100, initials: 10 }

/** Where the mark goes, in texts. */
function placesOf(name: MarkName, fields: FieldView[], lang: string, texts: SignerTexts): string {
  const pages = [...new Set(fields.filter(field => field.type === name).map(field => field.page))].sort((a, b) => a - b)
  if (pages.length === 0) return texts.form.shownInCertificate
  const list = new Intl.ListFormat(lang, { type: 'conjunction' }).format(pages.map(String))
  return texts.form.placedOn(list, pages.length)
}

export function MarkField({ name, mark, fields, lang, texts, errors }: Props) {
  const places = placesOf(name, fields, lang, texts)
  const hint = name === 'initials' ? `${texts.form.initialsHint} ${places}` : places
  return (
    <div
      class="entry mark"
      data-entry={name}
      data-mark={name}
      data-kind={mark.kind}
      data-chosen={String(mark.chosen)}
      data-picture={String(mark.hasPicture)}
    >
      {/* Without a script a mark is typed, whatever was drawn before on another device. */}
      <input type="hidden" name={`${name}Kind`} value="typed" />
      <input type="hidden" name={`${name}Ink`} value={mark.ink} />
      <div class="typed">
        <TextEntry
          name={name}
          label={name === 'signature' ? texts.form.fullName : texts.form.initials}
          need={texts.required}
          value={mark.text}
          hint={hint}
          errors={errors}
          attributes={{
            class: 'signature',
            dir: 'auto',
            maxLength: LONGEST[name],
            autoComplete: name === 'signature' ? 'name' : 'off',
            spellcheck: false,
          }}
        />
      </div>
    </div>
  )
}
