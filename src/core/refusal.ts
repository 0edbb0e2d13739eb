/** The one kind of "no" the rules can say. Its reason comes from a closed list, its message is safe to show and says what to do. */

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
}

export class Refusal extends Error {
  constructor(
    readonly reason: Reason,
    message: string,
    readonly details: Fault[] = [],
    /** Seconds after which trying again makes sense. */
    readonly retryAfterS?: number,
  ) {
    super(message)
  }
}

/** Throws `validation_failed` with all faults at once, or does nothing when there are none. */
export function refuseFaults(faults: Fault[]): void {
  const first = faults[0]
  if (!first) return
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more, see details)` : ''
  throw new Refusal('validation_failed', `${first.path}: ${first.message}${more}`, faults)
}

/** For what the disk could not take, or could not give. */
export function diskRefusal(): Refusal {
  const message = 'Data cannot be stored right now. Nothing of this was stored; try again in a minute.'
  return new Refusal('storage_unavailable', message, [], 60)
}
