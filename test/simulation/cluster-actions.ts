/** What goes wrong between several nodes, their database and their bucket. */
import fc from 'fast-check'
import { BUCKET_WAYS, type BucketWay } from './bucket.ts'
import { STATEMENT_WAYS, type StatementFailure } from './postgresql.ts'

/** `node`: counted around. */
export type ClusterAction =
  | { kind: 'freeze'; node: number; ms: number }
  | ({ kind: 'statement'; node: number } & StatementFailure)
  | { kind: 'cut'; node: number }
  /** Connections between a node and the database that answer nothing. */
  | { kind: 'silence'; node: number; ms: number }
  | { kind: 'database down'; ms: number }
  | { kind: 'bucket'; way: BucketWay }
  /** A node of the release before serves for so long. */
  | { kind: 'older node'; ms: number }
  /** An administrator finishes the upgrade, at this node. */
  | { kind: 'finish upgrade'; node: number }
  /** A program uses what the release before does not know. */
  | { kind: 'probe' }

const node = fc.nat(5)
/** Around the times after which a node is taken for dead, and a transaction is ended. */
const spans = fc.constantFrom(2_000, 6_000, 15_000, 22_000, 40_000, 120_000, 600_000)

export const CLUSTER_FAILURES: fc.WeightedArbitrary<ClusterAction>[] = [
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('freeze' as const), node, ms: spans }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('statement' as const),
      node,
      at: fc.constantFrom('statement' as const, 'commit' as const),
      way: fc.constantFrom(...STATEMENT_WAYS),
      after: fc.oneof({ weight: 3, arbitrary: fc.nat(4) }, { weight: 1, arbitrary: fc.nat(30) }),
      ofRequest: fc.nat(2).map(number => number > 0),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), node }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('silence' as const), node, ms: spans }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('database down' as const), ms: spans }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bucket' as const), way: fc.constantFrom(...BUCKET_WAYS) }) },
]

/** Each run begins with an upgrade that is not finished. */
export const UPGRADES: fc.WeightedArbitrary<ClusterAction>[] = [
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('older node' as const), ms: fc.constantFrom(12_000, 60_000, 3_600_000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('finish upgrade' as const), node }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('probe' as const) }) },
]

const seconds = (ms: number) => `${ms / 1000} s`

export function clusterSentence(action: ClusterAction): string {
  switch (action.kind) {
    case 'freeze':
      return `node ${action.node} is frozen for ${seconds(action.ms)}`
    case 'statement':
      return `after ${action.after} others a ${action.at} of node ${action.node} fails${action.ofRequest ? ' while it answers requests' : ''}: ${action.way}`
    case 'cut':
      return `the connections of node ${action.node} to the database are cut`
    case 'silence':
      return `the database does not answer node ${action.node} for ${seconds(action.ms)}`
    case 'database down':
      return `the database is down for ${seconds(action.ms)}`
    case 'bucket':
      return `from now on the bucket: ${action.way}`
    case 'older node':
      return `a node of the release before serves for ${seconds(action.ms)}`
    case 'finish upgrade':
      return `an administrator finishes the upgrade at node ${action.node}`
    case 'probe':
      return 'a program uses what the release before does not know'
  }
}
