/** Replaces the PDF of a template and keeps its fields. Documents made before keep their file. */
import type { Document } from '../core/document/document.ts'
import { replaceFile } from '../core/document/replace-file.ts'
import type { PageArea } from '../core/field/geometry.ts'
import { recordChanges, requireVersion } from '../documents/draft/draft-version.ts'
import type { EditedDocument, EditOptions } from '../documents/draft/edit-draft.ts'
import { findFieldsOnce, tagKey } from '../documents/draft/propose-fields.ts'
import { type NamedUpload, type StoredFile, withStoredFiles } from '../documents/files/store-files.ts'
import { record } from '../documents/record.ts'
import { finishRemovals, removeIfUnused } from '../files/claims.ts'
import type { PdfWarning } from '../pdf/inspect/report.ts'
import type { App } from '../ports.ts'
import { loadTemplate } from './load.ts'

export interface ReplaceOptions extends EditOptions {
  /** Removes fields on pages that the new PDF lacks; otherwise it is refused. */
  dropsFields?: boolean
}

export interface ReplacedFile extends EditedDocument {
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
