/** Actions of people and programs, and failures, as fast-check makes them. */
import fc from 'fast-check'
import { AUTHORITY_WAYS, type AuthorityWay } from './authority.ts'
import { CLUSTER_FAILURES, type ClusterAction, clusterSentence, UPGRADES } from './cluster-actions.ts'
import { MAIL_WAYS, type MailWay, RECEIVER_WAYS, type ReceiverWay } from './network.ts'
import { CHILD_WAYS, type ChildWay } from './pdf.ts'
import { UPKEEP_WAYS, type UpkeepWay } from './upkeep.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 365 * DAY_MS

/** A failure of one machine; which one, of several. */
type OfOne = { node?: number }

export type Action =
  | ClusterAction
  | { kind: 'create'; signers: number; sends: boolean }
  /** `which`, `who`: of those there are, counted around. */
  | { kind: 'send' | 'void' | 'delete' | 'remind'; which: number }
  | { kind: 'sign'; which: number; who: number; declines: boolean }
  | { kind: 'sign all'; which: number }
  | { kind: 'edit'; which: number }
  /** By the sender, or by the recipient on the page. */
  | { kind: 'correct'; which: number; who: number }
  | { kind: 'hand over'; which: number; who: number }
  | { kind: 'hold'; which: number; isSet: boolean }
  | { kind: 'batch'; rows: number }
  | { kind: 'look at batch'; which: number }
  /** A program reads it and its file; somebody else of the organisation tries to. */
  | { kind: 'look'; which: number }
  | { kind: 'pass'; ms: number }
  /** After so many steps, counted from now. `downMs`: until the next start. */
  | ({ kind: 'kill'; power: boolean; afterSteps: number; downMs: number } & OfOne)
  /** Between a commit and what its transaction was for. On one machine with SQLite. */
  | { kind: 'kill at commit'; power: boolean; afterCommits: number; downMs: number }
  /** Right after the next answer that acknowledges a change, of the node that gave it. */
  | { kind: 'kill after answer'; power: boolean; downMs: number }
  | ({ kind: 'restart'; downMs: number } & OfOne)
  /** `atStart`: while no process runs. */
  | ({ kind: 'clock'; byMs: number; atStart: boolean } & OfOne)
  | { kind: 'mail'; way: MailWay }
  | { kind: 'receiver'; way: ReceiverWay }
  | { kind: 'child'; way: ChildWay }
  | { kind: 'authority'; way: AuthorityWay }
  /** An administrator has what ended a month ago erased. */
  | { kind: 'retention' }
  /** On one machine with SQLite. */
  | { kind: 'upkeep'; way: UpkeepWay; isKilled: boolean }
  | ({ kind: 'disk'; code: 'ENOSPC' | 'EIO' | 'slow syncs'; calls: number } & OfOne)

/** An action, and whether the next one waits for its end. */
export interface Planned {
  action: Action
  beside: boolean
}

const which = fc.nat(30)
const spans = fc.constantFrom(0, 2_000, 60_000, HOUR_MS, 6 * HOUR_MS)
/** As a time server corrects, and as it should never be. */
const SMALL_JUMPS = [2_000, 90_000, 10 * 60_000, 30 * 60_000]
const LARGE_JUMPS = [5 * HOUR_MS, 3 * DAY_MS, 40 * DAY_MS, YEAR_MS]

const PEOPLE: fc.WeightedArbitrary<Action>[] = [
  {
    weight: 10,
    arbitrary: fc.record({ kind: fc.constant('create' as const), signers: fc.integer({ min: 1, max: 3 }), sends: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('send' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('void' as const, 'delete' as const, 'remind' as const), which }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('sign' as const), which, who: fc.nat(2), declines: rarely(20) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('sign all' as const), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('look' as const), which }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.constantFrom(1_000, 30_000, 10 * 60_000, HOUR_MS, 12 * HOUR_MS, DAY_MS, 3 * DAY_MS),
    }),
  },
]

/** Who changes what exists. */
const CHANGES: fc.WeightedArbitrary<Action>[] = [
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('correct' as const), which, who: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('hand over' as const), which, who: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('hold' as const), which, isSet: rarely(4).map(isLifted => !isLifted) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('batch' as const), rows: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('look at batch' as const), which }) },
]

const FAILURES: fc.WeightedArbitrary<Action>[] = [
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('kill' as const),
      power: fc.boolean(),
      afterSteps: fc.oneof(fc.nat(20), fc.nat(400)),
      downMs: spans,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('kill after answer' as const), power: fc.boolean(), downMs: spans }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), downMs: spans }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mail' as const), way: fc.constantFrom(...MAIL_WAYS) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('receiver' as const), way: fc.constantFrom(...RECEIVER_WAYS) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('child' as const), way: fc.constantFrom(...CHILD_WAYS) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('authority' as const), way: fc.constantFrom(...AUTHORITY_WAYS) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('disk' as const),
      code: fc.constantFrom('ENOSPC' as const, 'EIO' as const, 'slow syncs' as const),
      calls: fc.integer({ min: 1, max: 3 }),
    }),
  },
]

