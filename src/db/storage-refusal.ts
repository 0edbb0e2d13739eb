/** Translates errors of the disk, the database and the file store into a refusal. */
import { diskRefusal, Refusal, UnreachableError } from '../core/refusal.ts'
import { isDiskError } from '../lib/disk.ts'
import { UnavailableError } from '../lib/unavailable.ts'

/** The refusal `storage_unavailable` for such an error; `undefined` for all others. */
export function storageRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error.reason === 'storage_unavailable' ? error : undefined
  if (error instanceof UnavailableError) return new UnreachableError(error.outcome)
  return isDiskError(error) ? diskRefusal() : undefined
}
