/** Error responses. A Refusal is shown; other errors are logged and get a neutral sentence. */
import { busyRefusal, codeOf, errorAt, InvalidInputError, Refusal, type ValidationError } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import { storageRefusal } from '../db/storage-refusal.ts'
import { isOutOfFiles } from '../lib/disk.ts'
import { type AppTexts, appTextsOf, errorText, refusalText } from '../locales/app.ts'
import { firstOf } from '../locales/violations.ts'
import type { App } from '../ports.ts'
import { FileDamagedError } from '../storage/file-store.ts'
import { ERROR_CODES, type ErrorCode } from './error-codes.ts'

/** What a client may know of a failure. */
export interface ErrorResponse {
  code: ErrorCode
  status: number
  message: string
  details: { path: string; code: string; message: string }[]
  retryAfterS: number | undefined
  /** Length of the file, where a range beyond it was requested. */
  completeBytes?: number
}

/** RFC 9110 §15.5.17: the requested range is beyond the end of the file. */
export class RangeNotSatisfiableError extends InvalidInputError {
  constructor(readonly completeBytes: number) {
    const error = errorAt('Range', violation('range_beyond_end', { bytes: completeBytes }))
    super('validation_failed', [error], clause => `Range ${clause}.`)
  }
}

/** RFC 9110 §7.2: the Host header is malformed. */
export class InvalidHostError extends InvalidInputError {
  constructor() {
    super('validation_failed', [errorAt('Host', violation('malformed_host'))], clause => `Host ${clause}.`)
  }
}

/** Says in other words what the rules of a similar thing have refused. */
export class RewordedError extends Refusal {
  constructor(
    readonly of: Refusal,
    readonly inWords: (english: string) => string,
  ) {
    super(of.reason, of.violation ?? { message: of.message }, of.details, of.retryAfterS)
  }
}

/** Bounds the response: without it, a small request could cause a large one. */
const MAX_DETAILS = 100

const shownDetails = ({ details }: Refusal) => details.slice(0, MAX_DETAILS)

function textOf(refusal: Refusal, texts: AppTexts): string {
  if (!(refusal instanceof RewordedError)) return refusalText(texts, refusal)
  const { of, inWords } = refusal
  if (!(of instanceof InvalidInputError)) return inWords(refusalText(texts, of))
  return firstOf(texts.violations, of, error => inWords(errorText(texts, error)))
}

/** Of a change, the details name its author: these stay as they are. */
function detailOf(refusal: Refusal, error: ValidationError, texts: AppTexts): string {
  const isReworded = refusal instanceof RewordedError && error.code !== 'changed_meanwhile'
  const text = errorText(texts, error)
  return isReworded ? refusal.inWords(text) : text
}

function refusalResponse(refusal: Refusal, texts: AppTexts): ErrorResponse {
  const { reason: code, details, retryAfterS } = refusal
  const text = textOf(refusal, texts)
  const omitted = details.length - MAX_DETAILS
  return {
    code,
    status: ERROR_CODES[code].status,
    message: omitted > 0 ? texts.violations.details_omitted({ text, max: MAX_DETAILS, omitted }) : text,
    details: shownDetails(refusal).map(error => ({
      path: error.path,
      code: codeOf(error),
      message: detailOf(refusal, error, texts),
    })),
    retryAfterS,
    ...(refusal instanceof InvalidHostError ? { status: 400 } : {}),
    ...(refusal instanceof RangeNotSatisfiableError ? { status: 416, completeBytes: refusal.completeBytes } : {}),
  }
}

/** The refusal for errors of disk, database, file store and machine; a refusal is its own. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  return storageRefusal(error) ?? (isOutOfFiles(error) ? busyRefusal() : undefined)
}

/** `texts`: those of a person who reads it; clients of the API read English. */
export function toProblem(
  error: unknown,
  { log, damage }: Pick<App, 'log' | 'damage'>,
  requestId: string,
  texts = appTextsOf('en'),
): ErrorResponse {
  if (error instanceof Refusal) return refusalResponse(error, texts)
  log('error', 'request failed', { requestId, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  damage.noteError(error)
  const refusal = refusalOf(error)
  if (refusal) return refusalResponse(refusal, texts)
  const message = texts.violations[error instanceof FileDamagedError ? 'file_damaged' : 'internal_error']({ requestId })
  return { code: 'internal', status: 500, message, details: [], retryAfterS: undefined }
}

/** RFC 9110 §11.6.1 (WWW-Authenticate), §10.2.3 (Retry-After) and §14.4 (Content-Range). */
export function errorHeaders({
  status,
  retryAfterS,
  completeBytes,
}: Omit<ErrorResponse, 'code' | 'message'>): Record<string, string> {
  const headers: Record<string, string> = {}
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  if (retryAfterS !== undefined) headers['retry-after'] = String(retryAfterS)
  if (completeBytes !== undefined) headers['content-range'] = `bytes */${completeBytes}`
  return headers
}

/** The JSON body of an error response of the API. */
export function errorBody({ code, message, details }: ErrorResponse, requestId: string): string {
  return JSON.stringify({ error: { code, message, requestId, ...(details.length > 0 ? { details } : {}) } })
}
