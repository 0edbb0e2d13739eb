/** Settings → Health → Clock: an administrator says whether the clock can be believed. */
import { ClockPage } from '../../../../views/health/clock.tsx'
import { Refusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { clockDoubt } from '../../../health/clock-queries.ts'
import { answerClock, type ClockAnswer } from '../../../health/clock-watch.ts'
import type { FormState, PageRoute, Visit } from '../../frame/page.tsx'
import { clockOf, originOf } from '../documents/sender-visit.ts'
import { questionRoutes } from '../settings/settings-access.ts'

export const CLOCK_PATH = '/settings/clock'

async function page(visit: Visit, form: FormState) {
  const context = visit.context(visit.texts.health.clockPage.title, form)
  const [clock, doubt] = [await clockOf(visit, context.language), await clockDoubt(visit.app.db)]
  return <ClockPage context={context} clock={clock} doubt={doubt} />
}

const isAnswer = (text: string): text is ClockAnswer => text === 'right' || text === 'corrected'

async function answer(visit: Visit): Promise<unknown> {
  const { answer: given = '' } = visit.form
  if (isAnswer(given)) return answerClock(visit.app, given, originOf(visit))
  throw new Refusal('validation_failed', violation('clock_answer_missing'))
}

export const clockPages: PageRoute[] = questionRoutes(CLOCK_PATH, page, answer)
