/**
 * Runs plans of the simulation from their seeds, in two processes at once, and prints what was
 * broken, as a short plan in sentences. With a mutation: until it is found.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FIRST_WITH_CHANGES, sentenceOf } from '../test/simulation/action.ts'
import { CLUSTER_MUTATIONS } from '../test/simulation/cluster-mutations.ts'
import { mutatedSources } from '../test/simulation/mutated-sources.ts'
import { MUTATIONS } from '../test/simulation/mutations.ts'
import type { RunOptions } from '../test/simulation/run.ts'
import { SENDER_MUTATIONS } from '../test/simulation/sender-mutations.ts'

const { values: given } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    seed: { type: 'string' },
    /** The first of them. */
    from: { type: 'string', default: '1' },
    days: { type: 'string', default: '30' },
    /** Several share PostgreSQL and a bucket. */
    nodes: { type: 'string', default: '1' },
    mutation: { type: 'string' },
    mutations: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    trace: { type: 'boolean', default: false },
    worker: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
  },
})

const days = Number(given.days)
const nodes = Number(given.nodes)
const SHRINK_MS = 120_000
/** One process runs so many: what a dead instance leaves open adds up. */
const RUNS_A_PROCESS = 200

interface WorkerAnswer {
  seed: number
  violations: string[]
  digest: string
  steps: number
  ms: number
  met: [string, number][]
}

async function runOne(seed: number, options: RunOptions): Promise<WorkerAnswer> {
  const { runSeed } = await import('../test/simulation/property.ts')
  const startedMs = performance.now()
  const { outcome } = await runSeed(seed, options)
  const { violations, digest, steps, met } = outcome
  return { seed, violations, digest, steps, met: [...met], ms: performance.now() - startedMs }
}

/** A process that runs the seeds it reads, a line each, and writes an answer for each. */
async function work(): Promise<void> {
  const { warmUp } = await import('../test/simulation/property.ts')
  await warmUp(nodes)
  for await (const line of console) console.log(JSON.stringify(await runOne(Number(line), { days, nodes })))
}

class Pool {
  readonly totals = { runs: 0, broken: 0, steps: 0, ms: 0 }
  readonly met = new Map<string, number>()
  readonly broken: WorkerAnswer[] = []

  constructor(
    readonly next: () => number | undefined,
    readonly isOver: () => boolean,
    /** The sources that are run. */
    readonly root = join(import.meta.dir, '..'),
    readonly days = Number(given.days),
  ) {}

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: Number(given.jobs) }, () => this.#keepOneProcess()))
  }

  async #keepOneProcess(): Promise<void> {
    while (await this.#runInOneProcess()) {
      // Another process goes on.
    }
  }

  /** Returns whether there may be more to run. */
  async #runInOneProcess(): Promise<boolean> {
    const program = join(this.root, 'scripts/simulate.ts')
    const command = [process.execPath, program, '--worker', '--days', String(this.days), '--nodes', String(nodes)]
    const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
    const answers = linesOf(child.stdout)
    try {
      for (let i = 0; i < RUNS_A_PROCESS; i++) {
        const seed = this.isOver() ? undefined : this.next()
        if (seed === undefined) return false
        child.stdin.write(`${seed}\n`)
        child.stdin.flush()
        const { value, done } = await answers.next()
        if (done) throw new Error(`the process of seed ${seed} ended`)
        this.#note(JSON.parse(value) as WorkerAnswer)
      }
      return true
    } finally {
      child.stdin.end()
      child.kill()
      await child.exited
    }
  }

  #note(answer: WorkerAnswer): void {
    this.totals.runs++
    this.totals.steps += answer.steps
    this.totals.ms += answer.ms
    for (const [what, count] of answer.met) this.met.set(what, (this.met.get(what) ?? 0) + count)
    if (answer.violations.length === 0) return
    this.totals.broken++
    this.broken.push(answer)
    // At once: who ends a long series of runs keeps what it has found.
    console.error(`seed ${answer.seed}: ${answer.violations[0]}`)
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoder()
  for await (const part of stream) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

/** Consecutive seeds. */
function seeds(from: number): () => number | undefined {
  let next = from
  const end = next + Number(given.runs)
  return () => (next < end ? next++ : undefined)
}

