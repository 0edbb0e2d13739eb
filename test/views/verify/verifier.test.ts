/** The limits of the verify page: what it does not read, and what becomes of a worker. */
import { describe, expect, test } from 'bun:test'
import type { Answer, Order } from '../../../views/verify/browser/order.ts'
import { FileProblemError, MAX_FILE_BYTES, readFile } from '../../../views/verify/browser/read-file.ts'
import { CancelledError, Verifier } from '../../../views/verify/browser/verifier.ts'

const { signal } = new AbortController()
const problemOf = (file: Partial<Blob>) =>
  readFile(file as Blob, signal, () => undefined).then(
    () => 'read',
    (error: unknown) => (error instanceof FileProblemError ? error.problem : error),
  )
/** A file whose reading ends so. */
const failing = (error: Error) => ({ size: 9, stream: () => new ReadableStream({ pull: controller => controller.error(error) }) })

test('a file is not read if it is empty, too large, gone, or larger than the memory', async () => {
  expect(await problemOf(new Blob(['%PDF']))).toBe('read')
  expect(await problemOf(new Blob([]))).toBe('empty')
  expect(await problemOf({ size: MAX_FILE_BYTES + 1 })).toBe('tooLarge')
  expect(await problemOf(failing(new DOMException('gone', 'NotReadableError')) as never)).toBe('unreadable')
  expect(await problemOf(failing(new RangeError('Array buffer allocation failed')) as never)).toBe('memory')
})

test('what is read is said in percent, and ends when the reader cancels', async () => {
  const percents: number[] = []
  const bytes = await readFile(new Blob(['12345']), signal, percent => percents.push(percent))
  expect([new TextDecoder().decode(bytes), percents.at(-1)]).toEqual(['12345', 100])
  await expect(readFile(new Blob(['12345']), AbortSignal.abort(), () => undefined)).rejects.toThrow(CancelledError)
})

type Behaviour = (worker: FakeWorker, order: Order) => void

/** Says that it is ready, unless it dies at its start. */
class FakeWorker {
  onmessage: (event: { data: unknown }) => void = () => undefined
  onerror: (event: { preventDefault(): void }) => void = () => undefined
  isTerminated = false

  constructor(
    readonly behave: Behaviour,
    dies = false,
  ) {
    queueMicrotask(() => (dies ? this.die() : this.onmessage({ data: 'ready' })))
  }

  die(): void {
    this.onerror({ preventDefault: () => undefined })
  }

  postMessage(order: Order): void {
    this.behave(this, order)
  }

  terminate(): void {
    this.isTerminated = true
  }
}

const ANSWER: Answer = { kind: 'problem', problem: 'empty' }
const HERE: Answer = { kind: 'problem', problem: 'locked' }
const order = (): Order => ({ kind: 'certificates', bytes: new Uint8Array(1) })

function verifierOf(start: () => FakeWorker) {
  const workers: FakeWorker[] = []
  const verifier = new Verifier(
    () => {
      const worker = start()
      workers.push(worker)
      return worker as unknown as Worker
    },
    () => HERE,
  )
  return { workers, ask: (cancel: AbortSignal = signal) => verifier.answer(order(), cancel) }
}

describe('a worker', () => {
  test('answers one order after the other', async () => {
    const { workers, ask } = verifierOf(() => new FakeWorker(worker => worker.onmessage({ data: ANSWER })))
    expect([await ask(), await ask(), workers.length]).toEqual([ANSWER, ANSWER, 1])
  })

  test('that cannot be started, or dies at its start, is replaced by the window itself', async () => {
    const forbidden = verifierOf(() => {
      throw new DOMException('forbidden', 'SecurityError')
    })
    expect(await forbidden.ask()).toEqual(HERE)
    const dying = verifierOf(() => new FakeWorker(() => undefined, true))
    expect([await dying.ask(), dying.workers[0]?.isTerminated]).toEqual([HERE, true])
  })

  test('that dies at its work says so, and the next order gets another', async () => {
    let isFirst = true
    const { workers, ask } = verifierOf(() => {
      const dies = isFirst
      isFirst = false
      return new FakeWorker(worker => (dies ? worker.die() : worker.onmessage({ data: ANSWER })))
    })
    expect(await ask()).toEqual({ kind: 'problem', problem: 'stopped' })
    expect([await ask(), workers.map(({ isTerminated }) => isTerminated)]).toEqual([ANSWER, [true, false]])
  })

  test('is ended when the reader cancels', async () => {
    const { workers, ask } = verifierOf(() => new FakeWorker(() => undefined))
    const cancel = new AbortController()
    const asked = ask(cancel.signal)
    setTimeout(() => cancel.abort(), 1)
    await expect(asked).rejects.toThrow(CancelledError)
    expect(workers[0]?.isTerminated).toBe(true)
  })
})
