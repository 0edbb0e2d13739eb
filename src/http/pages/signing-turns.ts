/**
 * One child process at a time for each recipient, so that many requests for pages or pictures
 * delay only the recipient who sent them.
 */
import { Refusal } from '../../core/refusal.ts'
import type { App } from '../../ports.ts'

/** A browser requests the visible pages at once, and sometimes a picture. */
const MAX_QUEUE = 50
const RETRY_S = 5

/**
 * Runs `work` after all earlier work of this recipient. Throws `overloaded` when too much waits.
 */
export async function inTurn<T>({ recipientQueue }: App, recipientId: string, work: () => Promise<T>): Promise<T> {
  if (recipientQueue.lengthOf(recipientId) >= MAX_QUEUE)
    throw new Refusal('overloaded', 'Too much was asked for at once: try again.', [], RETRY_S)
  return recipientQueue.run(recipientId, work)
}
