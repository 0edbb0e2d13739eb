/**
 * No authority gave a valid time-stamp token. The message is a clause that can follow the
 * authority's name.
 */
export class TimestampError extends Error {
  override name = 'TimestampError'
}
