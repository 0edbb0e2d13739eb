/** Settings → Audit log: all entries with filters, one entry, and their export. */
import { AuditPage, type AuditRow, type Integrity } from '../../../../views/audit/audit.tsx'
import { AuditEntryPage } from '../../../../views/audit/audit-entry.tsx'
import { auditAddress } from '../../../../views/audit/audit-filters.tsx'
import { makeCheckpoint } from '../../../audit/checkpoint.ts'
import { findEvents } from '../../../audit/list-queries.ts'
import { auditHead, chainEvent } from '../../../audit/log.ts'
import { eventsBySequence } from '../../../audit/queries.ts'
import { chainHash } from '../../../core/document/audit-chain.ts'
import { errorAt, Refusal, refuseIfInvalid } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import type { ChainResult } from '../../../health/background-checks.ts'
import { checkRun, isRunning } from '../../../health/queries.ts'
import { pageTime } from '../../../lib/clock-format.ts'
import { attachment } from '../../../lib/content-disposition.ts'
import { errorText } from '../../../locales/app.ts'
import { readOrganisation } from '../../../settings/organisation.ts'
import { confirmedRoute } from '../../frame/confirmed-route.tsx'
import type { PageResponse, PageRoute, Visit } from '../../frame/page.tsx'
import { sessionOf } from '../settings/settings-access.ts'
import { EXPORT_FORMATS, exportAuditLog } from './audit-export.ts'
import { filtersIn, readFilter } from './audit-filter.ts'
import { describeEntries } from './audit-words.ts'
import { checkpointState } from './checkpoints.tsx'

export const AUDIT_PATH = '/settings/audit'
const PAGE_SIZE = 50

async function listPage(visit: Visit): Promise<PageResponse> {
  const { app, url, texts, language } = visit
  const { timeZone } = await readOrganisation(app.db)
  const filters = filtersIn(Object.fromEntries(url.searchParams))
  const { filter, errors } = await readFilter(visit, filters, timeZone)
  const after = Number(/^\d{1,15}$/.exec(url.searchParams.get('after') ?? '')?.[0]) || undefined
  const slice = { after, limit: PAGE_SIZE + 1, order: 'newest first' as const }
  const found = errors.length > 0 ? [] : await findEvents(app.db, filter, slice)
  const shown = await describeEntries(app, found.slice(0, PAGE_SIZE).map(chainEvent), { texts, language })
  const rows = shown.map(
    ({ event, sentence }): AuditRow => ({
      sequence: event.sequence,
      sentence,
      at: new Date(event.at),
      time: pageTime(new Date(event.at), timeZone, language),
      from: event.ip,
      isErased: event.isErased,
    }),
  )
  const last = found.length > PAGE_SIZE ? rows.at(-1)?.sequence : undefined
  return {
    html: (
      <AuditPage
        context={visit.context(texts.audit.title, { errors })}
        filters={filters}
        rows={rows}
        integrity={await integrityOf(visit, timeZone)}
        checkpoints={await checkpointState(visit)}
        notice={texts.audit.integrity.notices[url.searchParams.get('notice') ?? '']}
        older={last === undefined ? undefined : auditAddress(filters, String(last))}
        newest={after === undefined ? undefined : auditAddress(filters)}
      />
    ),
    status: errors.length > 0 ? 422 : 200,
  }
}

/** The state of the last check of the chain. */
async function integrityOf({ app, texts, language }: Visit, timeZone: string): Promise<Integrity> {
  const t = texts.audit.integrity
  const run = await checkRun(app.db, 'audit log')
  if (!run) return { tone: 'neutral', text: t.never }
  const number = (value: number) => value.toLocaleString(language)
  if (await isRunning(app.db, run)) {
    const { done, total } = run
    return { tone: 'info', text: t.running(number(done), number(total)), progress: { done, total } }
  }
  const at = pageTime(run.finishedAt ?? run.startedAt, timeZone, language)
  if (!run.finishedAt) return { tone: 'warn', text: t.interrupted(at) }
  const { verdict, failure = '' } = run.result as ChainResult
  if (!verdict) return { tone: 'warn', text: t.failed(failure, at) }
  if ('head' in verdict) return { tone: 'good', text: t.intact(number(verdict.count), at) }
  return { tone: 'bad', text: t.changed(number(Object.values(verdict)[0] ?? 0), at) }
}

const originOf = (visit: Visit) => ({ actor: sessionOf(visit).actor, ...visit.client })

async function startCheck(visit: Visit): Promise<PageResponse> {
  const isNew = await visit.app.checks.start('audit log', originOf(visit))
  return { redirect: `${AUDIT_PATH}?notice=${isNew ? 'started' : 'running'}` }
}

async function postCheckpoint(visit: Visit): Promise<PageResponse> {
  const { text, fileName } = await makeCheckpoint(visit.app, originOf(visit))
  const headers = { 'content-type': 'message/rfc822', 'content-disposition': attachment(fileName) }
  return { response: new Response(text, { headers }) }
}

async function entryPage(visit: Visit): Promise<PageResponse> {
  const { app, texts, language } = visit
  const sequence = Number(/^\d{1,15}$/.exec(visit.params.sequence ?? '')?.[0])
  const [row] = await eventsBySequence(app.db, [sequence || 0])
  if (!row) throw new Refusal('not_found', violation('audit_entry_missing'))
  const event = chainEvent(row)
  const [entry] = await describeEntries(app, [event], { texts, language })
  if (!entry) throw new Error('an entry without a description')
  const { timeZone } = await readOrganisation(app.db)
  const { sequence: newest } = await auditHead(app.db)
  return {
    html: (
      <AuditEntryPage
        context={visit.context(texts.audit.detail.title(sequence.toLocaleString(language)))}
        number={sequence.toLocaleString(language)}
        time={pageTime(new Date(event.at), timeZone, language)}
        entry={{ ...entry, ...event }}
        isIntact={chainHash(event.previousHash, event.entry) === event.hash}
        older={sequence > 1 ? `${AUDIT_PATH}/${sequence - 1}` : undefined}
        newer={sequence < newest ? `${AUDIT_PATH}/${sequence + 1}` : undefined}
      />
    ),
  }
}

async function postExport(visit: Visit): Promise<PageResponse> {
  const { app, form, texts, language } = visit
  const format = EXPORT_FORMATS.find(each => each === form.format)
  if (!format) throw new Refusal('validation_failed', violation('export_format_missing'))
  const filters = filtersIn(form)
  const { filter, errors } = await readFilter(visit, filters, (await readOrganisation(app.db)).timeZone)
  refuseIfInvalid(errors.map(error => errorAt(error.path, violation('not_accepted', { words: errorText(texts, error) }))))
  // The id alone: what else was typed beside it may name somebody.
  const named = { ...filters, document: filter.documentId ?? '' }
  const asked = Object.fromEntries(Object.entries(named).filter(([, text]) => text !== ''))
  return { response: await exportAuditLog(app, originOf(visit), { format, filter, asked, texts, language }) }
}

export const auditPages: PageRoute[] = [
  { method: 'GET', path: AUDIT_PATH, access: 'auditor', run: listPage },
  { method: 'GET', path: `${AUDIT_PATH}/:sequence`, access: 'auditor', run: entryPage },
  confirmedRoute({ method: 'POST', path: `${AUDIT_PATH}/export`, access: 'auditor', run: postExport }, AUDIT_PATH),
  { method: 'POST', path: `${AUDIT_PATH}/check`, access: 'auditor', run: startCheck },
  { method: 'POST', path: `${AUDIT_PATH}/checkpoint`, access: 'auditor', run: postCheckpoint },
]
