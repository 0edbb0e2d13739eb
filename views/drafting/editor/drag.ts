/** Gestures of the pointer: place, draw, move, resize and select by a frame. */
import { minSize } from '../../../src/core/field/field-size.ts'
import { boxesOf, type FieldBox } from './boxes.ts'
import {
  add,
  boxAround,
  drawnBox,
  type Edges,
  moveAcross,
  newField,
  nextSize,
  type Point,
  resize,
  resizedBox,
} from './commands.ts'
import type { FieldViews } from './fields.tsx'
import { type Box, boxInPage, boxOf, type Change, type EditorField, type PageSize } from './model.ts'
import type { PageList, PagePoint } from './pages.ts'
import type { EditorSession, Tool } from './session.ts'
import { type Guides, SNAP_PX, SNAP_TOUCH_PX, type SnapContext, snapMove, snapResize } from './snap.ts'

/** What the gestures work on. */
export interface Stage {
  session: EditorSession
  pages: PageList
  fields: FieldViews
  guides: Guides
  newFieldId(): string
  /** Lines of the PDF on this page, for the lower edges of fields. */
  linesOf(page: number): SnapContext['lines']
  personClass(personId: string): string
  typeName(type: EditorField['type']): string
  /** The first values of a field whose choices are boxes. */
  choices: readonly string[]
  measureText(box: Box, isSize: boolean): string
  onPlaced(field: EditorField, isDrawn: boolean): void
  onMoved(keys: readonly string[]): void
  onResized(key: string): void
  onSelected(): void
}

/** A pointer's state that gestures read. */
export interface PointerState {
  readonly clientX: number
  readonly clientY: number
  readonly isTouch: boolean
  readonly ctrlKey: boolean
  readonly shiftKey: boolean
}

export interface Gesture {
  move(pointer: PointerState): void
  end(pointer: PointerState): void
  cancel(): void
}

function snapContext(
  stage: Stage,
  page: number,
  pointer: PointerState,
  exceptKeys: ReadonlySet<string>,
): SnapContext | undefined {
  const { session, pages, fields } = stage
  if (!session.isSnapping || pointer.ctrlKey) return undefined
  const sight = pages.sightOf(page)
  const isInSight = (box: Box) => box.y < sight.y + sight.height && sight.y < box.y + box.height
  const others = (fields.byPage.get(page) ?? []).filter(({ key }) => !exceptKeys.has(key)).map(box => boxOf(session.state, box))
  const threshold = (pointer.isTouch ? SNAP_TOUCH_PX : SNAP_PX) / pages.scale
  return { page: session.state.pages[page - 1]!, others: others.filter(isInSight), lines: stage.linesOf(page), threshold }
}

const NONE: ReadonlySet<string> = new Set()

/** Where a new field would be when the pointer is here. */
function hoverBox(stage: Stage, tool: Tool, pointer: PointerState) {
  const { session, pages } = stage
  const at = pages.pointAt(pointer.clientX, pointer.clientY)
  const page = session.state.pages[at.page - 1]!
  const box = boxAround(at.x, at.y, nextSize(tool.type, page, session.lastSize(tool.type)), page)
  const context = snapContext(stage, at.page, pointer, NONE)
  return { page: at.page, ...(context ? snapMove(box, context) : { box, rules: [] }) }
}

export function showHover(stage: Stage, tool: Tool, pointer: PointerState): void {
  const { session, guides } = stage
  const { page, box, rules } = hoverBox(stage, tool, pointer)
  guides.ghost(page, box, stage.personClass(session.active?.id ?? ''), stage.typeName(tool.type))
  guides.rules(page, rules)
}

function placeField(stage: Stage, tool: Tool, page: number, box: Box, isDrawn: boolean): void {
  const { session } = stage
  const recipientId = session.active?.id
  if (recipientId === undefined) return
  const place = { id: stage.newFieldId(), type: tool.type, recipientId, page, choices: stage.choices }
  const field = newField(session.state, place, box)
  session.run('placed', add(session.state, [field]))
  session.select([field.id])
  if (!tool.isKept) session.arm(undefined)
  stage.onPlaced(field, isDrawn)
}

const DRAW_FROM_PX = 4

/** Places a field at the pointer, or draws its box. */
export class PlaceGesture implements Gesture {
  readonly #stage: Stage
  readonly #tool: Tool
  readonly #start: PointerState
  readonly #from: PagePoint
  readonly #mayDraw: boolean
  #drawn: Box | undefined

