/** Headers of responses that belong to one person and are not pages. */

/** Pages of other hosts of the same site must not load these: browsers send them our cookie too. */
export const SAME_ORIGIN = {
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
}
export const PRIVATE = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff', ...SAME_ORIGIN }
