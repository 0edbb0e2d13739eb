/**
 * Fuzzes the targets of `test/fuzz`, each in a process of its own that has bounds of processor time
 * and memory, and prints inputs a second, outcomes, and each violation with its command.
 */
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cpuTimeMs, residentBytes } from '../src/sandbox/child-limits.ts'
import { DEFAULT_LIMITS } from '../src/sandbox/pool.ts'
import { keep, keptInputs, SHARED_CORPUS } from '../test/fuzz/corpus.ts'
import { inputFor, kindOf, materialOf, shrink } from '../test/fuzz/run.ts'
import { DEFAULT_MAX_CPU_MS, outcomeOf, type Target } from '../test/fuzz/target.ts'
import { plan, TARGETS, targetNamed } from '../test/fuzz/targets.ts'

const { values: given } = parseArgs({
  options: {
    target: { type: 'string' },
    /** Of each target. */
    inputs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    /** The number of the first input. */
    from: { type: 'string', default: '0' },
    /** A million inputs in all. */
    long: { type: 'boolean', default: false },
    /** No further input is begun after so long. */
    seconds: { type: 'string' },
    /** Adds an input to the corpus for each outcome that no file of the corpus has. */
    keep: { type: 'boolean', default: false },
    /** Reads this file instead, and prints the outcome. */
    file: { type: 'string' },
    worker: { type: 'string' },
    count: { type: 'string', default: '0' },
  },
})

const LONG_INPUTS = 1_000_000
/** A long run goes through all targets so many times, so that it can be ended early. */
const ROUNDS = 10
/** As of a child process of the service, and what the code of the fuzzing takes beside it. */
const MAX_RSS_BYTES = DEFAULT_LIMITS.rssBytes + 200_000_000
/** Beyond the bound of an input, until a process that does not return is ended. */
const SLACK_MS = 2_000
/** A process reports so often: what it did not report before it was ended is run again. */
const REPORT_MS = 250
const POLL_MS = 100
const SHRINK_MS = 60_000
const MAX_KEPT_BYTES = 20_000
const seed = Number(given.seed)

interface Violation {
  number: number
  text: string
  path: string
}

interface WorkerAnswer {
  inputs: number
  /** Elapsed. */
  ms: number
  outcomes: Record<string, number>
  violations: Violation[]
  /** Further inputs with violations of these kinds. */
  repeated: number
  kept: string[]
}

const emptyAnswer = (): WorkerAnswer => ({ inputs: 0, ms: 0, outcomes: {}, violations: [], repeated: 0, kept: [] })

/** The smallest input of each outcome that is new. */
class NewOutcomes {
  readonly #known = new Set<string>()
  readonly #smallest = new Map<string, Uint8Array>()

  know(outcome: string): void {
    this.#known.add(outcome)
  }

