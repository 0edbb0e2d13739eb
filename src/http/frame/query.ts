/** Reads what the query of a page's address, or a form, asks a list for. */
import { MAX_QUERY_LENGTH } from '../../core/document/document-limits.ts'
import { startOfDay } from '../../lib/clock-format.ts'
import { DAY_MS } from '../../lib/duration.ts'
import { type IdPrefix, isId } from '../../lib/id.ts'
import type { Visit } from './page.tsx'

export type Query = Visit['query']

const MAX_DAY_LENGTH = 20

/** Without outer blanks; empty if it is not there. */
export const trimmedIn = (query: Query, name: string, maxLength: number): string => query[name]?.trim().slice(0, maxLength) ?? ''

/** What a list is searched for. */
export const searchIn = ({ query }: Visit): string => trimmedIn(query, 'q', MAX_QUERY_LENGTH)

export function choiceIn<T extends string>(query: Query, name: string, values: readonly T[]): T | undefined {
  return values.find(value => value === query[name])
}

/** Such as the last row of the page before. */
export function idIn(query: Query, name: string, prefix: IdPrefix): string | undefined {
  const text = query[name] ?? ''
  return isId(text, prefix) ? text : undefined
}

export const wholeNumber = (text = ''): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

/** 0 if it is not there. */
export const numberIn = (query: Query, name: string): number => wholeNumber(query[name]) ?? 0

// The days from which and until which a list is shown.

export function daysIn(query: Query) {
  return { from: trimmedIn(query, 'from', MAX_DAY_LENGTH), to: trimmedIn(query, 'to', MAX_DAY_LENGTH) }
}

type Days = ReturnType<typeof daysIn>

interface Span {
  start: Date | undefined
  /** The last day counts whole. */
  end: Date | undefined
  /** Those whose text is no day. */
  invalid: (keyof Days)[]
}

export function spanOf({ from, to }: Days, timeZone: string): Span {
  const [start, last] = [startOfDay(from, timeZone), startOfDay(to, timeZone)]
  const end = last && startOfDay(new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10), timeZone)
  const invalid = [...(from && !start ? (['from'] as const) : []), ...(to && !last ? (['to'] as const) : [])]
  return { start, end, invalid }
}
