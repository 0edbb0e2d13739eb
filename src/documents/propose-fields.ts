/** The fields that a document's PDF suggests. They are offered and never placed by themselves. */
import type { FoundFields } from '../core/proposal.ts'
import type { Actor, App } from '../ports.ts'
import { load } from './record.ts'

/** @throws Refusal `overloaded` when the machine is too busy */
export async function proposeFields(app: App, actor: Actor, id: string): Promise<FoundFields> {
  const { sha256Original } = await load(app.db, actor, id)
  return findFieldsOnce(app, sha256Original)
}

/** Each file is searched once: equal bytes have the same proposals. */
async function findFieldsOnce({ foundFields, pdf, storage }: App, sha256: string): Promise<FoundFields> {
  const known = foundFields.get(sha256) ?? pdf.findFields({ path: storage.pathOf(sha256) })
  foundFields.set(sha256, known)
  try {
    return await known
  } catch (error) {
    foundFields.delete(sha256)
    throw error
  }
}
