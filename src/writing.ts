/** Every change of the database goes through here: what the disk refuses is told as such, and what nobody waits for is tried again until it stands. */
import { diskRefusal, Refusal } from './core/refusal.ts'
import type { Database, Tx } from './db/open.ts'
import { isDiskFault, isSyncFault } from './lib/disk.ts'
import type { Log } from './lib/log.ts'
import type { App } from './ports.ts'

type Work = (tx: Tx) => Promise<unknown>

interface Means {
  log: Log
  /** Told after a commit that was not made quietly. */
  wake(): void
  /** Told when a commit may not have become durable. */
  onSyncFault(error: unknown): void
}

/** The three ways to write of an App. */
export function openWriting(database: Pick<Database, 'write'>, means: Means): Pick<App, 'write' | 'writeInTheEnd' | 'writeOwed'> {
  const owed: Work[] = []
  const write = async <T>(work: (tx: Tx) => Promise<T>, how?: 'quietly'): Promise<T> => {
    try {
      const result = await database.write(work)
      if (how !== 'quietly') means.wake()
      return result
    } catch (error) {
      if (!isDiskFault(error)) throw error
      means.log('error', 'storage unavailable', { error: error instanceof Error ? error.message : String(error) })
      if (isSyncFault(error)) means.onSyncFault(error)
      throw diskRefusal()
    }
  }
  return {
    write,
    async writeInTheEnd(work) {
      await write(work).catch(error => {
        if (!(error instanceof Refusal && error.reason === 'storage_unavailable')) throw error
        owed.push(work)
      })
    },
    async writeOwed() {
      for (let work = owed[0]; work; work = owed[0]) {
        await write(work)
        owed.shift()
      }
    },
  }
}
