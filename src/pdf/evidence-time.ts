/** A moment as a certificate prints it: UTC to the millisecond, and a named zone with its offset. Independent of the machine's own zone. */

export interface Clock {
  /** `2030-01-31 12:00:00.000 UTC` */
  utc(at: string): string
  /** `2030-01-31 13:00:00.000 UTC+01:00` */
  local(at: string): string
  /** IANA name. */
  zone: string
}

/** Times are RFC 3339. Throws a RangeError for a zone or a time that does not exist. */
export function openClock(zone: string): Clock {
  const format = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
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
      const parts = new Map(format.formatToParts(new Date(at)).map(part => [part.type, part.value]))
      const [year, month, day] = [parts.get('year'), parts.get('month'), parts.get('day')]
      const time = `${parts.get('hour')}:${parts.get('minute')}:${parts.get('second')}.${parts.get('fractionalSecond')}`
      const offset = parts.get('timeZoneName')!.replace('GMT', '')
      return `${year}-${month}-${day} ${time} UTC${offset || '+00:00'}`
    },
  }
}
