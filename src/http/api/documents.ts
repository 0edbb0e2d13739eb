/** The routes of documents. Each parses, calls one action and answers. */
import type { TSchema } from 'typebox'
import type { Document, DocumentStatus } from '../../core/document/document.ts'
import { errorAt, refuseIfInvalid } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import { type CreatedDocument, createDocument, duplicateDocument } from '../../documents/draft/create.ts'
import { editDraft } from '../../documents/draft/edit-draft.ts'
import { evidencePack } from '../../documents/evidence/evidence-pack.ts'
import { receiptFor } from '../../documents/evidence/receipts.ts'
import { MAX_FILES } from '../../documents/files/store-files.ts'
import { liftLegalHold, setLegalHold } from '../../documents/lifecycle/bulk.ts'
import { correctRecipient } from '../../documents/lifecycle/correct-recipient.ts'
import { auditTrail, fileOf, remindDocument, sendDocument, unlock, voidDocument } from '../../documents/lifecycle/lifecycle.ts'
import { followDocuments } from '../../documents/lists/list-queries.ts'
import {
  presentDocument,
  presentEvent,
  presentRecipientWithFields,
  presentSummary,
  presentWarning,
} from '../../documents/present.ts'
import { loadCached } from '../../documents/record.ts'
import { deleteDocument } from '../../documents/retention/erasure.ts'
import { fieldFile } from '../../documents/signing/field-files.ts'
import { createSigningLink } from '../../documents/signing/signing-link.ts'
import { addedFileResponse, fileResponse, receiptResponse } from '../file-response.ts'
import { runQueued } from '../limits.ts'
import { type ApiRoute, type Call, JsonText, route } from '../route.ts'
import { zipResponse } from '../zip-response.ts'
import * as requests from './schema/requests.ts'
import * as responses from './schema/responses.ts'
import * as sendingResponses from './schema/responses.ts'
import { DEFAULT_LIMIT } from './schema/schema-parts.ts'
import { uploadsOf } from './uploads.ts'

const tag = 'Documents'
const ok = (schema: TSchema, description: string) => ({ status: 200, description, schema })
const documentId = (params: Record<string, string>) => params.id ?? ''

type Times = 'createdAfter' | 'createdBefore' | 'updatedAfter'

/** Refuses times that do not exist, such as a leap second. The schema has checked the format. */
function parseTimes(texts: Record<Times, string | undefined>): Partial<Record<Times, Date>> {
  const times = Object.entries(texts).flatMap(([path, text]) => (text === undefined ? [] : [{ path, date: new Date(text) }]))
  const invalid = times.filter(({ date }) => Number.isNaN(date.getTime()))
  refuseIfInvalid(invalid.map(({ path }) => errorAt(path, violation('no_such_time'))))
  return Object.fromEntries(times.map(({ path, date }) => [path, date]))
}

const presentHold = ({ id, heldAt }: Document) => ({ id, heldSince: heldAt?.toISOString() ?? null })

function presentCreated({ document, warnings }: CreatedDocument) {
  const recipients = document.recipients.map(({ id, email }) => ({ id, email }))
  return { id: document.id, status: document.status, recipients, warnings: warnings.map(presentWarning) }
}

function createFrom({ app, body, files, origin }: Call<requests.NewDocumentRequest, unknown>) {
  const { send = false, file: _, ...input } = body
  return createDocument(app, input, uploadsOf(body, files()), origin, { send })
}

