/** When a plan is due, by the clocks of the organisation's zone. */
import type { BackupPlan } from '../config/stored-rows.ts'
import { isoDay, momentOf } from '../lib/clock-format.ts'

const DAY_MS = 86_400_000
const DAYS_OF_A_WEEK = 7

type Rhythm = Pick<BackupPlan, 'frequency' | 'time'>

/** The time on the day so many days away in the zone; undefined if it is another weekday. */
function slotOn({ frequency, time }: Rhythm, now: Date, days: number, timeZone: string): Date | undefined {
  const day = isoDay(new Date(now.getTime() + days * DAY_MS), timeZone)
  const isDay = frequency === 'daily' || new Date(`${day}T12:00:00Z`).getUTCDay() === Number(frequency)
  return isDay ? momentOf(day, `${time}:00`, timeZone) : undefined
}

/** The last time that has come. */
export function lastSlot(plan: Rhythm, now: Date, timeZone: string): Date | undefined {
  if (plan.frequency === 'off') return undefined
  for (let days = 1; days >= -DAYS_OF_A_WEEK - 1; days--) {
    const slot = slotOn(plan, now, days, timeZone)
    if (slot && slot <= now) return slot
  }
  return undefined
}

export function nextSlot(plan: Rhythm, now: Date, timeZone: string): Date | undefined {
  if (plan.frequency === 'off') return undefined
  for (let days = -1; days <= DAYS_OF_A_WEEK + 1; days++) {
    const slot = slotOn(plan, now, days, timeZone)
    if (slot && slot > now) return slot
  }
  return undefined
}
