/** Changes a draft that was made from a template: other people, other values. */
import type { Document } from '../core/document.ts'
import type { NewDocument } from '../core/new-document.ts'
import { Refusal } from '../core/refusal.ts'
import { newDocumentFrom, type TemplateUse } from '../core/template.ts'
import { editForUse, useOfDraft } from '../core/template-draft.ts'
import { createDeps } from '../documents/create.ts'
import { type EditedDocument, type EditOptions, editDraft } from '../documents/edit-draft.ts'
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
  if (useOfDraft(template, draft) === undefined) throw new Refusal('invalid_state', NO_LONGER)
  const edit = editForUse(draft, madeBefore(template, draft), validDocumentFrom(template, use, createDeps(app)))
  const recipients = edit.recipients?.map((recipient, i) =>
    withoutCode.includes(template.recipients[i]?.id ?? '') ? { ...recipient, accessCode: null } : recipient,
  )
  return editDraft(app, documentId, { ...edit, ...(recipients ? { recipients } : {}) }, options)
}

const NO_LONGER = 'The template and the document have changed: change the document by its own pages.'

/** Undefined if the template takes no such entries any more. */
function madeBefore(template: Document, draft: Document): NewDocument | undefined {
  const use = useOfDraft(template, draft)
  try {
    return use && newDocumentFrom(template, use)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
