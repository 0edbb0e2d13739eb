/**
 * A moment as a certificate prints it: UTC to the millisecond, and a named zone with its offset,
 * its date in the page's language. Independent of the machine's own zone and language. Figures are
 * 0–9 throughout, so that every reader can compare them.
 */
import type { DateFormat } from '../locales/evidence.ts'

export interface Clock {
  /** `2030-01-31 12:00:00.000 UTC` */
  utc(at: string): string
  /** `31 Jan 2030, 13:00:00.000 UTC+01:00` */
  local(at: string): string
  /** IANA name. */
  zone: string
}

/** Times are RFC 3339. Throws a RangeError for a zone or a time that does not exist. */
export function openTimeFormatter(zone: string, { locale, dateTime }: DateFormat): Clock {
  const day = new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, {
    timeZone: zone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  })
  const clock = new Intl.DateTimeFormat('en-US-u-nu-latn', {
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
      const parts = new Map(clock.formatToParts(moment).map(part => [part.type, part.value]))
      const time = `${parts.get('hour')}:${parts.get('minute')}:${parts.get('second')}.${parts.get('fractionalSecond')}`
      const offset = parts.get('timeZoneName')!.replace('GMT', '')
      return dateTime(day.format(moment).replaceAll('\u202f', '\u00a0'), `${time} UTC${offset || '+00:00'}`)
    },
  }
}
