/** The fields of a draft: the editor, and by forms a table of numbers. */
import { FieldsPage } from '../../../views/pages/fields.tsx'
import { FieldsTablePage } from '../../../views/pages/fields-table.tsx'
import type { Document } from '../../core/document.ts'
import type { FieldEdit } from '../../core/edit-fields.ts'
import { type FieldRow, fieldEdits, fieldRowsOf, newFieldEdit } from '../../core/field-rows.ts'
import type { ValidationError } from '../../core/refusal.ts'
import { mustAct } from '../../core/routing.ts'
import type { EditedDocument } from '../../documents/edit-draft.ts'
import type { SendingTexts } from '../../locales/en/app/sending.ts'
import { editorAssets } from '../assets.ts'
import { type PageResponse, signedInUser, type Visit } from '../page.tsx'
import { changesInWords, draftPages, draftPath, saveDraft } from './draft-access.ts'
import { idOf } from './sender-visit.ts'

const MAX_ROWS = 1_000

export interface FieldsState {
  title?: string | undefined
  rows?: FieldRow[]
  errors?: ValidationError[]
  changes?: string[] | undefined
  status?: number
  focus?: string | undefined
}

/** What the table shows, for the page that contains it. */
export function tableProps(visit: Visit, { document, version }: EditedDocument, state: FieldsState) {
  const context = visit.context(document.title)
  const t = context.texts.sending
  const { rows = fieldRowsOf(document), errors = [], changes, title = document.title, focus } = state
  return {
    context,
    csrf: visit.csrf,
    draft: { id: document.id, title, version },
    rows,
    people: document.recipients
      .filter(mustAct)
      .map(({ id, name, email }, i) => ({ id, name: name || email || t.people.someone(i + 1) })),
    pageCount: document.pageCount,
    errors,
    conflict: changes && { changes },
    focus: errors.length > 0 ? undefined : focus,
  }
}

async function show(visit: Visit, draft: EditedDocument, state: FieldsState): Promise<PageResponse> {
  return {
    html: <FieldsTablePage user={signedInUser(visit, '/documents')} {...tableProps(visit, draft, state)} />,
    status: state.status ?? 200,
  }
}

const AS_TABLE = 'as=table'

async function get(visit: Visit, draft: EditedDocument): Promise<PageResponse> {
  const { searchParams } = visit.url
  const state = { focus: searchParams.get('focus') ?? undefined }
  if (searchParams.get('as') === 'table') return show(visit, draft, state)
  const user = signedInUser(visit, '/documents')
  const html = <FieldsPage user={user} script={editorAssets()} {...tableProps(visit, draft, state)} />
  return { isScripted: true, html }
}

function typedIn({ form }: Visit): FieldRow[] {
  const rows: FieldRow[] = []
  for (let i = 0; i < MAX_ROWS && form[`fields[${i}].id`] !== undefined; i++) {
    const text = (member: string) => form[`fields[${i}].${member}`] ?? ''
    const box = { page: text('page'), x: text('x'), y: text('y'), width: text('width'), height: text('height') }
    const words = { label: text('label'), options: text('options').replace(/\r/g, '') }
    rows.push({
      id: text('id'),
      type: text('type'),
      recipientId: text('recipientId'),
      ...box,
      ...words,
      required: text('required') === 'on',
    })
  }
  return rows
}

const OUTSIDE = /must not pass 100/

/** Actions report in English; the usual errors of this page have texts of their own. */
function inWords({ path, message }: ValidationError, t: SendingTexts['fields'], pageCount: number): ValidationError {
  const member = path.slice(path.lastIndexOf('.') + 1)
  if (message.includes('only reads')) return { path: `${path}.recipientId`, message: t.notForViewers }
  if (member === 'type') return { path, message: t.markForSigners }
  if (member === 'page') return { path, message: t.wholeNumber(pageCount) }
  if (member === 'options') return { path, message: t.choices }
  if (/^(x|y|width|height)$/.test(member)) return { path, message: OUTSIDE.test(message) ? t.outside : t.percent }
  return { path, message }
}

/** Errors name the edit; the page shows the row. */
function rowPath(path: string, rowOf: readonly number[]): string {
  return path.replace(/^fields\[(\d+)\]/, (_, i: string) => `fields[${rowOf[Number(i)] ?? i}]`)
}

async function post(visit: Visit, draft: EditedDocument): Promise<PageResponse> {
  const { form, app } = visit
  const { document } = draft
  const t = visit.context('').texts.sending.fields
  const [act = '', id = ''] = (form.do ?? '').split(':')
  const rows = typedIn(visit)
  const kept = act === 'remove' ? rows.filter(row => row.id !== id) : rows
  const { edits, rowOf, errors: unread } = fieldEdits(kept, document)
  const say = (error: ValidationError) => inWords({ ...error, path: rowPath(error.path, rowOf) }, t, document.pageCount)
  const state: FieldsState = { title: form.title, rows: kept }
  if (unread.length > 0)
    return show(visit, draft, { ...state, errors: unread.map(e => inWords(e, t, document.pageCount)), status: 422 })
  const { added, fields } = allEdits(document, edits, act, id, () => app.newId('fld'))
  const result = await saveDraft(visit, { ...(form.title === undefined ? {} : { title: form.title }), fields })
  if ('errors' in result) return show(visit, draft, { ...state, errors: result.errors.map(say), status: result.status })
  if ('changes' in result) {
    const changes = await changesInWords(visit, document, result.changes)
    return show(visit, { ...draft, version: result.version }, { ...state, changes, status: 412 })
  }
  if (act === 'continue') return { redirect: draftPath(idOf(visit), 'review') }
  return { redirect: `${draftPath(idOf(visit), 'fields')}?${AS_TABLE}${added === undefined ? '' : `&focus=${added}`}` }
}

/** The typed edits, and the one of the pressed button. */
function allEdits(document: Document, edits: FieldEdit[], act: string, id: string, newId: () => string) {
  if (act === 'remove') return { fields: [...edits, { id, remove: true as const }], added: undefined }
  const added = act === 'add' ? newFieldEdit(document, newId()) : undefined
  return { fields: added ? [...edits, added] : edits, added: added?.id }
}

export const draftFieldsPages = draftPages('fields', get, post)
