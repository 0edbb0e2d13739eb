/**
 * Settings → Health: what is well, what needs somebody, and where it is mended; the upgrade and the
 * clock.
 */
import { ClockPage, HealthPage, type HealthRow, UpgradePage } from '../../../../views/health/health.tsx'
import { HEALTH_PATH } from '../../../core/page-paths.ts'
import { Refusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { answerClock, type ClockAnswer } from '../../../health/clock-watch.ts'
import { healthFacts } from '../../../health/facts.ts'
import { clockDoubt, retryNow } from '../../../health/queries.ts'
import { readUpgrade } from '../../../health/upgrade.ts'
import { pageTime } from '../../../lib/clock-format.ts'
import { HOUR_MS } from '../../../lib/duration.ts'
import { JOB_KINDS } from '../../../outbox/queries.ts'
import type { FormState, PageResponse, Visit } from '../../frame/page.tsx'
import { mayOpen } from '../../frame/page-access.ts'
import { originOf } from '../documents/sender-visit.ts'
import { alertRows, findingRow, serviceRows, workRows } from './health-rows.ts'

export async function healthPage(visit: Visit): Promise<PageResponse> {
  const { app, texts } = visit
  const t = texts.health
  const facts = await healthFacts(app)
  const time = (at: Date) => pageTime(at, visit.clock)
  const mendable = (row: HealthRow): HealthRow => (mayMend(visit) ? row : { tone: row.tone, name: row.name, text: row.text })
  const rows = {
    alerts: alertRows(visit, facts).map(mendable),
    service: serviceRows(visit, facts, time).map(mendable),
    work: workRows(visit, facts).map(mendable),
  }
  const deep = facts.check.findings.map(finding => findingRow(visit, finding))
  const tones = [...rows.alerts, ...rows.service, ...rows.work, ...deep].map(({ tone }) => tone)
  const { isRunning, finishedAt } = facts.check
  return {
    html: (
      <HealthPage
        context={visit.context(t.title)}
        notice={visit.noticeIn(t.notices)}
        verdict={tones.includes('bad') ? 'bad' : tones.includes('warn') ? 'warn' : 'good'}
        rows={rows}
        deep={deep}
        deepState={isRunning ? t.deepRunning : finishedAt ? t.deepAt(time(finishedAt)) : t.deepNever}
        isDeepRunning={isRunning}
      />
    ),
  }
}

/** The pages that mend are those of administrators. */
const mayMend = (visit: Visit) => mayOpen(visit, 'admin')

export async function postRetry(visit: Visit): Promise<PageResponse> {
  const kind = JOB_KINDS.find(each => each === visit.form.kind)
  if (!kind) throw new Refusal('validation_failed', violation('work_unknown'))
  await visit.app.write(tx => retryNow(tx, kind, visit.app.now()))
  return { redirect: `${HEALTH_PATH}?notice=retried` }
}

export async function postCheck(visit: Visit): Promise<PageResponse> {
  const origin = originOf(visit)
  const isNew = await visit.app.checks.start('installation', origin)
  return { redirect: `${HEALTH_PATH}?notice=${isNew ? 'started' : 'running'}` }
}

// Settings → Health → Upgrade: finishes it when all nodes were replaced.

export async function upgradePage(visit: Visit, form: FormState) {
  const t = visit.texts.upgrade
  const { isFinished, older, waiting, leftMs } = await readUpgrade(visit.app.db)
  return (
    <UpgradePage
      context={visit.context(t.title, form)}
      isFinished={isFinished}
      older={older}
      waiting={waiting.map(feature => t.features[feature])}
      leftHours={Math.ceil(leftMs / HOUR_MS)}
    />
  )
}

// Settings → Health → Clock: an administrator says whether the clock can be believed.

export async function clockPage(visit: Visit, form: FormState) {
  const context = visit.context(visit.texts.health.clockPage.title, form)
  return <ClockPage context={context} doubt={await clockDoubt(visit.app.db)} />
}

const isAnswer = (text: string): text is ClockAnswer => text === 'right' || text === 'corrected'

export async function postClockAnswer(visit: Visit): Promise<unknown> {
  const { answer: given = '' } = visit.form
  if (isAnswer(given)) return answerClock(visit.app, given, originOf(visit))
  throw new Refusal('validation_failed', violation('clock_answer_missing'))
}
