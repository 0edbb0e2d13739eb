/**
 * Which fields are shown, by their conditions, and whose they are. Bundled for the browser too.
 * Pure.
 */
import type { Document } from '../document/document.ts'
import { cleanValue, type Field } from './field.ts'
import { numberKey } from './number.ts'

/** By which names of fields are compared: without regard to case. */
export const nameKey = (name: string): string => name.toLowerCase()

/** What a condition needs of a field. */
export type ConditionalField = Pick<Field, 'id' | 'type' | 'name' | 'showIf'>

/**
 * The ids of the fields that are hidden: neither asked, validated, stored nor drawn. `fields`: all
 * of the document. `readValue`: the value a field has or would get; `undefined` for none.
 */
export function hiddenFields<F extends ConditionalField>(
  fields: readonly F[],
  readValue: (field: F) => string | undefined,
): Set<string> {
  return hiddenUnless(fields, (controlling, is) => answer(controlling, readValue(controlling)) === answer(controlling, is))
}

/** The ids of those that stay hidden whatever is entered in the fields that are still open. */
export function hiddenForGood<F extends ConditionalField>(
  fields: readonly F[],
  isOpen: (field: F) => boolean,
  readValue: (field: F) => string | undefined,
): Set<string> {
  return hiddenUnless(
    fields,
    (controlling, is) => isOpen(controlling) || answer(controlling, readValue(controlling)) === answer(controlling, is),
  )
}

function hiddenUnless<F extends ConditionalField>(
  fields: readonly F[],
  mayBe: (controlling: F, value: string) => boolean,
): Set<string> {
  const hidden = new Set<string>()
  if (!fields.some(({ showIf }) => showIf)) return hidden
  const byName = new Map(fields.flatMap(field => (field.name === undefined ? [] : [[nameKey(field.name), field] as const])))
  const known = new Map<F, boolean>()
  const isShown = (field: F): boolean => {
    const { showIf } = field
    if (showIf === undefined) return true
    const shown = known.get(field)
    if (shown !== undefined) return shown
    // A circle of conditions hides all of its fields. It cannot be sent.
    known.set(field, false)
    const controlling = byName.get(nameKey(showIf.field))
    // Without such a field the condition is invalid and the draft cannot be sent.
    const isMet = controlling === undefined || (isShown(controlling) && mayBe(controlling, showIf.is))
    known.set(field, isMet)
    return isMet
  }
  for (const field of fields) if (!isShown(field)) hidden.add(field.id)
  return hidden
}

/** The value that a condition compares; of a number, however it is written. */
function answer(field: ConditionalField, value: string | undefined): string {
  if (field.type === 'number') return numberKey(cleanValue(field, value))
  // A form may have an unticked box as an empty text.
  return field.type === 'checkbox' ? String(value === 'true') : cleanValue(field, value)
}

// All fields of a document with their owners: the sender or a recipient.

/** In place of a recipient's id: the owner of the fields that the sender fills in. */
export const SENDER = 'sender'

export interface PlacedField {
  field: Field
  /** Of a recipient, or `SENDER`. */
  recipientId: string
}

export type FieldLists = Pick<Document, 'senderFields'> & { recipients: readonly { id: string; fields: Field[] }[] }

/** Those of the sender come first. */
export function placedFields({ recipients, senderFields }: FieldLists): PlacedField[] {
  return [
    ...senderFields.map(field => ({ field, recipientId: SENDER })),
    ...recipients.flatMap(({ id, fields }) => fields.map(field => ({ field, recipientId: id }))),
  ]
}
