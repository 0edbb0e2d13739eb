/** The actions of a sender: send, void, remind, download. `erasure.ts` deletes. */
import { rememberContacts } from '../accounts/contacts.ts'
import { auditEventsOf } from '../audit/log.ts'
import * as core from '../core/document.ts'
import { cleanText } from '../core/text.ts'
import { retrySealNow } from '../outbox/queries.ts'
import type { Actor, App, Origin } from '../ports.ts'
import { draftChangeDeletion } from './draft-queries.ts'
import { requireVersion } from './draft-version.ts'
import { change, changeDocument, load, record } from './record.ts'

function notified({ events }: core.Transition): { notified: number } {
  return { notified: events.filter(e => e.type === 'recipient.notified').length }
}

/** `ifMatch`: the version that its sender has seen. Throws `draft_changed`. */
export function sendDocument(app: App, id: string, origin: Origin, ifMatch?: number): Promise<{ notified: number }> {
  return app.write(async tx => {
    const document = await load(tx, origin.actor, id)
    // A document that was sent is reported as such, not as a changed draft.
    if (document.status === 'draft') await requireVersion(tx, origin.actor, id, ifMatch)
    const transition = core.send(document, app.now())
    await record(tx, app, document, transition, origin, { others: [draftChangeDeletion(tx, id)] })
    // A program may write to any number of people; the contacts are those of a person.
    if (origin.actor.label.startsWith('user:')) await rememberContacts(tx, app, origin.actor, transition.document.recipients)
    return notified(transition)
  })
}

export function voidDocument(app: App, id: string, reason: string, origin: Origin): Promise<core.Document> {
  return change(app, origin, id, d => core.voidDocument(d, cleanText(reason)))
}

/** Returns the ids of the reminded recipients. */
export function remindDocument(app: App, id: string, origin: Origin): Promise<string[]> {
  return changeDocument(app, origin, id, core.remind, ({ events }) => events.flatMap(e => e.recipientId ?? []))
}

/** Seals now instead of at the next planned attempt. */
export async function retrySealing(app: App, id: string, origin: Origin): Promise<void> {
  await app.write(async tx => {
    const document = await load(tx, origin.actor, id)
    core.requireAllowed(core.allowedActions(document).retrySealing, document, 'sealed again')
    await retrySealNow(tx, id, app.now())
  })
}

export async function auditTrail(app: App, actor: Actor, id: string) {
  const document = await load(app.db, actor, id)
  return { document, events: await auditEventsOf(app.db, id) }
}

/** The hash and file name of a version: the newest sealed one, if any, unless one is named. */
export async function fileOf(app: App, actor: Actor, id: string, version: 'sealed' | 'original' | undefined) {
  const document = await load(app.db, actor, id)
  return fileVersionOf(document, version)
}

export function fileVersionOf(document: core.Document, version: 'sealed' | 'original' | undefined) {
  const sealed = version === undefined ? document.sha256Sealed !== undefined : version === 'sealed'
  const sha256 = sealed ? document.sha256Sealed : document.sha256Original
  const stem = document.fileName.replace(/\.pdf$/i, '')
  return { sha256, fileName: sealed ? `${stem} (signed).pdf` : `${stem}.pdf` }
}
