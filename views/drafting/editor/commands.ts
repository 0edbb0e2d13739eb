/** Commands that change fields: each returns its changes, which can be inverted. Pure. */
import { MAX_FIELDS } from '../../../src/core/document/document-limits.ts'
import { type FieldType, hasBoxes, isForSender, isPrefillable, membersNotOf } from '../../../src/core/field/field.ts'
import { minSize, usualSize } from '../../../src/core/field/field-size.ts'
import { SENDER } from '../../../src/core/field/visibility.ts'
import { boxesAt, boxesOf, changesOfBoxes, fieldIdOf, placeBox, withAreas } from './boxes.ts'
import { firstAreas } from './choices.ts'
import {
  BLANK,
  type Box,
  boxInPage,
  boxOf,
  type Change,
  changesTo,
  type EditorField,
  type EditorState,
  isSamePlace,
  mayHave,
  type PageSize,
  type Person,
  pageSizeOf,
  toPercent,
} from './model.ts'

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

/** The fields that have a box with one of these keys. */
export function fieldsOf(state: EditorState, keys: Iterable<string>): EditorField[] {
  const ids = new Set([...keys].map(fieldIdOf))
  return [...ids].flatMap(id => state.fields.get(id) ?? [])
}

interface NewFieldPlace {
  id: string
  type: FieldType
  recipientId: string
  page: number
  /** The first two values of a field whose choices are boxes. */
  choices?: readonly string[]
}

export function newField(state: EditorState, place: NewFieldPlace, box: Box): EditorField {
  const { id, type, recipientId, page, choices = ['1', '2'] } = place
  const field: EditorField = {
    ...BLANK,
    id,
    recipientId,
    type,
    page,
    ...toPercent(box, pageSizeOf(state, page)),
    required: type !== 'checkbox',
    readOnly: recipientId === SENDER,
  }
  return hasBoxes(type) ? withAreas({ ...field, options: choices }, firstAreas(state, page, box)) : field
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

export function boxesOnPage(state: EditorState, page: number): Box[] {
  const boxes = [...state.fields.values()].flatMap(boxesOf)
  return boxes.filter(box => box.page === page).map(box => boxOf(state, box))
}

/** The first free place from the middle of `sight` downwards, in steps of 12 pt. */
export function freeBox(state: EditorState, page: number, sight: Box, size: Extent): Box {
  const pageSize = pageSizeOf(state, page)
  const taken = boxesOnPage(state, page)
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

/** Moves boxes together: none leaves its page, and their distances stay. */
export function move(state: EditorState, keys: Iterable<string>, dx: number, dy: number): Change[] {
  const boxes = boxesAt(state.fields, keys)
  let [minX, maxX, minY, maxY] = [-Infinity, Infinity, -Infinity, Infinity]
  for (const placed of boxes) {
    const [width, height] = pageSizeOf(state, placed.page)
    const box = boxOf(state, placed)
    minX = Math.max(minX, -box.x)
    maxX = Math.min(maxX, width - box.x - box.width)
    minY = Math.max(minY, -box.y)
    maxY = Math.min(maxY, height - box.y - box.height)
  }
  const x = Math.min(Math.max(dx, minX), maxX)
  const y = Math.min(Math.max(dy, minY), maxY)
  const moved = (box: Box): Box => ({ ...box, x: box.x + x, y: box.y + y })
  return changesOfBoxes(
    state,
    boxes.map(placed => placeBox(state, placed, moved(boxOf(state, placed)))),
  )
}

/** Moves boxes to other pages too. No change if one of them would have no page. */
export function moveAcross(state: EditorState, keys: Iterable<string>, pages: number, dx: number, dy: number): Change[] {
  if (pages === 0) return move(state, keys, dx, dy)
  const boxes = boxesAt(state.fields, keys)
  if (boxes.some(({ page }) => state.pages[page + pages - 1] === undefined)) return []
  return changesOfBoxes(
    state,
    boxes.map(placed => {
      const box = boxOf(state, placed)
      return placeBox(state, placed, { ...box, x: box.x + dx, y: box.y + dy }, placed.page + pages)
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

export function resize(state: EditorState, keys: Iterable<string>, edges: Edges, dx: number, dy: number): Change[] {
  const resized = boxesAt(state.fields, keys).map(placed => {
    const page = pageSizeOf(state, placed.page)
    const min = minSize(placed.field.type, page)
    return placeBox(state, placed, resizedBox(boxOf(state, placed), edges, dx, dy, min, page))
  })
  return changesOfBoxes(state, resized)
}

/** Sets members of a box as typed: x and y move, width and height resize. */
export function setBox(state: EditorState, key: string, patch: Partial<Box>): Change[] {
  const [placed] = boxesAt(state.fields, [key])
  if (!placed) return []
  const page = pageSizeOf(state, placed.page)
  const min = minSize(placed.field.type, page)
  const box = { ...boxOf(state, placed), ...patch }
  const width = Math.min(Math.max(box.width, min.width), page[0])
  const height = Math.min(Math.max(box.height, min.height), page[1])
  return changesOfBoxes(state, [placeBox(state, placed, { ...box, width, height })])
}

/** Gives the fields to another person; those that this person may not have stay. */
export function reassign(state: EditorState, ids: Iterable<string>, person: Person): Change[] {
  const own = fieldsOf(state, ids).filter(({ type }) => mayHave(person, type))
  return changesTo(
    state,
    own.map(field => consistent({ ...field, recipientId: person.id })),
  )
}

export type Properties = Partial<
  Omit<EditorField, 'id' | 'recipientId' | 'page' | 'x' | 'y' | 'width' | 'height' | 'boxes' | 'name'>
>

/** Changes properties. Members that the type does not have are cleared. */
export function change(state: EditorState, keys: Iterable<string>, properties: Properties): Change[] {
  return changesTo(
    state,
    fieldsOf(state, keys).map(field => consistent({ ...field, ...properties })),
  )
}

function consistent(field: EditorField): EditorField {
  const { type } = field
  const isOurs = field.recipientId === SENDER
  const value = (isOurs ? isForSender(type) : isPrefillable(type)) ? field.value : undefined
  return {
    ...field,
    value,
    // A read-only field shows its value: without one it would be empty for ever.
    readOnly: isOurs || (field.readOnly && value !== undefined),
    ...Object.fromEntries(membersNotOf(type).map(member => [member, BLANK[member]])),
  }
}
