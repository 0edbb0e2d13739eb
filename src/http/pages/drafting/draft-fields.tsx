/** The fields of a draft: the editor, and by forms a table of numbers. */
import { FieldsPage } from '../../../../views/drafting/fields.tsx'
import { FieldsTablePage } from '../../../../views/drafting/fields-table.tsx'
import type { Document } from '../../../core/document/document.ts'
import { MAX_FIELDS } from '../../../core/document/document-limits.ts'
import type { FieldEdit } from '../../../core/draft/edit-fields.ts'
import { fieldEdits } from '../../../core/draft/field-row-edits.ts'
import { type ChoiceRow, type FieldRow, fieldRowsOf, newFieldEdit, type PlaceRow } from '../../../core/draft/field-rows.ts'
import { MAX_OPTIONS, MEDIA_TYPES } from '../../../core/field/field.ts'
import { SENDER } from '../../../core/field/visibility.ts'
import { mustAct } from '../../../core/signing/routing.ts'
import type { ViolationCode } from '../../../core/violation.ts'
import type { EditedDocument } from '../../../documents/draft/edit-draft.ts'
import { dateLanguageOf } from '../../../documents/signing/marks.ts'
import type { AppTexts, ShownError } from '../../../locales/app.ts'
import { editorAssets } from '../../assets.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { changesInWords, draftPath, lastStep, saveDraft } from './draft-access.ts'
import { contextOf, headOf } from './draft-kind.ts'

export interface FieldsState {
  title?: string | undefined
  rows?: FieldRow[]
  errors?: ShownError[]
  changes?: string[] | undefined
  status?: number
  focus?: string | undefined
}

/** What the table shows, for the page that contains it. */
function tableProps(visit: Visit, { document, version }: EditedDocument, state: FieldsState) {
  const { rows = fieldRowsOf(document), errors = [], changes, title, focus } = state
  const context = contextOf(visit, document, document.title, { errors })
  const t = context.texts.sending
  return {
    context,
    draft: headOf({ document, version }, title),
    rows,
    people: document.recipients
      .filter(mustAct)
      .map(({ id, name, email }, i) => ({ id, name: name || email || t.people.someone(i + 1) })),
    sender: { id: SENDER, name: t.fields.sender },
    pageCount: document.pageCount,
    conflict: changes && { changes },
    focus: errors.length > 0 ? undefined : focus,
  }
}

async function show(visit: Visit, draft: EditedDocument, state: FieldsState): Promise<PageResponse> {
  return {
    html: <FieldsTablePage {...tableProps(visit, draft, state)} />,
    status: state.status ?? 200,
  }
}

const AS_TABLE = 'as=table'

export async function get(visit: Visit, draft: EditedDocument): Promise<PageResponse> {
  const state = { focus: visit.query.focus }
  if (visit.query.as === 'table') return show(visit, draft, state)
  const dates = await dateLanguageOf(visit.app.db, draft.document)
  const html = <FieldsPage dates={dates} script={editorAssets()} {...tableProps(visit, draft, state)} />
  return { isScripted: true, html }
}

function typedIn({ form }: Visit): FieldRow[] {
  const rows: FieldRow[] = []
  for (let i = 0; i < MAX_FIELDS && form[`fields[${i}].id`] !== undefined; i++) rows.push(rowIn(form, `fields[${i}]`))
  return rows
}

type Form = Visit['form']

function rowIn(form: Form, path: string): FieldRow {
  const text = (member: string) => (form[`${path}.${member}`] ?? '').replace(/\r/g, '')
  const isTicked = (member: string) => form[`${path}.${member}`] === 'on'
  return {
    id: text('id'),
    type: text('type'),
    recipientId: text('recipientId'),
    ...placeIn(form, path),
    label: text('label'),
    options: text('options'),
    required: isTicked('required'),
    name: text('name'),
    showIfField: text('showIfField'),
    showIfIs: text('showIfIs'),
    value: text('value'),
    readOnly: isTicked('readOnly'),
    rule: isTicked('rule'),
    maxLength: text('maxLength'),
    min: text('min'),
    max: text('max'),
    accept: MEDIA_TYPES.filter(type => isTicked(`accept.${type}`)),
    maxMegabytes: text('maxMegabytes'),
    choices: choicesIn(form, path),
  }
}

