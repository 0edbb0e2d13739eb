/** Exports the audit log as JSON Lines or CSV, a batch at a time, as the reader takes them. */
import { type EventFilter, findEvents } from '../../../audit/list-queries.ts'
import { appendInstanceEvent, auditHead, type ChainEvent, chainEvent } from '../../../audit/log.ts'
import { BYTE_ORDER_MARK, csvRow } from '../../../core/csv/write.ts'
import type { AppLanguage } from '../../../core/language.ts'
import { attachment } from '../../../lib/content-disposition.ts'
import type { AppTexts } from '../../../locales/app.ts'
import type { App, Origin } from '../../../ports.ts'
import { streamOfChunks } from '../../streamed-file.ts'
import { type DescribedEntry, describeEntries } from './audit-words.ts'

export const EXPORT_FORMATS = ['jsonl', 'csv'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const ENTRIES_AT_ONCE = 500

interface Options {
  format: ExportFormat
  filter: EventFilter
  /** The filters as they were entered, for the record of the export. */
  asked: Record<string, string>
  texts: AppTexts
  language: AppLanguage
}

/** The export is recorded first. It ends with the entry before its own. */
export async function exportAuditLog(app: App, origin: Origin, options: Options): Promise<Response> {
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

async function* chunksOf(app: App, last: number, { format, filter, texts, language }: Options): AsyncGenerator<string, void> {
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
