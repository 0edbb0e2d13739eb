/** Formats times in a named zone, to the second, with digits 0–9 in all languages. */
import type { DateFormat } from '../locales/evidence.ts'

export interface TimeFormatter {
  /** `31 Jan 2030, 13:00:00`, with the offset if that differs among the times. */
  local(at: string): string
  /** `Europe/Berlin (UTC+01:00)`, without the offset if that differs. */
  zone: string
  /** Each time has its offset. */
  hasOffsets: boolean
}

/**
 * `times`: all that will be formatted, RFC 3339.
 * @throws RangeError for an unknown zone or an invalid time
 */
export function openTimeFormatter(zone: string, { locale, dateTime }: DateFormat, times: readonly string[]): TimeFormatter {
  const day = new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, {
    timeZone: zone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  })
  const time = new Intl.DateTimeFormat('en-US-u-nu-latn', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  })
  const partsOf = (at: string) => {
    const parts = new Map(time.formatToParts(new Date(at)).map(part => [part.type, part.value]))
    const offset = parts.get('timeZoneName')!.replace('GMT', '')
    return { clock: `${parts.get('hour')}:${parts.get('minute')}:${parts.get('second')}`, offset: `UTC${offset || '+00:00'}` }
  }
  const offsets = new Set(times.map(at => partsOf(at).offset))
  const [offset] = offsets
  return {
    hasOffsets: offsets.size > 1,
    zone: offsets.size === 1 && zone !== 'UTC' ? `${zone} (${offset})` : zone,
    local(at) {
      const parts = partsOf(at)
      const clock = offsets.size > 1 ? `${parts.clock} ${parts.offset}` : parts.clock
      return dateTime(day.format(new Date(at)).replaceAll('\u202f', '\u00a0'), clock)
    },
  }
}