function placeIn(form: Form, path: string): PlaceRow {
  const text = (member: string) => form[`${path}.${member}`] ?? ''
  return { page: text('page'), x: text('x'), y: text('y'), width: text('width'), height: text('height') }
}

function choicesIn(form: Form, path: string): ChoiceRow[] {
  const choices: ChoiceRow[] = []
  for (let k = 0; k <= MAX_OPTIONS && form[`${path}.choices[${k}].value`] !== undefined; k++) {
    const value = form[`${path}.choices[${k}].value`] ?? ''
    choices.push({ value, ...placeIn(form, `${path}.choices[${k}]`) })
  }
  return choices
}

/** The usual errors of this page have texts of their own. */
function inWords(error: ShownError, texts: AppTexts, pageCount: number): ShownError {
  const { path, code } = error
  const t = texts.sending.fields
  const member = path.slice(path.lastIndexOf('.') + 1)
  if (code === 'field_of_viewer') return { path: `${path}.recipientId`, message: t.notForViewers }
  if (member === 'page') return { path, message: t.wholeNumber(pageCount) }
  const own: Partial<Record<ViolationCode, string>> = {
    mark_of_approver: t.markForSigners,
    choices_missing: t.choices,
    beyond_right_edge: t.outside,
    beyond_bottom_edge: t.outside,
    x_below_zero: t.percent,
    y_below_zero: t.percent,
    width_not_positive: t.percent,
    height_not_positive: t.percent,
    not_readable: t.unread[member] ?? t.percent,
  }
  const message = code && own[code]
  return message === undefined ? error : { path, message }
}

export async function post(visit: Visit, draft: EditedDocument): Promise<PageResponse> {
  const { form, app } = visit
  const { document } = draft
  const { texts } = contextOf(visit, document, '')
  const [act = '', id = ''] = (form.do ?? '').split(':')
  const rows = typedIn(visit)
  const kept = act === 'remove' ? rows.filter(row => row.id !== id) : rows
  const { edits, rowPath, errors: unread } = fieldEdits(kept, document)
  const say = (error: ShownError) => inWords({ ...error, path: rowPath(error.path) }, texts, document.pageCount)
  const state: FieldsState = { title: form.title, rows: kept }
  if (unread.length > 0)
    return show(visit, draft, { ...state, errors: unread.map(e => inWords(e, texts, document.pageCount)), status: 422 })
  const { added, fields } = allEdits(document, edits, act, id, () => app.newId('fld'))
  const result = await saveDraft(visit, draft, { ...(form.title === undefined ? {} : { title: form.title }), fields })
  if ('errors' in result) return show(visit, draft, { ...state, errors: result.errors.map(say), status: result.status })
  if ('changes' in result) {
    const changes = changesInWords(visit, document, result.changes)
    return show(visit, { ...draft, version: result.version }, { ...state, changes, status: 412 })
  }
  if (act === 'continue') return { redirect: draftPath(document, lastStep(document)) }
  return { redirect: `${draftPath(document, 'fields')}?${AS_TABLE}${added === undefined ? '' : `&focus=${added}`}` }
}

/** The typed edits, and the one of the pressed button. */
function allEdits(document: Document, edits: FieldEdit[], act: string, id: string, newId: () => string) {
  if (act === 'remove') return { fields: [...edits, { id, remove: true as const }], added: undefined }
  const added = act === 'add' ? newFieldEdit(document, newId()) : undefined
  return { fields: added ? [...edits, added] : edits, added: added?.id }
}
