/** Settings → Health → Clock: an administrator says whether the clock can be believed. */
import { ClockPage } from '../../../views/pages/clock.tsx'
import { Refusal, type ValidationError } from '../../core/refusal.ts'
import { clockDoubt } from '../../health/clock-queries.ts'
import { answerClock, type ClockAnswer } from '../../health/clock-watch.ts'
import type { PageResponse, PageRoute, Visit } from '../page.tsx'
import { clockOf, originOf } from './sender-visit.ts'
import { runConfirmedAction, sessionOf, settingsUser } from './settings-access.ts'

export const CLOCK_PATH = '/settings/clock'

async function page(
  visit: Visit,
  errors: ValidationError[] = [],
  status = 200,
  asksForPassword?: boolean,
): Promise<PageResponse> {
  const { app, texts } = visit
  const context = visit.context(texts.health.clockPage.title)
  return {
    html: (
      <ClockPage
        context={context}
        user={settingsUser(visit)}
        clock={await clockOf(visit, context.language)}
        errors={errors}
        asksForPassword={asksForPassword ?? !sessionOf(visit).confirmed}
        doubt={await clockDoubt(app.db)}
      />
    ),
    status,
  }
}

const isAnswer = (text: string): text is ClockAnswer => text === 'right' || text === 'corrected'

async function answer(visit: Visit): Promise<PageResponse> {
  const result = await runConfirmedAction(visit, async () => {
    const { answer: given = '' } = visit.form
    if (isAnswer(given)) return answerClock(visit.app, given, originOf(visit))
    throw new Refusal('validation_failed', 'Say whether the clock is right, or was corrected.')
  })
  if ('errors' in result) return page(visit, result.errors, result.status, result.asksForPassword)
  return { redirect: CLOCK_PATH }
}

export const clockPages: PageRoute[] = [
  { method: 'GET', path: CLOCK_PATH, access: 'admin', run: visit => page(visit) },
  { method: 'POST', path: CLOCK_PATH, access: 'admin', run: answer },
]
