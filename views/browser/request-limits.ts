/** Limits of requests that scripts of pages make. */

/** A request without an answer for this long is given up, and repeated if it changes nothing. */
export const PATIENCE_MS = 20_000

/** Browsers send no more than 64 kB after a page is left. */
export const MAX_KEEPALIVE_LENGTH = 60_000
