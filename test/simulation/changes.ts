/** Values that were asked for one after another, of which the last one counts. */
import type { KnownDocument } from './model.ts'

export interface Change<T> {
  value: T
  /** Of the request. */
  fromStep: number
  /** Of the answer that acknowledged it. Undefined: nobody knows whether it was carried out. */
  atStep?: number
}

export const first = <T>(value: T): Change<T>[] => [{ value, fromStep: 0, atStep: 0 }]

/** The step at which a later change was acknowledged: from then on this one does not count. */
export function endOf<T>(changes: readonly Change<T>[], { atStep }: Change<T>): number | undefined {
  if (atStep === undefined) return undefined
  const ends = changes.flatMap(later => (later.fromStep > atStep && later.atStep !== undefined ? [later.atStep] : []))
  return ends.length === 0 ? undefined : Math.min(...ends)
}

/** Of a value that was asked for once. */
export function endOfValue<T>(changes: readonly Change<T>[], value: T): number | undefined {
  const [own, repeated] = changes.filter(change => change.value === value)
  return own === undefined || repeated !== undefined ? undefined : endOf(changes, own)
}

/** The values of which each may be the present one. */
export function current<T>(changes: readonly Change<T>[]): T[] {
  return changes.flatMap(change => (endOf(changes, change) === undefined ? [change.value] : []))
}

/** What an answer may show to a request that began at `before`. */
export function eitherOf<T>(before: readonly Change<T>[], after: readonly Change<T>[]): Change<T>[] {
  return [...current(before), ...current(after)].map(value => ({ value, fromStep: 0 }))
}

const isCertain = (holds: readonly Change<boolean>[], value: boolean): boolean => current(holds).every(held => held === value)

/** Nothing deletes a document under a legal hold, neither before nor after a request. */
export const isHeld = (...known: readonly KnownDocument[]): boolean => known.every(({ holds }) => isCertain(holds, true))

/** What an answer shows of a document, against what senders have changed. Sentences. */
// biome-ignore lint/suspicious/noExplicitAny: answers of the API
export function differencesOf({ title, messages, holds, recipients }: KnownDocument, body: any): string[] {
  const found: string[] = []
  if (!current(messages).includes(body.message)) found.push(`“${title}” has the message “${body.message}”, and was given another`)
  if (!current(holds).includes(body.heldSince !== null))
    found.push(`“${title}” is ${body.heldSince === null ? 'not ' : ''}under a legal hold`)
  recipients.forEach(({ name, addresses }, i) => {
    const shown = body.recipients[i]?.email
    if (!current(addresses).includes(shown)) found.push(`${name} of “${title}” has the address ${shown}, and was given another`)
  })
  return found
}
