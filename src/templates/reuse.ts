/** Changes a draft that was made from a template: other people, other values. */
import type { Document } from '../core/document/document.ts'
import type { NewDocument } from '../core/document/new-document.ts'
import { Refusal } from '../core/refusal.ts'
import { newDocumentFrom, type RoleUse, type TemplateUse } from '../core/template/template.ts'
import { editForUse, useOfDraft } from '../core/template/template-draft.ts'
import { violation } from '../core/violation.ts'
import { createDeps } from '../documents/draft/create.ts'
import { type EditedDocument, type EditOptions, editDraft } from '../documents/draft/edit-draft.ts'
import { load } from '../documents/record.ts'
import type { App } from '../ports.ts'
import { loadTemplate } from './load.ts'
import { validDocumentFrom } from './use.ts'

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
