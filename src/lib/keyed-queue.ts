/** Runs tasks of the same key one after another, and tasks of different keys side by side. */
export class KeyedQueue {
  readonly #queues = new Map<string, { last: Promise<unknown>; length: number }>()

  /** How many tasks of the key run or wait. */
  lengthOf(key: string): number {
    return this.#queues.get(key)?.length ?? 0
  }

  /** Runs the task after all earlier ones of its key, whether they succeeded or failed. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { last: Promise.resolve(), length: 0 }
    this.#queues.set(key, queue)
    queue.length++
    const result = queue.last.then(task)
    queue.last = result.catch(() => undefined)
    try {
      return await result
    } finally {
      queue.length--
      if (queue.length === 0) this.#queues.delete(key)
    }
  }
}