export const documentRoutes: ApiRoute[] = [
  route({
    method: 'POST',
    path: '/documents',
    operationId: 'createDocument',
    creates: '/documents',
    access: 'documents:write',
    summary: 'Create a document',
    description:
      'Takes a PDF, its recipients and their fields in one call. Several `files` are joined in order into one PDF. A form (`multipart/form-data`) has the same members as JSON in the part `document`, without files, and each PDF with its file name in a part `file`. The document is a draft: nothing is mailed before you send it. With `"send": true` it is sent in the same step: either it is sent, or there is none. The PDF is checked completely, so a document that was created can be sealed.',
    tag,
    body: requests.NewDocument,
    otherBodies: { files: requests.NewDocumentOfFiles },
    form: { part: 'document', schema: requests.NewDocumentPart },
    maxFileBytes: app => app.config.maxPdfBytes,
    maxFiles: MAX_FILES,
    success: { status: 201, description: 'The draft', schema: responses.CreatedDocument },
    refuses: [
      'invalid_base64',
      'invalid_pdf',
      'encrypted_pdf',
      'unsupported_pdf',
      'payload_too_large',
      'storage_unavailable',
      'upgrade_unfinished',
    ],
    run: createFrom,
    version: ({ version }) => version,
    present: presentCreated,
  }),
  route({
    method: 'GET',
    path: '/documents',
    operationId: 'listDocuments',
    access: 'documents:read',
    summary: 'List documents, newest first',
    description:
      'Returns one page. Pass `nextCursor` as `cursor` to get the next one, until it is `null`. Filters can be combined. To follow changes without losing one, use `order=changed` and keep `nextCursor`; to follow them by time, pass `asOf` as the next `updatedAfter`.',
    tag,
    query: requests.ListQuery,
    success: ok(responses.DocumentPage, 'One page of documents'),
    run: async ({ app, actor, query }) => {
      const { limit = DEFAULT_LIMIT, cursor, order = 'created', createdAfter, createdBefore, updatedAfter, ...filters } = query
      const { status, metadata = {}, ...filter } = filters
      const times = parseTimes({ createdAfter, createdBefore, updatedAfter })
      // The schema has checked each status.
      const statuses = status === undefined ? {} : { statuses: status.split(',') as DocumentStatus[] }
      return followDocuments(app, actor, { ...filter, ...statuses, ...times, metadata }, { order, limit, after: cursor })
    },
    present: ({ documents, next, asOf }) => {
      const data = documents.map(d => d.json(presentSummary)).join(',')
      return new JsonText(`{"data":[${data}],"nextCursor":${JSON.stringify(next ?? null)},"asOf":${JSON.stringify(asOf)}}`)
    },
  }),
  route({
    method: 'GET',
    path: '/documents/:id',
    operationId: 'getDocument',
    access: 'documents:read',
    summary: 'Get a document',
    tag,
    success: ok(responses.Document, 'The document'),
    refuses: ['not_found'],
    run: async ({ app, actor, params }) => loadCached(app.db, actor, documentId(params)),
    version: ({ version }) => version,
    present: cached => new JsonText(cached.json(presentDocument)),
  }),
  route({
    method: 'PATCH',
    path: '/documents/:id',
    operationId: 'updateDocument',
    access: 'documents:write',
    summary: 'Edit a draft',
    description:
      'Members left out keep their value; `null` clears. `recipients` is the whole list, `fields` lists changes. Send the `ETag` of the document as `If-Match`, so that nobody’s change is overwritten unseen. A document that was sent accepts `labels` alone.',
    tag,
    body: requests.DraftEdit,
    success: ok(responses.Document, 'The document after the edit'),
    refuses: ['not_found', 'invalid_state', 'upgrade_unfinished'],
    takesIfMatch: true,
    run: ({ app, origin, params, body, ifMatch }) => editDraft(app, documentId(params), body, { ifMatch, origin }),
    version: ({ version }) => version,
    present: ({ document }) => presentDocument(document),
  }),
  route({
    method: 'PATCH',
    path: '/documents/:id/recipients/:recipientId',
    operationId: 'correctRecipient',
    access: 'documents:write',
    summary: 'Correct the name or e-mail address of a recipient',
    description:
      'Of a draft, or of a sent document as long as the recipient has not signed or declined. Links mailed before become invalid. Who was invited before is invited again; at another address, what was entered so far is deleted.',
    tag,
    body: requests.RecipientCorrection,
    success: ok(responses.Recipient, 'The recipient'),
    refuses: ['not_found', 'invalid_state', 'upgrade_unfinished'],
    takesIfMatch: true,
    run: ({ app, origin, params, body, ifMatch }) =>
      correctRecipient(app, documentId(params), params.recipientId ?? '', body, { ifMatch, origin }),
    version: ({ version }) => version,
    present: ({ recipient }) => presentRecipientWithFields(recipient),
  }),
  route({
    method: 'POST',
    path: '/documents/:id/recipients/:recipientId/unlock',
    operationId: 'unlockRecipient',
    access: 'documents:write',
    summary: 'Give a locked recipient new tries',
    description:
      'After too many wrong access codes or one-time codes, `codeLocked` of the recipient is true. Also of a completed document, whose recipients open their copy with the code. Nothing is mailed, and the link stays.',
    tag,
    body: requests.NoBody,
    success: ok(responses.Recipient, 'The recipient'),
    refuses: ['not_found', 'invalid_state'],
    run: ({ app, origin, params }) => unlock(app, documentId(params), params.recipientId ?? '', origin),
    version: ({ version }) => version,
    present: ({ recipient }) => presentRecipientWithFields(recipient),
  }),
  route({
    method: 'POST',
    path: '/documents/:id/duplicate',
    operationId: 'duplicateDocument',
    creates: '/documents',
    access: 'documents:write',
    summary: 'Make a new draft like a document',
    description:
      'The draft has the same file, settings, recipients and fields, without anything that recipients have done or entered. Access codes are not copied; `warnings` names the recipients who had one.',
    tag,
    body: requests.NoBody,
    success: { status: 201, description: 'The draft', schema: responses.CreatedDocument },
    refuses: ['not_found', 'upgrade_unfinished'],
    run: ({ app, origin, params }) => duplicateDocument(app, documentId(params), origin),
    version: ({ version }) => version,
    present: presentCreated,
  }),
  route({
    method: 'POST',
    path: '/documents/:id/send',
    operationId: 'sendDocument',
    access: 'documents:write',
    summary: 'Send a document for signature',
    description:
      'Mails each recipient a link. With `sequential` signing order, the recipients of the lowest `order` are invited first.',
    tag,
    body: requests.NoBody,
    success: ok(sendingResponses.NotificationResult, '`notified`: recipients who were invited; their mails are queued'),
    refuses: ['not_found', 'invalid_state', 'nothing_to_sign', 'validation_failed'],
    takesIfMatch: true,
    run: ({ app, origin, params, ifMatch }) => sendDocument(app, documentId(params), origin, ifMatch),
    present: ({ notified }) => ({ ok: true, notified }),
  }),
  route({
    method: 'POST',
    path: '/documents/:id/recipients/:recipientId/signing-link',
    operationId: 'createSigningLink',
    access: 'links:create',
    summary: 'Make a signing link to hand out yourself',
    description:
      'For a recipient whose turn it is, by your own mail, in a chat, or in a frame of your page. It can be opened once, within 15 minutes, and ends the link made before. An administrator allows it under Settings → Organisation. The evidence in the sealed PDF says that your program handed out the link.',
    tag,
    body: requests.NoBody,
    success: { status: 201, description: 'The link', schema: sendingResponses.SigningLink },
    refuses: ['not_found', 'invalid_state'],
    run: ({ app, origin, params }) => createSigningLink(app, documentId(params), params.recipientId ?? '', origin),
    present: ({ url, expiresAt }) => ({ url, expiresAt: expiresAt.toISOString() }),
  }),
  route({
    method: 'POST',
    path: '/documents/:id/void',
    operationId: 'voidDocument',
    access: 'documents:write',
    summary: 'Void a document that is not finished',
    description: 'Invalidates the links. Everyone who was asked by e-mail is informed, also those who have signed.',
    tag,
    body: requests.VoidRequest,
    success: ok(responses.DocumentState, 'The document is voided'),
    refuses: ['not_found', 'invalid_state'],
    run: ({ app, origin, params, body }) => voidDocument(app, documentId(params), body.reason, origin),
    present: ({ id, status }) => ({ id, status }),
  }),
  route({
    method: 'POST',
    path: '/documents/:id/remind',
    operationId: 'remindDocument',
    access: 'documents:write',
    summary: 'Remind the recipients whose turn it is',
    description: 'Mails each of them at most once an hour, except those with `deliverBy: "link"`, who get no e-mails.',
    tag,
    body: requests.NoBody,
    success: ok(sendingResponses.ReminderResult, 'How many reminders were queued, and who gets none'),
    refuses: ['not_found', 'invalid_state'],
    run: ({ app, origin, params }) => remindDocument(app, documentId(params), origin),
    present: ({ reminded, skipped }) => ({ ok: true, notified: reminded.length, skipped }),
  }),
  route({
    method: 'POST',
    path: '/documents/:id/legal-hold',
    operationId: 'setLegalHold',
    access: 'documents:write',
    summary: 'Set a legal hold',
    description:
      'Until it is lifted nobody can delete the document, and retention leaves it. For tokens of administrators, and tokens without an owner.',
    tag,
    body: requests.LegalHoldRequest,
    success: ok(responses.LegalHold, 'The document is under legal hold'),
    refuses: ['not_found', 'invalid_state'],
    run: ({ app, origin, params, body }) => setLegalHold(app, documentId(params), body.reason, origin),
    present: presentHold,
  }),
  route({
    method: 'POST',
    path: '/documents/:id/lift-legal-hold',
    operationId: 'liftLegalHold',
    access: 'documents:write',
    summary: 'Lift a legal hold',
    description: 'For tokens of administrators, and tokens without an owner.',
    tag,
    body: requests.LegalHoldRequest,
    success: ok(responses.LegalHold, 'The document is not under legal hold any more'),
    refuses: ['not_found', 'invalid_state'],
    run: ({ app, origin, params, body }) => liftLegalHold(app, documentId(params), body.reason, origin),
    present: presentHold,
  }),
  route({
    method: 'DELETE',
    path: '/documents/:id',
    operationId: 'deleteDocument',
    access: 'documents:write',
    summary: 'Delete a draft or an ended document with its files',
    description: 'The audit log keeps a record of the deletion.',
    tag,
    success: ok(responses.DeletedResource, 'The document is deleted'),
    refuses: ['not_found', 'invalid_state'],
    takesIfMatch: true,
    run: async ({ app, origin, params, ifMatch }) => {
      await deleteDocument(app, documentId(params), origin, ifMatch)
      return { id: documentId(params) }
    },
    present: result => result,
  }),
  route({
    method: 'GET',
    path: '/documents/:id/file',
    operationId: 'getDocumentFile',
    access: 'documents:read',
    summary: 'Download the PDF',
    description: 'Supports `ETag`, conditional requests and one byte range (RFC 9110 §13 and §14).',
    tag,
    query: requests.FileQuery,
    success: { status: 200, description: 'The PDF', schema: 'application/pdf' },
    refuses: ['not_found'],
    run: async ({ app, actor, params, query, request }) =>
      fileResponse(app, request, await fileOf(app, actor, documentId(params), query.version)),
    present: response => response,
  }),
  route({
    method: 'GET',
    path: '/documents/:id/fields/:fieldId/file',
    operationId: 'getFieldFile',
    access: 'documents:read',
    summary: 'Download a file that a recipient added',
    description:
      'Of an `image` or `attachment` field, once its recipient has signed: `file` of the field has its name, type, size and SHA-256. Treat it as a stranger’s: it was examined when it was added, but may contain scripts and links. Supports `ETag`, conditional requests and one byte range (RFC 9110 §13 and §14).',
    tag,
    success: { status: 200, description: 'The file', schema: 'added file' },
    refuses: ['not_found'],
    run: async ({ app, actor, params, request }) =>
      addedFileResponse(app, request, await fieldFile(app, actor, documentId(params), params.fieldId ?? '')),
    present: response => response,
  }),
  route({
    method: 'GET',
    path: '/documents/:id/audit',
    operationId: 'getAuditTrail',
    access: 'documents:read',
    summary: 'Get the audit trail with its chain hashes',
    description:
      'One hash chain contains the events of all documents. Each event carries the hash of the event before it, so this response alone suffices to recompute each hash: `hash` is the SHA-256 of the byte 0x00, the 32 bytes of `previousHash` and the UTF-8 bytes of `entry`, in this order.',
    tag,
    success: ok(responses.AuditTrail, 'The events, in order'),
    refuses: ['not_found'],
    run: ({ app, actor, params }) => auditTrail(app, actor, documentId(params)),
    present: ({ document, events }) => ({ documentId: document.id, events: events.map(presentEvent) }),
  }),
  route({
    method: 'GET',
    path: '/documents/:id/recipients/:recipientId/receipt',
    operationId: 'getReceipt',
    access: 'documents:read',
    summary: 'Download the receipt of a recipient',
    description:
      'Of a recipient who has signed or approved: what they were shown and entered, as hashes, and the entry of the audit log about it, in a signature of the seal key. The recipient gets the same file on the page and by e-mail. It is an S/MIME message, which `signet verify` reads.',
    tag,
    success: { status: 200, description: 'The receipt, an S/MIME message', schema: 'message/rfc822' },
    refuses: ['not_found', 'invalid_state'],
    run: async ({ app, actor, params: { recipientId = '', ...params } }) =>
      receiptResponse(await runQueued(app, recipientId, () => receiptFor(app, actor, documentId(params), recipientId))),
    present: response => response,
  }),
  route({
    method: 'GET',
    path: '/documents/:id/evidence',
    operationId: 'getEvidencePack',
    access: 'documents:read',
    summary: 'Download the evidence pack',
    description:
      'A ZIP with the sealed PDF, the document as it was sent, the audit trail, the certificates of the seal and of its time-stamp authorities, and instructions to verify them without this service.',
    tag,
    success: { status: 200, description: 'The ZIP', schema: 'application/zip' },
    refuses: ['not_found'],
    run: async ({ app, actor, params }) => zipResponse(app, await evidencePack(app, actor, documentId(params))),
    present: response => response,
  }),
]
