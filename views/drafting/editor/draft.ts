/** The draft as the server sends and receives it. Pure. */
import { hasMember, MAX_ATTACHMENT_BYTES, MEDIA_TYPES } from '../../../src/core/field/field.ts'
import { type PageArea, PLACE } from '../../../src/core/field/geometry.ts'
import { SENDER } from '../../../src/core/field/visibility.ts'
import type { SigningOrder } from '../../../src/core/signing/routing.ts'
import { areaOf, withAreas } from './boxes.ts'
import { BLANK, type Change, changedMembers, type EditorField, type Fields, MEMBERS, type Member, type Person } from './model.ts'

type Nullable<T> = { [K in keyof T]: T[K] | null }

/** A choice that has its own box. */
type ApiChoice = PageArea & { value: string }

/** A field of the API: members without a value are null or missing. */
export type ApiField = Partial<Nullable<Omit<EditorField, 'id' | 'recipientId' | 'type' | 'options' | 'boxes' | 'rule'>>> &
  Pick<EditorField, 'id' | 'type'> & { options?: readonly (string | ApiChoice)[] | null; rule?: boolean | null }

export interface ApiDraft {
  version: number
  document: {
    status: string
    title: string
    signingOrder: SigningOrder
    recipients: (Person & { fields: ApiField[] })[]
    senderFields: ApiField[]
  }
}

export interface Draft {
  version: number
  isDraft: boolean
  title: string
  signingOrder: SigningOrder
  /** The sender is the last one. */
  people: Person[]
  fields: Fields
}

export function readDraft({ version, document }: ApiDraft): Draft {
  const { recipients, senderFields, signingOrder, status, title } = document
  const people = recipients.map(({ id, name, email, role, order }) => ({ id, name, email, role, order: order ?? 1 }))
  const fields = [
    ...recipients.flatMap(recipient => recipient.fields.map(field => readField(field, recipient.id))),
    ...senderFields.map(field => readField(field, SENDER)),
  ]
  return {
    version,
    isDraft: status === 'draft' || status === 'template',
    title,
    signingOrder,
    people: [...people, { id: SENDER, name: '', email: '', role: SENDER }],
    fields: new Map(fields.map(field => [field.id, field])),
  }
}

/** The API says what applies where nothing is said. */
function defaultsOf({ accept, maxBytes, rule }: ApiField): Pick<EditorField, 'accept' | 'maxBytes' | 'rule'> {
  return {
    rule: rule ? true : undefined,
    accept: accept?.length === MEDIA_TYPES.length ? [] : (accept ?? []),
    maxBytes: maxBytes === MAX_ATTACHMENT_BYTES ? undefined : (maxBytes ?? undefined),
  }
}

function readField(field: ApiField, recipientId: string): EditorField {
  const { id, type } = field
  const options = field.options ?? []
  const boxes = options.flatMap(option => (typeof option === 'string' ? [] : [areaOf(option)]))
  const given = MEMBERS.flatMap(member => {
    const value = member === 'boxes' ? null : field[member as keyof ApiField]
    return value === null || value === undefined ? [] : [[member, value]]
  })
  const values = options.map(option => (typeof option === 'string' ? option : option.value))
  const read = {
    ...BLANK,
    ...Object.fromEntries(given),
    ...defaultsOf(field),
    id,
    type,
    recipientId,
    options: values,
    boxes,
  }
  return boxes.length === 0 ? read : withAreas(read, boxes)
}

/** What the server reads as one change: `null` clears a member. */
export type FieldEdit = Record<string, unknown> & { id: string }

export function fieldEdits(changes: readonly Change[]): FieldEdit[] {
  return changes.flatMap(({ id, before, after }): FieldEdit[] => {
    if (!after) return before ? [{ id, remove: true }] : []
    if (!before) return [newEdit(after)]
    return [{ id, ...membersOf(after, changedMembers(before, after)) }]
  })
}

/** Members that the API does not have, or not for a field whose choices have boxes. */
const WITHIN_OPTIONS: ReadonlySet<Member> = new Set([...PLACE, 'boxes'])

function membersOf(field: EditorField, members: readonly Member[]): Record<string, unknown> {
  if (field.boxes.length === 0) {
    const own = members.filter(member => member !== 'boxes')
    return Object.fromEntries(own.map(member => [member, cleared(member, field)]))
  }
  const own = members.filter(member => !WITHIN_OPTIONS.has(member) && member !== 'options')
  const edit = Object.fromEntries(own.map(member => [member, cleared(member, field)]))
  return own.length === members.length ? edit : { ...edit, options: choicesOf(field) }
}

function choicesOf({ options, boxes }: EditorField): ApiChoice[] {
  return boxes.map((box, i) => ({ value: options[i] ?? '', ...box }))
}

function cleared(member: Member, field: EditorField): unknown {
  // No media types are no member; no options yet are an empty list.
  if (member === 'accept' && field.accept.length === 0) return null
  if (member === 'options' && !hasMember(field.type, 'options')) return null
  return field[member] ?? null
}

function newEdit(field: EditorField): FieldEdit {
  const members = Object.entries(membersOf(field, MEMBERS)).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(members), id: field.id }
}

/** The proposals that new fields were made from, by field id. */
export function proposalsOf(changes: readonly Change[]): Record<string, number> {
  return Object.fromEntries(
    changes.flatMap(({ id, before, after }) => (!before && after?.proposal !== undefined ? [[id, after.proposal]] : [])),
  )
}
