/** The state of the page that verifies files on the device of its reader, and what changes it. */
import type { FileProblem } from '../../../src/locales/local-verify.ts'
import { type Answer, kindOf, NO_TRUST, type OrderKind, type Trusted } from './order.ts'
import { FileProblemError, readFile, readStart } from './read-file.ts'
import { CancelledError, type Verifier } from './verifier.ts'

/** A file that was verified, or why it was not. */
export interface Outcome {
  id: number
  file: File
  answer: Exclude<Answer, { kind: 'certificates' }>
}

/** A file with certificates that the reader has given. */
export interface GivenFile {
  id: number
  fileName: string
  names: string[]
  signers: string
  all: string
  purpose: 'signers' | 'timestamps'
}

export interface Progress {
  fileName: string
  /** While it is read. */
  percent: number | undefined
  /** Since the check began. */
  seconds: number
}

export interface LocalState {
  outcomes: Outcome[]
  given: GivenFile[]
  progress: Progress | undefined
  isCancelled: boolean
}

const TICK_MS = 1000

export class LocalVerify {
  readonly state: LocalState = { outcomes: [], given: [], progress: undefined, isCancelled: false }
  #nextId = 1
  /** Of the files that were added last: the newest are first, and among them in their order. */
  #added = 0
  #running: AbortController | undefined

  /** `own`: what the instance trusts whose page it is. `changed`: called after each change. */
  constructor(
    private readonly verifier: Verifier,
    private readonly changed: (isDone: boolean) => void,
    private readonly own: Trusted = NO_TRUST,
  ) {}

  /** Certificates first: they count for the files that were dropped with them. */
  async add(files: readonly File[]): Promise<void> {
    if (this.#running || files.length === 0) return
    this.#added = 0
    await this.#run(async signal => {
      const kinds = await Promise.all(files.map(async file => ({ file, kind: await this.#kindOf(file) })))
      const isCertificate = ({ kind }: { kind: OrderKind | FileProblem }) => kind === 'certificates'
      const hadGiven = this.state.given.length
      for (const { file } of kinds.filter(isCertificate)) await this.#give(file, signal)
      const before = this.state.given.length > hadGiven ? [...this.state.outcomes] : []
      for (const { file, kind } of kinds.filter(one => !isCertificate(one))) await this.#verify(file, kind, signal)
      await this.#repeat(
        before.filter(({ answer }) => answer.kind !== 'receipt'),
        signal,
      )
      // Now that what they belong to may be there.
      await this.#repeat(
        this.state.outcomes.filter(({ answer }) => answer.kind === 'receipt'),
        signal,
      )
    })
  }

  cancel(): void {
    this.#running?.abort()
  }

  clear(): void {
    if (this.#running) return
    this.state.outcomes = []
    this.changed(false)
  }

  async removeGiven(id: number): Promise<void> {
    if (this.#running) return
    this.state.given = this.state.given.filter(given => given.id !== id)
    await this.#run(signal => this.#repeat([...this.state.outcomes], signal))
  }

  async setPurpose(id: number, purpose: GivenFile['purpose']): Promise<void> {
    const given = this.state.given.find(one => one.id === id)
    if (this.#running || !given) return
    given.purpose = purpose
    await this.#run(signal => this.#repeat([...this.state.outcomes], signal))
  }

  async #run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const running = new AbortController()
    this.#running = running
    this.state.isCancelled = false
    try {
      await work(running.signal)
    } catch (error) {
      if (!(error instanceof CancelledError)) throw error
      this.state.isCancelled = true
    } finally {
      this.#running = undefined
      this.state.progress = undefined
      this.changed(!this.state.isCancelled)
    }
  }

  async #kindOf(file: File): Promise<OrderKind | FileProblem> {
    if (file.size === 0) return 'empty'
    try {
      return kindOf(await readStart(file)) ?? 'unknownKind'
    } catch (error) {
      if (error instanceof FileProblemError) return error.problem
      throw error
    }
  }

  async #give(file: File, signal: AbortSignal): Promise<void> {
    const answer = await this.#ask(file, 'certificates', signal)
    if (answer.kind !== 'certificates') return this.#note(file, answer)
    const { names, signers, all, isForTimestamps } = answer
    const purpose = isForTimestamps ? 'timestamps' : 'signers'
    this.state.given.push({ id: this.#nextId++, fileName: file.name, names, signers, all, purpose })
  }

  async #verify(file: File, kind: OrderKind | FileProblem, signal: AbortSignal): Promise<void> {
    const isOrder = kind === 'pdf' || kind === 'pack' || kind === 'receipt'
    const answer = isOrder ? await this.#ask(file, kind, signal) : problem(kind as FileProblem)
    if (answer.kind !== 'certificates') this.#note(file, answer)
  }

  #note(file: File, answer: Outcome['answer']): void {
    this.state.outcomes.splice(this.#added++, 0, { id: this.#nextId++, file, answer })
  }

  /** By the certificates that now count. */
  async #repeat(outcomes: readonly Outcome[], signal: AbortSignal): Promise<void> {
    for (const outcome of outcomes) {
      const { kind } = outcome.answer
      if (kind === 'problem') continue
      const answer = await this.#ask(outcome.file, kind, signal, this.#beside(outcome))
      if (answer.kind !== 'certificates') outcome.answer = answer
    }
  }

  /** The pack of the document of a receipt; else the one PDF, which may be the sealed file. */
  #beside({ answer }: Outcome): { pack?: File; sealed?: File } {
    if (answer.kind !== 'receipt' || !('receipt' in answer.report)) return {}
    const { id } = answer.report.receipt.document
    const { outcomes } = this.state
    const pack = outcomes.find(
      ({ answer: other }) => other.kind === 'pack' && 'documentId' in other.report && other.report.documentId === id,
    )
    const [sealed, another] = outcomes.filter(({ answer: other }) => other.kind === 'pdf')
    if (pack) return { pack: pack.file }
    return sealed && !another ? { sealed: sealed.file } : {}
  }

