/** Formats times in UTC and a named zone, with digits 0–9 in all languages, for comparison. */
import type { DateFormat } from '../locales/evidence.ts'

export interface TimeFormatter {
  /** `2030-01-31 12:00:00.000 UTC` */
  utc(at: string): string
  /** `31 Jan 2030, 13:00:00.000 UTC+01:00` */
  local(at: string): string
  zone: string
}

/** Times are RFC 3339. @throws RangeError for an unknown zone or an invalid time */
export function openTimeFormatter(zone: string, { locale, dateTime }: DateFormat): TimeFormatter {
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
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  })
  return {
    zone,
    utc: at => new Date(at).toISOString().replace('T', ' ').replace('Z', ' UTC'),
    local(at) {
      const moment = new Date(at)
      const parts = new Map(time.formatToParts(moment).map(part => [part.type, part.value]))
      const clock = `${parts.get('hour')}:${parts.get('minute')}:${parts.get('second')}.${parts.get('fractionalSecond')}`
      const offset = parts.get('timeZoneName')!.replace('GMT', '')
      return dateTime(day.format(moment).replaceAll('\u202f', '\u00a0'), `${clock} UTC${offset || '+00:00'}`)
    },
  }
}
