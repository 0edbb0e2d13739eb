/**
 * Fields of a draft as the editor holds them, their sizes and boxes in points, and its people.
 * Pure.
 */
import { FIELD_MEMBERS, type FieldType, isDate, isForSender, isMark } from '../../../src/core/field/field.ts'
import type { PageArea, PercentBox } from '../../../src/core/field/geometry.ts'
import { SENDER } from '../../../src/core/field/visibility.ts'
import { blankOf, namesOf, type Values } from '../../../src/core/members.ts'
import { maySign, mustAct, type Role } from '../../../src/core/signing/routing.ts'
import { initialsOf, personClass } from '../../parts/initials.ts'
import { format } from '../../signing/browser/data.ts'
import type { FieldBox } from './boxes.ts'
import type { EditorTexts } from './data.ts'
import type { EditorSession } from './session.ts'

/** Of the members of a field, those that the editor has. */
const { file: _file, covers: _covers, ...EDITED } = FIELD_MEMBERS

type Held<T> = { readonly [M in keyof T]: T[M] extends (infer Item)[] ? readonly Item[] : T[M] }

/** Never mutated: a change replaces the value. Members without a value are `undefined`. */
export interface EditorField extends Held<Omit<Values<typeof EDITED>, 'rule'>> {
  readonly id: string
  readonly recipientId: string
  readonly type: FieldType
  /** Under a mark. Undefined: none. */
  readonly rule: true | undefined
  /** Of a new field: the proposal it was made from, whose tag it covers. */
  readonly proposal?: number
}

export interface Person {
  readonly id: string
  /** May be empty in a draft. */
  readonly name: string
  readonly email: string
  /** The sender is no recipient: their fields are filled in before sending. */
  readonly role: Role | typeof SENDER
  /** Of a recipient. */
  readonly order?: number
}

/** Points, as displayed: after /CropBox, /Rotate and /UserUnit. */
export type PageSize = readonly [width: number, height: number]

/** Points from the upper left corner of the displayed page. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type Fields = ReadonlyMap<string, EditorField>

export interface EditorState {
  readonly fields: Fields
  readonly pages: readonly PageSize[]
}

/** One field before and after a change; `undefined` where it does not exist. */
export interface Change {
  readonly id: string
  readonly before: EditorField | undefined
  readonly after: EditorField | undefined
}

/** Boxes closer than this are the same place, pt. */
const SAME_PLACE_PT = 1

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), Math.max(min, max))

/** The box moved into the page; shrunk if it is larger than the page. */
export function boxInPage(box: Box, [pageWidth, pageHeight]: PageSize): Box {
  const width = Math.min(box.width, pageWidth)
  const height = Math.min(box.height, pageHeight)
  return { x: clamp(box.x, 0, pageWidth - width), y: clamp(box.y, 0, pageHeight - height), width, height }
}

/** Percent with so many decimals: less than 0.01 pt on the largest pages. */
const DECIMALS = 10_000
const rounded = (percent: number) => Math.round(percent * DECIMALS) / DECIMALS
const roundedDown = (percent: number) => Math.floor(percent * DECIMALS + 1e-6) / DECIMALS

export function toPercent(box: Box, page: PageSize): PercentBox {
  const inside = boxInPage(box, page)
  const x = rounded((inside.x / page[0]) * 100)
  const y = rounded((inside.y / page[1]) * 100)
  const width = Math.min(rounded((inside.width / page[0]) * 100), roundedDown(100 - x))
  const height = Math.min(rounded((inside.height / page[1]) * 100), roundedDown(100 - y))
  return { x, y, width, height }
}

export function toPoints({ x, y, width, height }: Readonly<PercentBox>, [pageWidth, pageHeight]: PageSize): Box {
  return {
    x: (x / 100) * pageWidth,
    y: (y / 100) * pageHeight,
    width: (width / 100) * pageWidth,
    height: (height / 100) * pageHeight,
  }
}

export function pageSizeOf(state: EditorState, page: number): PageSize {
  const size = state.pages[page - 1]
  if (!size) throw new RangeError(`there is no page ${page}`)
  return size
}

export function boxOf(state: EditorState, placed: Readonly<PageArea>): Box {
  return toPoints(placed, pageSizeOf(state, placed.page))
}

export function isSamePlace(a: Box, b: Box): boolean {
  return (['x', 'y', 'width', 'height'] as const).every(member => Math.abs(a[member] - b[member]) <= SAME_PLACE_PT)
}

/** Whether this person may have a field of this type. */
export function mayHave(person: Person, type: FieldType): boolean {
  const { role } = person
  if (role === 'sender') return isForSender(type)
  return mustAct({ role }) && (!isMark(type) || maySign(role))
}

/** Those who must act and may sign but have no signature field. */
export function signersWithoutSignature(fields: Fields, people: readonly Person[]): Person[] {
  const having = new Set([...fields.values()].filter(({ type }) => type === 'signature').map(field => field.recipientId))
  return people.filter(person => mayHave(person, 'signature') && !having.has(person.id))
}

