/** Loads, edits and deletes templates by the rights of the actor, and replaces their PDF. */
import { type Document, isTemplate } from '../core/document/document.ts'
import { replaceFile } from '../core/document/duplicate-document.ts'
import type { TemplateEdit } from '../core/draft/edit-draft.ts'
import type { PageArea } from '../core/field/geometry.ts'
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { recordChanges, requireVersion } from '../documents/draft/draft-version.ts'
import { type EditedDocument, type EditOptions, editInTransaction } from '../documents/draft/edit-draft.ts'
import { findFieldsOnce, requireTagCovers, tagKey } from '../documents/draft/propose-fields.ts'
import { type NamedUpload, type StoredFile, withStoredFiles } from '../documents/files/store-files.ts'
import type { CachedDocument } from '../documents/present.ts'
import { find, findCached } from '../documents/queries.ts'
import { record } from '../documents/record.ts'
import { eraseIn, finishErasure } from '../documents/retention/erasure.ts'
import { finishRemovals, removeIfUnused } from '../files/claims.ts'
import type { PdfWarning } from '../pdf/inspect/report.ts'
import type { Actor, App, Origin } from '../ports.ts'

/** To use it is to read it, to make documents from it and to duplicate it. */
type TemplateRight = 'use' | 'change'

/** Shared ones for everybody: who may send documents is a right of the route. */
export function mayUse(actor: Actor, template: Document): boolean {
  return isTemplate(template) && (actor.seesAll || template.ownerId === actor.userId || template.isShared)
}

/** The owner and administrators. */
export function mayChange(actor: Actor, template: Document): boolean {
  return isTemplate(template) && (actor.isAdmin || template.ownerId === actor.userId)
}

/** Throws `not_found`, or `forbidden` if the actor may only use it. */
export async function loadTemplate(db: Db | Tx, actor: Actor, id: string, right: TemplateRight): Promise<Document> {
  return permitted(await find(db, id), actor, right)
}

/** As `loadTemplate` to use it, with the JSON texts. */
export async function loadCachedTemplate(db: Db, actor: Actor, id: string): Promise<CachedDocument> {
  const cached = await findCached(db, id)
  permitted(cached?.document, actor, 'use')
  return cached as CachedDocument
}

function permitted(template: Document | undefined, actor: Actor, right: TemplateRight): Document {
  if (template === undefined || !mayUse(actor, template)) throw new Refusal('not_found', violation('template_not_found'))
  if (right === 'change' && !mayChange(actor, template)) throw new Refusal('forbidden', violation('template_of_other'))
  return template
}

// Edits the version that the author has seen.

/** Throws `draft_changed` with what changed since `ifMatch`, and `validation_failed`. */
export async function editTemplate(app: App, id: string, edit: TemplateEdit, options: EditOptions): Promise<EditedDocument> {
  const { actor } = options.origin
  await requireTagCovers(app, edit.fields ?? [], () => loadTemplate(app.db, actor, id, 'change'))
  return app.write(async tx => editInTransaction(tx, app, await loadTemplate(tx, actor, id, 'change'), edit, options))
}

// Replaces the PDF of a template and keeps its fields. Documents made before keep their file.

export interface ReplaceOptions extends EditOptions {
  /** Removes fields on pages that the new PDF lacks; otherwise it is refused. */
  dropsFields?: boolean
}

interface ReplacedFile extends EditedDocument {
  warnings: PdfWarning[]
}

/** Throws `draft_changed`, `validation_failed` with paths `fields/fld_…`, and refusals of PDFs. */
export async function replaceTemplateFile(
  app: App,
  id: string,
  uploads: readonly NamedUpload[],
  { ifMatch, origin, dropsFields = false }: ReplaceOptions,
): Promise<ReplacedFile> {
  const { actor } = origin
  const seen = await loadTemplate(app.db, actor, id, 'change')
  return withStoredFiles(app, uploads, async stored => {
    const tags = await tagsOf(app, seen, stored)
    const fileNames = uploads.map(({ fileName }) => fileName)
    const replaced = await app.write(async tx => {
      const before = await loadTemplate(tx, actor, id, 'change')
      await requireVersion(tx, actor, id, ifMatch)
      const isTag = (area: PageArea) => tags.has(tagKey(area))
      const transition = replaceFile(before, { ...stored, fileNames }, { dropsFields, isTag })
      const template = await record(tx, app, before, transition, origin, { file: stored.claim })
      const version = await recordChanges(tx, actor, before, template, template.updatedAt)
      const isOther = before.sha256Original !== template.sha256Original
      return { template, version, removals: isOther ? await removeIfUnused(app, tx, before.sha256Original) : [] }
    })
    await finishRemovals(app, replaced.removals)
    return { document: replaced.template, version: replaced.version, warnings: stored.warnings }
  })
}

/** The places of the tags in the new PDF, if fields cover tags of the old one. */
async function tagsOf(app: App, template: Document, { sha256Original }: StoredFile): Promise<Set<string>> {
  const fields = [...template.senderFields, ...template.recipients.flatMap(r => r.fields)]
  if (!fields.some(({ covers }) => covers?.length)) return new Set()
  const { proposals } = await findFieldsOnce(app, sha256Original)
  return new Set(proposals.flatMap(({ covers = [] }) => covers.map(tagKey)))
}

// Deletes a template. Documents made from it stay as they are, and so does their file.

/** The audit log keeps a record of the deletion. Throws `draft_changed`. */
export async function deleteTemplate(app: App, id: string, origin: Origin, ifMatch?: number): Promise<void> {
  const erased = await app.write(async tx => {
    const template = await loadTemplate(tx, origin.actor, id, 'change')
    await requireVersion(tx, origin.actor, id, ifMatch)
    return eraseIn(tx, app, template, origin, 'request')
  })
  await finishErasure(app, [erased])
}