  note(outcome: string, bytes: Uint8Array): void {
    const before = this.#smallest.get(outcome)
    if (this.#known.has(outcome) || bytes.length > (before?.length ?? MAX_KEPT_BYTES)) return
    this.#smallest.set(outcome, bytes)
  }

  keep(target: string): string[] {
    return [...this.#smallest].map(([outcome, bytes]) => `${outcome}: ${keep(target, bytes)}`)
  }
}

async function work(target: Target, statusPath: string): Promise<void> {
  const status = openSync(statusPath, 'w')
  const number = new Float64Array(1)
  const octets = new Uint8Array(number.buffer)
  let answer = emptyAnswer()
  const kinds = new Set<string>()
  const material = materialOf(target, true)
  const reader = await target.open()
  const news = new NewOutcomes()
  if (given.keep) for (const { bytes } of keptInputs(target)) news.know((await outcomeOf(target, reader, bytes)).what)
  const first = Number(given.from)
  let reportedMs = performance.now()
  const report = () => {
    answer.ms = performance.now() - reportedMs
    console.log(JSON.stringify(answer))
    answer = emptyAnswer()
    reportedMs = performance.now()
  }
  for (let i = first; i < first + Number(given.count); i++) {
    if (isOver()) break
    if (performance.now() - reportedMs > REPORT_MS) report()
    number[0] = i
    writeSync(status, octets, 0, 8, 0)
    const bytes = inputFor(target, material, seed, i)
    const outcome = await outcomeOf(target, reader, bytes)
    answer.inputs++
    answer.outcomes[outcome.what] = (answer.outcomes[outcome.what] ?? 0) + 1
    if (given.keep) news.note(outcome.what, bytes)
    if (outcome.violation === undefined) continue
    if (kinds.has(kindOf(outcome.violation))) answer.repeated++
    else {
      kinds.add(kindOf(outcome.violation))
      // Shrinking runs many inputs: the number says that this one is not the same for so long.
      number[0] = -1
      writeSync(status, octets, 0, 8, 0)
      const untilMs = performance.now() + SHRINK_MS
      const small = await shrink(target, reader, bytes, outcome, () => performance.now() > untilMs)
      answer.violations.push({ number: i, text: outcome.violation, path: keep(target.name, small) })
    }
  }
  if (given.keep) answer.kept = news.keep(target.name)
  report()
  await reader.close?.()
  closeSync(status)
}

const numberIn = (path: string): number => {
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  return bytes.length === 8 ? bytes.readDoubleLE(0) : Number.NaN
}

/** Undefined while nothing exceeds a bound. */
function watch(pid: number, statusPath: string, target: Target): () => string | undefined {
  const bound = (target.maxCpuMs ?? DEFAULT_MAX_CPU_MS) + SLACK_MS
  let [seen, sinceMs] = [Number.NaN, 0]
  return () => {
    const [now, cpuMs] = [numberIn(statusPath), cpuTimeMs(pid)]
    if (now !== seen) [seen, sinceMs] = [now, cpuMs]
    if (residentBytes(pid) > MAX_RSS_BYTES) return 'memory'
    const isShrinking = now === -1
    return cpuMs - sinceMs > (isShrinking ? 3 * SHRINK_MS : bound) && !Number.isNaN(now) ? 'cpu' : undefined
  }
}

interface Ended {
  answers: WorkerAnswer[]
  /** Why it did not come to the end; empty if it did. */
  reason: string
  /** The input it was at. */
  number: number
}

async function runChild(target: Target, from: number, count: number): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'signet-fuzz-'))
  const statusPath = join(folder, 'status')
  const numbers = ['--seed', String(seed), '--from', String(from), '--count', String(count)]
  const leftS = Number(given.seconds) - (performance.now() - startedMs) / 1000
  const flags = [...(given.keep ? ['--keep'] : []), ...(given.seconds === undefined ? [] : ['--seconds', String(leftS)])]
  const options = ['--target', target.name, '--worker', statusPath, ...numbers, ...flags]
  const child = Bun.spawn([process.execPath, import.meta.path, ...options], { stdout: 'pipe', stderr: 'pipe' })
  const exceeded = watch(child.pid, statusPath, target)
  let reason = ''
  const poll = setInterval(() => {
    reason ||= exceeded() ?? ''
    if (reason !== '') child.kill('SIGKILL')
  }, POLL_MS)
  const [text, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const code = await child.exited
  clearInterval(poll)
  const number = numberIn(statusPath)
  rmSync(folder, { recursive: true, force: true })
  const lines = text.split('\n').filter(line => line.startsWith('{') && line.endsWith('}'))
  const answers = lines.map(line => JSON.parse(line) as WorkerAnswer)
  return { answers, reason: reason || (code === 0 ? '' : `the process ended (${code}): ${errors.trim().slice(-300)}`), number }
}

function add(total: WorkerAnswer, answer: WorkerAnswer): void {
  total.inputs += answer.inputs
  total.ms += answer.ms
  total.repeated += answer.repeated
  total.violations.push(...answer.violations)
  total.kept.push(...answer.kept)
  for (const [what, count] of Object.entries(answer.outcomes)) total.outcomes[what] = (total.outcomes[what] ?? 0) + count
}

const SENTENCES: Record<string, string> = {
  cpu: 'does not come to an end within its processor time',
  memory: `needs more than ${Math.round(MAX_RSS_BYTES / 1e6)} MB`,
}

