/**
 * The closed list of the API's error codes. OpenAPI, the reference page and ERRORS.md are made from
 * it.
 */
import type { Reason } from '../core/refusal.ts'

export type ErrorCode = Reason | 'internal'

interface ErrorCodeEntry {
  status: number
  meaning: string
  remedy: string
  /** Whether the unchanged request can succeed later. */
  isRetryable?: true
}

export const ERROR_CODES: Record<ErrorCode, ErrorCodeEntry> = {
  malformed_json: {
    status: 400,
    meaning: 'The body is not valid JSON in UTF-8, has a duplicate member, is nested too deeply, or ended early.',
    remedy: 'Send one complete JSON object without duplicate members.',
  },
  unauthorized: {
    status: 401,
    meaning: 'The API key is missing, malformed, unknown, revoked, expired, or of another environment.',
    remedy: 'Send a valid key of this environment as `Authorization: Bearer <key>`.',
  },
  forbidden: {
    status: 403,
    meaning: 'The key lacks the scope that the call needs. The message names the scope.',
    remedy: 'Use a key that has this scope, or create one.',
  },
  not_found: {
    status: 404,
    meaning: 'The address or the resource does not exist, or the resource is not visible to this key.',
    remedy: 'Check the path and the ID.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The address exists, but not with this method.',
    remedy: 'Use a method that the `Allow` header lists.',
  },
  invalid_state: {
    status: 409,
    meaning: 'The status of the document does not allow this call.',
    remedy: 'Get the document and act on its current status.',
  },
  idempotency_in_progress: {
    status: 409,
    meaning: 'An earlier request with the same `Idempotency-Key` is still running.',
    remedy: 'Wait a moment and repeat the request with the same key.',
    isRetryable: true,
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body or the file is larger than the limit. The message states the limit.',
    remedy: 'Send a smaller file, or ask the administrator for a higher limit.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not `application/json`, or has a `Content-Encoding`.',
    remedy: 'Send plain JSON with `Content-Type: application/json`.',
  },
  validation_failed: {
    status: 422,
    meaning:
      'A member, parameter or header is missing, unknown or invalid; `details` lists each with its path. A malformed `Host` has the status 400 and a range beyond the file 416, with this code.',
    remedy: 'Correct what `details` lists.',
  },
  invalid_base64: {
    status: 422,
    meaning: '`file` is not base64.',
    remedy: 'Encode the PDF by RFC 4648 §4, with padding and without a `data:` prefix.',
  },
  invalid_pdf: {
    status: 422,
    meaning: 'The file is not a PDF, or is too damaged to be sealed.',
    remedy: 'Open the file in a PDF program, save it again and send the new file.',
  },
  encrypted_pdf: {
    status: 422,
    meaning: 'The PDF needs a password to be opened.',
    remedy: 'Remove the password and send the file again.',
  },
  unsupported_pdf: {
    status: 422,
    meaning: 'The PDF has a feature that cannot be signed or sealed, or exceeds a limit. The message names it.',
    remedy: 'Print the document to a new PDF and send that.',
  },
  nothing_to_sign: {
    status: 422,
    meaning: 'No recipient of the document has to sign or approve.',
    remedy: 'Create the document with at least one signer or approver.',
  },
  idempotency_key_reused: {
    status: 422,
    meaning: 'The `Idempotency-Key` was used for a different request within the last 24 hours.',
    remedy: 'Use a new key for each new request.',
  },
  rate_limited: {
    status: 429,
    meaning: 'Too many requests with this key, or too many failed authentications from this address.',
    remedy: 'Wait for the seconds in `Retry-After`, then repeat the request.',
    isRetryable: true,
  },
  internal: {
    status: 500,
    meaning: 'The service failed. Its log has the cause under the request ID.',
    remedy: 'Repeat the request; if it fails again, give the request ID to your administrator.',
    isRetryable: true,
  },
  storage_unavailable: {
    status: 503,
    meaning: 'The disk is full, nearly full, or failing. Nothing of the request was stored.',
    remedy: 'Wait for the seconds in `Retry-After`, then repeat the request; tell your administrator if it lasts.',
    isRetryable: true,
  },
  overloaded: {
    status: 503,
    meaning: 'The service has too much to do, or the body arrived too slowly. Nothing of the request was stored.',
    remedy: 'Wait for the seconds in `Retry-After`, then repeat the request.',
    isRetryable: true,
  },
  shutting_down: {
    status: 503,
    meaning: 'The service is restarting.',
    remedy: 'Wait for the seconds in `Retry-After`, then repeat the request.',
    isRetryable: true,
  },
}

export const CODES = Object.keys(ERROR_CODES) as ErrorCode[]

/** The table as a CommonMark list, one item a code. */
export function errorCatalogue(): string {
  return CODES.map(code => {
    const { status, meaning, remedy, isRetryable } = ERROR_CODES[code]
    return `- \`${code}\` (${status}${isRetryable ? ', retry later' : ''}): ${meaning} ${remedy}`
  }).join('\n')
}
