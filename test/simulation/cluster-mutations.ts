/** Mends of what several nodes need, taken out again: found with `--nodes 3` alone. */
import type { Mutation } from './mutations.ts'

export const CLUSTER_MUTATIONS: readonly Mutation[] = [
  {
    name: 'a serialization failure is not repeated',
    file: 'db/postgresql/open.ts',
    find: '  if (isSerializationFailure(error)) return new RepeatableError(error, BUSY_PAUSES_MS)',
    replace: '  if (isSerializationFailure(error)) return error',
  },
  {
    name: 'a connection that failed is not replaced',
    file: 'db/postgresql/open.ts',
    find: '  if (isConnectionFailure(error)) return new RepeatableError(error, RETRY_PAUSES_MS)',
    replace: '  if (isConnectionFailure(error)) return error',
  },
  {
    name: 'a COMMIT without an answer is repeated',
    file: 'db/postgresql/open.ts',
    find: `throw wasUsable ? asUnavailable(error, 'unknown') : repeatable(error)`,
    replace: 'throw repeatable(error)',
  },
  {
    name: 'a COMMIT without an answer is acknowledged',
    file: 'db/postgresql/open.ts',
    find: `      throw wasUsable ? asUnavailable(error, 'unknown') : repeatable(error)`,
    replace: '      return',
  },
  {
    name: 'a lease without an answer is forgotten',
    file: 'jobs/worker.ts',
    find: `if (error instanceof UnreachableError && error.outcome === 'unknown') this.#unsure = { ids, boot }`,
    replace: '',
  },
  {
    name: 'features of any level may be used',
    file: 'db/feature-level.ts',
    find: '    return this.#finished >= level',
    replace: '    return level >= 0',
  },
  {
    name: 'an upgrade is finished beside older nodes',
    file: 'db/feature-level.ts',
    find: `.where('feature_level', '<', level)
  return {`,
    replace: `.where('feature_level', '<', 0 * level)
  return {`,
  },
  {
    name: 'older executables write after an upgrade',
    file: 'db/feature-level.ts',
    find: '  await wordsOf(tx).raiseOldestWriter(tx, schemaOfLevel(level, list))',
    replace: '  schemaOfLevel(level, list)',
  },
  {
    name: 'events follow their ids',
    file: 'audit/queries.ts',
    find: 'ORDER BY p.sequence LIMIT ?`',
    replace: 'ORDER BY e.id LIMIT ?`',
  },
  {
    name: 'a job may be ended without its lease',
    file: 'outbox/queries.ts',
    find: `    .where('lease_boot', '=', job.boot)
    .where('state', '=', 'open')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLostError(job)`,
    replace: `    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new LeaseLostError(job)`,
  },
  {
    name: 'leased jobs are taken',
    file: 'outbox/queries.ts',
    find: `    .where('lease_boot', 'is', null)
    .where('state', '=', 'open')
    .where(({ exists }) => exists(node))`,
    replace: `    .where('state', '=', 'open')
    .where(({ exists }) => exists(node))`,
  },
  {
    name: 'leases of living nodes end with those of dead ones',
    file: 'outbox/queries.ts',
    find: '    WHERE lease_boot IS NOT NULL AND lease_boot NOT IN (SELECT boot FROM nodes)`',
    replace: '    WHERE lease_boot IS NOT NULL`',
  },
  {
    name: 'leases of dead nodes go on',
    file: 'db/nodes.ts',
    find: '      if (found.length > 0) await release(tx)',
    replace: '',
  },
  {
    name: 'a node that was taken for dead keeps its boot',
    file: 'db/nodes.ts',
    find: `    const former = this.#boot
    this.#boot = newBoot(this.#options)`,
    replace: '    const former = this.#boot',
  },
  {
    name: 'living nodes are taken for dead',
    file: 'db/nodes.ts',
    find: 'export const DEAD_AFTER_MS = 20_000',
    replace: 'export const DEAD_AFTER_MS = 4_000',
  },
  {
    name: 'a node with a wrong clock goes on',
    file: 'db/nodes.ts',
    find: '    return Math.abs(this.health().clockDifferenceMs) <= MAX_CLOCK_DIFFERENCE_MS',
    replace: '    return Math.abs(this.health().clockDifferenceMs) >= 0',
  },
  {
    name: 'each node follows its own clock',
    file: 'db/nodes.ts',
    find: '    return shared ? new Date(Math.round(shared.clock + this.#options.steadyMs() - shared.steady)) : this.#options.now()',
    replace: '    return shared ? this.#options.now() : this.#options.now()',
  },
  {
    name: 'a file is settled without its claim',
    file: 'files/claims.ts',
    find: '  if (found.length === 0) throw new FileClaimLostError()',
    replace: '  if (found.length < 0) throw new FileClaimLostError()',
  },
  {
    name: 'a file is removed however late',
    file: 'files/claims.ts',
    find: '    if (app.steadyMs() - begunMs > MAX_REMOVAL_MS) continue',
    replace: '    if (app.steadyMs() < begunMs) continue',
  },
  {
    name: 'the next start takes a removal over at once',
    file: 'files/claims.ts',
    find: 'const REMOVAL_OVER_MS = 5 * MINUTE_MS',
    replace: 'const REMOVAL_OVER_MS = 0',
  },
  {
    name: 'an object is kept before the bucket has it',
    file: 'storage/s3-store.ts',
    find: '    await this.#bucket.put(this.machine.fileSystem, this.#keyOf(sha256), temporaryPath, sha256)',
    replace:
      '    await this.#bucket.put(this.machine.fileSystem, this.#keyOf(sha256), temporaryPath, sha256).catch(() => undefined)',
  },
  {
    name: 'a deletion without an answer is repeated',
    file: 'storage/s3-bucket.ts',
    find: '    }, isRefused)',
    replace: '    })',
  },
  {
    name: 'the worker does not look again after a failure',
    file: 'jobs/worker.ts',
    find: `        this.#app.log('error', 'worker could not look for work', { error: errorMessage(error) })
`,
    replace: `        this.#app.log('error', 'worker could not look for work', { error: errorMessage(error) })
        this.#isStopped = true
`,
  },
]
