/** Settings → Retention: the periods, a change that waits, and what a change would erase. */
import { RETAINED_STATUSES, type RetainedStatus, type RetentionPeriods } from '../../src/core/document/retention.ts'
import { DOCUMENTS_PATH, RETENTION_PATH } from '../../src/core/page-paths.ts'
import type { DueDocument } from '../../src/documents/retention/retention.ts'
import { type Clock, dateText } from '../../src/lib/relative-time.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { ActionForm, Csrf, ErrorSummary, FieldError, useAria } from '../parts/form.tsx'
import { Moment } from '../parts/moment.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { useClock, usePageTexts } from '../parts/page-texts.ts'
import { Cell, Facts, Table, TableHead } from '../parts/table.tsx'
import { PasswordAgain, SettingsLayout } from './settings-layout.tsx'

interface Shared {
  context: PageContext
}

interface Props extends Shared {
  notice: string | undefined
  values: Partial<Record<string, string>>
  periods: RetentionPeriods
  next: { periods: RetentionPeriods; from: Date } | undefined
  /** `undefined` while the first erasure is not announced. */
  firstErasure: Date | undefined
  announcedDays: number
  /** Nobody got the mail that announces an erasure. */
  isUnreached: boolean
  /** Documents whose period is over now. */
  due: number
  held: number
}

const longDay = (at: Date, clock: Clock) => dateText(at, clock, 'long')
const isOff = (periods: RetentionPeriods) => Object.keys(periods).length === 0

export function RetentionPage(props: Props) {
  const { context, notice, values, held } = props
  const t = context.texts.retention
  return (
    <SettingsLayout context={context} here={RETENTION_PATH}>
      <PageHead title={t.title}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <ErrorSummary labels={t.statuses} />
      <State {...props} />
      <h2>{t.periods}</h2>
      <form method="get" action={`${RETENTION_PATH}/preview`} class="sheet">
        <p>{t.periodsText}</p>
        <div class="period-fields">
          {RETAINED_STATUSES.map(status => (
            <PeriodField key={status} status={status} value={values[status] ?? ''} />
          ))}
        </div>
        <div class="form-actions">
          <Button kind="primary">{t.preview}</Button>
        </div>
        <p class="small quiet">{t.previewHint}</p>
      </form>
      <h2>{t.holds}</h2>
      <div class="sheet">
        <p>{t.holdsText(held)}</p>
        {held > 0 && (
          <p>
            <a href={`${DOCUMENTS_PATH}?view=all&hold=1`}>{t.holdsLink}</a>
          </p>
        )}
      </div>
    </SettingsLayout>
  )
}

function PeriodField({ status, value }: { status: RetainedStatus; value: string }) {
  const t = usePageTexts().retention
  return (
    <div>
      <label for={status}>{t.statuses[status]}</label>
      <FieldError name={status} label={t.statuses[status]} />
      <span class="with-unit">
        <input
          id={status}
          name={status}
          value={value}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          {...useAria(status)}
        />
        <span>{t.monthsUnit}</span>
      </span>
    </div>
  )
}

function State({ context, periods, next, firstErasure, announcedDays, isUnreached, due }: Props) {
  const clock = useClock()
  const t = context.texts.retention
  if (isOff(periods) && !next)
    return (
      <Callout tone="info" title={t.off}>
        <p>{t.offText}</p>
      </Callout>
    )
  return (
    <>
      {isUnreached && (
        <Callout tone="warn" title={t.unreached}>
          <p>{t.unreachedText}</p>
        </Callout>
      )}
      {next && (
        <Callout
          tone="warn"
          title={t.waiting(longDay(next.from, clock))}
          actions={<ActionForm action={`${RETENTION_PATH}/call-off`} text={t.callOff} kind="plain" />}
        >
          <p>{t.waitingText}</p>
        </Callout>
      )}
      {!isOff(periods) && (
        <Callout tone="info" title={t.on}>
          <p>{due === 0 ? t.nothingDue : t.dueTonight(due)}</p>
        </Callout>
      )}
      <PeriodsTable periods={periods} next={next} />
      {firstErasure === undefined && <p class="small quiet">{t.notAnnounced(announcedDays)}</p>}
      {firstErasure !== undefined && firstErasure > clock.now && (
        <p class="small quiet">{t.notBefore(longDay(firstErasure, clock))}</p>
      )}
    </>
  )
}

