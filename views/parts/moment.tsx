/** A time beside the present, with the exact one as its tooltip. */
import { pageTime } from '../../src/lib/clock-format.ts'
import { type Clock, relativeTime } from '../../src/lib/relative-time.ts'

interface Props {
  at: Date
  clock: Clock
  /** Shows the exact time instead. */
  exact?: boolean
}

export function Moment({ at, clock, exact = false }: Props) {
  const full = pageTime(at, clock.timeZone, clock.language)
  return (
    <time dateTime={at.toISOString()} {...(exact ? {} : { title: full })}>
      {exact ? full : relativeTime(at, clock)}
    </time>
  )
}
