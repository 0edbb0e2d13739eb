/** Formats of dates and times, each made once: one costs 50 µs and memory outside the heap. */
import { LruCache } from './lru-cache.ts'

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
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return /^[A-Za-z]/.test(zone)
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Formats that are kept. */
export const keptFormats = (): number => formats.size
