/** The write functions of the App: disk errors become refusals, some changes are retried. */
import { diskRefusal, Refusal } from './core/refusal.ts'
import type { Database, Tx } from './db/open.ts'
import { isDiskError, isSyncError } from './lib/disk.ts'
import type { Log } from './lib/log.ts'
import type { App, WriteOptions } from './ports.ts'

interface Deps {
  log: Log
  /** Called after every commit, before `wake`. */
  committed(tx: Tx): void
  /** Called after a commit, unless the change makes no work. */
  wake(): void
  /** Called when a commit may not be durable. */
  onSyncError(error: unknown): void
}

export function openWriting(
  database: Pick<Database, 'write'>,
  deps: Deps,
): Pick<App, 'write' | 'writeEventually' | 'flushPending'> {
  const pending: ((tx: Tx) => Promise<unknown>)[] = []
  const write = async <T>(work: (tx: Tx) => Promise<T>, { wake = true }: WriteOptions = {}): Promise<T> => {
    try {
      let used: Tx | undefined
      const result = await database.write(tx => {
        used = tx
        return work(tx)
      })
      if (used) deps.committed(used)
      if (wake) deps.wake()
      return result
    } catch (error) {
      if (!isDiskError(error)) throw error
      deps.log('error', 'storage unavailable', { error: error instanceof Error ? error.message : String(error) })
      if (isSyncError(error)) deps.onSyncError(error)
      throw diskRefusal()
    }
  }
  return {
    write,
    async writeEventually(work) {
      await write(work).catch(error => {
        if (!(error instanceof Refusal && error.reason === 'storage_unavailable')) throw error
        pending.push(work)
      })
    },
    async flushPending() {
      for (let work = pending[0]; work; work = pending[0]) {
        await write(work)
        pending.shift()
      }
    },
  }
}
