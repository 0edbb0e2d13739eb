/** Times beside the present, in words: "3 hours ago", "since Tuesday", "on 21 December". */
import { dateTimeFormat, isoDay, type Reader, tagOf } from './clock-format.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from './duration.ts'

/** The present of a page, and how its reader reads times. */
export interface Clock extends Reader {
  now: Date
}

/** Beyond, the date says more. */
const MAX_DAYS_AGO = 6

const formats = new Map<string, Intl.RelativeTimeFormat>()

function relative(language: string): Intl.RelativeTimeFormat {
  const known = formats.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  formats.set(language, known)
  return known
}

/** Calendar days from the present to the moment, in the zone. */
function daysFrom({ now, timeZone }: Clock, moment: Date): number {
  const noon = (at: Date) => Date.parse(`${isoDay(at, timeZone)}T12:00:00Z`)
  return Math.round((noon(moment) - noon(now)) / DAY_MS)
}

/** "17:25", "5 minutes ago", "yesterday", "12 Nov", "12 Nov 2025". */
export function relativeTime(moment: Date, clock: Clock): string {
  const ms = moment.getTime() - clock.now.getTime()
  const format = relative(clock.language)
  // The clock says more than "now" where several things happened within a minute.
  if (Math.abs(ms) < MINUTE_MS) return clockText(moment, clock)
  if (Math.abs(ms) < HOUR_MS) return format.format(Math.trunc(ms / MINUTE_MS), 'minute')
  const days = daysFrom(clock, moment)
  if (days === 0) return format.format(Math.trunc(ms / HOUR_MS), 'hour')
  if (Math.abs(days) <= MAX_DAYS_AGO) return format.format(days, 'day')
  return dateText(moment, clock, 'short')
}

function clockText(moment: Date, { timeZone, language }: Clock): string {
  const format = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return dateTimeFormat(tagOf(language), format).format(moment)
}

export function dateText(moment: Date, { now, timeZone, language }: Clock, month: 'short' | 'long'): string {
  const isThisYear = isoDay(moment, timeZone).slice(0, 4) === isoDay(now, timeZone).slice(0, 4)
  const year = isThisYear ? {} : { year: 'numeric' as const }
  return dateTimeFormat(tagOf(language), { timeZone, day: 'numeric', month, ...year }).format(moment)
}

/** A day as a sentence names it; `text` is the name of the weekday or the date. */
export interface Day {
  kind: 'today' | 'yesterday' | 'tomorrow' | 'weekday' | 'date'
  text: string
}

export function dayOf(moment: Date, clock: Clock): Day {
  const { timeZone, language } = clock
  const days = daysFrom(clock, moment)
  if (Math.abs(days) <= 1) {
    const kind = days === 0 ? 'today' : days > 0 ? 'tomorrow' : 'yesterday'
    return { kind, text: relative(language).format(days, 'day') }
  }
  if (Math.abs(days) <= MAX_DAYS_AGO) {
    return { kind: 'weekday', text: dateTimeFormat(tagOf(language), { timeZone, weekday: 'long' }).format(moment) }
  }
  return { kind: 'date', text: dateText(moment, clock, 'long') }
}
