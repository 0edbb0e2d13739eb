/** The list of a draft batch: how it is read, its errors, and sending it. */
import { BatchDraftPage } from '../../../../views/batches/batch-draft.tsx'
import {
  type BatchDraft,
  deleteDraftBatch,
  loadBatch,
  loadDraftBatch,
  maySee,
  readingHash,
  requireReading,
  SentBeforeError,
  saveDraftReading,
  startDraftBatch,
} from '../../../batches/batches.ts'
import {
  choicesAsJson,
  choicesFromJson,
  type ListChoices,
  type ReadList,
  readList,
  readTable,
  rowCount,
} from '../../../batches/read-list.ts'
import { ERROR_TITLES, IGNORED } from '../../../core/csv/columns.ts'
import { DATE_ORDERS } from '../../../core/csv/dates.ts'
import { DELIMITERS, ENCODINGS } from '../../../core/csv/read.ts'
import { BYTE_ORDER_MARK, csvRow } from '../../../core/csv/write.ts'
import { DECIMAL_SEPARATORS } from '../../../core/field/number.ts'
import { BATCHES_PATH, TEMPLATES_PATH } from '../../../core/page-paths.ts'
import { errorsOfRefusal, Refusal } from '../../../core/refusal.ts'
import { showPlaceholders } from '../../../core/template/template-texts.ts'
import { pageTime } from '../../../lib/clock-format.ts'
import { errorText, type ShownError } from '../../../locales/app.ts'
import { csvResponse } from '../../file-response.ts'
import type { PageResponse, PageRoute, Visit } from '../../frame/page.tsx'
import { actorOf, idOf, originOf } from '../documents/sender-visit.ts'
import { errorRows, listInWords } from './batch-words.ts'

interface Shown {
  choices?: ListChoices
  errors?: ShownError[]
  status?: number
  sentBefore?: SentBeforeError
  /** The rows are others than those that the form was about. */
  isChanged?: boolean
}

const choicesOf = ({ reading }: BatchDraft) => choicesFromJson(reading)

const draftOf = (visit: Visit) => loadDraftBatch(visit.app.db, actorOf(visit), idOf(visit))

export async function draftPage(visit: Visit, draft: BatchDraft, shown: Shown = {}): Promise<PageResponse> {
  const { choices = choicesOf(draft), errors = [], status = 200, isChanged } = shown
  const { texts } = visit
  return {
    html: (
      <BatchDraftPage
        context={visit.context(texts.batches.draft.title, { errors })}
        batch={draft.batch}
        templateTitle={showPlaceholders(draft.template.title)}
        list={await shownList(visit, draft, choices)}
        sentBefore={await sentBefore(visit, shown.sentBefore)}
        reading={readingHash(draft.reading)}
        ticked={isChanged ? [] : Object.keys(visit.form).filter(name => visit.form[name] === 'on')}
        notice={visit.noticeIn({ applied: texts.batches.notices.applied })}
      />
    ),
    status,
  }
}

async function shownList(visit: Visit, draft: BatchDraft, choices: ListChoices) {
  const { app, texts, language } = visit
  try {
    const read = await readList(app, draft, choices)
    return listInWords(read, { template: draft.template, choices, texts, language })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { encoding, delimiter } = choices
    const [about] = errorsOfRefusal(error, 'file')
    return { unreadable: about ? errorText(texts, about) : '', encoding, delimiter }
  }
}

async function sentBefore(visit: Visit, error: SentBeforeError | undefined) {
  if (error === undefined) return undefined
  const { batch, by } = error
  const when = pageTime(batch.startedAt ?? batch.createdAt, visit.clock)
  const isSeen = maySee(actorOf(visit), batch)
  const { failed, stopped } = batch.counts
  return { id: isSeen ? batch.id : undefined, when, who: by, unsent: isSeen && batch.isKept ? failed + stopped : 0 }
}

/** With another encoding or delimiter the columns are others, so their choices are made anew. */
export async function postReading(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const draft = await draftOf(visit)
  const encoding = ENCODINGS.find(each => each === form.encoding)
  const delimiter = DELIMITERS.find(each => each === form.delimiter)
  const file = { ...(encoding && { encoding }), ...(delimiter && { delimiter }) }
  const isSame = isReadAs(draft, file)
  const choices = isSame
    ? { ...file, columns: columnsIn(form), answers: answersIn(form, choicesOf(draft)) }
    : { ...file, columns: {}, answers: {} }
  const errors = twice(choices.columns, visit)
  if (errors.length > 0) return draftPage(visit, draft, { choices, errors, status: 422 })
  const reading = { reading: choicesAsJson(choices), total: countRows(draft, choices) }
  await saveDraftReading(app, draft.batch.id, reading, originOf(visit))
  return { redirect: `${BATCHES_PATH}/${draft.batch.id}?notice=applied` }
}

