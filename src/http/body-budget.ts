/** Limits the memory of all request bodies that are received and processed at the same time. */
import { Refusal } from '../core/refusal.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import { bodyParts } from './request.ts'

const MAX_IN_FLIGHT_BYTES = 256 * 1024 * 1024
/** The first bytes of each body are not counted. */
const UNCOUNTED_BYTES = 64_000

export interface BodyBudget {
  /** Bytes of bodies in memory. */
  inFlightBytes: number
  uploads: UploadSlots
}

/** Uploads decoded at once. Others wait at the client; the runtime buffers about 1 MB of each. */
const MAX_UPLOADS = 4

/** Processes few uploads at once, part by part: a part takes memory until it is collected. */
export class UploadSlots {
  #free = MAX_UPLOADS
  #waiting: (() => void)[] = []

  /**
   * Yields the parts; each is valid until the next. Takes a slot for each part that has arrived.
   * A slow client occupies no slot while it sends.
   */
  async *pace(parts: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const release = await this.#acquire()
        try {
          const arriving = parts.next()
          const arrived = await Promise.race([arriving, yieldToEventLoop()])
          if (!arrived) release()
          const part = arrived ?? (await arriving)
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
  /** Sets the bytes in memory now. Throws `overloaded` when all bodies together keep too many. */
  set(bytes: number): void
}

/** Frees the memory at once. Parts that wait for the collector add up to gigabytes. */
function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0)
}

export function reserveMemory(budget: BodyBudget): MemoryReservation {
  let reserved = 0
  return {
    set(bytes) {
      const more = Math.max(0, bytes - UNCOUNTED_BYTES) - reserved
      // The only body may be as large as its own limit.
      const isOnly = budget.inFlightBytes === reserved
      if (more > 0 && !isOnly && budget.inFlightBytes + more > MAX_IN_FLIGHT_BYTES) {
        throw new Refusal('overloaded', 'Too many large requests at once: try again in a few seconds.', [], 5)
      }
      budget.inFlightBytes += more
      reserved += more
    },
  }
}

/** Counts a body until `work` is done. Throws what `bodyParts` throws, and `overloaded`. */
export async function withBody<T>(
  budget: BodyBudget,
  request: Request,
  limit: number,
  work: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  const reservation = reserveMemory(budget)
  const parts: Uint8Array[] = []
  let arrived = 0
  try {
    for await (const part of bodyParts(request, limit)) {
      parts.push(part)
      arrived += part.length
      reservation.set(arrived)
    }
    return await work(Buffer.concat(parts))
  } finally {
    reservation.set(0)
  }
}