/** A process that had to be ended is followed by one for the inputs after that. */
async function runRange(target: Target, from: number, count: number, total: WorkerAnswer): Promise<void> {
  for (let next = from; next < from + count; ) {
    const { answers, reason, number } = await runChild(target, next, from + count - next)
    for (const answer of answers) add(total, answer)
    if (reason === '') return
    if (!(number >= next)) throw new Error(`${target.name} does not start: ${reason}`)
    const reported = next + answers.reduce((sum, { inputs }) => sum + inputs, 0)
    if (number > reported) await runRange(target, reported, number - reported, total)
    noteEnded(target, number, reason, total)
    next = number + 1
  }
}

function noteEnded(target: Target, number: number, reason: string, total: WorkerAnswer): void {
  total.inputs++
  const path = keep(target.name, inputFor(target, materialOf(target, true), seed, number))
  total.violations.push({ number, text: SENTENCES[reason] ?? reason, path })
}

const startedMs = performance.now()
const isOver = () => given.seconds !== undefined && performance.now() - startedMs > 1000 * Number(given.seconds)

function printTarget(name: string, total: WorkerAnswer): void {
  const perSecond = total.ms > 0 ? Math.round((1000 * total.inputs) / total.ms) : 0
  const outcomes = Object.entries(total.outcomes).sort(([, a], [, b]) => b - a)
  console.log(`${name}: ${total.inputs} inputs, ${perSecond} a second`)
  console.log(`  ${outcomes.map(([what, count]) => `${what} ${count}`).join(', ')}`)
  for (const { number, text, path } of total.violations) {
    console.log(`  VIOLATION: ${text}`)
    console.log(`    input ${number}, shrunk in ${path}; again: sh scripts/fuzz --target ${name} --file ${path}`)
  }
  if (total.repeated > 0) console.log(`  ${total.repeated} more inputs with these violations`)
  for (const line of total.kept) console.log(`  kept: ${line}`)
}

async function runAll(targets: readonly Target[]): Promise<void> {
  if (!existsSync(SHARED_CORPUS)) console.log(`${SHARED_CORPUS} is not here: its PDFs are no seeds of this run.`)
  const shares = given.long ? plan(LONG_INPUTS, targets) : new Map(targets.map(({ name }) => [name, Number(given.inputs)]))
  const totals = new Map(targets.map(({ name }) => [name, emptyAnswer()]))
  const rounds = given.long ? ROUNDS : 1
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) {
      const size = Math.ceil((shares.get(target.name) ?? 0) / rounds)
      const total = totals.get(target.name)
      if (total && !isOver()) await runRange(target, Number(given.from) + round * size, size, total)
      if (total && !given.long) printTarget(target.name, total)
    }
    if (given.long) console.log(`${round + 1} of ${rounds} rounds after ${((performance.now() - startedMs) / 1000).toFixed(0)} s`)
    if (isOver()) break
  }
  if (given.long) for (const [name, total] of totals) printTarget(name, total)
  const all = [...totals.values()]
  const inputs = all.reduce((sum, { inputs }) => sum + inputs, 0)
  const broken = all.reduce((sum, { violations }) => sum + violations.length, 0)
  console.log(
    `${inputs} inputs of seed ${seed} in ${((performance.now() - startedMs) / 1000).toFixed(0)} s, ${broken} violations`,
  )
  if (broken > 0) process.exitCode = 1
}

async function readFile(target: Target, path: string): Promise<void> {
  const reader = await target.open()
  const { what, violation, cpuMs } = await outcomeOf(target, reader, new Uint8Array(readFileSync(path)))
  await reader.close?.()
  console.log(`${what}, ${cpuMs.toFixed(1)} ms${violation === undefined ? '' : `; VIOLATION: ${violation}`}`)
  if (violation !== undefined) process.exitCode = 1
}

const chosen = given.target === undefined ? TARGETS : [targetNamed(given.target)]
const [only] = chosen
if (given.worker !== undefined && only) await work(only, given.worker)
else if (given.file !== undefined && only) await readFile(only, given.file)
else await runAll(chosen)
process.exit()
