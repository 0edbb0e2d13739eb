/** What is prepared by the pages of a draft, and how each kind is read and edited. */
import type { DraftHead } from '../../../../views/drafting/draft-frame.tsx'
import type { PageContext } from '../../../../views/layout.tsx'
import { type Document, isTemplate } from '../../../core/document/document.ts'
import type { DraftEdit } from '../../../core/draft/edit-draft.ts'
import { DOCUMENTS_PATH, TEMPLATES_PATH } from '../../../core/page-paths.ts'
import { type EditedDocument, type EditOptions, editDraft } from '../../../documents/draft/edit-draft.ts'
import type { CachedDocument } from '../../../documents/present.ts'
import { loadCached } from '../../../documents/record.ts'
import type { Actor, App } from '../../../ports.ts'
import { editTemplate, loadCachedTemplate, loadTemplate } from '../../../templates/edit.ts'
import type { FormState, Visit } from '../../frame/page.tsx'

type Kinded = Pick<Document, 'id' | 'status'>

export interface DraftKind {
  /** The address of the list, and the beginning of all others. */
  root: string
  isOpen(document: Kinded): boolean
  /** To see it. */
  read(app: App, actor: Actor, id: string): Promise<CachedDocument>
  /** To change it. */
  load(app: App, actor: Actor, id: string): Promise<CachedDocument>
  edit(app: App, id: string, edit: DraftEdit, options: EditOptions): Promise<EditedDocument>
  /** Shown in place of a page of one that is no longer open. */
  closed(id: string): string
}

const readDocument: DraftKind['read'] = ({ db }, actor, id) => loadCached(db, actor, id)
const readTemplate: DraftKind['read'] = ({ db }, actor, id) => loadCachedTemplate(db, actor, id)

export const DOCUMENT: DraftKind = {
  root: DOCUMENTS_PATH,
  isOpen: ({ status }) => status === 'draft',
  read: readDocument,
  load: readDocument,
  edit: editDraft,
  closed: id => `${DOCUMENTS_PATH}/${id}?notice=already-sent`,
}

export const TEMPLATE: DraftKind = {
  root: TEMPLATES_PATH,
  isOpen: isTemplate,
  read: readTemplate,
  load: async (app, actor, id) => {
    await loadTemplate(app.db, actor, id, 'change')
    return readTemplate(app, actor, id)
  },
  edit: editTemplate,
  closed: () => TEMPLATES_PATH,
}

export const DRAFT_KINDS: readonly DraftKind[] = [DOCUMENT, TEMPLATE]

export const kindOf = (document: Kinded): DraftKind => (isTemplate(document) ? TEMPLATE : DOCUMENT)

/** The beginning of the addresses of its pages. */
export const basePath = (document: Kinded) => `${kindOf(document).root}/${document.id}`

/** For the head of its pages. `title`: as typed. */
export function headOf({ document, version }: EditedDocument, title = document.title): DraftHead {
  return { base: basePath(document), isTemplate: isTemplate(document), title, version }
}

/** The pages of a template speak of roles. */
export function contextOf({ context }: Pick<Visit, 'context'>, document: Kinded, title: string, form?: FormState): PageContext {
  const made = context(title, form)
  const { texts } = made
  const { draft: sending, editor } = texts.templates
  return isTemplate(document) ? { ...made, texts: { ...texts, sending, editor } } : made
}
