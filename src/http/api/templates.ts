/** The routes of templates. Each parses, calls one action and answers. */
import type { Static, TSchema } from 'typebox'
import { requireScope } from '../../accounts/rights.ts'
import { type Reason, Refusal } from '../../core/refusal.ts'
import { inRolePaths } from '../../core/template/create-template.ts'
import { originalOf } from '../../documents/files/named-file.ts'
import { MAX_FILES } from '../../documents/files/store-files.ts'
import { presentWarning } from '../../documents/present.ts'
import { type CreatedTemplate, createTemplate, createTemplateFrom, duplicateTemplate } from '../../templates/create.ts'
import { deleteTemplate, editTemplate, loadCachedTemplate, loadTemplate } from '../../templates/edit.ts'
import { presentTemplate, presentTemplateSummary } from '../../templates/present.ts'
import { listTemplates } from '../../templates/queries.ts'
import { createDocumentFrom } from '../../templates/use.ts'
import { RewordedError } from '../errors.ts'
import { fileResponse } from '../file-response.ts'
import { type ApiRoute, type Call, JsonText, route } from '../route.ts'
import { NoBody } from './schema/requests.ts'
import { DEFAULT_LIMIT } from './schema/schema-parts.ts'
import * as requests from './schema/template-requests.ts'
import * as responses from './schema/template-responses.ts'
import { uploadsOf } from './uploads.ts'

// Refusals of the rules that drafts and templates share, in the words of templates.

const SHARED: readonly Reason[] = ['validation_failed', 'draft_changed', 'invalid_state']
const WORDS: readonly [pattern: RegExp, word: string][] = [
  [/\b(?:draft|document)\b/g, 'template'],
  [/\brecipient\b/g, 'role'],
  [/\brecipients\b/g, 'roles'],
]

const inWords = (text: string) => WORDS.reduce((said, [pattern, word]) => said.replace(pattern, word), text)

/** Does the work of a route on a template. */
async function asTemplate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const found = inRolePaths(error)
    throw found instanceof Refusal && SHARED.includes(found.reason) ? new RewordedError(found, inWords) : found
  }
}

// The routes.

const tag = 'Templates'
const ok = (schema: TSchema, description: string) => ({ status: 200, description, schema })
const templateId = (params: Record<string, string>) => params.id ?? ''

type AnyNewTemplate = Static<
  | typeof requests.NewTemplate
  | typeof requests.NewTemplateOfFiles
  | typeof requests.NewTemplatePart
  | typeof requests.NewTemplateFromDocument
>

function createFrom({ app, actor, body, files, origin }: Call<AnyNewTemplate, unknown>) {
  if ('documentId' in body) {
    // The template has the document's PDF and texts, which the key could read there.
    requireScope(actor, 'documents:read')
    return createTemplateFrom(app, body.documentId, origin)
  }
  const { file: _, ...input } = body
  return asTemplate(() => createTemplate(app, input, uploadsOf(body, files()), origin))
}

function presentCreated({ template, warnings }: CreatedTemplate) {
  return {
    id: template.id,
    roles: template.recipients.map(({ id, name }) => ({ id, name })),
    warnings: warnings.map(presentWarning),
  }
}

async function edit({ app, origin, params, body, ifMatch }: Call<Static<typeof requests.TemplateEdit>, unknown>) {
  const { roles, ...others } = body
  const edit = { ...others, ...(roles ? { recipients: roles } : {}) }
  return asTemplate(() => editTemplate(app, templateId(params), edit, { ifMatch, origin }))
}

