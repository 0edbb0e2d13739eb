/** What a target of the fuzzing is: a reader of untrusted bytes, and which outcomes are right. */

/** An outcome that no input may have, such as a changed file that is called valid. */
export class ViolationError extends Error {
  override name = 'ViolationError'
}

/** The structure that the mutator knows; `text` and `bytes` have none. */
export type Format = 'bytes' | 'text' | 'json' | 'der' | 'pdf' | 'png' | 'zip' | 'tar'

export interface Target {
  name: string
  format: Format
  /** Folders of the corpus whose files are changed; the folder of the target's name is added. */
  seeds: readonly string[]
  /** Also the small PDFs of the shared corpus, where that is here. */
  usesSharedCorpus?: boolean
  /** Words that this format gives a meaning to; the mutator inserts them. */
  words?: readonly string[]
  /** Classes of errors, by name, with which the reader says no. Any other error is a violation. */
  refusals: readonly string[]
  /** Of the processor, for an input of usual size; the plan of a long run is made from it. */
  costUs: number
  /** Of the processor, for one input: more is a violation. */
  maxCpuMs?: number
  /** Makes what all inputs share. */
  open(): Promise<Reader> | Reader
}

export interface Reader {
  /** Reads an input. Returns a word for the outcome. @throws ViolationError, and each refusal */
  read(bytes: Uint8Array): Promise<string> | string
  close?(): Promise<void> | void
}

export interface Outcome {
  /** The word of the reader, or `refused` with the class of the error. */
  what: string
  /** A sentence for what no input may do. */
  violation?: string
  cpuMs: number
}

export const DEFAULT_MAX_CPU_MS = 3_000

/** Where an error comes from, without the numbers and quoted bytes of one input. */
function placeOf(error: Error): string {
  const lines = (error.stack ?? '').split('\n').filter(line => /\/(src|node_modules|test)\//.test(line))
  return lines[0]?.replace(/^.*?\/((?:src|node_modules|test)\/[^:)]*:\d+).*$/, '$1') ?? ''
}

function violationOf(error: unknown): string {
  if (!(error instanceof Error)) return `threw what is no error: ${String(error).slice(0, 100)}`
  if (error instanceof ViolationError) return error.message
  return `threw ${error.name}: ${error.message.slice(0, 200)} (${placeOf(error)})`
}

const isRefusal = (error: unknown, { refusals }: Target): error is Error =>
  error instanceof Error && (refusals.includes(error.name) || refusals.includes(error.constructor.name))

/** Elapsed time is looked at first: it is cheap, and never less than that of one thread. */
export async function outcomeOf(target: Target, reader: Reader, bytes: Uint8Array): Promise<Outcome> {
  const max = target.maxCpuMs ?? DEFAULT_MAX_CPU_MS
  const startedMs = performance.now()
  const before = process.cpuUsage()
  let what: string
  let violation: string | undefined
  try {
    const answer = reader.read(bytes)
    what = typeof answer === 'string' ? answer : await answer
  } catch (error) {
    what = isRefusal(error, target) ? `refused by ${error.constructor.name}` : 'violation'
    if (what === 'violation') violation = violationOf(error)
  }
  const elapsedMs = performance.now() - startedMs
  if (elapsedMs <= max) return { what, cpuMs: elapsedMs, ...(violation === undefined ? {} : { violation }) }
  const { user, system } = process.cpuUsage(before)
  const cpuMs = (user + system) / 1000
  if (violation === undefined && cpuMs > max) violation = `took more than ${max} ms of processor time`
  return { what, cpuMs, ...(violation === undefined ? {} : { violation }) }
}
