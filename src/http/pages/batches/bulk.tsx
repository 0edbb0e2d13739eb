/** Bulk sending from a template: the list to fill in, and the upload of a filled in one. */
import { BulkPage } from '../../../../views/batches/batch-draft.tsx'
import { createDraftBatch, visibleTo } from '../../../batches/batches.ts'
import { listBatches } from '../../../batches/queries.ts'
import { choicesAsJson, NO_CHOICES, rowCount } from '../../../batches/read-list.ts'
import { columnsOf, columnTitle, TITLE } from '../../../core/csv/columns.ts'
import { MAX_CSV_BYTES, TOO_LARGE } from '../../../core/csv/read.ts'
import { templateFile } from '../../../core/csv/write.ts'
import type { Document } from '../../../core/document/document.ts'
import { BATCHES_PATH, TEMPLATES_PATH } from '../../../core/page-paths.ts'
import { errorAt, errorsOfRefusal, Refusal } from '../../../core/refusal.ts'
import { type Batch, MAX_BATCH_ROWS } from '../../../core/template/batch.ts'
import { checkTemplate, requireUsable } from '../../../core/template/template.ts'
import { placeholdersIn, placeholdersOf, showPlaceholders } from '../../../core/template/template-texts.ts'
import { cleanLine } from '../../../core/text.ts'
import { violation } from '../../../core/violation.ts'
import type { ShownError } from '../../../locales/app.ts'
import { loadTemplate } from '../../../templates/edit.ts'
import { ERROR_CODES } from '../../error-codes.ts'
import { csvResponse } from '../../file-response.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { idIn } from '../../frame/query.ts'
import { actorOf, idOf, originOf } from '../documents/sender-visit.ts'

const PAGE_SIZE = 20
const MAX_NAME_LENGTH = 200

const templateOf = (visit: Visit) => loadTemplate(visit.app.db, actorOf(visit), idOf(visit), 'use')

export async function page(visit: Visit, errors: ShownError[] = [], status = 200): Promise<PageResponse> {
  const { texts, language, app } = visit
  const template = await templateOf(visit)
  const { upload } = texts.batches
  // Its page says what is missing.
  if (checkTemplate(template, app.now()).blocking.length > 0) return { redirect: `${TEMPLATES_PATH}/${template.id}` }
  const isAlone = template.recipients.length === 1
  const batches = await batchesOf(visit, template.id, PAGE_SIZE)
  return {
    html: (
      <BulkPage
        context={visit.context(upload.title(showPlaceholders(template.title)), { errors })}
        template={{ id: template.id, title: showPlaceholders(template.title) }}
        columns={columnsOf(template).map(column => ({
          title: columnTitle(column, language, isAlone),
          isRequired: column.isRequired,
        }))}
        titleColumn={columnTitle(TITLE, language, isAlone)}
        placeholders={placeholdersFor(template)}
        maxRows={MAX_BATCH_ROWS}
        maxBytes={MAX_CSV_BYTES}
        notice={visit.noticeIn({ discarded: texts.batches.notices.discarded })}
        {...batches}
      />
    ),
    status,
  }
}

/** Of a role and of a field, for a title that is the same for all. */
function placeholdersFor(template: Document): string[] {
  if (placeholdersIn(template.title).length > 0) return []
  const named = placeholdersOf(template).filter(text => !text.endsWith('.email}}'))
  return [...new Set([...named.slice(0, 1), ...named.slice(-1)])]
}

/** Those that the visitor may see, newest first. */
async function batchesOf(visit: Visit, templateId: string, limit: number): Promise<{ list: Batch[]; older: string | undefined }> {
  const after = idIn(visit.query, 'before', 'bat')
  const filter = { ...visibleTo(actorOf(visit)), templateId }
  // One more than is shown tells whether there are older ones.
  const found = await listBatches(visit.app.db, filter, { limit: limit + 1, after })
  const list = found.slice(0, limit)
  const older = found.length > limit ? `${TEMPLATES_PATH}/${templateId}/bulk?before=${list.at(-1)?.id}` : undefined
  return { list, older }
}

export async function getList(visit: Visit): Promise<PageResponse> {
  const template = await templateOf(visit)
  async function* chunks() {
    yield templateFile(template, visit.language)
  }
  return { response: csvResponse(`${visit.texts.batches.upload.fileName}.csv`, chunks()) }
}

/** The name of the file, as it is shown. */
function fileNameOf(name: string): string {
  return [...cleanLine(name.replace(/[\r\n\0]/g, ' '))].slice(0, MAX_NAME_LENGTH).join('') || 'list.csv'
}

export async function upload(visit: Visit): Promise<PageResponse> {
  const { app, file } = visit
  const template = await templateOf(visit)
  requireUsable(template, app.now())
  if (!file) throw new Refusal('validation_failed', violation('list_not_chosen'))
  const source = file.bytes
  const draft = {
    title: fileNameOf(file.name),
    source,
    reading: choicesAsJson(NO_CHOICES),
    total: rowCount({ template, source }, NO_CHOICES),
  }
  const batch = await createDraftBatch(app, template.id, draft, originOf(visit))
  return { redirect: `${BATCHES_PATH}/${batch.id}` }
}

/** Nothing was stored. The page says why, and takes another file. */
export async function refused(visit: Visit, refusal: Refusal): Promise<PageResponse> {
  const { reason } = refusal
  if (reason === 'not_found') throw refusal
  const [about] = reason === 'payload_too_large' ? [errorAt('file', TOO_LARGE)] : errorsOfRefusal(refusal, 'file')
  return page(visit, about ? [{ ...about, path: 'file' }] : [], ERROR_CODES[reason].status)
}
