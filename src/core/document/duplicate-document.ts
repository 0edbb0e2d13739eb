/** The request for a draft with the people and fields of a document. Pure. */
import type { Field } from '../field/field.ts'
import { inputOf, type NewField } from '../field/new-field.ts'
import { givenOf } from '../members.ts'
import type { Document, Recipient } from './document.ts'
import { DRAFT_MEMBERS, RECIPIENT_MEMBERS } from './document-members.ts'
import type { NewDocument, NewRecipient } from './new-document.ts'

/** Access codes are not known and cannot be repeated. Only a draft keeps its time of expiry. */
export function duplicateInput(document: Document): NewDocument {
  const { expiresAt, expiresInDays: _, ...own } = givenOf(DRAFT_MEMBERS, document)
  const { status, fileName, reminders, expiresInDays, senderFields, recipients } = document
  return {
    ...own,
    fileName,
    reminders: reminders ?? null,
    ...(status === 'draft' && expiresAt !== undefined ? { expiresAt } : { expiresInDays }),
    senderFields: senderFields.map(inputOf),
    recipients: recipients.map(recipientInput),
  }
}

function recipientInput(recipient: Recipient): NewRecipient {
  const { name, email, fields } = recipient
  return { ...givenOf(RECIPIENT_MEMBERS, recipient), name, email, fields: fields.map(field => fieldInput(field, recipient)) }
}

/** What a recipient has entered is not repeated. */
function fieldInput(field: Field, { signedAt }: Recipient): NewField {
  const input = inputOf(field)
  if (signedAt !== undefined && !field.readOnly) delete input.value
  return input
}
