/** The values of a document's fields in words, as its sender reads them. */
import type { FieldValue } from '../../../../views/documents/document-details.tsx'
import { labelOfField } from '../../../../views/drafting/value-entry.tsx'
import type { Document } from '../../../core/document/document.ts'
import { type DateLanguage, printedValue } from '../../../core/field/date-format.ts'
import { type Field, isMark } from '../../../core/field/field.ts'
import { fileSize } from '../../../core/field/number.ts'
import { hiddenFields, hiddenForGood, type PlacedField, placedFields, SENDER } from '../../../core/field/visibility.ts'
import type { Language } from '../../../core/language.ts'
import { DOCUMENTS_PATH } from '../../../core/page-paths.ts'
import type { AppTexts } from '../../../locales/app.ts'

interface WordsDeps {
  texts: AppTexts
  /** Of the reader. */
  language: Language
  /** Of the document's dates. */
  dates: DateLanguage
  /** The fields whose files may contain scripts or other files. */
  activeContent: ReadonlySet<string>
}

/**
 * By the id of a recipient who has signed, or `SENDER`. Without fields that have no value or were
 * not shown, and without marks, which are pictures on the page.
 */
export function valuesByOwner(document: Document, deps: WordsDeps): ReadonlyMap<string, FieldValue[]> {
  const placed = placedFields(document)
  const hidden = hiddenFields(
    placed.map(({ field }) => field),
    ({ value }) => value,
  )
  const signed = new Set(document.recipients.flatMap(({ id, signedAt }) => (signedAt ? [id] : [])))
  const isSet = ({ recipientId }: PlacedField) => recipientId === SENDER || signed.has(recipientId)
  return grouped(placed.filter(isSet), hidden, document, deps)
}

/** Of a draft, likewise: what nobody can change after it is sent. */
export function fixedValues(document: Document, deps: WordsDeps): ReadonlyMap<string, FieldValue[]> {
  const placed = placedFields(document)
  const fixed = placed.filter(({ field, recipientId }) => recipientId === SENDER || field.readOnly)
  const ids = new Set(fixed.map(({ field }) => field.id))
  const hidden = hiddenForGood(
    placed.map(({ field }) => field),
    ({ id }) => !ids.has(id),
    ({ value }) => value,
  )
  return grouped(fixed, hidden, document, deps)
}

function grouped(placed: readonly PlacedField[], hidden: ReadonlySet<string>, document: Document, deps: WordsDeps) {
  const shown = placed.filter(({ field }) => !hidden.has(field.id) && !isMark(field.type) && field.value)
  const byOwner = Map.groupBy(shown, ({ recipientId }) => recipientId)
  return new Map([...byOwner].map(([id, fields]) => [id, fields.map(({ field }) => inWords(field, document, deps))]))
}

function inWords(field: Field, document: Document, { texts, language, dates, activeContent }: WordsDeps): FieldValue {
  const { id, type, value = '', file } = field
  const { page } = texts.documents
  const named = (text: string) => ({ label: labelOfField(field, texts.sending.fields), text })
  if (file) {
    const href = `${DOCUMENTS_PATH}/${document.id}/fields/${id}/file`
    const warning = activeContent.has(id) ? page.activeContent : undefined
    return { ...named(file.fileName), file: { href, size: fileSize(file.bytes, language), sha256: file.sha256, warning } }
  }
  if (type === 'checkbox') return named(value === 'true' ? page.ticked : page.notTicked)
  return named(printedValue(field, value, dates))
}
