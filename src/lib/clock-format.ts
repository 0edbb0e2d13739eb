/** Formats times for people, always with their zone. */
import { LruCache } from './lru-cache.ts'

/** `21 December 2026, 22:29 CET`: once, in an IANA zone, with its name as the language has it. */
export function readableTime(moment: Date, timeZone = 'UTC', language = 'en'): string {
  const tag = tagOf(language)
  const day = dateTimeFormat(tag, { timeZone, day: 'numeric', month: 'long', year: 'numeric' })
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const
  const comma = language.startsWith('ar') ? '،' : ','
  return `${day.format(moment)}${comma} ${dateTimeFormat(tag, { timeZone, ...clock }).format(moment)}`
}

/** English with the day first. */
export function tagOf(language: string): string {
  return language === 'en' ? 'en-GB' : language
}

/** How somebody reads times. */
export interface Reader {
  /** IANA. */
  timeZone: string
  /** BCP 47. */
  language: string
}

/** A time on a page: `21 Nov 2026, 04:31 CET`. Mails use `readableTime`. */
export function pageTime(moment: Date, { timeZone, language }: Reader): string {
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const
  return dateTimeFormat(tagOf(language), { timeZone, ...day, ...clock }).format(moment)
}

/** A day on a page: `21 Nov 2026`. */
export function pageDay(moment: Date, { timeZone, language }: Reader): string {
  return dateTimeFormat(tagOf(language), { timeZone, day: 'numeric', month: 'short', year: 'numeric' }).format(moment)
}

/** The calendar day of a moment in an IANA zone, `YYYY-MM-DD` (ISO 8601). */
export function isoDay(moment: Date, timeZone: string): string {
  // Swedish uses the notation of ISO 8601.
  return dateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(moment)
}

/** The first moment of a calendar day (`YYYY-MM-DD`) in an IANA zone; `undefined` for no date. */
export function startOfDay(day: string, timeZone: string): Date | undefined {
  // Years of fewer than four digits cannot be parsed after formatting; nothing is older than 1900.
  return /^(19|[2-9]\d)/.test(day) ? momentOf(day, '00:00:00', timeZone) : undefined
}

/** The last second of a calendar day, `YYYY-MM-DD`, in a zone; `undefined` for no such day. */
export function endOfDay(day: string, timeZone: string): Date | undefined {
  return momentOf(day, '23:59:59', timeZone)
}

/** When the clocks of the zone show this time, `HH:MM:SS`; `undefined` for no such day. */
export function momentOf(day: string, time: string, timeZone: string): Date | undefined {
  const asUtc = new Date(`${day}T${time}Z`)
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString().slice(0, 10) !== day) return undefined
  // The offset of that moment, then of the moment it leads to: clocks may change between them.
  const guess = new Date(asUtc.getTime() - offsetMs(asUtc, timeZone))
  return new Date(asUtc.getTime() - offsetMs(guess, timeZone))
}

/** What the clocks of the zone are ahead of UTC. */
function offsetMs(moment: Date, timeZone: string): number {
  const local = dateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(moment)
  return new Date(`${local.replace(' ', 'T')}Z`).getTime() - moment.getTime()
}

export function formatSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`
}

// Formats of dates and times, each made once: one costs 50 µs and memory outside the heap.

/** Languages, zones and forms that are in use at once. */
export const MAX_FORMATS = 200

const formats = new LruCache<string, Intl.DateTimeFormat>(MAX_FORMATS)

/**
 * `tag`: BCP 47.
 * @throws RangeError for an unknown time zone
 */
export function dateTimeFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${tag} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(tag, options)
  formats.set(key, format)
  return format
}

/** Whether it names a zone. `Intl` takes offsets too, which have no daylight saving time. */
export function isTimeZone(zone: string): boolean {
  try {
    dateTimeFormat('en', { timeZone: zone })
    return /^[A-Za-z]/.test(zone)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Formats that are kept. */
export const keptFormats = (): number => formats.size