/** What a field has besides its kind and person, before it is placed and edited. */
export const BLANK: Omit<EditorField, 'id' | 'recipientId' | 'type'> = { ...blankOf(EDITED), required: true, rule: undefined }

export const MEMBERS = ['recipientId', 'type', ...namesOf(EDITED)] as const

export type Member = (typeof MEMBERS)[number]

/** The members in which two values of a field differ. */
export function changedMembers(a: EditorField, b: EditorField): Member[] {
  return MEMBERS.filter(member => {
    const [before, after] = [a[member], b[member]]
    return before !== after && !(typeof before === 'object' && JSON.stringify(before) === JSON.stringify(after))
  })
}

export function isSameField(a: EditorField | undefined, b: EditorField | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a === b || changedMembers(a, b).length === 0
}

/** Leaves out fields that do not change. */
export function changesTo(state: EditorState, fields: readonly EditorField[]): Change[] {
  return fields
    .map(after => ({ id: after.id, before: state.fields.get(after.id), after }))
    .filter(({ before, after }) => !isSameField(before, after))
}

export function applyChanges(fields: Fields, changes: readonly Change[]): Fields {
  const next = new Map(fields)
  for (const { id, after } of changes) {
    if (after) next.set(id, after)
    else next.delete(id)
  }
  return next
}

export function inverted(changes: readonly Change[]): Change[] {
  return changes.map(({ id, before, after }) => ({ id, before: after, after: before })).reverse()
}

/** What turns `from` into `to`. */
export function difference(from: Fields, to: Fields): Change[] {
  const ids = new Set([...from.keys(), ...to.keys()])
  return [...ids]
    .map(id => ({ id, before: from.get(id), after: to.get(id) }))
    .filter(({ before, after }) => !isSameField(before, after))
}

// How fields and people are named in the editor.

export function personName(person: Person | undefined, texts: EditorTexts): string {
  if (person?.role === 'sender') return texts.sender
  return person?.name || person?.email || texts.unnamedPerson
}

/** A date of the sender's is any day, those of recipients are the day of signing. */
export function typeName(type: FieldType, ownerId: string | undefined, texts: EditorTexts): string {
  return isDate(type) && ownerId === SENDER ? texts.senderDate : texts.types[type]
}

/** "Signature, Anna Berg, required". */
export function fieldName(field: EditorField, person: Person | undefined, texts: EditorTexts): string {
  const type = typeName(field.type, field.recipientId, texts)
  const kind = field.label ? format(texts.labelled, { type, label: field.label }) : type
  return `${kind}, ${personName(person, texts)}, ${needName(field, texts)}`
}

function needName({ readOnly, required, showIf }: EditorField, texts: EditorTexts): string {
  const need = readOnly ? texts.readOnly : required ? texts.required : texts.optional
  return showIf ? `${need}, ${format(texts.conditional, { field: showIf.field, is: showIf.is })}` : need
}

/** "Choice 2 of 3, Payment, Anna Berg, required"; a field with one box by its own name. */
export function boxName({ field, index }: FieldBox, person: Person | undefined, texts: EditorTexts): string {
  if (field.boxes.length === 0) return fieldName(field, person, texts)
  const choice = format(texts.choiceOf, { n: index + 1, count: field.boxes.length })
  return `${choice}, ${field.label ?? texts.types[field.type]}, ${personName(person, texts)}, ${needName(field, texts)}`
}

const whole = (points: number) => Math.round(points)

/** "72 left, 640 top". */
export function placeName({ x, y }: Pick<Box, 'x' | 'y'>, texts: EditorTexts): string {
  return format(texts.said.place, { x: whole(x), y: whole(y) })
}

export function sizeName({ width, height }: Pick<Box, 'width' | 'height'>, texts: EditorTexts): string {
  return format(texts.said.size, { width: whole(width), height: whole(height) })
}

/** The values of a new field whose choices are boxes. */
export function firstChoices({ choice }: EditorTexts): string[] {
  return [1, 2].map(n => format(choice, { n }))
}

// Colours, initials and names of the people of a draft, the sender among them.

/** The fifth person and later have dashed borders: not everybody distinguishes all colours. */
const DASHED_FROM = 4

export function personClassOf(session: EditorSession, id: string): string {
  if (session.person(id)?.role === 'sender') return 'person-sender'
  const index = session.personIndex(id)
  return `${personClass(Math.max(0, index))}${index >= DASHED_FROM ? ' dashed' : ''}`
}

/** Of a person without a name the place among the recipients. */
export function signOf(session: EditorSession, person: Person, texts: EditorTexts): string {
  const name = person.role === 'sender' ? personName(person, texts) : person.name
  return initialsOf(name) || String(session.personIndex(person.id) + 1)
}