export const templateRoutes: ApiRoute[] = [
  route({
    method: 'POST',
    path: '/templates',
    operationId: 'createTemplate',
    creates: '/templates',
    access: 'templates:write',
    summary: 'Create a template',
    description:
      'As `createDocument`, with `roles` in place of recipients. What a draft may lack, a template may lack too: `problems` of the template name what must be mended before it is used. With `documentId` alone it is made from a document, which needs the scope documents:read too.',
    tag,
    body: requests.NewTemplate,
    otherBodies: { files: requests.NewTemplateOfFiles, documentId: requests.NewTemplateFromDocument },
    form: { part: 'template', schema: requests.NewTemplatePart },
    maxFileBytes: app => app.config.maxPdfBytes,
    maxFiles: MAX_FILES,
    success: { status: 201, description: 'The template', schema: responses.CreatedTemplate },
    refuses: [
      'not_found',
      'forbidden',
      'invalid_base64',
      'invalid_pdf',
      'encrypted_pdf',
      'unsupported_pdf',
      'payload_too_large',
      'storage_unavailable',
    ],
    run: createFrom,
    present: presentCreated,
  }),
  route({
    method: 'GET',
    path: '/templates',
    operationId: 'listTemplates',
    access: 'templates:read',
    summary: 'List templates, newest first',
    description: 'Those of the owner of the token, and those that others share.',
    tag,
    query: requests.TemplateListQuery,
    success: ok(responses.TemplatePage, 'One page of templates'),
    run: ({ app, actor, query: { limit = DEFAULT_LIMIT, cursor, ...filter } }) =>
      listTemplates(app, actor, filter, { limit, after: cursor }),
    present: ({ templates, next }) =>
      new JsonText(
        `{"data":[${templates.map(t => t.json(presentTemplateSummary)).join(',')}],"nextCursor":${JSON.stringify(next ?? null)}}`,
      ),
  }),
  route({
    method: 'GET',
    path: '/templates/:id',
    operationId: 'getTemplate',
    access: 'templates:read',
    summary: 'Get a template',
    tag,
    success: ok(responses.Template, 'The template'),
    refuses: ['not_found'],
    run: ({ app, actor, params }) => loadCachedTemplate(app.db, actor, templateId(params)),
    version: ({ version }) => version,
    present: cached => new JsonText(cached.json(presentTemplate)),
  }),
  route({
    method: 'PATCH',
    path: '/templates/:id',
    operationId: 'updateTemplate',
    access: 'templates:write',
    summary: 'Edit a template',
    description:
      'As `updateDocument`: members left out keep their value, `roles` is the whole list, `fields` lists changes, and `recipientId` of a field is the id of its role, or `sender`. Documents made from the template before do not change. Only its owner and administrators change a template.',
    tag,
    body: requests.TemplateEdit,
    success: ok(responses.Template, 'The template after the edit'),
    refuses: ['not_found', 'forbidden'],
    takesIfMatch: true,
    run: edit,
    version: ({ version }) => version,
    present: ({ document }) => presentTemplate(document),
  }),
  route({
    method: 'DELETE',
    path: '/templates/:id',
    operationId: 'deleteTemplate',
    access: 'templates:write',
    summary: 'Delete a template',
    description: 'Documents made from it do not change. The audit log keeps a record of the deletion.',
    tag,
    success: ok(responses.DeletedTemplate, 'The template is deleted'),
    refuses: ['not_found', 'forbidden'],
    takesIfMatch: true,
    run: async ({ app, origin, params, ifMatch }) => {
      await asTemplate(() => deleteTemplate(app, templateId(params), origin, ifMatch))
      return { id: templateId(params) }
    },
    present: result => result,
  }),
  route({
    method: 'GET',
    path: '/templates/:id/file',
    operationId: 'getTemplateFile',
    access: 'templates:read',
    summary: 'Download the PDF of a template',
    description: 'Supports `ETag`, conditional requests and one byte range (RFC 9110 §13 and §14).',
    tag,
    success: { status: 200, description: 'The PDF', schema: 'application/pdf' },
    refuses: ['not_found'],
    run: async ({ app, actor, params, request }) =>
      fileResponse(app, request, originalOf(await loadTemplate(app.db, actor, templateId(params), 'use'))),
    present: response => response,
  }),
  route({
    method: 'POST',
    path: '/templates/:id/duplicate',
    operationId: 'duplicateTemplate',
    creates: '/templates',
    access: 'templates:write',
    summary: 'Make a new template like another',
    description: 'It belongs to the owner of the token and is not shared. Its title ends with ` (copy)`.',
    tag,
    body: NoBody,
    success: { status: 201, description: 'The template', schema: responses.CreatedTemplate },
    refuses: ['not_found'],
    run: ({ app, origin, params }) => duplicateTemplate(app, templateId(params), origin),
    present: presentCreated,
  }),
  route({
    method: 'POST',
    path: '/templates/:id/documents',
    operationId: 'createDocumentFromTemplate',
    creates: '/documents',
    access: 'documents:write',
    summary: 'Make a document from a template',
    description:
      'Names a person for each role, and gives values of fields. Placeholders in the title and message of the template, such as `{{Tenant}}`, `{{Tenant.email}}` and `{{Rent}}` for a field, are filled in. With `"send": true` the document is sent in the same step: either it is sent, or there is none. Later changes of the template do not touch the document.',
    tag,
    body: requests.NewDocumentFromTemplate,
    success: { status: 201, description: 'The draft, or the document that was sent', schema: responses.DocumentFromTemplate },
    refuses: ['not_found', 'invalid_state', 'nothing_to_sign', 'upgrade_unfinished'],
    run: ({ app, origin, params, body: { send = false, ...use } }) =>
      createDocumentFrom(app, templateId(params), use, origin, { send }),
    present: ({ document: { id, status, recipients }, notified }) => {
      return { id, status, recipients: recipients.map(r => ({ id: r.id, email: r.email, name: r.name })), notified }
    },
  }),
]
