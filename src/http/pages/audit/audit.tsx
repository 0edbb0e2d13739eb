/** Settings → Audit log: all entries with filters, one entry, and their export. */
import { AuditEntryPage, type AuditFilters, AuditPage, auditAddress, type Integrity } from '../../../../views/audit/audit.tsx'
import { type EventFilter, findEvents, type Subject } from '../../../audit/list-queries.ts'
import { appendInstanceEvent, auditHead, type ChainEvent, chainEvent } from '../../../audit/log.ts'
import { findSubjects } from '../../../audit/name-queries.ts'
import { eventsBySequence } from '../../../audit/queries.ts'
import { BYTE_ORDER_MARK, csvRow } from '../../../core/csv/write.ts'
import { chainHash } from '../../../core/document/audit-chain.ts'
import { storedTypesOf } from '../../../core/document/event.ts'
import type { AppLanguage } from '../../../core/language.ts'
import { AUDIT_PATH } from '../../../core/page-paths.ts'
import { errorAt, Refusal, refuseIfInvalid, type ValidationError } from '../../../core/refusal.ts'
import { MAX_DOCUMENT_ADDRESS, PAGE_SIZE } from '../../../core/service-limits.ts'
import { MAX_EMAIL_LENGTH } from '../../../core/text.ts'
import { violation } from '../../../core/violation.ts'
import type { ChainResult } from '../../../health/background-checks.ts'
import { makeCheckpoint } from '../../../health/make-checkpoint.ts'
import { checkRun, isRunning } from '../../../health/queries.ts'
import { pageTime } from '../../../lib/clock-format.ts'
import { attachment } from '../../../lib/file-names.ts'
import { idPattern, isId } from '../../../lib/id.ts'
import type { AppTexts } from '../../../locales/app.ts'
import type { App, Origin } from '../../../ports.ts'
import { streamOfChunks } from '../../file-response.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { daysIn, numberIn, type Query, spanOf, trimmedIn, wholeNumber } from '../../frame/query.ts'
import { originOf } from '../documents/sender-visit.ts'
import { type DescribedEntry, describeEntries } from './audit-words.ts'
import { checkpointState } from './checkpoints.tsx'

export async function listPage(visit: Visit): Promise<PageResponse> {
  const { app, texts, language } = visit
  const filters = filtersIn(visit.query)
  const { filter, errors } = await readFilter(visit, filters)
  const after = numberIn(visit.query, 'after') || undefined
  const slice = { after, limit: PAGE_SIZE + 1, order: 'newest first' as const }
  const found = errors.length > 0 ? [] : await findEvents(app.db, filter, slice)
  const shown = await describeEntries(app, found.slice(0, PAGE_SIZE).map(chainEvent), { texts, language })
  const last = found.length > PAGE_SIZE ? shown.at(-1)?.event.sequence : undefined
  return {
    html: (
      <AuditPage
        context={visit.context(texts.audit.title, { errors })}
        filters={filters}
        rows={shown}
        integrity={await integrityOf(visit)}
        checkpoints={await checkpointState(visit)}
        notice={visit.noticeIn(texts.audit.integrity.notices)}
        older={last === undefined ? undefined : auditAddress(filters, String(last))}
        newest={after === undefined ? undefined : auditAddress(filters)}
      />
    ),
    status: errors.length > 0 ? 422 : 200,
  }
}

/** The state of the last check of the chain. */
async function integrityOf({ app, texts, language, clock }: Visit): Promise<Integrity> {
  const t = texts.audit.integrity
  const run = await checkRun(app.db, 'audit log')
  if (!run) return { tone: 'neutral', text: t.never }
  const number = (value: number) => value.toLocaleString(language)
  if (await isRunning(app.db, run)) {
    const { done, total } = run
    return { tone: 'info', text: t.running(number(done), number(total)), progress: { done, total } }
  }
  const at = pageTime(run.finishedAt ?? run.startedAt, clock)
  if (!run.finishedAt) return { tone: 'warn', text: t.interrupted(at) }
  const { verdict, failure = '' } = run.result as ChainResult
  if (!verdict) return { tone: 'warn', text: t.failed(failure, at) }
  if ('head' in verdict) return { tone: 'good', text: t.intact(number(verdict.count), at) }
  return { tone: 'bad', text: t.changed(number(Object.values(verdict)[0] ?? 0), at) }
}

