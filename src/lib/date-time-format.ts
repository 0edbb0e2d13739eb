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

/** Formats that are kept. */
export const keptFormats = (): number => formats.size
