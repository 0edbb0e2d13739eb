/** Limits hand-overs in a day: each one mails a stranger, and the sender. Pure. */
import { Refusal } from '../refusal.ts'
import { localized } from '../signing/message.ts'
import { mustAct } from '../signing/routing.ts'
import type { Document } from './document.ts'

const DAY_MS = 86_400_000
/** Of one recipient's place, whoever has it. */
export const MAX_OF_RECIPIENT = 3
/** Of a document; where more have to act, as many as they are. */
export const MAX_OF_DOCUMENT = 20

export interface HandOver {
  recipientId: string | null
  /** RFC 3339. */
  at: string
}

/** `earlier`: all hand-overs of the document. Throws `rate_limited` with the time to wait. */
export function requireFewHandOvers(
  { recipients }: Pick<Document, 'recipients'>,
  recipientId: string,
  earlier: readonly HandOver[],
  now: Date,
): void {
  const since = now.getTime() - DAY_MS
  const times = (some: readonly HandOver[]) =>
    some.map(({ at }) => Date.parse(at)).filter(at => at > since && at <= now.getTime())
  const own = times(earlier.filter(each => each.recipientId === recipientId))
  const limits: [number[], number][] = [
    [own, MAX_OF_RECIPIENT],
    [times(earlier), Math.max(MAX_OF_DOCUMENT, recipients.filter(mustAct).length)],
  ]
  const waits = limits.flatMap(([at, max]) => (at.length < max ? [] : [(at.toSorted((a, b) => b - a)[max - 1] ?? 0) - since]))
  if (waits.length === 0) return
  throw new Refusal('rate_limited', localized('delegatedOften'), [], Math.ceil(Math.max(...waits) / 1000))
}