export async function startCheck(visit: Visit): Promise<PageResponse> {
  const isNew = await visit.app.checks.start('audit log', originOf(visit))
  return { redirect: `${AUDIT_PATH}?notice=${isNew ? 'started' : 'running'}` }
}

export async function postCheckpoint(visit: Visit): Promise<PageResponse> {
  const { text, fileName } = await makeCheckpoint(visit.app, originOf(visit))
  const headers = { 'content-type': 'message/rfc822', 'content-disposition': attachment(fileName) }
  return { response: new Response(text, { headers }) }
}

export async function entryPage(visit: Visit): Promise<PageResponse> {
  const { app, texts, language } = visit
  const sequence = wholeNumber(visit.params.sequence) ?? 0
  const [row] = await eventsBySequence(app.db, [sequence])
  if (!row) throw new Refusal('not_found', violation('audit_entry_missing'))
  const event = chainEvent(row)
  const [entry] = await describeEntries(app, [event], { texts, language })
  if (!entry) throw new Error('an entry without a description')
  const { sequence: newest } = await auditHead(app.db)
  return {
    html: (
      <AuditEntryPage
        context={visit.context(texts.audit.detail.title(sequence.toLocaleString(language)))}
        number={sequence.toLocaleString(language)}
        time={pageTime(new Date(event.at), visit.clock)}
        entry={{ ...entry, ...event }}
        isIntact={chainHash(event.previousHash, event.entry) === event.hash}
        older={sequence > 1 ? `${AUDIT_PATH}/${sequence - 1}` : undefined}
        newer={sequence < newest ? `${AUDIT_PATH}/${sequence + 1}` : undefined}
      />
    ),
  }
}

export async function postExport(visit: Visit): Promise<PageResponse> {
  const { app, form, texts, language } = visit
  const format = EXPORT_FORMATS.find(each => each === form.format)
  if (!format) throw new Refusal('validation_failed', violation('export_format_missing'))
  const filters = filtersIn(form)
  const { filter, errors } = await readFilter(visit, filters)
  refuseIfInvalid(errors)
  // The id alone: what else was typed beside it may name somebody.
  const named = { ...filters, document: filter.documentId ?? '' }
  const asked = Object.fromEntries(Object.entries(named).filter(([, text]) => text !== ''))
  return { response: await exportAuditLog(app, originOf(visit), { format, filter, asked, texts, language }) }
}

// The filters of the audit log: from the address or a form to what the queries take.

const MAX_SUBJECTS = 20

function filtersIn(given: Query): AuditFilters {
  return {
    person: trimmedIn(given, 'person', MAX_EMAIL_LENGTH),
    kind: trimmedIn(given, 'kind', 60),
    document: trimmedIn(given, 'document', MAX_DOCUMENT_ADDRESS),
    ...daysIn(given),
  }
}

/** What cannot be understood is an error of its field, and no entry matches. */
async function readFilter(
  { app, organisation: { timeZone } }: Visit,
  { person, kind, document, ...days }: AuditFilters,
): Promise<{ filter: EventFilter; errors: ValidationError[] }> {
  const { start, end, invalid } = spanOf(days, timeZone)
  const errors = invalid.map(path => errorAt(path, violation('not_a_day')))
  const filter: EventFilter = { ...(start && { from: start }), ...(end && { before: end }) }
  if (kind !== '') filter.types = storedTypesOf(kind)
  if (document !== '') {
    const id = DOCUMENT_ID.exec(document)?.[0]
    if (id === undefined) errors.push(errorAt('document', violation('not_a_document')))
    else filter.documentId = id
  }
  if (person !== '') {
    const found = await subjectsFor(app.db, person)
    if (found.subjects.length > MAX_SUBJECTS) errors.push(errorAt('person', violation('too_many_matches', { max: MAX_SUBJECTS })))
    else Object.assign(filter, found)
  }
  return { filter, errors }
}

