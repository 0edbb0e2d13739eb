/** Refuses texts that the PDF would cut: those that do not fit their field in 6 pt. */
import type { Document } from '../../core/document/document.ts'
import type { Finding } from '../../core/draft/draft-check.ts'
import { type Field, hasOptions, isDate, isPrefillable, isPrinted, MIN_FONT_SIZE, maxLengthOf } from '../../core/field/field.ts'
import { displayedSize, type PageBox } from '../../core/field/geometry.ts'
import { placedFields } from '../../core/field/visibility.ts'
import type { ValidationError } from '../../core/refusal.ts'
import { localized } from '../../core/signing/message.ts'
import { cleanText } from '../../core/text.ts'
import type { App } from '../../ports.ts'
import { pageBoxesOf } from '../sealing/page-boxes.ts'
import { printedText } from '../signing/marks.ts'

/** A value for a field; `path` is where an error is shown. */
export interface EnteredText {
  path: string
  field: Field
  value: string
}

/** Characters of at most one em each, accents included. */
const PLAIN = /^[\x20-\x7e\u00a0-\u017f]*$/
/** em: a character, and both paddings of the box. */
const MAX_ADVANCE = 1.05
const PADDING_PT = 4

/** One line of plain characters, whatever they are. Spares a task in a child for most entries. */
function surelyFits({ field, value }: EnteredText, page: PageBox): boolean {
  const width = (field.width / 100) * displayedSize(page).width * page.userUnit
  return PLAIN.test(value) && value.length * MAX_ADVANCE * MIN_FONT_SIZE <= width - PADDING_PT
}

/** By the rules of the drawing, with about how many characters fit. Ask it before a transaction. */
async function unfittingTexts<T extends EnteredText>(
  app: Pick<App, 'pageBoxes' | 'pdf' | 'storage'>,
  { sha256Original }: Pick<Document, 'sha256Original'>,
  entered: readonly T[],
): Promise<{ entry: T; about: number }[]> {
  // Longer ones are refused for their length.
  const printed = entered.filter(
    ({ field, value }) => isPrinted(field.type) && !isDate(field.type) && value.length <= 2 * maxLengthOf(field),
  )
  if (printed.length === 0) return []
  const boxes = await pageBoxesOf(app, sha256Original)
  const asked = printed.flatMap(entry => {
    const { field } = entry
    const page = boxes[field.page - 1]
    if (!page || surelyFits(entry, page)) return []
    const { x, y, width, height } = field
    return [{ entry, text: { page, box: { x, y, width, height }, content: printedText(field, cleanText(entry.value)) } }]
  })
  if (asked.length === 0) return []
  const fitting = await app.pdf.fitTexts({ texts: asked.map(({ text }) => text) })
  return asked.flatMap(({ entry }, i) => {
    const about = fitting[i]
    return about === null || about === undefined ? [] : [{ entry, about }]
  })
}

/** What a recipient has entered, in their words. */
export async function textFitErrors(
  app: Pick<App, 'pageBoxes' | 'pdf' | 'storage'>,
  document: Pick<Document, 'sha256Original'>,
  entered: readonly EnteredText[],
): Promise<ValidationError[]> {
  const unfitting = await unfittingTexts(app, document, entered)
  return unfitting.map(({ entry: { path, field }, about }) => ({
    path,
    ...localized('tooLongForPlace', { label: field.label, type: field.type }, about),
  }))
}

/** Fields whose words the recipient chooses. The sender has chosen those of the others. */
export function isFreeText({ type, readOnly }: Field): boolean {
  return isPrefillable(type) && !hasOptions(type) && !readOnly
}

/** Values and choices of the sender, with the owners of their fields. */
function textsOf(document: Document) {
  return placedFields(document).flatMap(({ field, recipientId }) => {
    const of = (member: string, value: string) => ({ path: `fields/${field.id}/${member}`, field, value, recipientId })
    const choices = field.options.map(option => of('options', option))
    return field.value === undefined ? choices : [of('value', field.value), ...choices]
  })
}

export function hasTexts(document: Document): boolean {
  return textsOf(document).length > 0
}

/** Texts of the sender that do not fit: a recipient could not shorten them. */
export async function unfittingTextsOf(
  app: Pick<App, 'pageBoxes' | 'pdf' | 'storage'>,
  document: Document,
): Promise<Finding<'text_too_long'>[]> {
  const unfitting = await unfittingTexts(app, document, textsOf(document))
  return unfitting.map(({ entry: { path, field, recipientId } }) => ({
    code: 'text_too_long',
    path,
    recipientId,
    fieldId: field.id,
    page: field.page,
  }))
}
