/** Counts the transactions of a database, and the time that they wait until they may write. */
import { isDiskError } from '../lib/disk.ts'
import type { ServiceMetrics } from '../lib/service-metrics.ts'
import type { Database } from './open.ts'

export function measuredWrite(
  database: Pick<Database, 'write'>,
  metrics: ServiceMetrics,
  steadyMs: () => number,
): Database['write'] {
  const committed = metrics.transactions.of('committed')
  const rolledBack = metrics.transactions.of('rolled_back')
  const retries = metrics.transactionRetries.of()
  const waits = metrics.writerWaitSeconds.of()
  const errors = metrics.databaseErrors.of()
  return async (work, options) => {
    const calledMs = steadyMs()
    let runs = 0
    try {
      const result = await database.write(tx => {
        if (runs++ === 0) waits.observe((steadyMs() - calledMs) / 1000)
        else retries.add()
        return work(tx)
      }, options)
      committed.add()
      return result
    } catch (error) {
      rolledBack.add()
      if (isDiskError(error)) errors.add()
      throw error
    }
  }
}
