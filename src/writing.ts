/** Every change of the database goes through here: what the disk refuses is told as such, and what nobody waits for is tried again until it stands. */
import { diskRefusal, Refusal } from './core/refusal.ts'
import type { Database, Tx } from './db/open.ts'
import { isDiskError, isSyncError } from './lib/disk.ts'
import type { Log } from './lib/log.ts'
import type { App, WriteOptions } from './ports.ts'

type Work = (tx: Tx) => Promise<unknown>

interface Deps {
  log: Log
  /** Told after a commit that wakes the worker. */
  wake(): void
  /** Told when a commit may not have become durable. */
  onSyncError(error: unknown): void
}

/** The three ways to write of an App. */
export function openWriting(
  database: Pick<Database, 'write'>,
  means: Deps,
): Pick<App, 'write' | 'writeEventually' | 'flushPending'> {
  const owed: Work[] = []
  const write = async <T>(work: (tx: Tx) => Promise<T>, { wake = true }: WriteOptions = {}): Promise<T> => {
    try {
      const result = await database.write(work)
      if (wake) means.wake()
      return result
    } catch (error) {
      if (!isDiskError(error)) throw error
      means.log('error', 'storage unavailable', { error: error instanceof Error ? error.message : String(error) })
      if (isSyncError(error)) means.onSyncError(error)
      throw diskRefusal()
    }
  }
  return {
    write,
    async writeEventually(work) {
      await write(work).catch(error => {
        if (!(error instanceof Refusal && error.reason === 'storage_unavailable')) throw error
        owed.push(work)
      })
    },
    async flushPending() {
      for (let work = owed[0]; work; work = owed[0]) {
        await write(work)
        owed.shift()
      }
    },
  }
}