function PeriodsTable({ periods, next }: Pick<Props, 'periods' | 'next'>) {
  const clock = useClock()
  const t = usePageTexts().retention
  const months = (of: RetentionPeriods, status: RetainedStatus) => {
    const number = of[status]
    return number === undefined ? <span class="quiet">{t.kept}</span> : t.months(number)
  }
  const nextColumn = next && t.columns.next(longDay(next.from, clock))
  return (
    <Table label={t.periods}>
      <TableHead columns={[t.columns.status, t.columns.now, ...(nextColumn ? [nextColumn] : [])]} />
      <tbody>
        {RETAINED_STATUSES.map(status => (
          <tr key={status}>
            <td>
              <span class="title">{t.statuses[status]}</span>
            </td>
            <Cell label={t.columns.now}>{months(periods, status)}</Cell>
            {next && nextColumn && <Cell label={nextColumn}>{months(next.periods, status)}</Cell>}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

interface PreviewProps extends Shared {
  /** As they were entered. */
  values: Partial<Record<RetainedStatus, string>>
  kind: 'shorter' | 'not shorter' | 'off' | 'unchanged'
  /** The first night in which the change erases something. */
  at: Date
  /** When the change takes effect. */
  callOffUntil: Date
  count: number
  months: { status: RetainedStatus; month: string; count: number }[]
  first: DueDocument[]
}

export function RetentionPreviewPage(props: PreviewProps) {
  const { clock } = props.context
  const { context, values, kind, at, callOffUntil, count, first } = props
  const { retention: t } = context.texts
  const day = longDay(at, clock)
  const query = new URLSearchParams(values as Record<string, string>).toString()
  const words = {
    shorter: t.shorterText(longDay(callOffUntil, clock)),
    'not shorter': t.notShorter,
    off: t.keepsAll,
    unchanged: t.unchanged,
  }
  return (
    <SettingsLayout context={context} here={RETENTION_PATH}>
      <PageHead title={t.previewTitle} />
      <ErrorSummary />
      <Callout
        tone={kind === 'shorter' ? 'warn' : 'info'}
        title={count === 0 ? t.wouldEraseNothing(day) : t.wouldErase(count, day)}
      >
        {kind !== 'off' && kind !== 'unchanged' && <p>{t.laterText}</p>}
        <p>{words[kind]}</p>
      </Callout>
      <form method="post" action={RETENTION_PATH} class="sheet">
        <Csrf />
        {RETAINED_STATUSES.map(status => (
          <input key={status} type="hidden" name={status} value={values[status] ?? ''} />
        ))}
        <Facts
          facts={RETAINED_STATUSES.map(status => [
            t.statuses[status],
            values[status] ? t.months(Number(values[status])) : t.kept,
          ])}
        />
        {kind !== 'unchanged' && <PasswordAgain reason={t.passwordReason} />}
        <div class="form-actions">
          {kind !== 'unchanged' && (
            <Button kind={kind === 'shorter' ? 'danger' : 'primary'}>{kind === 'shorter' ? t.switchOn : t.save}</Button>
          )}
          <LinkButton href={`${RETENTION_PATH}?${query}`}>{t.back}</LinkButton>
        </div>
      </form>
      {count > 0 && (
        <>
          <h2>{count > first.length ? t.first(first.length) : t.all}</h2>
          <p>
            <a href={`${RETENTION_PATH}/preview.csv?${query}`} download>
              {t.csv}
            </a>
          </p>
          <FirstDocuments documents={first} />
          <h2>{t.byMonth}</h2>
          <MonthTable {...props} />
        </>
      )}
    </SettingsLayout>
  )
}

function FirstDocuments({ documents }: { documents: DueDocument[] }) {
  const { retention: t, documents: names } = usePageTexts()
  return (
    <Table>
      <TableHead columns={[t.document, t.status, t.ended]} />
      <tbody>
        {documents.map(({ id, title, status, from }) => (
          <tr key={id}>
            <td>
              <a href={`${DOCUMENTS_PATH}/${id}`} dir="auto">
                {title || names.untitled}
              </a>
            </td>
            <Cell label={t.status}>{names.status[status]}</Cell>
            <Cell label={t.ended}>
              <Moment at={from} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function MonthTable({ months, count }: Pick<PreviewProps, 'months' | 'count'>) {
  const clock = useClock()
  const { retention: t, documents: names } = usePageTexts()
  const shown = RETAINED_STATUSES.filter(status => months.some(row => row.status === status))
  const inOrder = [...new Set(months.map(({ month }) => month))].sort()
  const number = (n: number) => n.toLocaleString(clock.language)
  const of = (month: string | undefined, status: RetainedStatus | undefined) =>
    months
      .filter(row => (month ?? row.month) === row.month && (status ?? row.status) === row.status)
      .reduce((sum, row) => sum + row.count, 0)
  const format = new Intl.DateTimeFormat(clock.language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return (
    <Table label={t.byMonth}>
      <TableHead columns={[t.month, ...shown.map(status => names.status[status]), t.total]} />
      <tbody>
        {inOrder.map(month => (
          <tr key={month}>
            <td>
              <span class="title">{format.format(new Date(`${month}-01T00:00:00Z`))}</span>
            </td>
            {shown.map(status => (
              <Cell key={status} label={names.status[status]}>
                {number(of(month, status))}
              </Cell>
            ))}
            <Cell label={t.total}>{number(of(month, undefined))}</Cell>
          </tr>
        ))}
        <tr>
          <td>
            <span class="title">{t.total}</span>
          </td>
          {shown.map(status => (
            <Cell key={status} label={names.status[status]}>
              {number(of(undefined, status))}
            </Cell>
          ))}
          <Cell label={t.total}>{number(count)}</Cell>
        </tr>
      </tbody>
    </Table>
  )
}
