/** The one kind of "no" the rules can say. Its reason comes from a closed list, its message is safe to show and says what to do. */
import { type Said, type Saying, say } from './message.ts'

export const REASONS = [
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'invalid_state',
  'idempotency_in_progress',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'invalid_base64',
  'invalid_pdf',
  'encrypted_pdf',
  'unsupported_pdf',
  'nothing_to_sign',
  'idempotency_key_reused',
  'rate_limited',
  'malformed_json',
  'storage_unavailable',
  'overloaded',
  'shutting_down',
] as const

export type Reason = (typeof REASONS)[number]

/** One fault of an input: where it stands (`recipients[0].email`) and what must hold there. */
export interface Fault {
  path: string
  message: string
  /** The same for a recipient, in whichever language. */
  saying?: Saying
}

export class Refusal extends Error {
  /** The message for a recipient, in whichever language. */
  readonly saying: Saying | undefined
  constructor(
    readonly reason: Reason,
    message: string | Said,
    readonly details: Fault[] = [],
    /** Seconds after which trying again makes sense. */
    readonly retryAfterS?: number,
  ) {
    super(typeof message === 'string' ? message : message.message)
    this.saying = typeof message === 'string' ? undefined : message.saying
  }
}

/** `validation_failed` with all faults at once. */
export function faultRefusal(faults: readonly [Fault, ...Fault[]]): Refusal {
  const [{ path, message }, ...others] = faults
  const more = others.length > 0 ? ` (and ${others.length} more, see details)` : ''
  return new Refusal('validation_failed', `${path}: ${message}${more}`, [...faults])
}

/** Throws `validation_failed` with all faults at once, or does nothing when there are none. */
export function refuseFaults(faults: Fault[]): void {
  const [first, ...others] = faults
  if (first) throw faultRefusal([first, ...others])
}

/** For what the disk could not take, or could not give. */
export function diskRefusal(): Refusal {
  const message = 'Data cannot be stored right now. Nothing of this was stored; try again in a minute.'
  return new Refusal('storage_unavailable', message, [], 60)
}

const BUSY_RETRY_S = 10

/** For what the machine cannot do now: nothing is wrong with what was sent, and nothing was stored. */
export function busyRefusal(): Refusal {
  return new Refusal('overloaded', say('busy'), [], BUSY_RETRY_S)
}