  constructor(stage: Stage, tool: Tool, start: PointerState, mayDraw: boolean) {
    this.#stage = stage
    this.#tool = tool
    this.#start = start
    this.#mayDraw = mayDraw
    this.#from = stage.pages.pointAt(start.clientX, start.clientY)
  }

  move(pointer: PointerState): void {
    const { clientX, clientY } = this.#start
    const isDrawing = this.#drawn || Math.hypot(pointer.clientX - clientX, pointer.clientY - clientY) >= DRAW_FROM_PX
    if (!this.#mayDraw || !isDrawing) {
      showHover(this.#stage, this.#tool, pointer)
      return
    }
    const { pages, session, guides } = this.#stage
    const size = session.state.pages[this.#from.page - 1]!
    const to = pages.pointOn(this.#from.page, pointer.clientX, pointer.clientY)
    const box = drawnBox(this.#from, to, this.#tool.type, size)
    const edges: Edges = { x: to.x < this.#from.x ? -1 : 1, y: to.y < this.#from.y ? -1 : 1 }
    const context = snapContext(this.#stage, this.#from.page, pointer, NONE)
    const snapped = context ? snapResize(box, edges, context, minSize(this.#tool.type, size)) : { box, rules: [] }
    this.#drawn = snapped.box
    guides.ghost(
      this.#from.page,
      snapped.box,
      this.#stage.personClass(session.active?.id ?? ''),
      this.#stage.typeName(this.#tool.type),
    )
    guides.rules(this.#from.page, snapped.rules)
    guides.measure(this.#from.page, snapped.box, this.#stage.measureText(snapped.box, true))
  }

  end(pointer: PointerState): void {
    const hover = hoverBox(this.#stage, this.#tool, pointer)
    this.cancel()
    const tool = { ...this.#tool, isKept: this.#tool.isKept || pointer.shiftKey }
    if (this.#drawn) placeField(this.#stage, tool, this.#from.page, this.#drawn, true)
    else placeField(this.#stage, tool, hover.page, hover.box, false)
  }

  cancel(): void {
    this.#stage.guides.clear()
  }
}

/** Moves the selected boxes, also to other pages. */
export class MoveGesture implements Gesture {
  readonly #stage: Stage
  readonly #keys: ReadonlySet<string>
  readonly #primary: FieldBox
  readonly #box: Box
  readonly #grab: Point
  readonly #isOnePage: boolean
  #changes: Change[] = []

  constructor(stage: Stage, primary: FieldBox, start: PointerState) {
    const { session, pages } = stage
    this.#stage = stage
    this.#primary = primary
    this.#keys = new Set(session.selection)
    this.#box = boxOf(session.state, primary)
    const at = pages.pointOn(primary.page, start.clientX, start.clientY)
    this.#grab = { x: at.x - this.#box.x, y: at.y - this.#box.y }
    this.#isOnePage = session.selectedBoxes.every(({ page }) => page === primary.page)
  }

  move(pointer: PointerState): void {
    const { session, fields, guides } = this.#stage
    const target = this.#target(pointer)
    const dx = target.box.x - this.#box.x
    const dy = target.box.y - this.#box.y
    this.#changes = moveAcross(session.state, this.#keys, target.page - this.#primary.page, dx, dy)
    fields.preview(this.#changes)
    const changed = this.#changes.find(({ id }) => id === this.#primary.field.id)?.after
    const moved = (changed && boxesOf(changed)[this.#primary.index]) ?? this.#primary
    const box = boxOf(session.state, moved)
    guides.rules(moved.page, target.rules)
    guides.measure(moved.page, box, this.#stage.measureText(box, false))
  }

  #target(pointer: PointerState) {
    const { session, pages } = this.#stage
    const under = this.#isOnePage ? pages.pointAt(pointer.clientX, pointer.clientY).page : this.#primary.page
    const at = pages.pointOn(under, pointer.clientX, pointer.clientY)
    const size = session.state.pages[under - 1]!
    const free = { ...this.#box, x: at.x - this.#grab.x, y: at.y - this.#grab.y }
    const box = boxInPage(pointer.shiftKey ? this.#onOneAxis(free, under) : free, size)
    const context = snapContext(this.#stage, under, pointer, this.#keys)
    if (!context) return { page: under, box, rules: [] }
    const axes = (['x', 'y'] as const).filter(axis => !pointer.shiftKey || Math.abs(box[axis] - this.#box[axis]) > 1e-6)
    return { page: under, ...snapMove(box, context, axes) }
  }

  #onOneAxis(box: Box, page: number): Box {
    if (page !== this.#primary.page) return box
    const isLevel = Math.abs(box.x - this.#box.x) > Math.abs(box.y - this.#box.y)
    return isLevel ? { ...box, y: this.#box.y } : { ...box, x: this.#box.x }
  }

  end(): void {
    const changes = this.#changes
    this.cancel()
    if (this.#stage.session.run('moved', changes)) this.#stage.onMoved([...this.#keys])
  }

  cancel(): void {
    this.#changes = []
    this.#stage.fields.endPreview()
    this.#stage.guides.clear()
  }
}

export class ResizeGesture implements Gesture {
  readonly #stage: Stage
  readonly #placed: FieldBox
  readonly #edges: Edges
  readonly #box: Box
  readonly #from: Point
  #changes: Change[] = []

  constructor(stage: Stage, placed: FieldBox, edges: Edges, start: PointerState) {
    this.#stage = stage
    this.#placed = placed
    this.#edges = edges
    this.#box = boxOf(stage.session.state, placed)
    this.#from = stage.pages.pointOn(placed.page, start.clientX, start.clientY)
  }

  move(pointer: PointerState): void {
    const { session, pages, fields, guides } = this.#stage
    const { page, key, field } = this.#placed
    const at = pages.pointOn(page, pointer.clientX, pointer.clientY)
    const size: PageSize = session.state.pages[page - 1]!
    const min = minSize(field.type, size)
    const box = resizedBox(this.#box, this.#edges, at.x - this.#from.x, at.y - this.#from.y, min, size)
    const context = snapContext(this.#stage, page, pointer, new Set([key]))
    const snapped = context ? snapResize(box, this.#edges, context, min) : { box, rules: [] }
    const by = (edge: number, start: 'x' | 'y', length: 'width' | 'height') =>
      edge < 0 ? snapped.box[start] - this.#box[start] : snapped.box[length] - this.#box[length]
    const [dx, dy] = [by(this.#edges.x, 'x', 'width'), by(this.#edges.y, 'y', 'height')]
    this.#changes = resize(session.state, [key], this.#edges, dx, dy)
    fields.preview(this.#changes)
    guides.rules(page, snapped.rules)
    guides.measure(page, snapped.box, this.#stage.measureText(snapped.box, true))
  }

  end(): void {
    const changes = this.#changes
    this.cancel()
    if (this.#stage.session.run('resized', changes)) this.#stage.onResized(this.#placed.key)
  }

  cancel(): void {
    this.#changes = []
    this.#stage.fields.endPreview()
    this.#stage.guides.clear()
  }
}

/** Selects the boxes that a frame touches, on the page where it began. */
export class MarqueeGesture implements Gesture {
  readonly #stage: Stage
  readonly #from: PagePoint
  readonly #before: readonly string[]

  constructor(stage: Stage, start: PointerState) {
    this.#stage = stage
    this.#from = stage.pages.pointAt(start.clientX, start.clientY)
    this.#before = start.shiftKey ? stage.session.selection : []
  }

  move(pointer: PointerState): void {
    const { session, pages, fields, guides } = this.#stage
    const to = pages.pointOn(this.#from.page, pointer.clientX, pointer.clientY)
    const size = session.state.pages[this.#from.page - 1]!
    const [left, right] = [Math.max(0, Math.min(this.#from.x, to.x)), Math.min(size[0], Math.max(this.#from.x, to.x))]
    const [top, bottom] = [Math.max(0, Math.min(this.#from.y, to.y)), Math.min(size[1], Math.max(this.#from.y, to.y))]
    guides.marquee(this.#from.page, { x: left, y: top, width: right - left, height: bottom - top })
    const touched = (fields.byPage.get(this.#from.page) ?? []).filter(placed => {
      const box = boxOf(session.state, placed)
      return box.x < right && left < box.x + box.width && box.y < bottom && top < box.y + box.height
    })
    session.select([...this.#before, ...touched.map(({ key }) => key)])
  }

  end(): void {
    this.#stage.guides.clear()
    this.#stage.onSelected()
  }

  cancel(): void {
    this.#stage.guides.clear()
    this.#stage.session.select(this.#before)
  }
}
