/** Hours without reminders, in the organisation's time; checks texts of times of day. Pure. */

export interface QuietHours {
  /** Both `HH:MM`. The end may be on the next day; if both are equal, no hour is quiet. */
  from: string
  to: string
  /** Whether Saturday and Sunday are quiet all day. */
  weekends: boolean
}

/** A format is slow to make. One is kept, since an organisation has one time zone. */
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

/** Whether a text is `HH:MM`. */
export const isTimeOfDay = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
