/** A batch: how many of its documents were sent, and what became of each row. */
import { BATCHES_PATH, DOCUMENTS_PATH, TEMPLATES_PATH } from '../../src/core/page-paths.ts'
import { BATCH_ROW_STATES, type Batch, type BatchRowState } from '../../src/core/template/batch.ts'
import { Layout, type PageContext, PageHead } from '../layout.tsx'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Csrf } from '../parts/form.tsx'
import type { IconName } from '../parts/icons.ts'
import { listAddress, Pager } from '../parts/list.tsx'
import { Moment } from '../parts/moment.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { Cell, type Fact, Facts, Table, TableHead } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { BatchBadge } from './batch-list.tsx'

export interface ShownRow {
  number: number
  line: number
  state: BatchRowState
  people: readonly { name: string; email: string }[]
  /** Of the document, unless it was deleted. */
  documentId: string | undefined
  error: string | undefined
  sentAt: Date | undefined
}

interface Props {
  context: PageContext
  /** Of the stream of changes, from before the page was read. */
  position: string
  batch: Batch
  back: { href: string; text: string }
  /** Undefined: all rows. */
  state: BatchRowState | undefined
  rows: readonly ShownRow[]
  next: string | undefined
  first: string | undefined
  may: { stop: boolean; retry: boolean }
  notice: string | undefined
}

/** A batch that was started. */
export function BatchPage(props: Props) {
  const { context, batch, position, back, notice } = props
  const t = context.texts.batches.page
  const live = { 'data-live': `${BATCHES_PATH}/${batch.id}/live`, 'data-live-after': position, 'data-live-note': t.note }
  return (
    <Layout context={context} section={TEMPLATES_PATH}>
      <div {...live}>
        <PageHead
          title={<span dir="auto">{t.title(batch.title)}</span>}
          back={back}
          actions={
            <LinkButton href={`${BATCHES_PATH}/${batch.id}/results.csv`} icon="download" download>
              {t.results}
            </LinkButton>
          }
        />
        <Notice text={notice} />
        <div id="batch-state" data-live-part>
          <Progress {...props} />
          <Trouble {...props} />
        </div>
        <h2>{t.list}</h2>
        <div id="batch-rows" data-live-part>
          <Filter {...props} />
          <Rows {...props} />
        </div>
      </div>
    </Layout>
  )
}

function Progress({ context, batch, may }: Props) {
  const { batches, frame } = context.texts
  const t = batches.page
  const { sent } = batch.counts
  const facts: Fact[] = (
    [
      [t.started, batch.startedAt],
      [t.stopped, batch.stoppedAt],
      [t.finished, batch.finishedAt],
    ] as const
  ).flatMap(([label, at]): Fact[] => (at ? [[label, <Moment key={label} at={at} />]] : []))
  return (
    <section class="sheet batch-progress" aria-label={t.progressLabel}>
      <p class="batch-numbers">
        <strong>{t.progress(sent, batch.total)}</strong> <BatchBadge batch={batch} context={context} />
      </p>
      <progress value={sent} max={Math.max(batch.total, 1)} aria-label={t.progressLabel} />
      <Facts facts={facts} />
      {batch.state === 'running' && <p class="small quiet">{t.background}</p>}
      {may.stop && (
        <Dialog id="stop" title={t.stopTitle} trigger={t.stop} icon="ban" close={frame.cancel}>
          <form method="post" action={`${BATCHES_PATH}/${batch.id}/stop`}>
            <Csrf />
            <p>{t.stopText}</p>
            <DialogActions>
              <Button kind="danger">{t.stopButton}</Button>
            </DialogActions>
          </form>
        </Dialog>
      )}
    </section>
  )
}

