/**
 * Edits the version of a draft that its author has seen, by the rules of
 * `core/draft/edit-draft.ts`.
 */
import { eventTimesSince } from '../../audit/log.ts'
import { type Document, isTemplate, type Transition } from '../../core/document/document.ts'
import { mayHaveChanged } from '../../core/draft/draft-changes.ts'
import type { Finding } from '../../core/draft/draft-check.ts'
import * as core from '../../core/draft/edit-draft.ts'
import type { EditDeps } from '../../core/draft/edit-fields.ts'
import { Refusal } from '../../core/refusal.ts'
import { isMailed } from '../../core/signing/routing.ts'
import { changeTime } from '../../db/change-time.ts'
import type { Tx } from '../../db/open.ts'
import { randomBelow } from '../../lib/id.ts'
import type { App, Origin } from '../../ports.ts'
import * as queries from '../queries.ts'
import { load, record } from '../record.ts'
import { withImpossibleKey } from '../signing/device-key.ts'
import { hashAccessCode } from '../signing/link.ts'
import { hasCodeWebhook } from '../signing/one-time-code.ts'
import { mayHandOutLinks, requireDelivery } from '../signing/signing-link.ts'
import { LIMITS } from './create.ts'
import { changesSince, DraftChangedError, recordChanges, versionOf } from './draft-version.ts'
import { requireTagCovers } from './propose-fields.ts'

/** One `document.updated` or `template.updated` in this time for each author. */
const EVENT_PAUSE_MS = 600_000
const MAX_LINK_VERSION = 2 ** 31

export interface EditOptions {
  /** The version the author has seen; without it every version is edited. */
  ifMatch?: number | undefined
  origin: Origin
}

export interface EditedDocument {
  document: Document
  version: number
}

/** Throws `draft_changed` with what changed since `ifMatch`, and `validation_failed`. */
export async function editDraft(app: App, id: string, edit: core.DraftEdit, options: EditOptions): Promise<EditedDocument> {
  const { actor } = options.origin
  await requireTagCovers(app, edit.fields ?? [], () => load(app.db, actor, id))
  return app.write(async tx => editInTransaction(tx, app, await load(tx, actor, id), edit, options))
}

export async function editInTransaction(
  tx: Tx,
  app: App,
  before: Document,
  edit: core.DraftEdit | core.TemplateEdit,
  { ifMatch, origin }: EditOptions,
): Promise<EditedDocument> {
  core.requireEditable(before, edit)
  await requireDelivery(app, tx, origin.actor, newlyDelivered(before, edit))
  const { id } = before
  const version = await versionOf(tx, id)
  const apply = async () => core.editDraft(before, edit, await depsOf(app, tx, before, edit))
  if (ifMatch !== undefined && ifMatch !== version) {
    const changes = await changesSince(tx, origin.actor, id, ifMatch)
    // RFC 9110 §13.1.1: a request that was carried out, but whose answer was lost, succeeds.
    const isOnlyThisEdit = changes.every(
      change => change.isOwn && change.version === version && mayHaveChanged(edit, before, change.path),
    )
    if (changes.length > 0 && isOnlyThisEdit && (await changesNothing(before, apply))) return { document: before, version }
    throw new DraftChangedError(version, changes)
  }
  const { document, events } = await apply()
  if (document === before) return { document, version }
  const now = await changeTime(tx, app)
  const type = isTemplate(before) ? 'template.updated' : 'document.updated'
  const recent = await eventTimesSince(tx, id, type, origin, new Date(now.getTime() - EVENT_PAUSE_MS))
  const saved = await record(tx, app, before, { document, events: recent.length > 0 ? [] : events }, origin)
  return { document: saved, version: await recordChanges(tx, origin.actor, before, saved, now) }
}

/** What a recipient has already is asked for again by every form that shows it. */
function newlyDelivered({ recipients }: Document, edit: core.DraftEdit): core.RecipientEdit[] {
  const isAsBefore = ({ id, deliverBy }: core.RecipientEdit) => recipients.some(r => r.id === id && r.deliverBy === deliverBy)
  return (edit.recipients ?? []).filter(each => !isAsBefore(each))
}

async function changesNothing(before: Document, apply: () => Promise<Transition>): Promise<boolean> {
  try {
    return (await apply()).document === before
  } catch (error) {
    // An error may be due to the change in between.
    if (error instanceof Refusal) return false
    throw error
  }
}

async function depsOf(app: App, tx: Tx, document: Document, edit: core.DraftEdit): Promise<EditDeps> {
  const { id } = document
  const ids = [...(edit.recipients ?? []), ...(edit.fields ?? [])].flatMap(each => each.id ?? [])
  const used = await queries.idsInUse(tx, id, ids)
  return {
    newId: prefix => app.newId(isTemplate(document) && prefix === 'rcp' ? 'rol' : prefix),
    hashAccessCode: (recipientId, code) => hashAccessCode(app, recipientId, code),
    newLinkVersion: () => 1 + randomBelow(app.random, MAX_LINK_VERSION - 1),
    isTaken: each => used.has(each),
    unprintable: app.unprintable,
    limits: LIMITS,
    now: await changeTime(tx, app),
  }
}

// What keeps recipients of a draft from their links or codes: settings, not the draft itself.

/** `requireReachable`, `requireCodeWebhook` and `requireDeviceKeys` refuse to send for them. */
type DeliveryCode = 'links_not_allowed' | 'code_webhook_missing' | 'device_key_impossible'

export async function deliveryFindings(app: App, document: Document): Promise<Finding<DeliveryCode>[]> {
  const { recipients } = document
  const byLink = recipients.filter(each => !isMailed(each))
  const byWebhook = recipients.filter(({ verify }) => verify === 'webhook_code')
  const isAllowed = byLink.length === 0 || (await mayHandOutLinks(app))
  const hasWebhook = byWebhook.length === 0 || (await hasCodeWebhook(app.db, document))
  const at = (code: DeliveryCode, member: string, found: Document['recipients']) =>
    found.map(({ id }) => ({ code, path: `recipients/${id}/${member}`, recipientId: id }))
  return [
    ...(isAllowed ? [] : at('links_not_allowed', 'deliverBy', byLink)),
    ...(hasWebhook ? [] : at('code_webhook_missing', 'verify', byWebhook)),
    ...at('device_key_impossible', 'deviceKey', await withImpossibleKey(app, app.db, document)),
  ]
}
