/** Deletes a template. Documents made from it stay as they are, and so does their file. */
import { requireVersion } from '../documents/draft/draft-version.ts'
import { eraseIn, finishErasure } from '../documents/retention/erasure.ts'
import type { App, Origin } from '../ports.ts'
import { loadTemplate } from './load.ts'

/** The audit log keeps a record of the deletion. Throws `draft_changed`. */
export async function deleteTemplate(app: App, id: string, origin: Origin, ifMatch?: number): Promise<void> {
  const erased = await app.write(async tx => {
    const template = await loadTemplate(tx, origin.actor, id, 'change')
    await requireVersion(tx, origin.actor, id, ifMatch)
    return eraseIn(tx, app, template, origin, 'request')
  })
  await finishErasure(app, [erased])
}
