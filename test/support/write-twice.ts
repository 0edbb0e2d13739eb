/** Runs the work of every transaction twice and keeps the second run, as a database may. */
import type { CommitOptions, Database, Tx } from '../../src/db/open.ts'

/** Whether this pass of the tests runs every transaction twice. */
export const WRITES_TWICE = process.env.SIGNET_TEST_WRITES === 'twice'

class RolledBackError extends Error {}

type Write = Database['write']

/** The first run is rolled back, as after a serialization failure at COMMIT. */
export function writingTwice(write: Write): Write {
  return async <T>(work: (tx: Tx) => Promise<T>, options?: CommitOptions) => {
    const first = write(async tx => {
      await work(tx)
      throw new RolledBackError()
    }, options)
    await first.catch(error => {
      if (!(error instanceof RolledBackError)) throw error
    })
    return write(work, options)
  }
}

/** In the pass `SIGNET_TEST_WRITES=twice`, a database that runs all work twice. */
export function asTested<D extends Pick<Database, 'write'>>(database: D): D {
  if (!WRITES_TWICE) return database
  const write = database.write.bind(database)
  return Object.assign(database, { write: writingTwice(write) })
}