function isReadAs(draft: BatchDraft, { encoding, delimiter }: Pick<ListChoices, 'encoding' | 'delimiter'>): boolean {
  try {
    const { table } = readTable(draft, choicesOf(draft))
    return table.encoding === encoding && table.delimiter === delimiter
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function columnsIn(form: Visit['form']): Record<string, string> {
  const entries = Object.entries(form).flatMap(([name, value]) => {
    const [, index] = /^column\.(\d{1,3})$/.exec(name) ?? []
    return index === undefined || value === '' ? [] : [[index, value.slice(0, 100)] as const]
  })
  return Object.fromEntries(entries)
}

function answersIn(form: Visit['form'], { answers }: ListChoices): ListChoices['answers'] {
  const all = { ...answers }
  for (const [name, value] of Object.entries(form)) {
    const [, kind, key = ''] = /^(order|serial|decimal)\.([\w.]{1,100})$/.exec(name) ?? []
    const order = DATE_ORDERS.find(each => each === value)
    if (kind === 'order' && order) all[key] = { ...all[key], order }
    const decimalSeparator = DECIMAL_SEPARATORS.find(each => each === value)
    if (kind === 'decimal' && decimalSeparator) all[key] = { ...all[key], decimalSeparator }
    if (kind === 'serial') all[key] = { ...all[key], hasSerialNumbers: value === 'yes' }
  }
  return all
}

function twice(columns: Record<string, string>, { texts }: Visit): ShownError[] {
  const seen = new Set<string>()
  return Object.entries(columns).flatMap(([index, key]) => {
    const isRepeated = key !== IGNORED && seen.has(key)
    seen.add(key)
    return isRepeated ? [{ path: `column.${index}`, message: texts.batches.draft.twice }] : []
  })
}

/** None if the file cannot be read with these choices: its page says so. */
function countRows(draft: BatchDraft, choices: ListChoices): number {
  try {
    return rowCount(draft, choices)
  } catch (error) {
    if (error instanceof Refusal) return 0
    throw error
  }
}

/** Whether every column has its use and every question its answer. */
function isSettled({ missing, mapping, questions }: ReadList): boolean {
  return missing.length === 0 && questions.length === 0 && mapping.every(key => key !== undefined)
}

export async function postSend(visit: Visit): Promise<PageResponse> {
  const { app, form } = visit
  const draft = await draftOf(visit)
  try {
    requireReading(draft.reading, form.reading)
    const read = await readList(app, draft, choicesOf(draft))
    const errors = openQuestions(read, visit)
    if (errors.length > 0) return draftPage(visit, draft, { errors, status: 422 })
    const seen = readingHash(draft.reading)
    const input = { rows: read.uses, force: form.again === 'on', allowsRepeats: form.repeats === 'on', seen }
    const batch = await startDraftBatch(app, draft.batch.id, input, originOf(visit))
    return { redirect: `${BATCHES_PATH}/${batch.id}?notice=started` }
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'draft_changed') {
      return draftPage(visit, await draftOf(visit), { errors: errorsOfRefusal(error, 'main'), status: 409, isChanged: true })
    }
    if (!(error instanceof SentBeforeError)) throw error
    const asked = [{ path: 'again', message: visit.texts.batches.draft.againMissing }]
    return draftPage(visit, draft, { errors: asked, status: 409, sentBefore: error })
  }
}

function openQuestions(read: ReadList, { form, texts }: Visit): ShownError[] {
  const t = texts.batches.draft
  if (!isSettled(read)) return [{ path: 'columns', message: t.answerFirst }]
  if (read.uses.length === 0) return [{ path: 'columns', message: t.nothingGood }]
  return [
    ...(read.faulty.size > 0 && form.leaveOut !== 'on' ? [{ path: 'leaveOut', message: t.leaveOutMissing }] : []),
    ...(read.repeats.length > 0 && form.repeats !== 'on' ? [{ path: 'repeats', message: t.repeatsMissing }] : []),
  ]
}

export async function postDiscard(visit: Visit): Promise<PageResponse> {
  const { batch } = await draftOf(visit)
  await deleteDraftBatch(visit.app, batch.id, originOf(visit))
  return { redirect: `${TEMPLATES_PATH}/${batch.templateId}/bulk?notice=discarded` }
}

/** The rows with errors as they are in the file, and beside each what is wrong. */
export async function getErrors(visit: Visit): Promise<PageResponse> {
  const { texts, language } = visit
  const draft = await draftOf(visit)
  const read = await readList(visit.app, draft, choicesOf(draft))
  const t = texts.batches.draft
  const messages = Map.groupBy(errorRows(read, { texts }), ({ line }) => line)
  const about = (line: number) => {
    const found = messages.get(line) ?? []
    return t.inLine(line, found.map(({ column, message }) => `${column} ${message}`.trim()).join('; '))
  }
  async function* chunks() {
    const { header, rows, delimiter } = read.table
    yield BYTE_ORDER_MARK + csvRow([...header, ERROR_TITLES[language]], delimiter)
    for (const { line, cells } of rows)
      if (read.faulty.has(line)) yield csvRow([...header.map((_, i) => cells[i] ?? ''), about(line)], delimiter)
  }
  return { response: csvResponse(`${t.errorsFile}.csv`, chunks()) }
}

/** A form of a list that was sent meanwhile, as by pressing twice, leads to its batch. */
async function refused(visit: Visit, refusal: Refusal): Promise<PageResponse> {
  if (refusal.reason !== 'invalid_state') throw refusal
  const { id, state } = await loadBatch(visit.app.db, actorOf(visit), idOf(visit))
  if (state === 'draft') throw refusal
  return { redirect: `${BATCHES_PATH}/${id}` }
}

export const action = (path: string, run: (visit: Visit) => Promise<PageResponse>): PageRoute => ({
  method: 'POST',
  path: `${BATCHES_PATH}/:id/${path}`,
  access: 'sender',
  run,
  refused,
})
