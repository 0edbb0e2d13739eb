/** A server that keeps our data could not be reached. */

/** `unknown`: the change was sent, and no answer says whether it was stored. */
export type Outcome = 'not-done' | 'unknown'

/** The connection failed, not the request. */
export class UnavailableError extends Error {
  constructor(
    message: string,
    readonly outcome: Outcome,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
