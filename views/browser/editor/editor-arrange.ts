/** Aligns, distributes and equalises several fields. Pure. */
import { minSize } from '../../../src/core/field-size.ts'
import { changesTo, fieldsOf, withBox } from './editor-commands.ts'
import { type Box, boxOf, type Change, type EditorField, type EditorState, pageSizeOf } from './editor-model.ts'

export type Alignment = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom'
export type Axis = 'x' | 'y'

interface Boxed {
  field: EditorField
  box: Box
}

/** The fields of each page: pages are arranged each on its own. */
function byPage(state: EditorState, ids: Iterable<string>): Boxed[][] {
  const groups = Map.groupBy(fieldsOf(state, ids), ({ page }) => page)
  return [...groups.values()].map(fields => fields.map(field => ({ field, box: boxOf(state, field) })))
}

function arranged(state: EditorState, ids: Iterable<string>, place: (group: Boxed[]) => Boxed[]): Change[] {
  const moved = byPage(state, ids).flatMap(place)
  return changesTo(
    state,
    moved.map(({ field, box }) => withBox(state, field, box)),
  )
}

/** To the outermost edge, or to the centre of all. */
export function align(state: EditorState, ids: Iterable<string>, to: Alignment): Change[] {
  return arranged(state, ids, group => {
    const left = Math.min(...group.map(({ box }) => box.x))
    const right = Math.max(...group.map(({ box }) => box.x + box.width))
    const top = Math.min(...group.map(({ box }) => box.y))
    const bottom = Math.max(...group.map(({ box }) => box.y + box.height))
    const aligned: Record<Alignment, (box: Box) => Partial<Box>> = {
      left: () => ({ x: left }),
      centre: box => ({ x: (left + right - box.width) / 2 }),
      right: box => ({ x: right - box.width }),
      top: () => ({ y: top }),
      middle: box => ({ y: (top + bottom - box.height) / 2 }),
      bottom: box => ({ y: bottom - box.height }),
    }
    return group.map(({ field, box }) => ({ field, box: { ...box, ...aligned[to](box) } }))
  })
}

/** Equal gaps between the outermost two. Fewer than three on a page stay. */
export function distribute(state: EditorState, ids: Iterable<string>, axis: Axis): Change[] {
  const length = axis === 'x' ? 'width' : 'height'
  return arranged(state, ids, group => {
    if (group.length < 3) return group
    const sorted = group.toSorted((a, b) => a.box[axis] + a.box[length] / 2 - (b.box[axis] + b.box[length] / 2))
    const first = sorted[0]!.box
    const last = sorted.at(-1)!.box
    const total = sorted.reduce((sum, { box }) => sum + box[length], 0)
    const gap = (last[axis] + last[length] - first[axis] - total) / (sorted.length - 1)
    let at = first[axis]
    return sorted.map(({ field, box }) => {
      const moved = { field, box: { ...box, [axis]: at } }
      at += box[length] + gap
      return moved
    })
  })
}

/** Width, height or both of the field that was selected first. */
export function equalise(state: EditorState, ids: readonly string[], members: readonly ('width' | 'height')[]): Change[] {
  const [model] = fieldsOf(state, ids)
  if (!model) return []
  const size = boxOf(state, model)
  const resized = fieldsOf(state, ids).map(field => {
    const min = minSize(field.type, pageSizeOf(state, field.page))
    const wanted = Object.fromEntries(members.map(member => [member, Math.max(size[member], min[member])]))
    return withBox(state, field, { ...boxOf(state, field), ...wanted })
  })
  return changesTo(state, resized)
}
