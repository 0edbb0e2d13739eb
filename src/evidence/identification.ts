/** Determines how a recipient was identified, from the audit trail. */

import type { EventType } from '../core/event.ts'
import type { Verification } from '../core/verification.ts'
import type { Identification } from '../locales/evidence.ts'

export interface Act {
  type: EventType
  data: Readonly<Record<string, unknown>>
}

const isOneTimeCode = ({ type, data }: Act, method: Verification) => type === 'recipient.identified' && data.method === method

/** In the order in which they are printed. An act of the recipient proves it. */
const PROOFS: readonly (readonly [Identification, (act: Act) => boolean])[] = [
  // Only a personal link opens a document; this one was mailed.
  ['email_link', ({ type, data }) => type === 'document.viewed' && data.linkId === undefined],
  ['handed_out_link', ({ type }) => type === 'recipient.link_opened'],
  ['email_code', act => isOneTimeCode(act, 'email_code')],
  ['webhook_code', act => isOneTimeCode(act, 'webhook_code')],
  ['access_code', ({ type }) => type === 'recipient.access_code_accepted'],
]

/** `acts`: the entries that this person caused, not those of a person before a correction. */
export function identificationsOf(acts: readonly Act[]): Identification[] {
  return PROOFS.flatMap(([identification, isProof]) => (acts.some(isProof) ? [identification] : []))
}
