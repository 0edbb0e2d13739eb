/** The service in a simulated world: kept seeds, and new ones. `scripts/simulate` runs more. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { IS_LONG, times } from '../support/long.ts'
import { sentenceOf } from './action.ts'
import { Chance } from './chance.ts'
import { ALL_MUTATIONS, mutatedTexts } from './mutated-sources.ts'
import { runSeed, warmUp } from './property.ts'
import { Trace } from './trace.ts'

/** Some have found a defect. What a seed means changes with the actions that there are. */
const FIRST_SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const KEPT_SEEDS = [79, 189, 1306, 101_449, 9_000_641, 10_000_002, 10_000_014, ...(IS_LONG ? FIRST_SEEDS : [])]
const DAYS = 10
/** Of three nodes, which take longer. */
const KEPT_SEEDS_OF_NODES = [3, 10_001_059, 10_001_219, 10_001_326]
const DAYS_OF_NODES = 2
const LIMIT_MS = 60_000
/** New seeds run for so long, as many as there is time for. */
const NEW_SEEDS_MS = times(5_000, 60_000)

beforeAll(warmUp, LIMIT_MS)

/** What was broken, with the plan that a person reads. */
async function violationsOf(seed: number, days = DAYS, nodes = 1): Promise<string[]> {
  const { plan, outcome } = await runSeed(seed, { days, nodes })
  const command = `sh scripts/simulate --seed ${seed} --days ${days} --nodes ${nodes}`
  return outcome.violations.length === 0
    ? []
    : [`seed ${seed}: ${command}`, ...outcome.violations, ...plan.actions.map(sentenceOf)]
}

test(
  'the same seed gives the same run, step by step',
  async () => {
    for (const seed of [4, 11].slice(IS_LONG ? 0 : 1)) {
      const [one, other] = [await runSeed(seed, { days: DAYS }), await runSeed(seed, { days: DAYS })]
      expect(other.outcome.digest).toBe(one.outcome.digest)
      expect(one.outcome.steps).toBeGreaterThan(1000)
    }
  },
  LIMIT_MS,
)

test('the hash of a run does not depend on the folder of the checkout', () => {
  const digestOf = (stack: string) => {
    const trace = new Trace()
    trace.say(0, 'process 1', `logs “request failed” ${JSON.stringify({ error: `Error: ENOSPC${stack}`, path: '/sign' })}`)
    return trace.digest()
  }
  expect(digestOf('\n    at write (/home/a/src/files.ts:1:2)\n    at async run (/home/a/x.ts:3:4)')).toBe(digestOf(''))
  expect(digestOf('\nat')).not.toBe(digestOf(''))
})

describe('nothing that was acknowledged is lost, and nothing happens twice,', () => {
  test.each(KEPT_SEEDS)(
    'in the kept run of seed %d',
    async seed => {
      expect(await violationsOf(seed)).toEqual([])
    },
    LIMIT_MS,
  )
})

test(
  'nor in new runs, which differ each time',
  async () => {
    const untilMs = performance.now() + NEW_SEEDS_MS
    let seed = Math.floor(Date.now() / 1000)
    const broken: string[] = []
    do broken.push(...(await violationsOf(seed++)))
    while (performance.now() < untilMs)
    expect(broken).toEqual([])
  },
  LIMIT_MS + NEW_SEEDS_MS,
)

describe('three nodes on one database and one bucket', () => {
  test(
    'give the same run for the same seed',
    async () => {
      const options = { days: DAYS_OF_NODES, nodes: 3 }
      const [one, other] = [await runSeed(12, options), await runSeed(12, options)]
      expect(other.outcome.digest).toBe(one.outcome.digest)
      expect(one.outcome.violations).toEqual([])
    },
    LIMIT_MS,
  )

  test.each(KEPT_SEEDS_OF_NODES)(
    'lose nothing and do nothing twice in the kept run of seed %d',
    async seed => {
      expect(await violationsOf(seed, DAYS_OF_NODES, 3)).toEqual([])
    },
    LIMIT_MS,
  )
})

test.each(ALL_MUTATIONS)('the mutation “$name” fits the source', mutation => {
  for (const [, text] of mutatedTexts(mutation)) expect(text).not.toBe('')
})

describe('chance', () => {
  test('is the same for the same seed, and another for another', () => {
    const numbers = (seed: number) =>
      Array.from(
        { length: 5 },
        (
          (chance: Chance) => () =>
            chance.below(1000)
        )(new Chance(seed)),
      )
    expect(numbers(7)).toEqual(numbers(7))
    expect(numbers(8)).not.toEqual(numbers(7))
  })

  test('is spread evenly', () => {
    const chance = new Chance(3)
    const counts = Array.from({ length: 10 }, () => 0)
    for (let i = 0; i < 10_000; i++) counts[chance.below(10)]!++
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })
})
