/**
 * Sets and lifts the legal hold of a document: for administrators, with a reason. To others, a
 * document that they may not see does not exist.
 */
import * as core from '../../core/document/legal-hold.ts'
import { Refusal } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import type { App, Origin } from '../../ports.ts'
import { change } from '../record.ts'

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
