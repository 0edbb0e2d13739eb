/** The boxes of a field: one for each of several choices, otherwise one. Pure. */
import type { PageArea } from '../../../src/core/field/geometry.ts'
import {
  type Box,
  boxOf,
  type Change,
  changesTo,
  type EditorField,
  type EditorState,
  type Fields,
  pageSizeOf,
  toPercent,
} from './model.ts'

/** A box with its field: what a person selects and moves. */
export interface FieldBox extends Readonly<PageArea> {
  /** The id of the field; with `#` and the index if the field has several boxes. */
  readonly key: string
  readonly field: EditorField
  /** The place of its choice, from 0. */
  readonly index: number
}

export function areaOf({ page, x, y, width, height }: Readonly<PageArea>): PageArea {
  return { page, x, y, width, height }
}

export function boxesOf(field: EditorField): FieldBox[] {
  const { id, page, x, y, width, height, boxes } = field
  if (boxes.length === 0) return [{ key: id, field, index: 0, page, x, y, width, height }]
  return boxes.map((box, index) => ({ ...box, key: `${id}#${index}`, field, index }))
}

export function keysOf(field: EditorField): string[] {
  return boxesOf(field).map(({ key }) => key)
}

export function fieldIdOf(key: string): string {
  return key.split('#', 1)[0] ?? key
}

/** The boxes with these keys. The id of a field means all of its boxes. */
export function boxesAt(fields: Fields, keys: Iterable<string>): FieldBox[] {
  const found = new Map<string, FieldBox>()
  for (const key of keys) {
    const field = fields.get(fieldIdOf(key))
    if (!field) continue
    for (const box of boxesOf(field)) if (key === box.key || key === field.id) found.set(box.key, box)
  }
  return [...found.values()]
}

/** Puts a box at a place of its page or of another one, inside that page. */
export function placeBox(state: EditorState, box: FieldBox, at: Box, page = box.page): FieldBox {
  return { ...box, page, ...toPercent(at, pageSizeOf(state, page)) }
}

/** The changes of fields that put these boxes in their places. */
export function changesOfBoxes(state: EditorState, boxes: readonly FieldBox[]): Change[] {
  const byField = Map.groupBy(boxes, ({ field }) => field)
  return changesTo(
    state,
    [...byField].map(([field, moved]) => withBoxes(field, moved)),
  )
}

function withBoxes(field: EditorField, moved: readonly FieldBox[]): EditorField {
  if (field.boxes.length === 0) return { ...field, ...areaOf(moved[0] ?? field) }
  const byIndex = new Map(moved.map(box => [box.index, areaOf(box)]))
  return withAreas(
    field,
    field.boxes.map((box, index) => byIndex.get(index) ?? box),
  )
}

/** A field of several choices with these boxes. Its own place is that of the first one. */
export function withAreas(field: EditorField, areas: readonly PageArea[]): EditorField {
  return { ...field, ...areaOf(areas[0] ?? field), boxes: areas }
}

/** Puts the first box of a field at a place. The other boxes keep their distance to it. */
export function placeField(state: EditorState, field: EditorField, at: Box, page = field.page): EditorField {
  const before = boxOf(state, field)
  const moved = boxesOf(field).map(box => {
    const own = boxOf(state, box)
    const place = box.index === 0 ? at : { ...own, x: own.x + at.x - before.x, y: own.y + at.y - before.y }
    return placeBox(state, box, place, pageOfBox(box, page))
  })
  return withBoxes(field, moved)
}

/** The page of a box when the first box of its field is on `first`. */
function pageOfBox({ page, field }: FieldBox, first: number): number {
  return page + first - field.page
}

/** As it is, in percent, on another page. Its other boxes stay as many pages apart. */
export function onPage(field: EditorField, page: number): EditorField {
  if (field.boxes.length === 0) return { ...field, page }
  return withAreas(
    field,
    boxesOf(field).map(box => ({ ...areaOf(box), page: pageOfBox(box, page) })),
  )
}

/** Whether all boxes of a field would have a page if its first one were on `page`. */
export function fitsFromPage(state: EditorState, field: EditorField, page: number): boolean {
  return boxesOf(field).every(box => state.pages[pageOfBox(box, page) - 1] !== undefined)
}
