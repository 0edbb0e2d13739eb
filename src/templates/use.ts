/** Makes documents from templates, sends them if asked, and changes drafts that were made so. */
import { rememberContacts } from '../accounts/contacts.ts'
import { createDraft } from '../core/document/create-document.ts'
import type { Document } from '../core/document/document.ts'
import * as core from '../core/document/document.ts'
import {
  type NewDocument,
  pathInRequest,
  type ValidationDeps,
  validateNewDocument,
  withPaths,
} from '../core/document/new-document.ts'
import { fieldOf, type NewField } from '../core/field/new-field.ts'
import { Refusal, refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import { isMailed } from '../core/signing/routing.ts'
import { newDocumentFrom, pathInUse, requireUsable } from '../core/template/template.ts'
import { editForUse, type RoleUse, type TemplateUse, useOfDraft } from '../core/template/template-draft.ts'
import { violation } from '../core/violation.ts'
import { changeTime } from '../db/change-time.ts'
import type { Tx } from '../db/open.ts'
import { createDeps } from '../documents/draft/create.ts'
import { versionOf } from '../documents/draft/draft-version.ts'
import { type EditedDocument, type EditOptions, editDraft } from '../documents/draft/edit-draft.ts'
import { type EnteredText, textFitErrors } from '../documents/draft/text-fit.ts'
import { load, record } from '../documents/record.ts'
import { requireCodeWebhook } from '../documents/signing/one-time-code.ts'
import { requireDelivery } from '../documents/signing/signing-link.ts'
import * as idempotency from '../outbox/idempotency.ts'
import type { App, Committed, Origin } from '../ports.ts'
import { loadCachedTemplate, loadTemplate } from './edit.ts'
import { noteUse } from './queries.ts'

export interface UseOptions {
  /** Sends the document in the same transaction. */
  send: boolean
  /** Of the template, if it is a snapshot; otherwise as it is now. */
  version?: number
  /** The row of a batch that it is made for. */
  batch?: { id: string; row: number }
}

/** In the caller's transaction. Throws `validation_failed` with paths of `use`, `invalid_state`. */
export async function createFromTemplate(
  tx: Tx,
  app: App,
  template: core.Document,
  use: TemplateUse,
  origin: Origin,
  { send, version, batch }: UseOptions,
): Promise<core.Document> {
  const deps = createDeps(app, await changeTime(tx, app))
  await requireDelivery(app, tx, origin.actor, use.recipients)
  requireUsable(template, deps.now)
  const input = validDocumentFrom(template, use, deps)
  const { document, events } = createDraft(input, origin.actor.userId, template, deps)
  const from = { id: template.id, version: version ?? (await versionOf(tx, template.id)) }
  const noted = events.map(event => ({ ...event, data: { ...event.data, template: from, ...(batch && { batch }) } }))
  const saved = await record(tx, app, undefined, { document, events: noted }, origin)
  await noteUse(tx, template.id, deps.now)
  // An event of its own: webhooks show the document as it was created, then as it was sent.
  if (!send) return saved
  await requireCodeWebhook(tx, saved, (_, i) => pathInUse(template, use, `recipients[${i}].verify`))
  const pathOf = (path: string) => pathInUse(template, use, pathInRequest(saved, path))
  const sent = withPaths(pathOf, () => core.send(saved, deps.now))
  return record(tx, app, saved, sent, origin)
}

/** The request for the document, which meets all rules. @throws Refusal with paths of `use` */
export function validDocumentFrom(template: core.Document, use: TemplateUse, deps: ValidationDeps): NewDocument {
  const input = newDocumentFrom(template, use)
  withPaths(
    path => pathInUse(template, use, path),
    () => validateNewDocument(input, deps),
  )
  return input
}

/** Values that the PDF would cut. Ask it before a transaction: a child process answers. */
export async function unfittingValues(app: App, template: core.Document, use: TemplateUse): Promise<ValidationError[]> {
  const errors = await textFitErrors(app, template, enteredValues(template, use))
  return errors.map(error => ({ ...error, path: pathInUse(template, use, error.path) }))
}

/** The values of all fields, with paths of the document that is made. */
export function enteredValues(template: core.Document, use: TemplateUse): EnteredText[] {
  const { senderFields = [], recipients } = newDocumentFrom(template, use)
  return [
    ...enteredIn('senderFields', senderFields),
    ...recipients.flatMap(({ fields = [] }, i) => enteredIn(`recipients[${i}].fields`, fields)),
  ]
}

function enteredIn(path: string, fields: readonly NewField[]): EnteredText[] {
  return fields.flatMap((input, i) =>
    input.value === undefined ? [] : [{ path: `${path}[${i}].value`, field: fieldOf('', input), value: input.value }],
  )
}

export interface MadeDocument {
  document: core.Document
  /** Recipients who were invited by e-mail. */
  notified: number
}

/** The same form has made this document before. */
export class MadeBeforeError extends Error {
  constructor(
    readonly documentId: string,
    /** That it had then. */
    readonly version: number,
  ) {
    super(`this form made ${documentId} before`)
  }
}

/** `form`: a token of the form that is sent. Throws `MadeBeforeError` if it was sent before. */
export async function createDocumentFrom(
  app: App,
  templateId: string,
  use: TemplateUse,
  origin: Origin,
  { form, ...options }: { send: boolean; form?: string | undefined },
): Promise<Committed<MadeDocument>> {
  for (;;) {
    const measured = options.send ? await measure(app, templateId, use, origin) : undefined
    try {
      return await app.write(tx => {
        const make = () => makeIn(tx, app, templateId, use, origin, { ...options, measured })
        return form ? makeOnce(tx, app, { owner: origin.actor.idempotencyOwner, templateId, form }, make) : make()
      })
    } catch (error) {
      if (!(error instanceof ChangedMeanwhileError)) throw error
    }
  }
}

async function makeOnce(
  tx: Tx,
  app: App,
  { owner, templateId, form }: { owner: string; templateId: string; form: string },
  make: () => Promise<MadeDocument>,
): Promise<MadeDocument> {
  const reservation = { owner, value: `${templateId}/${form}`, fingerprint: templateId, boot: app.node.boot }
  const made: MadeDocument[] = []
  const first = await idempotency.once(tx, app, reservation, async () => {
    const document = await make()
    made.push(document)
    const { id } = document.document
    return { status: 201, body: JSON.stringify({ id, version: await versionOf(tx, id) }) }
  })
  const [document] = made
  if (document) return document
  const { id, version } = JSON.parse(first?.body ?? '{}')
  throw new MadeBeforeError(id, version)
}

/** The template has changed since the values were measured by its fields. */
class ChangedMeanwhileError extends Error {}

/** Returns the version whose fields the values fit. Throws `validation_failed`. */
async function measure(app: App, templateId: string, use: TemplateUse, { actor }: Origin): Promise<number> {
  const { document, version } = await loadCachedTemplate(app.db, actor, templateId)
  refuseIfInvalid(await unfittingValues(app, document, use))
  return version
}

async function makeIn(
  tx: Tx,
  app: App,
  templateId: string,
  use: TemplateUse,
  origin: Origin,
  { send, measured }: { send: boolean; measured: number | undefined },
): Promise<MadeDocument> {
  const { actor } = origin
  const template = await loadTemplate(tx, actor, templateId, 'use')
  const version = await versionOf(tx, templateId)
  if (measured !== undefined && measured !== version) throw new ChangedMeanwhileError('measure the values again')
  const document = await createFromTemplate(tx, app, template, use, origin, { send, version })
  // As when a draft is sent.
  if (send && actor.label.startsWith('user:')) await rememberContacts(tx, app, actor, document.recipients)
  return { document, notified: document.recipients.filter(r => isMailed(r) && r.status === 'sent').length }
}

// Changes a draft that was made from a template: other people, other values.

/**
 * `withoutCode`: roles that need no access code any more.
 * Throws `draft_changed`, and as `createFromTemplate`.
 */
export async function changeUse(
  app: App,
  templateId: string,
  documentId: string,
  use: TemplateUse,
  { withoutCode = [], ...options }: EditOptions & { withoutCode?: readonly string[] },
): Promise<EditedDocument> {
  const { actor } = options.origin
  const template = await loadTemplate(app.db, actor, templateId, 'use')
  const draft = await load(app.db, actor, documentId)
  const before = useOfDraft(template, draft)
  if (before === undefined) throw new Refusal('invalid_state', violation('template_and_document_changed'))
  const whole = { ...use, recipients: use.recipients.map(person => withProof(person, before)) }
  const edit = editForUse(draft, madeBefore(template, before), validDocumentFrom(template, whole, createDeps(app)))
  const recipients = edit.recipients?.map((recipient, i) => {
    const { id = '', verify = null } = template.recipients[i] ?? {}
    return withoutCode.includes(id) ? { ...recipient, accessCode: null, verify } : recipient
  })
  return editDraft(app, documentId, { ...edit, ...(recipients ? { recipients } : {}) }, options)
}

/** The one-time code of the draft stays, unless the use says how the person is identified. */
function withProof(person: RoleUse, { recipients }: TemplateUse): RoleUse {
  const { verify } = recipients.find(({ role }) => role === person.role) ?? {}
  const isGiven = person.verify !== undefined || person.accessCode !== undefined
  return isGiven || verify === undefined ? person : { ...person, verify }
}

/** Undefined if the template takes no such entries any more. */
function madeBefore(template: Document, before: TemplateUse): NewDocument | undefined {
  try {
    return newDocumentFrom(template, before)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
