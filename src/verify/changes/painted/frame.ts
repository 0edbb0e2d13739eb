/** Tells the frame of a field (background, border, cells) from content. ISO 32000-2 §12.5.6.19. */
import type { Rectangle } from '../form-fields.ts'
import { grow, type Mark, type PathMark } from './marks.ts'

/** How far from the edge of its field a border may be, in points, and as a part of the height. */
const [EDGE, EDGE_PART] = [4, 0.3]

type Side = 'left' | 'bottom' | 'right' | 'top'

/** The edge along which a part of a path lies. */
function sideOf(box: Rectangle, inner: Rectangle): Side | undefined {
  if (box.right <= inner.left) return 'left'
  if (box.top <= inner.bottom) return 'bottom'
  if (box.left >= inner.right) return 'right'
  return box.bottom >= inner.top ? 'top' : undefined
}

const innerOf = (box: Rectangle, width: number): Rectangle => {
  const limit = EDGE_PART * Math.min(box.right - box.left, box.top - box.bottom)
  return grow(box, -Math.min(limit, Math.max(EDGE, 2 * width)))
}

const isAround = (area: Rectangle, inner: Rectangle): boolean =>
  area.left <= inner.left && area.bottom <= inner.bottom && area.right >= inner.right && area.top >= inner.top

/** The sides along which the path lies; undefined if it is not a part of a frame. */
function sidesOf({ parts, isFilled, area, width }: PathMark, box: Rectangle): readonly Side[] | undefined {
  const inner = innerOf(box, width)
  // A background, or a border with round corners, is around all that is inside.
  const isBox = parts.every(({ box: part, isCurve }) => isCurve || sideOf(part, inner) !== undefined)
  if (isAround(area, inner) && (isBox || (isFilled && parts.length <= 5))) return ['left', 'bottom', 'right', 'top']
  const sides = parts.map(part => (part.isCurve ? undefined : sideOf(part.box, inner)))
  return sides.includes(undefined) ? undefined : sides.filter(side => side !== undefined)
}

/** Lines from the lower to the upper edge, between the cells of a comb. */
function isDivider({ parts, isFilled, width }: PathMark, box: Rectangle): boolean {
  const inner = innerOf(box, width)
  const isUpright = ({ box: part }: PathMark['parts'][number]) =>
    part.right - part.left < 0.5 && part.bottom <= inner.bottom && part.top >= inner.top
  return !isFilled && parts.every(isUpright)
}

/** A bar over the whole width, behind a chosen option of a list. */
const isBar = ({ parts, isFilled, area, width }: PathMark, box: Rectangle): boolean => {
  const inner = innerOf(box, width)
  return isFilled && parts.length <= 5 && area.left <= inner.left && area.right >= inner.right
}

export interface FrameKind {
  isComb: boolean
  isList: boolean
}

/** The paths that are not the frame of a field with this bounding box. */
export function findDrawings(marks: readonly Mark[], box: Rectangle, { isComb, isList }: FrameKind): PathMark[] {
  const sides = new Set<Side>()
  const drawings: PathMark[] = []
  const single: PathMark[] = []
  for (const mark of marks) {
    if (mark.kind !== 'path' || (isComb && isDivider(mark, box)) || (isList && isBar(mark, box))) continue
    const found = sidesOf(mark, box)
    if (found === undefined) drawings.push(mark)
    else single.push(mark)
    for (const side of found ?? []) sides.add(side)
  }
  // A closed frame, or a line below, says nothing; a line on one side could be a digit.
  const isFrame = sides.size === 4 || [...sides].every(side => side === 'bottom')
  return isFrame ? drawings : [...drawings, ...single]
}
