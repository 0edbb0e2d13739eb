/**
 * Actions on several documents: each succeeds or fails alone, and the result names it. One of them
 * is the legal hold.
 */
import { labelErrors } from '../../core/document/document-limits.ts'
import * as core from '../../core/document/retention.ts'
import { Refusal, refuseIfInvalid } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import type { App, Origin } from '../../ports.ts'
import { editInTransaction } from '../draft/edit-draft.ts'
import { change, load } from '../record.ts'
import { remindDocument, voidDocument } from './lifecycle.ts'

/** A page of the list has fewer. */
export const MAX_BULK = 100

/** `none`: nobody was due. `refused`: the document is not in a state for it. */
export type BulkOutcome = 'done' | 'none' | 'refused'

export interface BulkResult {
  id: string
  outcome: BulkOutcome
}

export function remindDocuments(app: App, ids: string[], origin: Origin): Promise<BulkResult[]> {
  return each(ids, async id => ((await remindDocument(app, id, origin)).reminded.length > 0 ? 'done' : 'none'))
}

export function voidDocuments(app: App, ids: string[], reason: string, origin: Origin): Promise<BulkResult[]> {
  return each(ids, async id => {
    await voidDocument(app, id, reason, origin)
    return 'done'
  })
}

/** Adds one label to each document. */
export async function labelDocuments(app: App, ids: string[], label: string, origin: Origin): Promise<BulkResult[]> {
  refuseIfInvalid(labelErrors([label]))
  return each(ids, async id => {
    await app.write(async tx => {
      const document = await load(tx, origin.actor, id)
      await editInTransaction(tx, app, document, { labels: [...document.labels, label] }, { origin })
    })
    return 'done'
  })
}

/** One transaction each: a document that fails keeps no other from its change. */
async function each(ids: string[], act: (id: string) => Promise<BulkOutcome>): Promise<BulkResult[]> {
  if (ids.length > MAX_BULK) throw new Refusal('validation_failed', violation('too_many_documents', { max: MAX_BULK }))
  const results: BulkResult[] = []
  for (const id of new Set(ids)) {
    try {
      results.push({ id, outcome: await act(id) })
    } catch (error) {
      if (!(error instanceof Refusal) || !PER_DOCUMENT.has(error.reason)) throw error
      results.push({ id, outcome: 'refused' })
    }
  }
  return results
}

/** Refusals about one document. Others, such as a full disk, concern all. */
const PER_DOCUMENT = new Set<Refusal['reason']>(['invalid_state', 'not_found', 'validation_failed'])

// Sets and lifts the legal hold of a document: for administrators, with a reason. To others, a
// document that they may not see does not exist.

export async function setLegalHold(app: App, id: string, reason: string, origin: Origin) {
  return change(app, origin, id, (document, now) => {
    requireAdministrator(origin)
    return core.setLegalHold(document, reason, now)
  })
}

export async function liftLegalHold(app: App, id: string, reason: string, origin: Origin) {
  return change(app, origin, id, document => {
    requireAdministrator(origin)
    return core.liftLegalHold(document, reason)
  })
}

function requireAdministrator({ actor }: Origin): void {
  if (!actor.isAdmin) throw new Refusal('forbidden', violation('hold_by_administrators'))
}
