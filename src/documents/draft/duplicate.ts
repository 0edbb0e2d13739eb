/** Makes a new draft of the same file, with the people and fields of a document. */
import { createDraft } from '../../core/document/create-document.ts'
import { duplicateInput } from '../../core/document/duplicate-document.ts'
import { changeTime } from '../../db/change-time.ts'
import type { App, Origin } from '../../ports.ts'
import { load, record } from '../record.ts'
import { requireDelivery } from '../signing/signing-link.ts'
import { type CreatedDocument, createDeps } from './create.ts'
import { versionOf } from './draft-version.ts'

export async function duplicateDocument(app: App, id: string, origin: Origin): Promise<CreatedDocument> {
  return app.write(async tx => {
    const original = await load(tx, origin.actor, id)
    await requireDelivery(app, tx, origin.actor, original.recipients)
    const deps = createDeps(app, await changeTime(tx, app))
    const { document, events } = createDraft(duplicateInput(original), origin.actor.userId, original, deps)
    const [created, ...others] = events
    const noted = created ? [{ ...created, data: { ...created.data, duplicateOf: id } }, ...others] : []
    const saved = await record(tx, app, undefined, { document, events: noted }, origin)
    const warnings = warningsOf(original.recipients.filter(r => r.accessCodeHash !== undefined))
    return { document: saved, version: await versionOf(tx, saved.id), warnings }
  })
}

function warningsOf(protectedRecipients: { name: string; email: string }[]): CreatedDocument['warnings'] {
  return protectedRecipients.map(({ name, email }) => ({
    code: 'access_code_missing' as const,
    message: `The access code of ${name || email} was not copied: set a new one before you send.`,
  }))
}
