/** The fields that a document's PDF suggests. They are offered and never placed by themselves. */
import type { Document } from '../../core/document/document.ts'
import type { Finding, WarningCode } from '../../core/draft/draft-check.ts'
import type { FieldEdit } from '../../core/draft/edit-fields.ts'
import { type FoundFields, leftoverTags } from '../../core/draft/proposal.ts'
import type { PageArea } from '../../core/field/geometry.ts'
import { errorAt, Refusal, refuseIfInvalid } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import type { App } from '../../ports.ts'

/**
 * Each file is searched once, also one that ended the child; not when the machine was busy.
 * @throws Refusal `overloaded`
 */
export async function findFieldsOnce({ foundFields, pdf, storage }: App, sha256: string): Promise<FoundFields> {
  const known = foundFields.get(sha256) ?? storage.localPath(sha256).then(path => pdf.findFields({ path }))
  foundFields.set(sha256, known)
  try {
    return await known
  } catch (error) {
    foundFields.delete(sha256)
    throw error
  }
}

/** Tags of the PDF that recipients would see; none while the machine is too busy to search it. */
export async function leftoverTagsOf(app: App, document: Document): Promise<Finding<WarningCode>[]> {
  try {
    return leftoverTags(document, await findFieldsOnce(app, document.sha256Original))
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

/** Only the text of tags may be covered: an edit cannot hide other parts of a page. */
export async function requireTagCovers(
  app: App,
  edits: readonly FieldEdit[],
  loadEdited: () => Promise<Pick<Document, 'sha256Original'>>,
): Promise<void> {
  if (!edits.some(({ covers }) => covers?.length)) return
  const { proposals } = await findFieldsOnce(app, (await loadEdited()).sha256Original)
  const known = new Set(proposals.flatMap(({ covers = [] }) => covers.map(tagKey)))
  const errors = edits.flatMap(({ covers }, i) =>
    (covers ?? []).flatMap((cover, j) =>
      known.has(tagKey(cover)) ? [] : [errorAt(`fields[${i}].covers[${j}]`, violation('not_a_tag'))],
    ),
  )
  refuseIfInvalid(errors)
}

/** The place of a tag, to compare it. */
export const tagKey = ({ page, x, y, width, height }: PageArea): string =>
  [page, x, y, width, height].map(n => n.toFixed(2)).join(' ')
