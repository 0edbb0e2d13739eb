/**
 * The request for a draft with the people and fields of a document, and the exchange of the PDF of
 * a template. Pure.
 */
import type { Field } from '../field/field.ts'
import type { PageArea } from '../field/geometry.ts'
import { inputOf, type NewField } from '../field/new-field.ts'
import { givenOf } from '../members.ts'
import { errorAt, refuseIfInvalid } from '../refusal.ts'
import { cleanLine } from '../text.ts'
import { violation } from '../violation.ts'
import type { FileFacts } from './create-document.ts'
import type { Document, Recipient, Transition } from './document.ts'
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

// Puts another PDF in the place of a template's.

interface ReplacingFile extends FileFacts {
  fileNames: readonly string[]
}

interface ReplaceRules {
  /** Whether fields on pages that the new file lacks are removed. */
  dropsFields: boolean
  /** Whether the new file has a tag at this place: other text is never painted over. */
  isTag(area: PageArea): boolean
}

/** The fields with a box on a page that a file of so many pages lacks. */
function fieldsOffPage({ senderFields, recipients }: Document, pageCount: number): Field[] {
  return [...senderFields, ...recipients.flatMap(r => r.fields)].filter(field => lastPageOf(field) > pageCount)
}

const lastPageOf = ({ page, boxes }: Field) => Math.max(page, ...boxes.map(box => box.page))

/** @throws Refusal `validation_failed` with the fields that would be lost */
export function replaceFile(template: Document, file: ReplacingFile, { dropsFields, isTag }: ReplaceRules): Transition {
  const { pageCount, sha256Original, sha256Uploaded, files, fileNames } = file
  const lost = fieldsOffPage(template, pageCount)
  if (!dropsFields)
    refuseIfInvalid(
      lost.map(field => errorAt(`fields/${field.id}`, violation('page_not_in_new_file', { page: lastPageOf(field) }))),
    )
  const ids = new Set(lost.map(({ id }) => id))
  const kept = (fields: Field[]) => fields.flatMap(field => (ids.has(field.id) ? [] : withTags(field, isTag)))
  const document: Document = {
    ...template,
    pageCount,
    sha256Original,
    sha256Uploaded,
    files: files?.map(part => ({ ...part, fileName: cleanLine(part.fileName) })),
    fileName: cleanLine(fileNames[0] ?? template.fileName),
    senderFields: kept(template.senderFields),
    recipients: template.recipients.map(role => ({ ...role, fields: kept(role.fields) })),
  }
  const data = { originalSha256: sha256Original, removedFields: lost.length }
  return { document, events: [{ type: 'template.updated', data, personal: { fileName: document.fileName } }] }
}

function withTags(field: Field, isTag: ReplaceRules['isTag']): Field {
  const covers = field.covers?.filter(isTag)
  return covers === undefined || covers.length === field.covers?.length ? field : { ...field, covers }
}
