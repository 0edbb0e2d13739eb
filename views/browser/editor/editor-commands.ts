/** Commands that change fields: each returns its changes, which can be inverted. Pure. */

import { type FieldType, hasOptions, isPrefillable } from '../../../src/core/field.ts'
import { minSize, usualSize } from '../../../src/core/field-size.ts'
import {
  type Box,
  boxInPage,
  boxOf,
  type Change,
  type EditorField,
  type EditorState,
  isSameField,
  isSamePlace,
  MAX_FIELDS,
  mayHave,
  type PageSize,
  type Person,
  pageSizeOf,
  toPercent,
} from './editor-model.ts'

export type Extent = Pick<Box, 'width' | 'height'>

/** Thrown before a command would pass the limit. */
export class TooManyFieldsError extends Error {
  constructor() {
    super(`a document has at most ${MAX_FIELDS} fields`)
  }
}

export function requireSpaceFor(state: EditorState, added: number): void {
  if (state.fields.size + added > MAX_FIELDS) throw new TooManyFieldsError()
}

export function fieldsOf(state: EditorState, ids: Iterable<string>): EditorField[] {
  return [...ids].flatMap(id => state.fields.get(id) ?? [])
}

/** Leaves out fields that do not change. */
export function changesTo(state: EditorState, fields: readonly EditorField[]): Change[] {
  return fields
    .map(after => ({ id: after.id, before: state.fields.get(after.id), after }))
    .filter(({ before, after }) => !isSameField(before, after))
}

/** The field with this box on its page or another one. The box is kept inside the page. */
export function withBox(state: EditorState, field: EditorField, box: Box, page = field.page): EditorField {
  return { ...field, page, ...toPercent(box, pageSizeOf(state, page)) }
}

interface NewFieldPlace {
  id: string
  type: FieldType
  recipientId: string
  page: number
}

export function newField(state: EditorState, { id, type, recipientId, page }: NewFieldPlace, box: Box): EditorField {
  return {
    id,
    recipientId,
    type,
    page,
    ...toPercent(box, pageSizeOf(state, page)),
    required: type !== 'checkbox',
    readOnly: false,
    label: undefined,
    placeholder: undefined,
    value: undefined,
    options: [],
    maxLength: undefined,
    fontSize: undefined,
    dateFormat: undefined,
    align: undefined,
  }
}

export function add(state: EditorState, fields: readonly EditorField[]): Change[] {
  requireSpaceFor(state, fields.length)
  return changesTo(state, fields)
}

/** The size of a new field: the last one of its type, if it fits the page. */
export function nextSize(type: FieldType, page: PageSize, last: Extent | undefined): Extent {
  const { width, height } = last ?? usualSize(type, page)
  return { width: Math.min(width, page[0]), height: Math.min(height, page[1]) }
}

