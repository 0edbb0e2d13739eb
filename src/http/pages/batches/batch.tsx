/** A batch: its draft, then its progress and what became of each row; stop, retry, results. */
import { BatchPage, batchAddress, type ShownRow } from '../../../../views/batches/batch.tsx'
import { loadBatch, loadDraftBatch } from '../../../batches/batches.ts'
import { rowsOfBatch } from '../../../batches/queries.ts'
import { rowErrorText } from '../../../batches/send.ts'
import { retryBatch, stopBatch } from '../../../batches/stop.ts'
import { BYTE_ORDER_MARK, csvRow, usualDelimiter } from '../../../core/csv/write.ts'
import type { Document } from '../../../core/document/document.ts'
import { BATCHES_PATH, TEMPLATES_PATH } from '../../../core/page-paths.ts'
import { allowedBatchActions, BATCH_ROW_STATES, type Batch, type BatchRow } from '../../../core/template/batch.ts'
import { showPlaceholders } from '../../../core/template/template-texts.ts'
import type { Db } from '../../../db/open.ts'
import { find, findAllCached } from '../../../documents/queries.ts'
import { maySee } from '../../../documents/record.ts'
import type { AppTexts } from '../../../locales/app.ts'
import type { Actor } from '../../../ports.ts'
import { mayUse } from '../../../templates/edit.ts'
import { csvResponse } from '../../file-response.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { mayOpen } from '../../frame/page-access.ts'
import { choiceIn, numberIn } from '../../frame/query.ts'
import { actorOf, idOf, originOf } from '../documents/sender-visit.ts'
import { draftPage } from './batch-draft.tsx'
import { batchPosition } from './batch-live.ts'

const PAGE_SIZE = 100
const ROWS_AT_ONCE = 500

export async function page(visit: Visit): Promise<PageResponse> {
  const { app, texts } = visit
  const actor = actorOf(visit)
  const batch = await loadBatch(app.db, actor, idOf(visit))
  const isSender = mayOpen(visit, 'sender')
  if (batch.state === 'draft' && isSender) return draftPage(visit, await loadDraftBatch(app.db, actor, batch.id))
  const { rows, ...list } = await shownRows(visit, batch)
  const allowed = allowedBatchActions(batch)
  return {
    html: (
      <BatchPage
        context={visit.context(texts.batches.page.title(batch.title))}
        position={batchPosition(batch)}
        batch={batch}
        back={await backFrom(visit, batch)}
        rows={rows}
        {...list}
        may={{ stop: isSender && allowed.stop, retry: isSender && allowed.retry }}
        notice={noticeOf(visit, batch)}
      />
    ),
  }
}

function noticeOf(visit: Visit, { total }: Batch): string | undefined {
  const { started, stopped, retried } = visit.texts.batches.notices
  return visit.noticeIn({ started: started(total), stopped, retried })
}

/** The template may have been deleted, or may no longer be shared. */
async function backFrom(visit: Visit, { templateId }: Batch): Promise<{ href: string; text: string }> {
  const template = await find(visit.app.db, templateId)
  const isThere = template !== undefined && mayUse(actorOf(visit), template)
  return isThere
    ? { href: `${TEMPLATES_PATH}/${templateId}`, text: showPlaceholders(template.title) }
    : { href: TEMPLATES_PATH, text: visit.texts.templates.title }
}

async function shownRows(visit: Visit, { id }: Batch) {
  const { app, query } = visit
  const state = choiceIn(query, 'state', BATCH_ROW_STATES)
  const after = numberIn(query, 'after')
  // One more than is shown tells whether there is a next page.
  const found = await rowsOfBatch(app.db, id, { state, after, limit: PAGE_SIZE + 1 })
  const shown = found.slice(0, PAGE_SIZE)
  return {
    state,
    rows: await withPeople(visit.app.db, actorOf(visit), shown, visit.texts),
    next: found.length > PAGE_SIZE ? batchAddress(id, state, shown.at(-1)?.number) : undefined,
    first: after > 0 ? batchAddress(id, state) : undefined,
  }
}

/** The people of a row that was sent are those of its document. */
async function withPeople(db: Db, actor: Actor, rows: readonly BatchRow[], texts: AppTexts): Promise<ShownRow[]> {
  const found = await findAllCached(
    db,
    rows.flatMap(({ documentId }) => documentId ?? []),
  )
  const documents = new Map<string, Document>()
  for (const { document } of found) if (maySee(actor, document)) documents.set(document.id, document)
  return rows.map(({ use, documentId = '', error, ...row }) => {
    const document = documents.get(documentId)
    const people = (document ?? use)?.recipients ?? []
    return {
      ...row,
      documentId: document?.id,
      people: people.map(({ name, email }) => ({ name, email })),
      error: error === undefined ? undefined : rowErrorText(texts, error),
    }
  })
}

export async function postStop(visit: Visit): Promise<PageResponse> {
  const { id } = await stopBatch(visit.app, idOf(visit), originOf(visit))
  return { redirect: `${BATCHES_PATH}/${id}?notice=stopped` }
}

export async function postRetry(visit: Visit): Promise<PageResponse> {
  const { id } = await retryBatch(visit.app, idOf(visit), originOf(visit))
  return { redirect: `${BATCHES_PATH}/${id}?notice=retried` }
}

export async function getResults(visit: Visit): Promise<PageResponse> {
  const { app, texts } = visit
  const { id } = await loadBatch(app.db, actorOf(visit), idOf(visit))
  return { response: csvResponse(`${texts.batches.page.resultsFile}.csv`, resultsOf(visit, id)) }
}

async function* resultsOf(visit: Visit, id: string): AsyncGenerator<string, void> {
  const { app, texts, language } = visit
  const { csv, rowStates } = texts.batches.page
  const delimiter = usualDelimiter(language)
  const actor = actorOf(visit)
  yield BYTE_ORDER_MARK + csvRow([csv.line, csv.state, csv.people, csv.sentAt, csv.document, csv.link, csv.error], delimiter)
  for (let after = 0; ; ) {
    const rows = await rowsOfBatch(app.db, id, { after, limit: ROWS_AT_ONCE })
    const shown = await withPeople(app.db, actor, rows, texts)
    yield shown
      .map(({ line, state, people, sentAt, documentId, error = '' }) => {
        const who = people.map(({ name, email }) => `${name} <${email}>`).join(', ')
        const link = documentId === undefined ? '' : `${app.config.baseUrl}/documents/${documentId}`
        const cells = [String(line), rowStates[state], who, sentAt?.toISOString() ?? '', documentId ?? '', link, error]
        return csvRow(cells, delimiter)
      })
      .join('')
    if (rows.length < ROWS_AT_ONCE) return
    after = rows.at(-1)?.number ?? after
  }
}
