/** What all bodies being received and worked on may take of the memory together, of the API and of pages alike. */
import { Refusal } from '../core/refusal.ts'
import { readBody } from './request.ts'

const IN_FLIGHT_LIMIT = 256 * 1024 * 1024
/** Of each body: not counted. */
const SMALL_BODY = 1_000_000

export interface BodyBudget {
  /** Bytes of large bodies that arrived and are being worked on. */
  inFlightBytes: number
}

/** Reads a body of at most `limit` bytes and counts it until `work` is done. Throws what `readBody` throws, and `overloaded` when too much is under way. */
export async function withBody<T>(
  budget: BodyBudget,
  request: Request,
  limit: number,
  work: (bytes: Uint8Array) => Promise<T>,
): Promise<T> {
  let arrived = 0
  let held = 0
  const hold = (bytes: number) => {
    arrived += bytes
    const more = Math.max(0, arrived - SMALL_BODY) - held
    // Alone, a body may be as large as its own limit.
    const isAlone = budget.inFlightBytes === held
    if (more > 0 && !isAlone && budget.inFlightBytes + more > IN_FLIGHT_LIMIT) {
      throw new Refusal('overloaded', 'Too many large uploads at once: try again in a few seconds.', [], 5)
    }
    budget.inFlightBytes += more
    held += more
  }
  try {
    return await work(await readBody(request, limit, { hold }))
  } finally {
    budget.inFlightBytes -= held
  }
}
