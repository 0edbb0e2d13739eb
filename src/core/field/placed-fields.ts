/** All fields of a document with their owners: the sender or a recipient. Pure. */
import type { Document } from '../document/document.ts'
import type { Field } from './field.ts'

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
