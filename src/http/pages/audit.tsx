/** Settings → Audit log: all entries with filters, one entry, and their export. */
import { AuditPage, type AuditRow } from '../../../views/pages/audit.tsx'
import { AuditEntryPage } from '../../../views/pages/audit-entry.tsx'
import { auditAddress } from '../../../views/pages/audit-filters.tsx'
import { findEvents } from '../../audit/list-queries.ts'
import { auditHead, chainEvent } from '../../audit/log.ts'
import { eventsBySequence } from '../../audit/queries.ts'
import { chainHash } from '../../core/audit-chain.ts'
import { Refusal, refuseIfInvalid } from '../../core/refusal.ts'
import { pageTime } from '../../lib/clock-format.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import type { PageResponse, PageRoute, Visit } from '../page.tsx'
import { EXPORT_FORMATS, exportAuditLog } from './audit-export.ts'
import { filtersIn, readFilter } from './audit-filter.ts'
import { describeEntries } from './audit-words.ts'
import { sessionOf, settingsUser } from './settings-access.ts'

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
        context={visit.context(texts.audit.title)}
        user={settingsUser(visit)}
        filters={filters}
        errors={errors}
        rows={rows}
        older={last === undefined ? undefined : auditAddress(filters, String(last))}
        newest={after === undefined ? undefined : auditAddress(filters)}
      />
    ),
    status: errors.length > 0 ? 422 : 200,
  }
}

async function entryPage(visit: Visit): Promise<PageResponse> {
  const { app, texts, language } = visit
  const sequence = Number(/^\d{1,15}$/.exec(visit.params.sequence ?? '')?.[0])
  const [row] = await eventsBySequence(app.db, [sequence || 0])
  if (!row) throw new Refusal('not_found', 'The audit log has no entry with this number.')
  const event = chainEvent(row)
  const [entry] = await describeEntries(app, [event], { texts, language })
  if (!entry) throw new Error('an entry without a description')
  const { timeZone } = await readOrganisation(app.db)
  const { sequence: newest } = await auditHead(app.db)
  return {
    html: (
      <AuditEntryPage
        context={visit.context(texts.audit.detail.title(sequence.toLocaleString(language)))}
        user={settingsUser(visit)}
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
  const { app, form, texts, language, client } = visit
  const format = EXPORT_FORMATS.find(each => each === form.format)
  if (!format) throw new Refusal('validation_failed', 'Choose a format for the export.')
  const filters = filtersIn(form)
  const { filter, errors } = await readFilter(visit, filters, (await readOrganisation(app.db)).timeZone)
  refuseIfInvalid(errors)
  const asked = Object.fromEntries(Object.entries(filters).filter(([, text]) => text !== ''))
  const origin = { actor: sessionOf(visit).actor, ...client }
  return { response: await exportAuditLog(app, origin, { format, filter, asked, texts, language }) }
}

export const auditPages: PageRoute[] = [
  { method: 'GET', path: AUDIT_PATH, access: 'auditor', run: listPage },
  { method: 'GET', path: `${AUDIT_PATH}/:sequence`, access: 'auditor', run: entryPage },
  { method: 'POST', path: `${AUDIT_PATH}/export`, access: 'auditor', run: postExport },
]
