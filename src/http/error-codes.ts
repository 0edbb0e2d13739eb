/** The closed list of error codes, from which OpenAPI, reference page and ERRORS.md are made. */
import type { Reason } from '../core/refusal.ts'
import table from './error-codes.json' with { type: 'json' }

export type ErrorCode = Reason | 'internal'

interface ErrorCodeEntry {
  status: number
  meaning: string
  remedy: string
  /** Whether the unchanged request can succeed later. */
  isRetryable?: boolean
}

export const ERROR_CODES: Record<ErrorCode, ErrorCodeEntry> = table

export const CODES = Object.keys(ERROR_CODES) as ErrorCode[]

/** The table as a CommonMark list, one item a code. */
export function errorCatalogue(): string {
  return CODES.map(code => {
    const { status, meaning, remedy, isRetryable } = ERROR_CODES[code]
    return `- \`${code}\` (${status}${isRetryable ? ', retry later' : ''}): ${meaning} ${remedy}`
  }).join('\n')
}
