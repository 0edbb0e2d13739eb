/** A rule's refusal: a reason from a closed list, and what it says, which is safe to show. */
import { type LocalizedMessage, localized, type MessageRef } from './signing/message.ts'
import type { Violation } from './violation.ts'

export const REASONS = [
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'invalid_state',
  'upgrade_unfinished',
  'idempotency_in_progress',
  'draft_changed',
  'duplicate_batch',
  'witness_unknown',
  'witness_disagrees',
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

/** What a rule has found: a code, or a message that recipients read in their language. */
export type Found = Violation | (LocalizedMessage & { code?: undefined })

/** The path of the value, such as `recipients[0].email`, and what is wrong with it. */
export type ValidationError = { path: string } & Found

export const errorAt = (path: string, found: Found): ValidationError => ({ ...found, path })

/** The code that a client reads; that of a message to recipients is made from its key. */
export function codeOf(error: ValidationError): string {
  return error.code ?? error.messageRef.key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/** Of what the rules have found, by path. */
export function errorsIn(found: readonly (readonly [path: string, found: Found | undefined])[]): ValidationError[] {
  return found.flatMap(([path, each]) => (each === undefined ? [] : [errorAt(path, each)]))
}

export class Refusal extends Error {
  readonly messageRef: MessageRef | undefined
  /** What it says; its own message is then for logs alone. */
  readonly violation: Violation | undefined
  constructor(
    readonly reason: Reason,
    says: Found | { code?: undefined; messageRef?: undefined; message: string },
    readonly details: ValidationError[] = [],
    /** Seconds after which a retry makes sense. */
    readonly retryAfterS?: number,
  ) {
    super(says.code ?? says.message)
    this.violation = says.code === undefined ? undefined : says
    this.messageRef = says.code === undefined ? says.messageRef : undefined
  }
}

/** What is wrong, by path; of a refusal without details, what it says. */
export function errorsOfRefusal({ details, violation: said, message, messageRef }: Refusal, path: string): ValidationError[] {
  if (details.length > 0) return details
  const found = said ?? (messageRef && { message, messageRef })
  return errorsIn([[path, found]])
}

/** Its own message is for logs: the words for people are those of the details. */
export function validationRefusal(errors: readonly [ValidationError, ...ValidationError[]]): Refusal {
  return new InvalidInputError('validation_failed', errors)
}

/** Throws `validation_failed` with all errors, if there are any. */
export function refuseIfInvalid(errors: ValidationError[]): void {
  const [first, ...others] = errors
  if (first) throw validationRefusal([first, ...others])
}

/** Says what its details say. */
export class InvalidInputError extends Refusal {
  constructor(
    reason: Reason,
    details: readonly [ValidationError, ...ValidationError[]],
    /** Makes the whole sentence of what is wrong, in place of one that begins with the path. */
    readonly inSentence?: (clause: string) => string,
  ) {
    const [first] = details
    super(reason, { message: `${first.path}: ${first.code ?? first.message}` }, [...details])
  }
}

const DISK_RETRY_S = 60

/** The disk could not write or read. */
export function diskRefusal(): Refusal {
  return new Refusal('storage_unavailable', localized('notStored'), [], DISK_RETRY_S)
}

/** A database server restarts or a standby takes over in seconds. */
const RECONNECT_S = 5

/** The connection to the database or the file store failed; `unknown`: the change may be stored. */
export class UnreachableError extends Refusal {
  constructor(readonly outcome: 'not-done' | 'unknown') {
    super('storage_unavailable', localized(outcome === 'unknown' ? 'notConfirmed' : 'notReachable'), [], RECONNECT_S)
  }
}

const BUSY_RETRY_S = 10

/** The machine has no capacity now: the request is valid, and nothing was stored. */
export function busyRefusal(): Refusal {
  return new Refusal('overloaded', localized('busy'), [], BUSY_RETRY_S)
}
