/** The actions of a sender: send, void, remind, download. `erasure.ts` deletes. */
import { rememberContacts } from '../../accounts/contacts.ts'
import { auditEventsOf } from '../../audit/log.ts'
import * as core from '../../core/document/document.ts'
import { refuseBlocked } from '../../core/draft/draft-check.ts'
import { isMailed, recipientsToAct } from '../../core/signing/routing.ts'
import { unlockRecipient } from '../../core/signing/signing.ts'
import { cleanText } from '../../core/text.ts'
import { changeTime } from '../../db/change-time.ts'
import type { Tx } from '../../db/open.ts'
import { retrySealNow } from '../../outbox/queries.ts'
import type { Actor, App, Committed, Origin } from '../../ports.ts'
import { requireVersion, versionOf } from '../draft/draft-version.ts'
import { hasTexts, unfittingTextsOf } from '../draft/text-fit.ts'
import { type NamedFile, newestOf, originalOf, sealedOf } from '../files/named-file.ts'
import { draftChangeDeletion } from '../queries.ts'
import { change, changeDocument, load, record } from '../record.ts'
import { requireCodeWebhook } from '../signing/one-time-code.ts'
import { requireReachable } from '../signing/signing-link.ts'

/** How many invitations are mailed. */
function notified({ document, events }: core.Transition): { notified: number } {
  const invited = events.flatMap(e => (e.type === 'recipient.notified' && e.recipientId) || [])
  return { notified: document.recipients.filter(r => isMailed(r) && invited.includes(r.id)).length }
}

/** `ifMatch`: the version that its sender has seen. Throws `draft_changed`. */
export async function sendDocument(app: App, id: string, origin: Origin, ifMatch?: number) {
  let fittingVersion: number | undefined
  for (;;) {
    try {
      return await app.write(tx => sendIfFitting(tx, app, id, origin, { ifMatch, fittingVersion }))
    } catch (error) {
      if (!(error instanceof UnmeasuredError)) throw error
      // It waits for a child process, which no transaction may do.
      refuseBlocked(await unfittingTextsOf(app, error.document))
      fittingVersion = error.version
    }
  }
}

/**
 * It is not known whether the texts of this version fit. Thrown, not returned: what a transaction
 * returns is stored as the response to an Idempotency-Key.
 */
class UnmeasuredError extends Error {
  constructor(
    readonly document: core.Document,
    readonly version: number,
  ) {
    super('the texts of the draft are not measured')
  }
}

interface SendOptions {
  ifMatch: number | undefined
  /** The version whose texts fit their places. */
  fittingVersion: number | undefined
}

/** Throws `UnmeasuredError` if it is not known whether its texts fit. */
async function sendIfFitting(
  tx: Tx,
  app: App,
  id: string,
  origin: Origin,
  { ifMatch, fittingVersion }: SendOptions,
): Promise<{ notified: number }> {
  const document = await load(tx, origin.actor, id)
  // A document that was sent is reported as such, not as a changed draft.
  if (document.status === 'draft') {
    await requireVersion(tx, origin.actor, id, ifMatch)
    if (hasTexts(document)) await requireMeasured(tx, document, fittingVersion)
  }
  await requireReachable(app, tx, document)
  const transition = core.send(document, await changeTime(tx, app))
  await requireCodeWebhook(tx, document, ({ id }) => `recipients/${id}/verify`)
  await record(tx, app, document, transition, origin, { others: [draftChangeDeletion(tx, id)] })
  // A program may write to any number of people; the contacts are those of a person.
  if (origin.actor.label.startsWith('user:')) await rememberContacts(tx, app, origin.actor, transition.document.recipients)
  return notified(transition)
}

async function requireMeasured(tx: Tx, document: core.Document, fittingVersion: number | undefined): Promise<void> {
  const version = await versionOf(tx, document.id)
  if (version !== fittingVersion) throw new UnmeasuredError(document, version)
}

export function voidDocument(app: App, id: string, reason: string, origin: Origin): Promise<Committed<core.Document>> {
  return change(app, origin, id, d => core.voidDocument(d, cleanText(reason)))
}

/** Ids of recipients whose turn it is. */
export interface Reminded {
  reminded: string[]
  skipped: { id: string; reason: 'deliver_by_link' | 'mailed_recently' }[]
}

export function remindDocument(app: App, id: string, origin: Origin): Promise<Committed<Reminded>> {
  return changeDocument(app, origin, id, core.remind, ({ document, events }) => {
    const reminded = events.flatMap(e => e.recipientId ?? [])
    const others = recipientsToAct(document).filter(r => !reminded.includes(r.id))
    const skipped = others.map(r => ({
      id: r.id,
      reason: isMailed(r) ? ('mailed_recently' as const) : ('deliver_by_link' as const),
    }))
    return { reminded, skipped }
  })
}

/** Throws `not_found`, and `invalid_state` if the recipient is not locked. */
export function unlock(app: App, id: string, recipientId: string, origin: Origin) {
  return app.write(async tx => {
    const before = await load(tx, origin.actor, id)
    const document = await record(tx, app, before, unlockRecipient(before, recipientId), origin)
    return { recipient: core.recipientOf(document, recipientId), version: await versionOf(tx, id) }
  })
}

/** Seals now instead of at the next planned attempt. */
export async function retrySealing(app: App, id: string, origin: Origin): Promise<void> {
  await app.write(async tx => {
    const document = await load(tx, origin.actor, id)
    core.requireAllowed(core.allowedActions(document).retrySealing, document, 'sealAgain')
    await retrySealNow(tx, id, app.now())
  })
}

export async function auditTrail(app: App, actor: Actor, id: string) {
  const document = await load(app.db, actor, id)
  return { document, events: await auditEventsOf(app.db, id) }
}

/** The newest sealed file, if any, else the original, unless one is named. */
export async function fileOf(app: App, actor: Actor, id: string, version: 'sealed' | 'original' | undefined): Promise<NamedFile> {
  const document = await load(app.db, actor, id)
  if (version === undefined) return newestOf(app.db, document)
  return version === 'sealed' ? sealedOf(app.db, document) : originalOf(document)
}