  async #ask(file: File, kind: OrderKind, signal: AbortSignal, beside: { pack?: File; sealed?: File } = {}): Promise<Answer> {
    const progress: Progress = { fileName: file.name, percent: 0, seconds: 0 }
    this.#show(progress)
    const tick = setInterval(() => {
      if (progress.percent === undefined) progress.seconds++
      this.#show(progress)
    }, TICK_MS)
    try {
      const bytes = await readFile(file, signal, percent => {
        progress.percent = percent
      })
      const read = (one: File) => readFile(one, signal, () => undefined)
      const { pack, sealed } = beside
      const others = { ...(pack ? { pack: await read(pack) } : {}), ...(sealed ? { sealed: await read(sealed) } : {}) }
      progress.percent = undefined
      this.#show(progress)
      const order =
        kind === 'certificates' ? { kind, bytes } : { kind, bytes, now: new Date().toISOString(), ...this.#trusted(), ...others }
      return await this.verifier.answer(order, signal)
    } catch (error) {
      if (error instanceof FileProblemError) return problem(error.problem)
      throw error
    } finally {
      clearInterval(tick)
    }
  }

  #trusted(): Trusted {
    const { given } = this.state
    const of = (purpose: GivenFile['purpose']) => given.filter(one => one.purpose === purpose)
    return {
      trust: [...this.own.trust, ...of('signers').map(({ signers }) => signers)],
      timestampTrust: [...this.own.timestampTrust, ...of('timestamps').map(({ all }) => all)],
      revocationLists: this.own.revocationLists,
    }
  }

  #show(progress: Progress): void {
    this.state.progress = progress
    this.changed(false)
  }
}

const problem = (problem: FileProblem): Outcome['answer'] => ({ kind: 'problem', problem })
