/** Edits the version of a template that its author has seen, by the rules of drafts. */
import type { TemplateEdit } from '../core/draft/edit-draft.ts'
import { type EditedDocument, type EditOptions, editInTransaction } from '../documents/draft/edit-draft.ts'
import { requireTagCovers } from '../documents/draft/propose-fields.ts'
import type { App } from '../ports.ts'
import { loadTemplate } from './load.ts'

/** Throws `draft_changed` with what changed since `ifMatch`, and `validation_failed`. */
export async function editTemplate(app: App, id: string, edit: TemplateEdit, options: EditOptions): Promise<EditedDocument> {
  const { actor } = options.origin
  await requireTagCovers(app, edit.fields ?? [], () => loadTemplate(app.db, actor, id, 'change'))
  return app.write(async tx => editInTransaction(tx, app, await loadTemplate(tx, actor, id, 'change'), edit, options))
}
