/** What all bodies that are being received and worked on may keep in memory together, of the API and of pages alike. */
import { Refusal } from '../core/refusal.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import { readBody } from './request.ts'

const IN_FLIGHT_LIMIT = 256 * 1024 * 1024
/** Of each body: not counted. */
const SMALL_BODY = 64_000

export interface BodyBudget {
  /** Bytes of bodies that are kept in memory. */
  inFlightBytes: number
  uploads: UploadSlots
}

/** Uploads that are read and decoded at the same time. What is not read yet waits at its sender, but for a megabyte or so in the runtime. */
const UPLOADS_AT_ONCE = 4

/** Lets few uploads at a time be worked on, part by part in turn: each part takes memory until it is collected as garbage. */
export class UploadSlots {
  #free = UPLOADS_AT_ONCE
  #waiting: (() => void)[] = []

  /** The parts, to be used until the next is asked for. What waits is taken in a slot; who sends slowly needs none, and holds none up. */
  async *pace(parts: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const giveBack = await this.#take()
        try {
          const arriving = parts.next()
          const waiting = await Promise.race([arriving, yieldToEventLoop()])
          if (!waiting) giveBack()
          const part = waiting ?? (await arriving)
          if (part.done) return
          yield part.value
          forget(part.value)
        } finally {
          giveBack()
        }
      }
    } finally {
      await parts.return(undefined)
    }
  }

  /** Returns what gives the slot back, once. */
  async #take(): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>(resolve => this.#waiting.push(resolve))
    let isHeld = true
    return () => {
      if (isHeld) this.#give()
      isHeld = false
    }
  }

  /** A slot goes from one to the next without being free between them. */
  #give(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}

/** One body's part of the budget. */
export interface MemoryReservation {
  /** Counts what it keeps now. Throws `overloaded` when all together keep too much. */
  set(bytes: number): void
}

/** Gives the memory back at once: left to the collector, the parts of many large bodies are gigabytes before it runs. */
function forget({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0)
}

export function reserveMemory(budget: BodyBudget): MemoryReservation {
  let held = 0
  return {
    set(bytes) {
      const more = Math.max(0, bytes - SMALL_BODY) - held
      // Alone, a body may be as large as its own limit.
      const isAlone = budget.inFlightBytes === held
      if (more > 0 && !isAlone && budget.inFlightBytes + more > IN_FLIGHT_LIMIT) {
        throw new Refusal('overloaded', 'Too many large requests at once: try again in a few seconds.', [], 5)
      }
      budget.inFlightBytes += more
      held += more
    },
  }
}

/** Reads a body of at most `limit` bytes and counts it until `work` is done. Throws what `readBody` throws, and `overloaded`. */
export async function withBody<T>(
  budget: BodyBudget,
  request: Request,
  limit: number,
  work: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  const hold = reserveMemory(budget)
  let arrived = 0
  try {
    const bytes = await readBody(request, limit, more => {
      arrived += more
      hold.set(arrived)
    })
    return await work(bytes)
  } finally {
    hold.set(0)
  }
}
