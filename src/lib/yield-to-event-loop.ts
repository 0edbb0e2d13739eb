/** Lets other work run between slices. Awaiting the database does not: it answers at once. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
