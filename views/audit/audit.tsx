/** Settings → Audit log: every entry of the chain in a sentence, newest first; and one entry. */
import type { ChainEvent } from '../../src/audit/log.ts'
import type { Json } from '../../src/core/document/event.ts'
import { AUDIT_PATH, CHECKPOINTS_PATH, WITNESS_PATH } from '../../src/core/page-paths.ts'
import { MAX_DOCUMENT_ADDRESS } from '../../src/core/service-limits.ts'
import { MAX_EMAIL_LENGTH } from '../../src/core/text.ts'
import { pageTime } from '../../src/lib/clock-format.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { ActionForm, CodeText, Csrf } from '../parts/form.tsx'
import { ListFilters, listAddress, Pager } from '../parts/list.tsx'
import { Notice } from '../parts/notice.tsx'
import { useClock, useOpens, usePageTexts } from '../parts/page-texts.ts'
import { Progress } from '../parts/progress.tsx'
import { Cell, type Fact, Facts, Table, TableHead } from '../parts/table.tsx'
import { SettingsLayout } from '../settings/settings-layout.tsx'
import type { CheckpointState } from './checkpoints.tsx'

interface AuditRow {
  event: ChainEvent
  sentence: string
}

/** The last check of the chain. */
export interface Integrity {
  tone: Tone
  text: string
  /** While it runs. */
  progress?: { done: number; total: number }
}