async function printShrunk(seed: number): Promise<void> {
  const { runSeed, shrink, warmUp } = await import('../test/simulation/property.ts')
  await warmUp(nodes)
  const options = { days, nodes, keepAll: given.trace }
  const found = await runSeed(seed, options)
  if (found.outcome.violations.length === 0) {
    console.log(`seed ${seed}: nothing was broken; ${found.outcome.steps} steps, trace ${found.outcome.digest}`)
    if (given.trace) console.log(found.outcome.lines.join('\n'))
    return
  }
  const { plan, outcome } = await shrink(found, options, SHRINK_MS)
  console.log(`seed ${seed} is broken, shrunk from ${found.plan.actions.length} to ${plan.actions.length} actions:`)
  for (const planned of plan.actions) console.log(`  - ${sentenceOf(planned)}`)
  for (const violation of outcome.violations) console.log(`  BROKEN: ${violation}`)
  console.log(`  trace ${outcome.digest}, the last lines:`)
  for (const line of given.trace ? outcome.lines : outcome.lines.slice(-25)) console.log(`    ${line}`)
}

async function runAll(): Promise<void> {
  const startedMs = performance.now()
  const limitMs = given.seconds === undefined ? Number.POSITIVE_INFINITY : Number(given.seconds) * 1000
  const pool = new Pool(seeds(Number(given.from)), () => performance.now() - startedMs > limitMs)
  await pool.run()
  const { runs, broken, steps } = pool.totals
  const seconds = (performance.now() - startedMs) / 1000
  if (given.coverage) printCoverage(pool.met)
  console.log(
    `${runs} runs of ${days} days, ${steps} steps, ${broken} broken; ${seconds.toFixed(0)} s, ${(runs / seconds).toFixed(2)} runs a second`,
  )
  const kinds = new Map<string, number[]>()
  for (const { seed, violations } of pool.broken) {
    const kind = (violations[0] ?? '').replace(/“[^”]*”|\d+|[a-z]+_[0-9a-z]{26}/g, '…')
    kinds.set(kind, [...(kinds.get(kind) ?? []), seed])
  }
  for (const [kind, found] of kinds) console.log(`BROKEN ${found.length}: ${kind} (seeds ${found.slice(0, 8).join(', ')})`)
  if (broken > 0) {
    await printShrunk(pool.broken[0]?.seed ?? 0)
    process.exitCode = 1
  }
}

function printCoverage(met: ReadonlyMap<string, number>): void {
  for (const [what, count] of [...met].sort(([a], [b]) => (a < b ? -1 : 1))) console.log(`${String(count).padStart(7)}  ${what}`)
}

/** Runs until each mutation was found, and prints the seed and the number of runs. */
async function runMutations(): Promise<void> {
  const all = nodes === 1 ? [...MUTATIONS, ...SENDER_MUTATIONS] : CLUSTER_MUTATIONS
  const wanted = all.filter(({ name }) => given.mutation === undefined || name === given.mutation)
  if (wanted.length === 0) throw new Error(`no mutation is named ${given.mutation}`)
  for (const { name, days: atLeast = 0 } of wanted) {
    const root = mutatedSources(name)
    const isOfSenders = SENDER_MUTATIONS.some(each => each.name === name)
    const from = isOfSenders ? Math.max(Number(given.from), FIRST_WITH_CHANGES) : Number(given.from)
    const pool = new Pool(seeds(from), () => pool.broken.length > 0, root, Math.max(days, atLeast))
    await pool.run()
    rmSync(root, { recursive: true })
    const first = pool.broken.toSorted((a, b) => a.seed - b.seed)[0]
    const verdict = first
      ? `found in seed ${first.seed}, run ${pool.totals.runs}: ${first.violations[0]}`
      : `NOT FOUND in ${pool.totals.runs} runs`
    console.log(`${name}: ${verdict}`)
    if (!first) process.exitCode = 1
  }
}

if (given.worker) await work()
else if (given.mutations || given.mutation !== undefined) await runMutations()
else if (given.seed !== undefined) await printShrunk(Number(given.seed))
else await runAll()
process.exit()
