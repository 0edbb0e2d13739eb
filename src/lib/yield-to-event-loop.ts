/** Lets other work run between the slices of a long piece of work. */

/** Settles in a later turn of the event loop. Awaiting the database does not do that: its answers are ready at once. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
