/**
 * The version of a document as an entity tag, and conditions on it (RFC 9110 §8.8.3, §13.1);
 * headers of responses that belong to one person.
 */
import { errorsIn, refuseIfInvalid } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'

export function etagOf(version: number): string {
  return `"v${version}"`
}

/** No document has this version: a tag of another kind never matches. */
const NO_VERSION = -1

/**
 * The version in `If-Match`; `undefined` where every one is accepted. A weak tag counts too: a
 * proxy that compresses a response makes its tag weak.
 */
export function ifMatchOf(request: Request): number | undefined {
  const header = request.headers.get('if-match')?.trim()
  if (header === undefined || header === '*') return undefined
  const [, tag] = /^(?:W\/)?"([\x21\x23-\x7e]*)"$/.exec(header) ?? []
  if (tag === undefined) refuseIfInvalid(errorsIn([['If-Match', violation('not_an_etag')]]))
  const [, digits] = /^v(\d{1,15})$/.exec(tag ?? '') ?? []
  return digits === undefined ? NO_VERSION : Number(digits)
}

// Headers of responses that belong to one person and are not pages.

/** Pages of other hosts of the same site must not load these: browsers send them our cookie too. */
export const SAME_ORIGIN = {
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
}
export const PRIVATE = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff', ...SAME_ORIGIN }
