/** Times as people read them: always with their zone. */

/** `21 November 2026, 14:05 UTC`, and in the named IANA zone behind it when that is another one. */
export function readableTime(moment: Date, timeZone = 'UTC'): string {
  const utc = `${inZone(moment, 'UTC')} UTC`
  return timeZone === 'UTC' ? utc : `${utc} (${inZone(moment, timeZone)} ${timeZone})`
}

function inZone(moment: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(moment)
  const of = (type: string) => parts.find(p => p.type === type)?.value ?? ''
  return `${of('day')} ${of('month')} ${of('year')}, ${of('hour')}:${of('minute')}`
}

const TIMES = new Map<string, Intl.DateTimeFormat>()

/** A time on a page, in the organisation's zone, which stands behind it: `21 Nov 2026, 04:31 CET`. Mails and certificate pages, read anywhere, print UTC beside it. */
export function pageTime(moment: Date, timeZone: string): string {
  const known = TIMES.get(timeZone)
  const format =
    known ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
    })
  if (!known) TIMES.set(timeZone, format)
  return format.format(moment)
}

/** The calendar day of a moment in an IANA zone, `YYYY-MM-DD` (ISO 8601). */
export function isoDay(moment: Date, timeZone: string): string {
  // The Swedish way of writing a day is the standard's.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(moment)
}
