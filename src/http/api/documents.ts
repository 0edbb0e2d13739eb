/** Documents over the API: each route parses, calls one action, answers. */
import { refuseIfInvalid } from '../../core/refusal.ts'
import { createDocument } from '../../documents/create.ts'
import { evidencePack } from '../../documents/evidence-pack.ts'
import { auditTrail, deleteDocument, fileOf, remindDocument, sendDocument, voidDocument } from '../../documents/lifecycle.ts'
import { listDocuments } from '../../documents/list-queries.ts'
import { presentDocument, presentEvent, presentSummary } from '../../documents/present.ts'
import { loadCached } from '../../documents/record.ts'
import { fileResponse } from '../file-response.ts'
import { type ApiRoute, JsonText, route } from '../route.ts'
import { zipResponse } from '../zip-response.ts'
import * as schemas from './schemas.ts'

const tag = 'Documents'
const ok = (schema: ApiRoute['success']['schema'], description: string) => ({ status: 200, description, schema })
const param = (params: Record<string, string>) => params.id ?? ''
const DEFAULT_LIMIT = 25

/** The form of a time is judged before; a time that does not exist (a leap second) is refused here. */
function momentsOf(texts: Record<'createdAfter' | 'createdBefore', string | undefined>): {
  createdAfter?: Date
  createdBefore?: Date
} {
  const moments = Object.entries(texts).flatMap(([path, text]) => (text === undefined ? [] : [{ path, date: new Date(text) }]))
  const wrong = moments.filter(({ date }) => Number.isNaN(date.getTime()))
  refuseIfInvalid(wrong.map(({ path }) => ({ path, message: 'is not a time that exists' })))
  return Object.fromEntries(moments.map(({ path, date }) => [path, date]))
}

export const documentRoutes: ApiRoute[] = [
  route({
    method: 'POST',
    path: '/documents',
    access: 'documents:write',
    summary: 'Create a document',
    description: 'A PDF with its recipients and their fields in one call. Nothing is mailed before it is sent.',
    tag,
    body: schemas.NewDocument,
    maxFileBytes: app => app.config.maxPdfBytes,
    success: { status: 201, description: 'The draft', schema: schemas.CreatedDocument },
    refuses: ['invalid_base64', 'invalid_pdf', 'encrypted_pdf', 'unsupported_pdf', 'payload_too_large', 'storage_unavailable'],
    run: ({ app, body: { file: _, ...input }, file, origin }) => createDocument(app, input, file(), origin),
    present: ({ document, warnings }) => ({
      id: document.id,
      status: document.status,
      recipients: document.recipients.map(({ id, email }) => ({ id, email })),
      warnings,
    }),
  }),
  route({
    method: 'GET',
    path: '/documents',
    access: 'documents:read',
    summary: 'List documents, newest first',
    tag,
    query: schemas.ListQuery,
    success: ok(schemas.DocumentPage, 'One page'),
    run: async ({ app, actor, query }) => {
      const { limit = DEFAULT_LIMIT, cursor, createdAfter, createdBefore, metadata = {}, ...filter } = query
      const moments = momentsOf({ createdAfter, createdBefore })
      return listDocuments(app.db, actor, { ...filter, ...moments, metadata }, { limit, after: cursor })
    },
    present: ({ documents, next }) =>
      new JsonText(
        `{"data":[${documents.map(d => d.json(presentSummary)).join(',')}],"nextCursor":${JSON.stringify(next ?? null)}}`,
      ),
  }),
  route({
    method: 'GET',
    path: '/documents/:id',
    access: 'documents:read',
    summary: 'Get a document',
    tag,
    success: ok(schemas.Document, 'The document'),
    refuses: ['not_found'],
    run: async ({ app, actor, params }) => loadCached(app.db, actor, param(params)),
    present: cached => new JsonText(cached.json(presentDocument)),
  }),
  route({
    method: 'POST',
    path: '/documents/:id/send',
    access: 'documents:write',
    summary: 'Send a document for signature',
    tag,
    body: schemas.NoBody,
    success: ok(schemas.Notified, '`notified`: how many were invited; their mails are queued'),
    refuses: ['not_found', 'invalid_state', 'nothing_to_sign'],
    run: ({ app, origin, params }) => sendDocument(app, param(params), origin),
    present: ({ notified }) => ({ ok: true, notified }),
  }),
  route({
    method: 'POST',
    path: '/documents/:id/void',
    access: 'documents:write',
    summary: 'Void a document that is not finished',
    tag,
    body: schemas.VoidRequest,
    success: ok(schemas.StatusOf, 'Links are dead, open recipients are told'),
    refuses: ['not_found', 'invalid_state'],
    run: ({ app, origin, params, body }) => voidDocument(app, param(params), body.reason, origin),
    present: ({ id, status }) => ({ id, status }),
  }),
  route({
    method: 'POST',
    path: '/documents/:id/remind',
    access: 'documents:write',
    summary: 'Remind those whose turn it is, each at most once an hour',
    tag,
    body: schemas.NoBody,
    success: ok(schemas.Notified, '`notified`: how many were due; their reminders are queued'),
    refuses: ['not_found', 'invalid_state'],
    run: ({ app, origin, params }) => remindDocument(app, param(params), origin),
    present: reminded => ({ ok: true, notified: reminded.length }),
  }),
  route({
    method: 'DELETE',
    path: '/documents/:id',
    access: 'documents:write',
    summary: 'Erase a draft or an ended document with its files',
    tag,
    success: ok(schemas.Deleted, 'Erased; the record of it stays in the audit log'),
    refuses: ['not_found', 'invalid_state'],
    run: async ({ app, origin, params }) => {
      await deleteDocument(app, param(params), origin)
      return { id: param(params) }
    },
    present: result => result,
  }),
  route({
    method: 'GET',
    path: '/documents/:id/file',
    access: 'documents:read',
    summary: 'Download the PDF',
    description: 'With ETag, ranges (RFC 9110 §14) and conditional requests.',
    tag,
    query: schemas.FileQuery,
    success: ok('application/pdf', 'The PDF'),
    refuses: ['not_found'],
    run: async ({ app, actor, params, query, request }) =>
      fileResponse(app, request, await fileOf(app, actor, param(params), query.version)),
    present: response => response,
  }),
  route({
    method: 'GET',
    path: '/documents/:id/audit',
    access: 'documents:read',
    summary: 'The audit trail with its chain hashes',
    description:
      'One chain runs through the events of all documents. Each event carries the hash before it, so that each can be recomputed from this answer alone: `hash` is the SHA-256 of one byte 0x00, the 32 bytes of `previousHash` and the UTF-8 bytes of `entry`, in this order.',
    tag,
    success: ok(schemas.Audit, 'Events in order'),
    refuses: ['not_found'],
    run: ({ app, actor, params }) => auditTrail(app, actor, param(params)),
    present: ({ document, events }) => ({ documentId: document.id, events: events.map(presentEvent) }),
  }),
  route({
    method: 'GET',
    path: '/documents/:id/evidence',
    access: 'documents:read',
    summary: 'Download the evidence pack',
    description:
      'A ZIP with the sealed PDF, the document as it was sent, the audit trail, the certificates of the seal and of its time-stamp authorities, and how to verify all of it without this service.',
    tag,
    success: ok('application/zip', 'The ZIP'),
    refuses: ['not_found'],
    run: async ({ app, actor, params }) => zipResponse(await evidencePack(app, actor, param(params)), app.now()),
    present: response => response,
  }),
]
