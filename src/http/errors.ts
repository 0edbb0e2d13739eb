/** Every failure as the one envelope. A Refusal is shown, anything else is logged under the request's id and shown as one neutral sentence. */
import { busyRefusal, diskRefusal, type Reason, Refusal } from '../core/refusal.ts'
import { isDiskError, isOutOfFiles } from '../lib/disk.ts'
import type { App } from '../ports.ts'
import { FileDamagedError } from '../storage/files.ts'

export type Code = Reason | 'internal'

export const STATUS: Record<Code, number> = {
  malformed_json: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  invalid_state: 409,
  idempotency_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  invalid_base64: 422,
  invalid_pdf: 422,
  encrypted_pdf: 422,
  unsupported_pdf: 422,
  nothing_to_sign: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal: 500,
  storage_unavailable: 503,
  overloaded: 503,
  shutting_down: 503,
}

/** What a person or a client may know of a failure. */
export interface ErrorResponse {
  code: Code
  status: number
  message: string
  details: { path: string; message: string }[]
  retryAfterS: number | undefined
  /** Bytes there are, where others were asked for. */
  completeBytes?: number
}

/** RFC 9110 §15.5.17: a range that holds nothing of the file. No code of the closed list is made for it: it is input that does not fit. */
export class RangeNotSatisfiableError extends Refusal {
  constructor(readonly completeBytes: number) {
    const message = `asks for nothing that is there: the file has ${completeBytes} bytes`
    super('validation_failed', `Range ${message}.`, [{ path: 'Range', message }])
  }
}

/** RFC 9110 §7.2. It has the code of input that does not fit, as a range has. */
export class InvalidHostError extends Refusal {
  constructor() {
    const message = 'must name one host, with a port at most'
    super('validation_failed', `Host ${message}.`, [{ path: 'Host', message }])
  }
}

/** More would make an answer larger than the request that caused it. */
const MOST_FAULTS = 100

function tellRefusal(refusal: Refusal): ErrorResponse {
  const { reason: code, message, details, retryAfterS } = refusal
  const left = details.length - MOST_FAULTS
  return {
    code,
    status: STATUS[code],
    message:
      left > 0 ? `${message}. Details toProblem the first ${MOST_FAULTS} errors; there are at least ${left} more.` : message,
    details: details.slice(0, MOST_FAULTS).map(({ path, message }) => ({ path, message })),
    retryAfterS,
    ...(refusal instanceof InvalidHostError ? { status: 400 } : {}),
    ...(refusal instanceof RangeNotSatisfiableError ? { status: 416, completeBytes: refusal.completeBytes } : {}),
  }
}

export function toProblem(error: unknown, { log, damage }: Pick<App, 'log' | 'damage'>, requestId: string): ErrorResponse {
  if (error instanceof Refusal) return tellRefusal(error)
  log('error', 'request failed', { requestId, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  damage.noteError(error)
  if (isDiskError(error)) return tellRefusal(diskRefusal())
  if (isOutOfFiles(error)) return tellRefusal(busyRefusal())
  const message =
    error instanceof FileDamagedError
      ? `The stored file is damaged or missing, so it was not sent. An administrator can restore it from a backup. Request ID ${requestId}.`
      : `Internal error. Try again, or give your administrator request ID ${requestId}.`
  return { code: 'internal', status: 500, message, details: [], retryAfterS: undefined }
}

/** The headers a failure brings: RFC 9110 §11.6.1 (WWW-Authenticate), §10.2.3 (Retry-After) and §14.4 (Content-Range). */
export function errorHeaders({ status, retryAfterS, completeBytes }: ErrorResponse): Record<string, string> {
  const headers: Record<string, string> = {}
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  if (retryAfterS !== undefined) headers['retry-after'] = String(retryAfterS)
  if (completeBytes !== undefined) headers['content-range'] = `bytes */${completeBytes}`
  return headers
}

export function envelope({ code, message, details }: ErrorResponse, requestId: string): string {
  return JSON.stringify({ error: { code, message, requestId, ...(details.length > 0 ? { details } : {}) } })
}