/** What was not sent, and how it is sent. */
function Trouble({ context, batch, may }: Props) {
  const t = context.texts.batches.page
  const { failed, stopped } = batch.counts
  const { stopReason = 'requested' } = batch
  const retry = may.retry && (
    <form method="post" action={`${BATCHES_PATH}/${batch.id}/retry`}>
      <Csrf />
      <Button icon="refresh-cw">{t.retry(failed + stopped)}</Button>
    </form>
  )
  if (failed + stopped === 0) return null
  const hint = batch.isKept ? (may.retry ? t.retryHint : undefined) : t.notKept
  return (
    <Callout
      tone={failed > 0 ? 'bad' : 'warn'}
      title={failed > 0 ? t.failedTitle(failed) : t.stoppedTitle(stopped)}
      actions={retry}
    >
      {stopReason !== 'requested' && <p>{t.stopReasons[stopReason]}</p>}
      {failed > 0 && <p>{t.failedText}</p>}
      {hint !== undefined && <p>{hint}</p>}
    </Callout>
  )
}

export const batchAddress = (id: string, state = '', after?: number): string =>
  listAddress(`${BATCHES_PATH}/${id}`, { state }, after?.toString())

function Filter({ context, batch, state }: Props) {
  const t = context.texts.batches.page
  const tabs = BATCH_ROW_STATES.filter(each => batch.counts[each] > 0 || each === state).map(each => ({
    href: batchAddress(batch.id, each),
    text: t.rowStates[each],
    count: batch.counts[each],
    isCurrent: state === each,
  }))
  const all = { href: batchAddress(batch.id), text: t.all, count: batch.total, isCurrent: state === undefined }
  return <Tabs label={t.filter} tabs={[all, ...tabs]} />
}

const ROW_STATES: Record<BatchRowState, { tone: Tone; icon: IconName }> = {
  waiting: { tone: 'neutral', icon: 'clock' },
  sent: { tone: 'good', icon: 'check' },
  failed: { tone: 'bad', icon: 'circle-alert' },
  stopped: { tone: 'warn', icon: 'ban' },
}

function Rows(props: Props) {
  const { context, rows, next, first } = props
  const t = context.texts.batches.page
  if (rows.length === 0) return <EmptyState icon="list" title={t.noneOf} />
  const { columns } = t
  return (
    <>
      <Table label={t.list} class="stack batch-rows">
        <TableHead columns={[columns.line, columns.people, columns.state, columns.sent, columns.document]} />
        <tbody>
          {rows.map(row => (
            <Row key={row.number} row={row} {...props} />
          ))}
        </tbody>
      </Table>
      <Pager first={{ href: first, text: t.first }} next={{ href: next, text: t.older }} />
    </>
  )
}

function Row({ row, context }: Props & { row: ShownRow }) {
  const t = context.texts.batches.page
  const { columns } = t
  return (
    <tr id={`row-${row.number}`}>
      <Cell label={columns.line} class="tabular">
        {row.line}
      </Cell>
      <Cell label={columns.people} class="break">
        {row.people.length === 0 ? '–' : row.people.map((person, i) => <Person key={`${i} ${person.email}`} person={person} />)}
      </Cell>
      <Cell label={columns.state}>
        <Badge {...ROW_STATES[row.state]}>{t.rowStates[row.state]}</Badge>
        {row.error !== undefined && <span class="batch-error small break">{row.error}</span>}
      </Cell>
      <Cell label={columns.sent} class={row.sentAt ? 'quiet' : 'quiet none'}>
        {row.sentAt ? <Moment at={row.sentAt} /> : '–'}
      </Cell>
      <Cell label={columns.document} class={row.state === 'sent' ? undefined : 'none'}>
        {row.documentId !== undefined && (
          <a href={`${DOCUMENTS_PATH}/${row.documentId}`} aria-label={t.openOf(row.line)}>
            {t.open}
          </a>
        )}
        {row.documentId === undefined && row.state === 'sent' && <span class="quiet">{t.deleted}</span>}
        {row.documentId === undefined && row.state !== 'sent' && '–'}
      </Cell>
    </tr>
  )
}

function Person({ person: { name, email } }: { person: { name: string; email: string } }) {
  return (
    <span class="batch-person">
      <span dir="auto">{name}</span> <span class="quiet small">{email}</span>
    </span>
  )
}