/** A box around the pointer, kept inside the page. */
export function boxAround(x: number, y: number, { width, height }: Extent, page: PageSize): Box {
  return boxInPage({ x: x - width / 2, y: y - height / 2, width, height }, page)
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** The box between two points of a drawing, at least as large as the type needs. */
export function drawnBox(from: Point, to: Point, type: FieldType, page: PageSize): Box {
  const min = minSize(type, page)
  const width = Math.max(Math.abs(to.x - from.x), min.width)
  const height = Math.max(Math.abs(to.y - from.y), min.height)
  const x = to.x < from.x ? from.x - width : from.x
  const y = to.y < from.y ? from.y - height : from.y
  return boxInPage({ x, y, width, height }, page)
}

const STEP_PT = 12

/** The first free place from the middle of `sight` downwards, in steps of 12 pt. */
export function freeBox(state: EditorState, page: number, sight: Box, size: Extent): Box {
  const pageSize = pageSizeOf(state, page)
  const taken = [...state.fields.values()].filter(field => field.page === page).map(field => boxOf(state, field))
  const first = boxAround(sight.x + sight.width / 2, sight.y + sight.height / 2, size, pageSize)
  let box = first
  const overlaps = (other: Box) =>
    box.x < other.x + other.width && other.x < box.x + box.width && box.y < other.y + other.height && other.y < box.y + box.height
  while (taken.some(overlaps)) {
    const next = boxInPage({ ...box, y: box.y + STEP_PT }, pageSize)
    if (isSamePlace(next, box)) return shiftedFrom(first, taken, pageSize)
    box = next
  }
  return box
}

/** A place that is not exactly that of another field. */
function shiftedFrom(first: Box, taken: readonly Box[], page: PageSize): Box {
  let box = first
  for (let n = 0; n < taken.length && taken.some(other => isSamePlace(other, box)); n++) {
    box = boxInPage({ ...box, x: box.x + STEP_PT, y: box.y + STEP_PT }, page)
  }
  return box
}

/** Moves the fields together: none leaves its page, and their distances stay. */
export function move(state: EditorState, ids: Iterable<string>, dx: number, dy: number): Change[] {
  const fields = fieldsOf(state, ids)
  let [minX, maxX, minY, maxY] = [-Infinity, Infinity, -Infinity, Infinity]
  for (const field of fields) {
    const [width, height] = pageSizeOf(state, field.page)
    const box = boxOf(state, field)
    minX = Math.max(minX, -box.x)
    maxX = Math.min(maxX, width - box.x - box.width)
    minY = Math.max(minY, -box.y)
    maxY = Math.min(maxY, height - box.y - box.height)
  }
  const x = Math.min(Math.max(dx, minX), maxX)
  const y = Math.min(Math.max(dy, minY), maxY)
  const moved = (box: Box): Box => ({ ...box, x: box.x + x, y: box.y + y })
  return changesTo(
    state,
    fields.map(field => withBox(state, field, moved(boxOf(state, field)))),
  )
}

/** Moves the fields to other pages too. No change if one of them would have no page. */
export function moveAcross(state: EditorState, ids: Iterable<string>, pages: number, dx: number, dy: number): Change[] {
  if (pages === 0) return move(state, ids, dx, dy)
  const fields = fieldsOf(state, ids)
  if (fields.some(({ page }) => state.pages[page + pages - 1] === undefined)) return []
  return changesTo(
    state,
    fields.map(field => {
      const box = boxOf(state, field)
      return withBox(state, field, { ...box, x: box.x + dx, y: box.y + dy }, field.page + pages)
    }),
  )
}

/** The edges that move: -1 left or upper, 1 right or lower, 0 none. */
export interface Edges {
  readonly x: -1 | 0 | 1
  readonly y: -1 | 0 | 1
}

/** The box with edges moved by so much; not smaller than the type allows, not over the page. */
export function resizedBox(box: Box, { x, y }: Edges, dx: number, dy: number, min: Extent, page: PageSize): Box {
  const [left, width] = resizedSpan(box.x, box.width, x, dx, min.width, page[0])
  const [top, height] = resizedSpan(box.y, box.height, y, dy, min.height, page[1])
  return { x: left, y: top, width, height }
}

function resizedSpan(start: number, length: number, edge: number, by: number, min: number, limit: number): [number, number] {
  const end = start + length
  const least = Math.min(min, length)
  if (edge > 0) return [start, Math.min(Math.max(length + by, least), limit - start)]
  if (edge === 0) return [start, length]
  const from = Math.max(0, Math.min(start + by, end - least))
  return [from, end - from]
}

export function resize(state: EditorState, ids: Iterable<string>, edges: Edges, dx: number, dy: number): Change[] {
  const resized = fieldsOf(state, ids).map(field => {
    const page = pageSizeOf(state, field.page)
    return withBox(state, field, resizedBox(boxOf(state, field), edges, dx, dy, minSize(field.type, page), page))
  })
  return changesTo(state, resized)
}

/** Sets members of the box as typed: x and y move, width and height resize. */
export function setBox(state: EditorState, id: string, patch: Partial<Box>): Change[] {
  const field = state.fields.get(id)
  if (!field) return []
  const page = pageSizeOf(state, field.page)
  const min = minSize(field.type, page)
  const box = { ...boxOf(state, field), ...patch }
  const width = Math.min(Math.max(box.width, min.width), page[0])
  const height = Math.min(Math.max(box.height, min.height), page[1])
  return changesTo(state, [withBox(state, field, { ...box, width, height })])
}

export function remove(state: EditorState, ids: Iterable<string>): Change[] {
  return fieldsOf(state, ids).map(before => ({ id: before.id, before, after: undefined }))
}

/** Gives the fields to another person; those that this person may not have stay. */
export function reassign(state: EditorState, ids: Iterable<string>, person: Person): Change[] {
  const own = fieldsOf(state, ids).filter(({ type }) => mayHave(person, type))
  return changesTo(
    state,
    own.map(field => ({ ...field, recipientId: person.id })),
  )
}

export type Properties = Partial<Omit<EditorField, 'id' | 'recipientId' | 'page' | 'x' | 'y' | 'width' | 'height'>>

/** Changes properties. Members that the type does not have are cleared. */
export function change(state: EditorState, ids: Iterable<string>, properties: Properties): Change[] {
  return changesTo(
    state,
    fieldsOf(state, ids).map(field => consistent({ ...field, ...properties })),
  )
}

const HAS_MAX_LENGTH: ReadonlySet<FieldType> = new Set(['name', 'email', 'text', 'number'])

export function hasMaxLength(type: FieldType): boolean {
  return HAS_MAX_LENGTH.has(type)
}

function consistent(field: EditorField): EditorField {
  const value = isPrefillable(field.type) ? field.value : undefined
  return {
    ...field,
    value,
    // A read-only field shows its value: without one it would be empty for ever.
    readOnly: field.readOnly && value !== undefined,
    options: hasOptions(field.type) ? field.options : [],
    maxLength: hasMaxLength(field.type) ? field.maxLength : undefined,
    dateFormat: field.type === 'date' ? field.dateFormat : undefined,
  }
}
