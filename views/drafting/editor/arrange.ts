/** Aligns, distributes and equalises several fields. Pure. */
import { minSize } from '../../../src/core/field/field-size.ts'
import { boxesAt, changesOfBoxes, type FieldBox, placeBox } from './boxes.ts'
import { type Box, boxOf, type Change, type EditorState, pageSizeOf } from './model.ts'

export type Alignment = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom'
export type Axis = 'x' | 'y'

interface Boxed {
  placed: FieldBox
  box: Box
}

/** The boxes of each page: pages are arranged each on its own. */
function byPage(state: EditorState, keys: Iterable<string>): Boxed[][] {
  const groups = Map.groupBy(boxesAt(state.fields, keys), ({ page }) => page)
  return [...groups.values()].map(group => group.map(placed => ({ placed, box: boxOf(state, placed) })))
}

function arranged(state: EditorState, keys: Iterable<string>, place: (group: Boxed[]) => Boxed[]): Change[] {
  const moved = byPage(state, keys).flatMap(place)
  return changesOfBoxes(
    state,
    moved.map(({ placed, box }) => placeBox(state, placed, box)),
  )
}

/** To the outermost edge, or to the centre of all. */
export function align(state: EditorState, keys: Iterable<string>, to: Alignment): Change[] {
  return arranged(state, keys, group => {
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
    return group.map(({ placed, box }) => ({ placed, box: { ...box, ...aligned[to](box) } }))
  })
}

/** Equal gaps between the outermost two. Fewer than three on a page stay. */
export function distribute(state: EditorState, keys: Iterable<string>, axis: Axis): Change[] {
  const length = axis === 'x' ? 'width' : 'height'
  return arranged(state, keys, group => {
    if (group.length < 3) return group
    const sorted = group.toSorted((a, b) => a.box[axis] + a.box[length] / 2 - (b.box[axis] + b.box[length] / 2))
    const first = sorted[0]!.box
    const last = sorted.at(-1)!.box
    const total = sorted.reduce((sum, { box }) => sum + box[length], 0)
    const gap = (last[axis] + last[length] - first[axis] - total) / (sorted.length - 1)
    let at = first[axis]
    return sorted.map(({ placed, box }) => {
      const moved = { placed, box: { ...box, [axis]: at } }
      at += box[length] + gap
      return moved
    })
  })
}

/** Width, height or both of the box that was selected first. */
export function equalise(state: EditorState, keys: readonly string[], members: readonly ('width' | 'height')[]): Change[] {
  const boxes = boxesAt(state.fields, keys)
  const [model] = boxes
  if (!model) return []
  const size = boxOf(state, model)
  const resized = boxes.map(placed => {
    const min = minSize(placed.field.type, pageSizeOf(state, placed.page))
    const wanted = Object.fromEntries(members.map(member => [member, Math.max(size[member], min[member])]))
    return placeBox(state, placed, { ...boxOf(state, placed), ...wanted })
  })
  return changesOfBoxes(state, resized)
}
