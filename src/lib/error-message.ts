/** The message of a caught value, for the log. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
