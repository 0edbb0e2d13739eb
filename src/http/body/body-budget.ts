/** Limits the memory of all request bodies that are received and processed at the same time. */
import { Refusal } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import type { Timers } from '../../lib/machine.ts'
import { type BodyMachine, bodyParts } from '../request.ts'

const MAX_IN_FLIGHT_BYTES = 256 * 1024 * 1024
/** The first bytes of each body are not counted, so that small requests are never refused. */
const UNCOUNTED_BYTES = 64_000

export interface BodyBudget {
  /** Bytes of all bodies in memory, without those that are not counted. */
  inFlightBytes: number
  uploads: UploadSlots
  machine: BodyMachine
}

/** Uploads decoded at once. The others wait; the runtime buffers about 1 MB of each. */
const MAX_UPLOADS = 4

/** Limits how many uploads are processed at once: each part takes memory until it is freed. */
export class UploadSlots {
  #free = MAX_UPLOADS
  #waiting: (() => void)[] = []
  readonly #timers: Timers

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /**
   * Yields the parts; each is valid until the next. A part that has arrived is processed in a slot.
   * A part still to arrive is awaited and processed without one: slow clients occupy no slot.
   */
  async *limitConcurrency(parts: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const release = await this.#acquire()
        try {
          const nextPart = parts.next()
          const arrived = await Promise.race([nextPart, this.#timers.yield()])
          if (!arrived) release()
          const part = arrived ?? (await nextPart)
          if (part.done) return
          yield part.value
          freeMemory(part.value)
        } finally {
          release()
        }
      }
    } finally {
      await parts.return(undefined)
    }
  }

  /** Waits for a slot. Returns the function that releases it, at most once. */
  async #acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>(resolve => this.#waiting.push(resolve))
    let isAcquired = true
    return () => {
      if (isAcquired) this.#release()
      isAcquired = false
    }
  }

  /** Passes the slot to the next waiting upload, or frees it. */
  #release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}

/** The share of one body in the budget. */
export interface MemoryReservation {
  /** Sets the bytes of this body in memory. Throws `overloaded` if all bodies exceed the limit. */
  set(bytes: number): void
}

/** Frees the memory at once: parts that wait for garbage collection add up to gigabytes. */
function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0)
}

export function reserveMemory(budget: BodyBudget): MemoryReservation {
  let reserved = 0
  return {
    set(bytes) {
      const change = Math.max(0, bytes - UNCOUNTED_BYTES) - reserved
      // A body that is alone is limited only by its own maximum size.
      const isOnlyBody = budget.inFlightBytes === reserved
      if (change > 0 && !isOnlyBody && budget.inFlightBytes + change > MAX_IN_FLIGHT_BYTES) {
        throw new Refusal('overloaded', violation('large_requests_at_once'), [], 5)
      }
      budget.inFlightBytes += change
      reserved += change
    },
  }
}

/** Reads a body and counts it until `work` is done. Throws as `bodyParts`, and `overloaded`. */
export async function withBody<T>(
  budget: BodyBudget,
  request: Request,
  limit: number,
  work: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  const reservation = reserveMemory(budget)
  const parts: Uint8Array[] = []
  let receivedBytes = 0
  try {
    for await (const part of bodyParts(budget.machine, request, limit)) {
      parts.push(part)
      receivedBytes += part.length
      reservation.set(receivedBytes)
    }
    return await work(Buffer.concat(parts))
  } finally {
    reservation.set(0)
  }
}
