/** Settings → Audit log: every entry of the chain in a sentence, newest first. */
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { CodeText } from '../parts/code-text.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { ActionForm, Csrf } from '../parts/form.tsx'
import { Pager } from '../parts/list.tsx'
import { Notice } from '../parts/notice.tsx'
import { usePage, usePageTexts } from '../parts/page-texts.ts'
import { Progress } from '../parts/progress.tsx'
import { Cell, Table, TableHead } from '../parts/table.tsx'
import { SettingsLayout } from '../settings/settings-layout.tsx'
import { AuditFilterForm, type AuditFilters } from './audit-filters.tsx'
import type { CheckpointState } from './checkpoints.tsx'

export interface AuditRow {
  sequence: number
  sentence: string
  at: Date
  /** In the organisation's time zone. */
  time: string
  /** The IP address. */
  from: string | undefined
  isErased: boolean
}

/** The last check of the chain. */
export interface Integrity {
  tone: Tone
  text: string
  /** While it runs. */
  progress?: { done: number; total: number }
}

interface Props {
  context: PageContext
  filters: AuditFilters
  rows: AuditRow[]
  integrity: Integrity
  /** Where checkpoints are kept, and the last one. */
  checkpoints: CheckpointState
  notice: string | undefined
  /** Addresses of other pages of the list. */
  older: string | undefined
  newest: string | undefined
}

export function AuditPage({ context, filters, rows, integrity, checkpoints, notice, older, newest }: Props) {
  const t = context.texts.audit
  return (
    <SettingsLayout context={context} here="/settings/audit">
      <PageHead title={t.title} actions={<ExportDialog filters={filters} />}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <IntegritySection integrity={integrity} checkpoints={checkpoints} />
      <AuditFilterForm filters={filters} texts={t} />
      {rows.length === 0 ? (
        <div class="table">
          <EmptyState icon="history" title={t.empty}>
            {t.emptyText}
          </EmptyState>
        </div>
      ) : (
        <Rows rows={rows} />
      )}
      <Pager label={t.pages} first={{ href: newest, text: t.newest }} next={{ href: older, text: t.older }} />
    </SettingsLayout>
  )
}

function IntegritySection({ integrity, checkpoints }: Pick<Props, 'integrity' | 'checkpoints'>) {
  const { audit, checkpoints: kept } = usePageTexts()
  const t = audit.integrity
  const { tone, text, progress } = integrity
  const { opens = [] } = usePage().person ?? {}
  return (
    <section class="sheet integrity" aria-label={t.title}>
      <div>
        <p>
          <Badge tone={tone}>{text}</Badge>
        </p>
        {progress && (
          <p>
            <Progress value={progress.done} max={progress.total} label={t.title} /> <a href="/settings/audit">{t.reload}</a>
          </p>
        )}
        <p class="small quiet">
          <CodeText text={t.checkpointText} />
        </p>
        <p class="small break">
          <strong>{checkpoints.title}.</strong> <CodeText text={checkpoints.texts.join(' ')} />{' '}
          {opens.includes('admin') && <a href="/settings/audit/checkpoints">{kept.settings}</a>}
        </p>
      </div>
      <div class="row">
        {!progress && <ActionForm action="/settings/audit/check" text={t.check} kind="plain" />}
        <ActionForm action="/settings/audit/checkpoint" text={t.checkpoint} kind="plain" />
      </div>
    </section>
  )
}

function Rows({ rows }: { rows: AuditRow[] }) {
  const t = usePageTexts().audit
  return (
    <Table label={t.title} class="stack audit">
      <TableHead columns={[t.columns.what, t.columns.when, t.columns.from]} />
      <tbody>
        {rows.map(({ sequence, sentence, at, time, from, isErased }) => (
          <tr key={sequence}>
            <td dir="auto">
              <a href={`/settings/audit/${sequence}`}>{sentence}</a>
            </td>
            <Cell label={t.columns.when} class="small nowrap">
              <time dateTime={at.toISOString()} title={at.toISOString()}>
                {time}
              </time>
            </Cell>
            <Cell label={t.columns.from} class={from === undefined && !isErased ? 'small quiet unknown' : 'small quiet'}>
              {isErased ? <span title={t.erasedNote}>{t.erased}</span> : (from ?? '–')}
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function ExportDialog({ filters }: { filters: AuditFilters }) {
  const { audit, frame } = usePageTexts()
  const t = audit.export
  const isFiltered = Object.values(filters).some(value => value !== '')
  return (
    <Dialog id="export" title={t.title} trigger={t.open} icon="download" close={frame.close}>
      <form method="post" action="/settings/audit/export" data-download>
        <Csrf />
        {Object.entries(filters).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <p>{isFiltered ? t.filtered : t.all}</p>
        <p>{t.note}</p>
        <fieldset>
          <legend>{t.format}</legend>
          {(['csv', 'jsonl'] as const).map(format => (
            <label key={format} class="tick">
              <input type="radio" name="format" value={format} checked={format === 'csv'} />
              <span>{t[format]}</span>
            </label>
          ))}
        </fieldset>
        <DialogActions>
          <Button kind="primary">{t.run}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
