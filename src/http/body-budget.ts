/** What all bodies that are being received and worked on may keep in memory together, of the API and of pages alike. */
import { Refusal } from '../core/refusal.ts'
import { readBody } from './request.ts'

const IN_FLIGHT_LIMIT = 256 * 1024 * 1024
/** Of each body: not counted. */
const SMALL_BODY = 64_000

export interface BodyBudget {
  /** Bytes of bodies that are kept in memory. */
  inFlightBytes: number
}

/** One body's part of the budget. */
export interface Hold {
  /** Counts what it keeps now. Throws `overloaded` when all together keep too much. */
  set(bytes: number): void
}

export function holdIn(budget: BodyBudget): Hold {
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
  const hold = holdIn(budget)
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
