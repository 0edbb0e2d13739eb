/** Fields of a draft as the editor holds them, their sizes and their boxes in points. Pure. */
import { type FieldType, isMark } from '../../../src/core/field.ts'
import type { PercentBox } from '../../../src/core/geometry.ts'
import { maySign, mustAct, type Role } from '../../../src/core/routing.ts'

export type Align = 'left' | 'center' | 'right'

/** Never mutated: a change replaces the value. Members without a value are `undefined`. */
export interface EditorField extends Readonly<PercentBox> {
  readonly id: string
  readonly recipientId: string
  readonly type: FieldType
  readonly page: number
  readonly required: boolean
  readonly readOnly: boolean
  readonly label: string | undefined
  readonly placeholder: string | undefined
  readonly value: string | undefined
  readonly options: readonly string[]
  readonly maxLength: number | undefined
  readonly fontSize: number | undefined
  readonly dateFormat: string | undefined
  readonly align: Align | undefined
  /** Of a new field: the proposal it was made from, whose tag it covers. */
  readonly proposal?: number
}

export interface Person {
  readonly id: string
  /** May be empty in a draft. */
  readonly name: string
  readonly email: string
  readonly role: Role
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

export const MAX_FIELDS = 1000
/** Boxes closer than this are the same place, pt. */
export const SAME_PLACE_PT = 1

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

export function boxOf(state: EditorState, field: EditorField): Box {
  return toPoints(field, pageSizeOf(state, field.page))
}

export function isSamePlace(a: Box, b: Box): boolean {
  return (['x', 'y', 'width', 'height'] as const).every(member => Math.abs(a[member] - b[member]) <= SAME_PLACE_PT)
}

/** From top to bottom, page by page. Fields on one line are read from left to right. */
export function inReadingOrder(fields: Iterable<EditorField>): EditorField[] {
  const middle = (field: EditorField) => field.y + field.height / 2
  const sorted = [...fields].sort((a, b) => a.page - b.page || middle(a) - middle(b) || a.x - b.x)
  const lines: EditorField[][] = []
  for (const field of sorted) {
    const first = lines.at(-1)?.[0]
    // On the line of `first` if its middle is within the height of that field.
    const isOnLine = first && first.page === field.page && middle(field) <= first.y + first.height
    if (isOnLine) lines.at(-1)?.push(field)
    else lines.push([field])
  }
  return lines.flatMap(line => line.sort((a, b) => a.x - b.x || (a.id < b.id ? -1 : 1)))
}

/** Whether this person may have a field of this type. */
export function mayHave(person: Person, type: FieldType): boolean {
  return mustAct(person) && (!isMark(type) || maySign(person.role))
}

/** Those who must act and may sign but have no signature field. */
export function signersWithoutSignature(fields: Fields, people: readonly Person[]): Person[] {
  const having = new Set([...fields.values()].filter(({ type }) => type === 'signature').map(field => field.recipientId))
  return people.filter(person => mayHave(person, 'signature') && !having.has(person.id))
}

const MEMBERS = [
  'recipientId',
  'type',
  'page',
  'x',
  'y',
  'width',
  'height',
  'required',
  'readOnly',
  'label',
  'placeholder',
  'value',
  'options',
  'maxLength',
  'fontSize',
  'dateFormat',
  'align',
] as const satisfies (keyof EditorField)[]

export type Member = (typeof MEMBERS)[number]

/** The members in which two values of a field differ. */
export function changedMembers(a: EditorField, b: EditorField): Member[] {
  return MEMBERS.filter(member => {
    if (member === 'options') return a.options.length !== b.options.length || a.options.some((o, i) => o !== b.options[i])
    return a[member] !== b[member]
  })
}

export function isSameField(a: EditorField | undefined, b: EditorField | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a === b || changedMembers(a, b).length === 0
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