function rarely(oneIn: number): fc.Arbitrary<boolean> {
  return fc.nat(oneIn - 1).map(number => number === 1)
}

/** Clocks go wrong in some runs alone: what follows from them hides what else is wrong. */
const clocks = (jumps: readonly number[]): fc.WeightedArbitrary<Action> => ({
  weight: 4,
  arbitrary: fc.record({
    kind: fc.constant('clock' as const),
    byMs: fc.tuple(fc.constantFrom(...jumps), fc.boolean()).map(([ms, isBack]) => (isBack ? -ms : ms)),
    atStart: fc.boolean(),
  }),
})

/** Retention takes months, so it is part of one run in ten. */
const MONTHS: fc.WeightedArbitrary<Action>[] = [
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retention' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(5 * DAY_MS, 20 * DAY_MS) }),
  },
]

const ENDS_AT_COMMITS: fc.WeightedArbitrary<Action> = {
  weight: 3,
  arbitrary: fc.record({
    kind: fc.constant('kill at commit' as const),
    power: fc.boolean(),
    afterCommits: fc.nat(12),
    downMs: spans,
  }),
}

const FAILURES_OF_ONE = [...FAILURES, ENDS_AT_COMMITS]

const UPKEEP: fc.WeightedArbitrary<Action> = {
  weight: 3,
  arbitrary: fc.record({ kind: fc.constant('upkeep' as const), way: fc.constantFrom(...UPKEEP_WAYS), isKilled: fc.boolean() }),
}

export interface Plan {
  seed: number
  /** Seals are time-stamped, by an authority whose certificates end within the run. */
  hasAuthority: boolean
  actions: Planned[]
}

const planned = (arbitraries: fc.WeightedArbitrary<Action>[]): fc.Arbitrary<Planned[]> =>
  fc.array(fc.record({ action: fc.oneof(...arbitraries), beside: fc.boolean() }), { minLength: 5, maxLength: 60, size: 'max' })

const plansOf = (people: fc.WeightedArbitrary<Action>[]): fc.Arbitrary<Plan> =>
  fc.record({
    seed: fc.nat(2 ** 31 - 1),
    // They double the work of a run.
    hasAuthority: rarely(4),
    actions: fc.oneof(
      { weight: 2, arbitrary: planned(people) },
      { weight: 6, arbitrary: planned([...people, ...FAILURES_OF_ONE]) },
      { weight: 2, arbitrary: planned([...people, ...FAILURES_OF_ONE, clocks(SMALL_JUMPS)]) },
      { weight: 2, arbitrary: planned([...people, ...FAILURES_OF_ONE, clocks(LARGE_JUMPS)]) },
      { weight: 1, arbitrary: planned([...people, ...FAILURES_OF_ONE, ...MONTHS]) },
      { weight: 1, arbitrary: planned([...people, ...FAILURES_OF_ONE, ...MONTHS, clocks(LARGE_JUMPS)]) },
      { weight: 1, arbitrary: planned([...people, ...FAILURES_OF_ONE, UPKEEP]) },
      { weight: 1, arbitrary: planned([...people, ...FAILURES_OF_ONE, ...MONTHS, UPKEEP]) },
    ),
  })

const ofNodes = ({ weight, arbitrary }: fc.WeightedArbitrary<Action>): fc.WeightedArbitrary<Action> => ({
  weight,
  arbitrary: fc.tuple(arbitrary, fc.nat(5)).map(([action, node]) => ({ node, ...action })),
})
const FAILURES_OF_NODES = [...FAILURES.map(ofNodes), ...CLUSTER_FAILURES, ...UPGRADES]
/** Around the difference that is still accepted, and far beyond. */
const DIFFERENCES = ofNodes(clocks([500, 1_500, 3_000, 90_000, 5 * HOUR_MS]))

/** Nothing fails: what leaves the service leaves it once. */
export const isCalm = ({ actions }: Plan): boolean =>
  actions.every(({ action }) => PEOPLE_ALONE.has(action.kind) || action.kind === 'restart')
const PEOPLE_ALONE: ReadonlySet<Action['kind']> = new Set<Action['kind']>([
  'create',
  'send',
  'void',
  'delete',
  'remind',
  'sign',
  'sign all',
  'pass',
  'look',
  'edit',
  'correct',
  'hand over',
  'hold',
  'batch',
  'look at batch',
])
const RESTARTS: fc.WeightedArbitrary<Action> = ofNodes({
  weight: 6,
  arbitrary: fc.record({ kind: fc.constant('restart' as const), downMs: spans }),
})

