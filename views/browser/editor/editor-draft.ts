/** The draft as the server sends and receives it. Pure. */
import type { Change, EditorField, Fields, Person } from './editor-model.ts'
import { changedMembers } from './editor-model.ts'

type Nullable<T> = { [K in keyof T]: T[K] | null }

/** A field of the API: members without a value are null or missing. */
export type ApiField = Partial<Nullable<Omit<EditorField, 'id' | 'recipientId' | 'type'>>> & Pick<EditorField, 'id' | 'type'>

export interface ApiDraft {
  version: number
  document: {
    status: string
    title: string
    recipients: (Person & { fields: ApiField[] })[]
  }
}

export interface Draft {
  version: number
  isDraft: boolean
  title: string
  people: Person[]
  fields: Fields
}

export function readDraft({ version, document }: ApiDraft): Draft {
  const fields = document.recipients.flatMap(recipient => recipient.fields.map(field => readField(field, recipient.id)))
  return {
    version,
    isDraft: document.status === 'draft',
    title: document.title,
    people: document.recipients.map(({ id, name, email, role }) => ({ id, name, email, role })),
    fields: new Map(fields.map(field => [field.id, field])),
  }
}

function readField(field: ApiField, recipientId: string): EditorField {
  const { id, type, page, x, y, width, height } = field
  return {
    id,
    recipientId,
    type,
    page: page ?? 1,
    x: x ?? 0,
    y: y ?? 0,
    width: width ?? 0,
    height: height ?? 0,
    required: field.required ?? true,
    readOnly: field.readOnly ?? false,
    label: field.label ?? undefined,
    placeholder: field.placeholder ?? undefined,
    value: field.value ?? undefined,
    options: field.options ?? [],
    maxLength: field.maxLength ?? undefined,
    fontSize: field.fontSize ?? undefined,
    dateFormat: field.dateFormat ?? undefined,
    align: field.align ?? undefined,
  }
}

/** What the server reads as one change: `null` clears a member. */
export type FieldEdit = Record<string, unknown> & { id: string }

export function fieldEdits(changes: readonly Change[]): FieldEdit[] {
  return changes.flatMap(({ id, before, after }): FieldEdit[] => {
    if (!after) return before ? [{ id, remove: true }] : []
    if (!before) return [newEdit(after)]
    const members = changedMembers(before, after).map(member => [member, cleared(member, after)] as const)
    return [{ id, ...Object.fromEntries(members) }]
  })
}

/** No options are no member: only a dropdown has them. */
function cleared(member: keyof EditorField, field: EditorField): unknown {
  if (member === 'options' && field.options.length === 0) return null
  return field[member] ?? null
}

function newEdit(field: EditorField): FieldEdit {
  const members = Object.entries(field).filter(([member, value]) => {
    if (member === 'proposal') return false
    if (member === 'options') return field.options.length > 0
    return value !== undefined
  })
  return { ...Object.fromEntries(members), id: field.id }
}

/** The proposals that new fields were made from, by field id. */
export function proposalsOf(changes: readonly Change[]): Record<string, number> {
  return Object.fromEntries(
    changes.flatMap(({ id, before, after }) => (!before && after?.proposal !== undefined ? [[id, after.proposal]] : [])),
  )
}
