/** An entry for a file or photo. Without a script the file is sent with the form. */
import { acceptedTypes, maxBytesOf } from '../../src/core/field/field.ts'
import { fileSize } from '../../src/core/field/file-size.ts'
import { ariaOf, FieldError, LabelText } from '../parts/form.tsx'
import { typesText } from './browser/texts.ts'
import type { EntryProps } from './signing-fields.tsx'

/** The name of the box that removes the file of a field. */
const removalName = ({ id }: { id: string }) => `remove.${id}`

/** The name of the hash of the file that the page shows, empty without one. */
const shownName = ({ id }: { id: string }) => `shown.${id}`

export function FileEntry({ field, name, label, insists, lang, texts, errors }: EntryProps) {
  const { form } = texts
  const types = acceptedTypes(field)
  const about = [typesText(types, lang), fileSize(maxBytesOf(field), lang)] as const
  const hint = field.type === 'image' ? form.photo(...about) : form.file(...about)
  return (
    <>
      <label for={name} id={`${name}-label`}>
        <LabelText {...label} />
      </label>
      <div class="hint" id={`${name}-hint`}>
        {hint}
      </div>
      <FieldError name={name} errors={errors} />
      <input type="hidden" name={shownName(field)} value={field.file?.sha256 ?? ''} />
      {field.file && (
        <div class="received">
          <p>
            {form.received} <bdi>{field.file.fileName}</bdi> <span class="quiet">{fileSize(field.file.bytes, lang)}</span>
          </p>
          <label class="tick">
            <input type="checkbox" name={removalName(field)} />
            <span>{form.removeFile}</span>
          </label>
          <p class="hint">{form.replaceFile}</p>
        </div>
      )}
      <input
        type="file"
        id={name}
        name={name}
        accept={types.join(',')}
        required={insists && !field.file}
        {...ariaOf(name, errors, hint)}
      />
    </>
  )
}
