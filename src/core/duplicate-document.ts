/** The request for a draft with the people and fields of a document. Pure. */
import type { Document, Recipient } from './document.ts'
import type { Field } from './field.ts'
import type { NewDocument, NewRecipient } from './new-document.ts'
import { inputOf, type NewField } from './new-field.ts'

/** Access codes are not known and cannot be repeated. Only a draft keeps its time of expiry. */
export function duplicateInput(document: Document): NewDocument {
  const { title, fileName, message, signingOrder, locale, redirectUrl, allowDelegation, metadata, labels } = document
  const { status, reminders, expiresInDays, expiresAt } = document
  return {
    title,
    fileName,
    signingOrder,
    allowDelegation,
    metadata,
    labels: [...labels],
    reminders: reminders ?? null,
    ...(message === undefined ? {} : { message }),
    ...(locale === undefined ? {} : { locale }),
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
    ...(status === 'draft' && expiresAt ? { expiresAt: expiresAt.toISOString() } : { expiresInDays }),
    senderFields: document.senderFields.map(inputOf),
    recipients: document.recipients.map(recipientInput),
  }
}

function recipientInput(recipient: Recipient): NewRecipient {
  const { name, email, role, order, locale, deliverBy, verify, fields } = recipient
  return {
    name,
    email,
    role,
    order,
    deliverBy,
    ...(locale === undefined ? {} : { locale }),
    ...(verify === undefined ? {} : { verify }),
    fields: fields.map(field => fieldInput(field, recipient)),
  }
}

/** What a recipient has entered is not repeated. */
function fieldInput(field: Field, { signedAt }: Recipient): NewField {
  const input = inputOf(field)
  if (signedAt !== undefined && !field.readOnly) delete input.value
  return input
}
