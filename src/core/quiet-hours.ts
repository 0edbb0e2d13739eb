/** Hours without reminders, by the local time of the organisation. Pure. */

export interface QuietHours {
  /** `HH:MM`; the end may be on the next day. Equal: no hours of the day. */
  from: string
  to: string
  /** Saturday and Sunday as a whole. */
  weekends: boolean
}

/** Of the last time zone: an organisation has one. */
let known: { timeZone: string; format: Intl.DateTimeFormat } | undefined

function formatOf(timeZone: string): Intl.DateTimeFormat {
  if (known?.timeZone !== timeZone) {
    const options = { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    known = { timeZone, format: new Intl.DateTimeFormat('en', options) }
  }
  return known.format
}

export function isQuiet({ from, to, weekends }: QuietHours, now: Date, timeZone: string): boolean {
  const parts = formatOf(timeZone).formatToParts(now)
  const part = (type: string) => parts.find(each => each.type === type)?.value ?? ''
  if (weekends && (part('weekday') === 'Sat' || part('weekday') === 'Sun')) return true
  const time = `${part('hour')}:${part('minute')}`
  return from <= to ? from <= time && time < to : time >= from || time < to
}

export const isTimeOfDay = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
