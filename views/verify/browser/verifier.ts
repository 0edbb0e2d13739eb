/** Gives orders to a worker that verifies: one at a time, with a limit of time. */
import type { FileProblem } from '../../../src/locales/local-verify.ts'
import type { Answer, Order } from './order.ts'

/** Longer than what takes longest in bounds of the verifier. */
export const MAX_CHECK_MS = 300_000
/** Until a worker that starts says so. */
const MAX_START_MS = 20_000

export class CancelledError extends Error {
  override name = 'CancelledError'
}

/** The window needs them no more. */
function buffersOf(order: Order): ArrayBuffer[] {
  const beside = order.kind === 'receipt' ? [order.pack, order.sealed] : []
  return [order.bytes, ...beside].flatMap(bytes => (bytes ? [bytes.buffer] : []))
}

const problem = (problem: FileProblem): Answer => ({ kind: 'problem', problem })

export class Verifier {
  #worker: Promise<Worker | undefined> | undefined

  /** `answerHere`: in the window, where a browser starts no worker. */
  constructor(
    private readonly startWorker: () => Worker,
    private readonly answerHere: (order: Order) => Answer,
  ) {}

  /** @throws CancelledError */
  async answer(order: Order, signal: AbortSignal): Promise<Answer> {
    this.#worker ??= this.#start()
    const worker = await this.#worker
    if (signal.aborted) throw new CancelledError()
    if (worker) return this.#ask(worker, order, signal)
    await new Promise(resolve => setTimeout(resolve))
    return this.answerHere(order)
  }

  #ask(worker: Worker, order: Order, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void, isOver: boolean) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', cancel)
        if (isOver) this.#stop(worker)
        settle()
      }
      const cancel = () => end(() => reject(new CancelledError()), true)
      const timer = setTimeout(() => end(() => resolve(problem('tooLong')), true), MAX_CHECK_MS)
      signal.addEventListener('abort', cancel)
      worker.onmessage = ({ data }: MessageEvent<Answer>) => end(() => resolve(data), false)
      worker.onmessageerror = () => end(() => resolve(problem('memory')), true)
      worker.onerror = event => {
        event.preventDefault()
        end(() => resolve(problem('stopped')), true)
      }
      worker.postMessage(order, buffersOf(order))
    })
  }

  #stop(worker: Worker): void {
    worker.terminate()
    this.#worker = undefined
  }

  #start(): Promise<Worker | undefined> {
    let worker: Worker
    try {
      worker = this.startWorker()
    } catch (error) {
      // Where a policy or an old browser forbids it.
      if (!(error instanceof Error)) throw error
      return Promise.resolve(undefined)
    }
    return new Promise(resolve => {
      const timer = setTimeout(() => give(undefined), MAX_START_MS)
      const give = (found: Worker | undefined) => {
        clearTimeout(timer)
        if (!found) worker.terminate()
        resolve(found)
      }
      worker.onmessage = () => give(worker)
      worker.onerror = event => {
        event.preventDefault()
        give(undefined)
      }
    })
  }
}