/** For several nodes, which follow the clock of their database. Months would take minutes. */
const plansOfNodes = (people: fc.WeightedArbitrary<Action>[]): fc.Arbitrary<Plan> =>
  fc.record({
    seed: fc.nat(2 ** 31 - 1),
    hasAuthority: fc.constant(false),
    actions: fc.oneof(
      { weight: 3, arbitrary: planned([...people, RESTARTS]) },
      { weight: 6, arbitrary: planned([...people, ...FAILURES_OF_NODES]) },
      { weight: 3, arbitrary: planned([...people, ...FAILURES_OF_NODES, DIFFERENCES]) },
    ),
  })

/** From this seed on, people also change what exists. Plans of smaller seeds stay as they were. */
export const FIRST_WITH_CHANGES = 10_000_000
const EARLIER = { ofOne: plansOf(PEOPLE), ofNodes: plansOfNodes(PEOPLE) }
const PRESENT = { ofOne: plansOf([...PEOPLE, ...CHANGES]), ofNodes: plansOfNodes([...PEOPLE, ...CHANGES]) }

export function plansFor(seed: number, nodes: number): fc.Arbitrary<Plan> {
  const { ofOne, ofNodes } = seed < FIRST_WITH_CHANGES ? EARLIER : PRESENT
  return nodes === 1 ? ofOne : ofNodes
}

const span = (ms: number): string => {
  const [unit, size] = [
    ['days', DAY_MS],
    ['hours', HOUR_MS],
    ['minutes', 60_000],
  ].find(([, size]) => Math.abs(ms) >= Number(size)) ?? ['seconds', 1000]
  return `${Math.abs(ms) / Number(size)} ${unit}`
}

/** For people who read a shrunk run. */
export function sentenceOf({ action, beside }: Planned): string {
  return `${sentence(action)}${beside ? ', and the next does not wait for it' : ''}`
}

function sentence(action: Action): string {
  const process = 'node' in action ? `the process of node ${action.node}` : 'the process'
  switch (action.kind) {
    case 'create':
      return `a program creates a document of ${action.signers} signers${action.sends ? ' and sends it' : ''}`
    case 'send':
    case 'void':
    case 'delete':
    case 'remind':
      return `a program asks to ${action.kind} document ${action.which}`
    case 'sign':
      return `signer ${action.who} of document ${action.which} ${action.declines ? 'declines' : 'signs'}`
    case 'sign all':
      return `all signers of document ${action.which} sign`
    case 'edit':
      return `a program changes the message of document ${action.which}`
    case 'correct':
      return `a program corrects the address of signer ${action.who} of document ${action.which}`
    case 'hand over':
      return `signer ${action.who} of document ${action.which} hands over`
    case 'hold':
      return `an administrator ${action.isSet ? 'sets' : 'lifts'} a legal hold of document ${action.which}`
    case 'batch':
      return `a program has a template sent to ${action.rows} people`
    case 'look at batch':
      return `a program reads the rows of batch ${action.which}`
    case 'pass':
      return `${span(action.ms)} pass`
    case 'kill':
      return `after ${action.afterSteps} steps ${process} ${action.power ? 'loses power' : 'is killed'}, and starts after ${span(action.downMs)}`
    case 'kill at commit':
      return `after ${action.afterCommits} commits ${process} ${action.power ? 'loses power' : 'is killed'}, and starts after ${span(action.downMs)}`
    case 'kill after answer':
      return `right after the next acknowledged change the process ${action.power ? 'loses power' : 'is killed'}, and starts after ${span(action.downMs)}`
    case 'restart':
      return `${process} is stopped, and starts after ${span(action.downMs)}`
    case 'clock':
      return `the clock is set ${span(action.byMs)} ${action.byMs < 0 ? 'back' : 'ahead'}${action.atStart ? ' while no process runs' : ''}${'node' in action ? `, of node ${action.node}` : ''}`
    case 'mail':
      return `from now on mails are ${action.way}`
    case 'receiver':
      return `from now on the receiver of webhooks: ${action.way}`
    case 'look':
      return `a program reads document ${action.which} and its file, and somebody else tries to`
    case 'child':
      return `from now on a child process: ${action.way}`
    case 'authority':
      return `from now on the time-stamp authority: ${action.way}`
    case 'retention':
      return 'an administrator has documents erased a month after their end'
    case 'upkeep':
      if (action.way === 'makes a backup')
        return `an administrator makes a backup${action.isKilled ? ', and the process is killed' : ''}`
      return `the process is ${action.isKilled ? 'killed' : 'stopped'}, and an administrator ${action.way}`
    case 'disk':
      if (action.code === 'slow syncs')
        return `the next ${action.calls} syncs of files take seconds, and power is lost after the next acknowledged change`
      return `the next ${action.calls} changes of files fail with ${action.code}`
    default:
      return clusterSentence(action)
  }
}