interface AuditProps {
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

export function AuditPage({ context, filters, rows, integrity, checkpoints, notice, older, newest }: AuditProps) {
  const t = context.texts.audit
  return (
    <SettingsLayout context={context} here={AUDIT_PATH}>
      <PageHead title={t.title} actions={<ExportDialog filters={filters} />}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <IntegritySection integrity={integrity} checkpoints={checkpoints} />
      <AuditFilterForm filters={filters} texts={t} />
      {rows.length === 0 ? (
        <EmptyState inTable icon="history" title={t.empty}>
          {t.emptyText}
        </EmptyState>
      ) : (
        <Rows rows={rows} />
      )}
      <Pager first={{ href: newest, text: t.newest }} next={{ href: older, text: t.older }} />
    </SettingsLayout>
  )
}

function IntegritySection({ integrity, checkpoints }: Pick<AuditProps, 'integrity' | 'checkpoints'>) {
  const { audit, checkpoints: kept, witness } = usePageTexts()
  const t = audit.integrity
  const { tone, text, progress } = integrity
  const opens = useOpens()
  return (
    <section class="sheet integrity" aria-label={t.title}>
      <div>
        <p>
          <Badge tone={tone}>{text}</Badge>
        </p>
        {progress && (
          <p>
            <Progress value={progress.done} max={progress.total} label={t.title} /> <a href={AUDIT_PATH}>{t.reload}</a>
          </p>
        )}
        <p class="small quiet">
          <CodeText text={t.checkpointText} />
        </p>
        <p class="small break">
          <strong>{checkpoints.title}.</strong> <CodeText text={checkpoints.texts.join(' ')} />{' '}
          {opens.includes('admin') && (
            <>
              <a href={CHECKPOINTS_PATH}>{kept.settings}</a> · <a href={WITNESS_PATH}>{witness.title}</a>
            </>
          )}
        </p>
      </div>
      <div class="row">
        {!progress && <ActionForm action={`${AUDIT_PATH}/check`} text={t.check} kind="plain" />}
        <ActionForm action={`${AUDIT_PATH}/checkpoint`} text={t.checkpoint} kind="plain" />
      </div>
    </section>
  )
}

function Rows({ rows }: { rows: AuditRow[] }) {
  const t = usePageTexts().audit
  const clock = useClock()
  return (
    <Table label={t.title} class="stack audit">
      <TableHead columns={[t.columns.what, t.columns.when, t.columns.from]} />
      <tbody>
        {rows.map(({ event: { sequence, at, ip, isErased }, sentence }) => (
          <tr key={sequence}>
            <td dir="auto">
              <a href={`${AUDIT_PATH}/${sequence}`}>{sentence}</a>
            </td>
            <Cell label={t.columns.when} class="small nowrap">
              <time dateTime={at} title={at}>
                {pageTime(new Date(at), clock)}
              </time>
            </Cell>
            <Cell label={t.columns.from} class={ip === undefined && !isErased ? 'small quiet unknown' : 'small quiet'}>
              {isErased ? <span title={t.erasedNote}>{t.erased}</span> : (ip ?? '–')}
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
      <form method="post" action={`${AUDIT_PATH}/export`} data-download>
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

// One entry of the audit log: what happened, the text in the chain and its hash.

interface ShownEntry {
  sentence: string
  kind: string
  who: string
  actor: string
  title: string | undefined
  documentId: string | undefined
  ip: string | undefined
  userAgent: string | undefined
  entry: string
  hash: string
  previousHash: string
  salt: string | null
  personal: Record<string, Json> | null
  isErased: boolean
}

interface AuditEntryProps {
  context: PageContext
  number: string
  time: string
  entry: ShownEntry
  isIntact: boolean
  older: string | undefined
  newer: string | undefined
}

export function AuditEntryPage({ context, number, time, entry, isIntact, older, newer }: AuditEntryProps) {
  const t = context.texts.audit.detail
  const { facts: f } = t
  const facts: Fact[] = [
    [f.at, time],
    [f.kind, entry.kind],
    [f.actor, <ActorText who={entry.who} actor={entry.actor} />],
    ...(entry.documentId === undefined ? [] : ([[f.document, <DocumentLinks {...entry} />]] as Fact[])),
    ...(entry.ip === undefined ? [] : ([[f.ip, entry.ip]] as Fact[])),
    ...(entry.userAgent === undefined ? [] : ([[f.userAgent, entry.userAgent]] as Fact[])),
  ]
  return (
    <SettingsLayout context={context} here={AUDIT_PATH}>
      <PageHead title={t.title(number)} back={{ href: AUDIT_PATH, text: t.back }}>
        <p dir="auto">{entry.sentence}</p>
      </PageHead>
      <div class="sheet">
        <Facts facts={facts} />
      </div>
      <h2>{t.entry}</h2>
      <div class="sheet audit-sheet">
        <p>
          <Badge tone={isIntact ? 'good' : 'bad'}>{isIntact ? t.matches : t.differs}</Badge>
        </p>
        <section class="audit-entry" tabindex={0} aria-label={t.entry}>
          {entry.entry}
        </section>
        <Facts
          facts={[
            [f.hash, <code class="break">{entry.hash}</code>],
            [f.previous, <code class="break">{entry.previousHash}</code>],
          ]}
        />
        <p class="small quiet">{t.entryNote}</p>
      </div>
      <h2>{t.personal}</h2>
      <Personal entry={entry} />
      <Pager first={{ href: newer, text: t.newer }} next={{ href: older, text: t.older }} />
    </SettingsLayout>
  )
}

function ActorText({ who, actor }: { who: string; actor: string }) {
  return (
    <>
      <span dir="auto">{who}</span> <code class="break quiet">{actor}</code>
    </>
  )
}

function DocumentLinks({ documentId, title }: Pick<ShownEntry, 'documentId' | 'title'>) {
  const t = usePageTexts().audit
  const isTemplate = documentId?.startsWith('tpl_')
  const deleted = isTemplate ? t.deletedTemplate : t.deletedDocument
  return (
    <>
      {title === undefined ? (
        deleted
      ) : (
        <a href={`/${isTemplate ? 'templates' : 'documents'}/${documentId}`}>{title || t.untitled}</a>
      )}
      {' · '}
      <a href={auditAddress({ document: documentId ?? '' })}>{t.detail.allOfDocument}</a>
    </>
  )
}

function Personal({ entry: { personal, salt, isErased } }: { entry: ShownEntry }) {
  const t = usePageTexts().audit.detail
  if (personal === null) return <p class="quiet">{isErased ? t.wasErased : t.noPersonal}</p>
  const text = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))
  return (
    <div class="sheet">
      <Facts
        facts={[
          ...Object.entries(personal).map(([name, value]): Fact => [name, <span dir="auto">{text(value)}</span>]),
          [t.facts.salt, <code class="break">{salt}</code>],
        ]}
      />
      <p class="small quiet">
        <CodeText text={t.personalNote} />
      </p>
    </div>
  )
}

// The filters of the audit log.

/** As in the address; empty: not set. */
export type AuditFilters = Record<'person' | 'kind' | 'document' | 'from' | 'to', string>

export const auditAddress = (filters: Partial<AuditFilters>, after?: string): string => listAddress(AUDIT_PATH, filters, after)

const GROUPS = ['document', 'template', 'recipient', 'instance'] as const

function groupOf(kind: string): (typeof GROUPS)[number] {
  const [prefix] = kind.split('.')
  return GROUPS.find(group => group === prefix) ?? 'instance'
}

function AuditFilterForm({ filters, texts }: { filters: AuditFilters; texts: AppTexts['audit'] }) {
  const { filters: t, events } = texts
  const kinds = Object.entries(events).map(([value, [text]]) => ({ value, text }))
  const nameOf = (kind: string) => kinds.find(({ value }) => value === kind)?.text ?? kind
  const groups = GROUPS.map(group => ({ group: t.groups[group], options: kinds.filter(({ value }) => groupOf(value) === group) }))
  const own = (name: keyof AuditFilters, text = filters[name]) => ({
    name,
    value: filters[name],
    label: t[name],
    chip: t.chips[name](text),
  })
  return (
    <ListFilters
      path={AUDIT_PATH}
      filters={[
        { ...own('person'), as: 'search', hint: t.personHint, maxLength: MAX_EMAIL_LENGTH },
        { ...own('kind', nameOf(filters.kind)), as: 'choice', any: t.anyKind, options: groups },
        { ...own('document'), as: 'text', hint: t.documentHint, maxLength: MAX_DOCUMENT_ADDRESS },
        { ...own('from'), as: 'day' },
        { ...own('to'), as: 'day' },
      ]}
    />
  )
}
