/** No authority gave a valid token. The message is a clause that can follow its name. */
export class TimestampError extends Error {
  override name = 'TimestampError'
}
