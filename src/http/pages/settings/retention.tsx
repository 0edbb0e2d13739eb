/** Settings → Retention: first what a change would erase, then the question, then the change. */
import { RetentionPage, RetentionPreviewPage } from '../../../../views/settings/retention.tsx'
import { BYTE_ORDER_MARK, csvRow } from '../../../core/csv/write.ts'
import { daysAfter } from '../../../core/document/document.ts'
import { isShorter, RETAINED_STATUSES, type RetainedStatus, type RetentionPeriods } from '../../../core/document/retention.ts'
import { RETENTION_PATH } from '../../../core/page-paths.ts'
import { countHeld } from '../../../documents/lists/count-queries.ts'
import {
  announceErasure,
  changeRetention,
  dueDocuments,
  isAnnouncementLost,
  summariseDue,
} from '../../../documents/retention/retention.ts'
import type { ShownError } from '../../../locales/app.ts'
import {
  ANNOUNCED_DAYS,
  firstErasureAt,
  isOff,
  isSamePeriods,
  parsePeriods,
  plannedPeriods,
  type Retention,
  readRetention,
  WAITING_DAYS,
} from '../../../settings/retention.ts'
import { csvResponse } from '../../file-response.ts'
import { type FormState, type PageResponse, runFormAction, type Visit } from '../../frame/page.tsx'
import type { Query } from '../../frame/query.ts'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction } from './settings-access.ts'

const FIRST_DOCUMENTS = 50

type Entered = Partial<Record<RetainedStatus, string>>

export function enteredIn(given: Query): Entered {
  return Object.fromEntries(RETAINED_STATUSES.map(status => [status, given[status]?.trim() ?? '']))
}

const textsOf = (periods: RetentionPeriods): Entered =>
  Object.fromEntries(RETAINED_STATUSES.map(status => [status, periods[status]?.toString() ?? '']))

export async function page(visit: Visit, errors: ShownError[] = [], status = 200): Promise<PageResponse> {
  const { app, texts } = visit
  const { title, notices } = texts.retention
  const context = visit.context(title, { errors })
  const retention = await readRetention(app.db, app.now())
  const isEntered = RETAINED_STATUSES.some(name => visit.query[name] !== undefined)
  const { count } = await summariseDue(app, retention.periods, app.now())
  return {
    html: (
      <RetentionPage
        context={context}
        notice={visit.noticeIn(notices)}
        values={isEntered ? enteredIn(visit.query) : textsOf(plannedPeriods(retention))}
        periods={retention.periods}
        next={retention.next}
        firstErasure={firstErasureAt(retention)}
        announcedDays={ANNOUNCED_DAYS}
        isUnreached={await isAnnouncementLost(app)}
        due={count}
        held={await countHeld(app.db)}
      />
    ),
    status,
  }
}

/** The first night in which a change may erase something. */
function firstNight(app: Visit['app'], retention: Retention): Date {
  const waited = daysAfter(app.now(), WAITING_DAYS)
  const announced = firstErasureAt(retention) ?? daysAfter(app.now(), ANNOUNCED_DAYS)
  return new Date(Math.max(announced.getTime(), waited.getTime()))
}

function kindOf(wanted: RetentionPeriods, retention: Retention) {
  if (isSamePeriods(wanted, plannedPeriods(retention))) return 'unchanged'
  if (isOff(wanted)) return 'off'
  return isShorter(wanted, retention.periods) ? 'shorter' : 'not shorter'
}

export async function preview(visit: Visit, values: Entered, state: FormState = {}): Promise<PageResponse> {
  const { app, texts } = visit
  const parsed = await runFormAction(async () => parsePeriods(values))
  if ('errors' in parsed) return page(visit, parsed.errors, parsed.status)
  const wanted = parsed.done
  const retention = await readRetention(app.db, app.now())
  const at = firstNight(app, retention)
  const context = visit.context(texts.retention.previewTitle, state)
  return {
    html: (
      <RetentionPreviewPage
        context={context}
        values={values}
        kind={kindOf(wanted, retention)}
        at={at}
        callOffUntil={daysAfter(app.now(), WAITING_DAYS)}
        {...(await summariseDue(app, wanted, at, FIRST_DOCUMENTS))}
      />
    ),
    status: state.status ?? 200,
  }
}

export async function save(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const values = enteredIn(form)
  const result = await runConfirmedAction(visit, () => changeRetention(app, originOf(visit), parsePeriods(values)))
  if ('errors' in result) return preview(visit, values, result)
  await announceErasure(app)
  const { next } = await readRetention(app.db, app.now())
  return { redirect: `${RETENTION_PATH}?notice=${next ? 'waiting' : 'saved'}` }
}

/** What is in force stays: nothing is erased by it, so it asks nothing. */
export async function callOff(visit: Visit): Promise<PageResponse> {
  const { app } = visit
  const { periods } = await readRetention(app.db, app.now())
  await changeRetention(app, originOf(visit), periods)
  return { redirect: `${RETENTION_PATH}?notice=called-off` }
}

export async function getCsv(visit: Visit): Promise<PageResponse> {
  const { app } = visit
  const wanted = parsePeriods(enteredIn(visit.query))
  const chunks = csvOf(visit, wanted, firstNight(app, await readRetention(app.db, app.now())))
  return { response: csvResponse(visit.texts.retention.csvName, chunks) }
}

async function* csvOf({ app, texts }: Visit, periods: RetentionPeriods, at: Date): AsyncGenerator<string, void> {
  yield BYTE_ORDER_MARK + csvRow(texts.retention.csvColumns)
  for await (const slice of dueDocuments(app, periods, at)) {
    const rows = slice.map(({ id, title, status, from }) =>
      csvRow([id, title, texts.documents.status[status], from.toISOString(), `${app.config.baseUrl}/documents/${id}`]),
    )
    yield rows.join('')
  }
}
