/** Commands on the choices of a field that has a box for each. Pure. */
import type { PageArea } from '../../../src/core/field/geometry.ts'
import { SENDER } from '../../../src/core/field/visibility.ts'
import { areaOf, boxesAt, boxesOf, type FieldBox, withAreas } from './boxes.ts'
import { referring } from './conditions.ts'
import {
  type Box,
  boxInPage,
  boxOf,
  type Change,
  changesTo,
  type EditorField,
  type EditorState,
  isSamePlace,
  pageSizeOf,
  toPercent,
} from './model.ts'

export const MIN_CHOICES = 2
/** Between a choice and the next one below, pt. */
const GAP_PT = 8

/** The first boxes of a new field: one below the other, both inside the page. */
export function firstAreas(state: EditorState, page: number, box: Box): PageArea[] {
  const size = pageSizeOf(state, page)
  const step = box.height + GAP_PT
  const first = boxInPage({ ...box, y: Math.min(box.y, size[1] - box.height - step) }, size)
  return [first, { ...first, y: first.y + step }].map(each => ({ page, ...toPercent(each, size) }))
}

/** Where the next choice goes: as far from the last one as that is from the one before. */
function nextArea(state: EditorState, field: EditorField): PageArea {
  const boxes = boxesOf(field)
  const [before, last] = [boxes.at(-2), boxes.at(-1)!]
  const size = pageSizeOf(state, last.page)
  const box = boxOf(state, last)
  const there = boxes.filter(({ page }) => page === last.page).map(each => boxOf(state, each))
  const below = { ...box, y: box.y + box.height + GAP_PT }
  const beside = { ...box, x: box.x + box.width + GAP_PT }
  const tries = [below, beside]
  if (before?.page === last.page) {
    const earlier = boxOf(state, before)
    tries.unshift({ ...box, x: 2 * box.x - earlier.x, y: 2 * box.y - earlier.y })
  }
  const isFree = (next: Box) => isSamePlace(next, boxInPage(next, size)) && !there.some(other => isSamePlace(other, next))
  const free = tries.find(isFree) ?? { ...box, x: box.x - GAP_PT, y: box.y - GAP_PT }
  return { page: last.page, ...toPercent(free, size) }
}

/** `pattern(n)` with the lowest number that no choice has yet. */
export function newChoice(options: readonly string[], pattern: (n: number) => string): string {
  let n = options.length + 1
  while (options.includes(pattern(n))) n++
  return pattern(n)
}

export function addChoice(state: EditorState, id: string, value: string): Change[] {
  const field = state.fields.get(id)
  if (!field) return []
  return changesTo(state, [withAreas({ ...field, options: [...field.options, value] }, [...field.boxes, nextArea(state, field)])])
}

/** An empty value, or one that another choice has, is refused. */
export function isChoiceName(field: EditorField, index: number, value: string): boolean {
  return value.trim() !== '' && field.options.every((option, i) => i === index || option !== value.trim())
}

/** The value of the choice, also where it is filled in beforehand or asked for by a condition. */
export function renameChoice(state: EditorState, id: string, index: number, value: string): Change[] {
  const field = state.fields.get(id)
  const before = field?.options[index]
  if (!field || before === undefined || !isChoiceName(field, index, value)) return []
  const name = value.trim()
  const options = field.options.map((option, i) => (i === index ? name : option))
  const renamed = { ...field, options, value: field.value === before ? name : field.value }
  return changesTo(state, [renamed, ...referring(state, field, { is: name, was: before })])
}

/** `undefined` if too few would stay. */
function withoutChoices(field: EditorField, removed: readonly FieldBox[]): EditorField | undefined {
  const gone = new Set(removed.map(({ index }) => index))
  const stays = (_: unknown, index: number) => !gone.has(index)
  const areas = field.boxes.filter(stays).map(areaOf)
  if (areas.length < MIN_CHOICES) return undefined
  const options = field.options.filter(stays)
  const isKept = field.value !== undefined && options.includes(field.value)
  const value = isKept ? field.value : undefined
  const readOnly = field.readOnly && (isKept || field.recipientId === SENDER)
  return withAreas({ ...field, options, value, readOnly }, areas)
}

/** Removes fields. Of a field of several choices only these go, unless they are all of them. */
export function remove(state: EditorState, keys: Iterable<string>): Change[] {
  const byField = Map.groupBy(boxesAt(state.fields, keys), ({ field }) => field)
  return [...byField].flatMap(([before, removed]): Change[] => {
    const { id } = before
    if (removed.length === boxesOf(before).length) return [{ id, before, after: undefined }]
    const after = withoutChoices(before, removed)
    return after ? [{ id, before, after }] : []
  })
}
