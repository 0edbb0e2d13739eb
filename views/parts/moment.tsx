/** A time beside the present, with the exact one as its tooltip. */
import { pageTime } from '../../src/lib/clock-format.ts'
import { relativeTime } from '../../src/lib/relative-time.ts'
import { useClock } from './page-texts.ts'

interface Props {
  at: Date
  /** Shows the exact time instead. */
  exact?: boolean
}

export function Moment({ at, exact = false }: Props) {
  const clock = useClock()
  const full = pageTime(at, clock)
  return (
    <time dateTime={at.toISOString()} {...(exact ? {} : { title: full })}>
      {exact ? full : relativeTime(at, clock)}
    </time>
  )
}