const DOCUMENT_ID = new RegExp(`${idPattern('doc')}|${idPattern('tpl')}`)
const SUBJECTS = [
  ['usr', 'user'],
  ['key', 'key'],
  ['rcp', 'recipient'],
] as const

/** An ID, an address of recipients, or a part of the name or address of users and API tokens. */
async function subjectsFor(db: Visit['app']['db'], text: string): Promise<{ subjects: Subject[]; recipientEmail?: string }> {
  const [, kind] = SUBJECTS.find(([prefix]) => isId(text, prefix)) ?? []
  if (kind) return { subjects: [{ kind, id: text }] }
  const subjects = await findSubjects(db, text, MAX_SUBJECTS + 1)
  return { subjects, ...(text.includes('@') && { recipientEmail: text }) }
}

// Exports the audit log as JSON Lines or CSV, a batch at a time, as the reader takes them.

const EXPORT_FORMATS = ['jsonl', 'csv'] as const
type ExportFormat = (typeof EXPORT_FORMATS)[number]

const ENTRIES_AT_ONCE = 500

interface ExportOptions {
  format: ExportFormat
  filter: EventFilter
  /** The filters as they were entered, for the record of the export. */
  asked: Record<string, string>
  texts: AppTexts
  language: AppLanguage
}

/** The export is recorded first. It ends with the entry before its own. */
export async function exportAuditLog(app: App, origin: Origin, options: ExportOptions): Promise<Response> {
  const { format, asked } = options
  const last = await app.write(async tx => {
    const { sequence } = await auditHead(tx)
    const { person = '', ...filters } = asked
    await appendInstanceEvent(
      tx,
      app,
      { type: 'audit.exported', data: { format, lastSequence: sequence, filters }, ...(person && { personal: { person } }) },
      origin,
    )
    return sequence
  })
  const chunks = chunksOf(app, last, options)
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8'
  const name = `audit-log-${app.now().toISOString().slice(0, 10)}.${format}`
  return new Response(streamOfChunks(chunks), { headers: { 'content-type': type, 'content-disposition': attachment(name) } })
}

async function* chunksOf(
  app: App,
  last: number,
  { format, filter, texts, language }: ExportOptions,
): AsyncGenerator<string, void> {
  if (format === 'csv') yield BYTE_ORDER_MARK + csvRow(CSV_COLUMNS)
  for (let after = 0; after < last; ) {
    const rows = await findEvents(app.db, filter, { after, limit: ENTRIES_AT_ONCE, order: 'oldest first' })
    const events = rows.filter(({ sequence }) => sequence <= last).map(chainEvent)
    if (format === 'jsonl') yield events.map(jsonLine).join('')
    else yield (await describeEntries(app, events, { texts, language })).map(csvLine).join('')
    if (rows.length < ENTRIES_AT_ONCE) return
    after = rows.at(-1)?.sequence ?? last
  }
}

/** `entry` is the text that the hash is made of. */
function jsonLine({ sequence, entry, hash, previousHash, salt, personal, isErased }: ChainEvent): string {
  const line = { sequence, entry, hash, previousHash, salt, personal, personalErased: isErased }
  return `${JSON.stringify(line)}\n`
}

const CSV_COLUMNS = [
  'sequence',
  'time',
  'type',
  'description',
  'actor',
  'actor_name',
  'document_id',
  'document_title',
  'recipient_id',
  'ip',
  'program',
  'data',
  'personal_data',
  'hash',
]

function csvLine({ event, who, sentence, title }: DescribedEntry): string {
  return csvRow([
    String(event.sequence),
    event.at,
    event.type,
    sentence,
    event.actor,
    who,
    event.documentId ?? '',
    title ?? '',
    event.recipientId ?? '',
    event.ip ?? '',
    event.userAgent ?? '',
    JSON.stringify(event.data),
    event.isErased ? 'erased' : event.personal === null ? '' : JSON.stringify(event.personal),
    event.hash,
  ])
}
