/**
 * One child process at a time for each recipient: who asks for many drawings or pictures at once waits in their own line, and nobody else, nor a
 * seal, behind them. In memory, one set per App.
 */
import { Refusal } from '../../core/refusal.ts'
import type { App } from '../../ports.ts'

interface Line {
  /** Settles when everything that was asked for so far is done. */
  last: Promise<unknown>
  length: number
}

/** A page asks for what is in sight, and for a picture now and then. */
const LONGEST_LINE = 50
const RETRY_S = 5

const lines = new WeakMap<App, Map<string, Line>>()

/** Runs `work` when everything this recipient has asked for before is done. Throws `overloaded` when that is too much. */
export async function inTurn<T>(app: App, recipientId: string, work: () => Promise<T>): Promise<T> {
  const known = lines.get(app) ?? new Map<string, Line>()
  lines.set(app, known)
  const line = known.get(recipientId) ?? { last: Promise.resolve(), length: 0 }
  if (line.length >= LONGEST_LINE) throw new Refusal('overloaded', 'Too much was asked for at once: try again.', [], RETRY_S)
  known.set(recipientId, line)
  line.length++
  const result = line.last.then(work)
  // What became of it is told to whoever asked; the line goes on either way.
  line.last = result.then(
    () => undefined,
    () => undefined,
  )
  try {
    return await result
  } finally {
    line.length--
    if (line.length === 0) known.delete(recipientId)
  }
}
