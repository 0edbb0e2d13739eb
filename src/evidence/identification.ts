/** Determines how a recipient was identified, from the audit trail. */
import type { EventType } from '../core/document/event.ts'
import type { Verification } from '../core/signing/verification.ts'
import type { Identification } from '../locales/evidence.ts'

export interface Act {
  type: EventType
  data: Readonly<Record<string, unknown>>
}

type Trail = readonly Act[]

const isOneTimeCode = ({ type, data }: Act, method: Verification) => type === 'recipient.identified' && data.method === method

/** In the order in which they are printed. An act of the recipient proves it. */
const PROOFS: readonly (readonly [Identification, (act: Act) => boolean])[] = [
  // Only a personal link opens a document; this one was mailed.
  ['email_link', ({ type, data }) => type === 'document.viewed' && data.linkId === undefined && data.userId === undefined],
  ['handed_out_link', ({ type }) => type === 'recipient.link_opened'],
  ['app_account', ({ type }) => type === 'recipient.opened_from_app'],
  ['email_code', act => isOneTimeCode(act, 'email_code')],
  ['webhook_code', act => isOneTimeCode(act, 'webhook_code')],
  ['access_code', ({ type }) => type === 'recipient.access_code_accepted'],
]

/** What is true instead if the mail was only written to the outbox folder. */
const WRITTEN: Partial<Record<Identification, readonly [Identification, (trail: Trail, at: number) => boolean]>> = {
  email_link: ['written_link', isWrittenLink],
  email_code: ['written_code', isWrittenCode],
}

/**
 * `trail`: the entries that this person caused, and the outcomes of the mails to this person, in
 * order. Those of a person before a correction are not among them.
 */
export function identificationsOf(trail: Trail): Identification[] {
  return PROOFS.flatMap(([identification, isProof]) => {
    const at = trail.findIndex(isProof)
    if (at === -1) return []
    const [instead, isWritten] = WRITTEN[identification] ?? []
    return [instead && isWritten?.(trail, at) ? instead : identification]
  })
}

const isOfCode = ({ data }: Act) => data.mail === 'one_time_code'
const isWritten = ({ type }: Act) => type === 'recipient.email_written'

/** Of the mails before the opening; the outcome of one may be recorded just after it. */
function isWrittenLink(trail: Trail, at: number): boolean {
  const isSettled = (act: Act) => !isOfCode(act) && (isWritten(act) || act.type === 'recipient.email_accepted')
  const before = trail.slice(0, at).filter(isSettled)
  const mails = before.length > 0 ? before : trail.slice(at).filter(isSettled).slice(0, 1)
  return mails.length > 0 && mails.every(isWritten)
}

/** Only the newest code is accepted, so the mail is the one between its request and the next. */
function isWrittenCode(trail: Trail, at: number): boolean {
  const isRequest = ({ type }: Act) => type === 'recipient.code_sent'
  const request = trail.findLastIndex((act, i) => i < at && isRequest(act))
  const next = trail.findIndex((act, i) => i > at && isRequest(act))
  return trail.slice(request + 1, next === -1 ? undefined : next).some(act => isOfCode(act) && isWritten(act))
}
