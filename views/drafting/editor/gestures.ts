/** Turns pointer events over the pages into gestures. One finger scrolls unless a field is held. */
import {
  type Gesture,
  MarqueeGesture,
  MoveGesture,
  PlaceGesture,
  type PointerState,
  ResizeGesture,
  type Stage,
  showHover,
} from './drag.ts'
import type { Tool } from './session.ts'

const DRAG_FROM_PX = 6
/** A finger that rests this long on a field takes hold of it. */
const PRESS_MS = 500
const EDGE_PX = 24
const EDGE_STEP_PX = 8
const EDGE_AFTER_MS = 200

interface Pressed {
  pointerId: number
  start: PointerState
  /** Begins when the pointer has moved far enough. */
  gesture: Gesture | undefined
  begin: () => Gesture | undefined
  /** Without movement. */
  tap: (pointer: PointerState) => void
  isStarted: boolean
  /** Movement before the press is over is a scroll. */
  isWaiting: boolean
  timer: ReturnType<typeof setTimeout> | undefined
}

const stateOf = ({ clientX, clientY, pointerType, ctrlKey, metaKey, shiftKey }: PointerEvent): PointerState => ({
  clientX,
  clientY,
  isTouch: pointerType === 'touch',
  ctrlKey: ctrlKey || metaKey,
  shiftKey,
})

export class Gestures {
  readonly #stage: Stage
  readonly #scroller: HTMLElement
  #pressed: Pressed | undefined
  #last: PointerState | undefined
  #frame = 0
  #edgeSince: number | undefined
  #scrolling = 0

  constructor(stage: Stage, scroller: HTMLElement) {
    this.#stage = stage
    this.#scroller = scroller
    scroller.addEventListener('pointerdown', event => this.#down(event))
    document.addEventListener('pointermove', event => this.#move(event))
    document.addEventListener('pointerup', event => this.#up(event))
    document.addEventListener('pointercancel', () => this.cancel())
    scroller.addEventListener('pointerleave', () => {
      if (!this.#pressed) stage.guides.clear()
    })
    // Once a field is held, the finger no longer scrolls.
    scroller.addEventListener('touchmove', event => this.#pressed?.isStarted && event.cancelable && event.preventDefault(), {
      passive: false,
    })
    // Two fingers zoom.
    scroller.addEventListener('touchstart', event => event.touches.length > 1 && this.cancel(), { passive: true })
    scroller.addEventListener('contextmenu', event => {
      if (this.#pressed?.start.isTouch) event.preventDefault()
    })
    scroller.addEventListener('dragstart', event => event.preventDefault())
  }

  get isActive(): boolean {
    return this.#pressed?.isStarted === true
  }

  /** Ends a gesture without effect. Returns whether there was one. */
  cancel(): boolean {
    const pressed = this.#pressed
    this.#release()
    if (pressed?.isStarted) pressed.gesture?.cancel()
    return pressed?.isStarted === true
  }

  #release(): void {
    clearTimeout(this.#pressed?.timer)
    cancelAnimationFrame(this.#frame)
    cancelAnimationFrame(this.#scrolling)
    this.#scrolling = 0
    this.#pressed = undefined
    this.#scroller.classList.remove('dragging')
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary || !(event.target instanceof Element)) return
    // The scrollbars are no part of the content.
    if (event.target === this.#scroller && event.offsetX > this.#scroller.clientWidth) return
    this.cancel()
    const start = stateOf(event)
    const handle = event.target.closest<HTMLElement>('.handle')
    const key = event.target.closest<HTMLElement>('.field')?.dataset.id
    const { tool } = this.#stage.session
    const whole = event.target.closest<HTMLElement>('.choices-grip')?.dataset.id
    if (handle) this.#pressHandle(event, start, handle)
    else if (whole !== undefined) this.#pressWhole(event, start, whole)
    else if (tool && (key === undefined || !start.isTouch)) this.#pressWithTool(event, start, tool)
    else if (key !== undefined) this.#pressField(event, start, key)
    else if (event.target.closest('.sheets, .pages')) this.#pressPage(event, start)
  }

  #press(event: PointerEvent, about: Pick<Pressed, 'begin' | 'tap'> & { isWaiting?: boolean }): void {
    this.#pressed = {
      pointerId: event.pointerId,
      start: stateOf(event),
      gesture: undefined,
      isStarted: false,
      isWaiting: false,
      timer: undefined,
      ...about,
    }
  }

  #pressHandle(event: PointerEvent, start: PointerState, handle: HTMLElement): void {
    const [placed] = this.#stage.session.selectedBoxes
    if (!placed) return
    event.preventDefault()
    const edges = { x: Number(handle.dataset.x) as -1 | 0 | 1, y: Number(handle.dataset.y) as -1 | 0 | 1 }
    this.#press(event, { begin: () => new ResizeGesture(this.#stage, placed, edges, start), tap: () => {} })
  }

  #pressWithTool(event: PointerEvent, start: PointerState, tool: Tool): void {
    const place = () => new PlaceGesture(this.#stage, tool, start, !start.isTouch)
    if (!start.isTouch) event.preventDefault()
    // By touch a movement scrolls, and a tap places.
    this.#press(event, { begin: start.isTouch ? () => undefined : place, tap: pointer => place().end(pointer) })
  }

  #pressField(event: PointerEvent, start: PointerState, key: string): void {
    const { session } = this.#stage
    const wasSelected = session.selection.includes(key)
    const begin = () => {
      if (!session.selection.includes(key)) session.select([key])
      const box = session.box(key)
      return box && new MoveGesture(this.#stage, box, start)
    }
    const tap = (pointer: PointerState) => {
      if (pointer.shiftKey || pointer.ctrlKey) session.toggle(key)
      else session.select([key])
      this.#stage.onSelected()
    }
    const isWaiting = start.isTouch && !wasSelected
    this.#press(event, { begin, tap, isWaiting })
    if (!isWaiting) return
    const pressed = this.#pressed!
    pressed.timer = setTimeout(() => {
      pressed.isWaiting = false
      this.#start(pressed)
      navigator.vibrate?.(10)
    }, PRESS_MS)
  }

  /** Moves all choices of a field. */
  #pressWhole(event: PointerEvent, start: PointerState, id: string): void {
    const { session } = this.#stage
    event.preventDefault()
    const select = () => {
      session.select([id])
      this.#stage.onSelected()
    }
    const begin = () => {
      select()
      const box = session.box(id)
      return box && new MoveGesture(this.#stage, box, start)
    }
    this.#press(event, { begin, tap: select })
  }

  #pressPage(event: PointerEvent, start: PointerState): void {
    const { session } = this.#stage
    const tap = () => {
      session.select([])
      this.#stage.onSelected()
    }
    this.#press(event, { begin: () => (start.isTouch ? undefined : new MarqueeGesture(this.#stage, start)), tap })
  }

  /** Drags a new field from the palette. */
  beginFromPalette(event: PointerEvent, tool: Tool, onDone: (isPlaced: boolean) => void): void {
    const stage = this.#stage
    const scroller = this.#scroller
    const isOver = ({ clientX, clientY }: PointerState) =>
      document.elementFromPoint(clientX, clientY)?.closest('.pages') === scroller
    const gesture: Gesture = {
      move: pointer => (isOver(pointer) ? showHover(stage, tool, pointer) : stage.guides.clear()),
      end: pointer => {
        const isPlaced = isOver(pointer)
        if (isPlaced) new PlaceGesture(stage, tool, pointer, false).end(pointer)
        else stage.guides.clear()
        onDone(isPlaced)
      },
      cancel: () => stage.guides.clear(),
    }
    this.#press(event, { begin: () => gesture, tap: () => {} })
  }

  #start(pressed: Pressed): void {
    const gesture = pressed.begin()
    if (!gesture) return
    pressed.gesture = gesture
    pressed.isStarted = true
    this.#scroller.classList.add('dragging')
  }

  #move(event: PointerEvent): void {
    const pressed = this.#pressed
    const { tool } = this.#stage.session
    if (!pressed) {
      if (tool && event.pointerType !== 'touch' && event.target instanceof Element && this.#scroller.contains(event.target))
        this.#hover(stateOf(event), tool)
      return
    }
    if (event.pointerId !== pressed.pointerId) return
    this.#last = stateOf(event)
    if (!pressed.isStarted) {
      if (Math.hypot(event.clientX - pressed.start.clientX, event.clientY - pressed.start.clientY) < DRAG_FROM_PX) return
      if (pressed.isWaiting) {
        this.#release()
        return
      }
      this.#start(pressed)
    }
    this.#soon()
    this.#watchEdges()
  }

  #hover(pointer: PointerState, tool: Tool): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => showHover(this.#stage, tool, pointer))
  }

  #soon(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => {
      if (this.#last) this.#pressed?.gesture?.move(this.#last)
    })
  }

  #up(event: PointerEvent): void {
    const pressed = this.#pressed
    if (!pressed || event.pointerId !== pressed.pointerId) return
    const pointer = stateOf(event)
    if (pressed.isStarted) pressed.gesture?.move(pointer)
    this.#release()
    if (pressed.isStarted) pressed.gesture?.end(pointer)
    else pressed.tap(pointer)
  }

  /** Scrolls while the pointer rests near an edge. */
  #watchEdges(): void {
    const pressed = this.#pressed
    if (!pressed?.isStarted || this.#scrolling !== 0) return
    const step = (): void => {
      this.#scrolling = 0
      const by = this.#edgeStep()
      if (!this.#pressed?.isStarted || by === 0) {
        this.#edgeSince = undefined
        return
      }
      this.#edgeSince ??= performance.now()
      if (performance.now() - this.#edgeSince >= EDGE_AFTER_MS) {
        this.#scroller.scrollTop += by
        if (this.#last) this.#pressed.gesture?.move(this.#last)
      }
      this.#scrolling = requestAnimationFrame(step)
    }
    this.#scrolling = requestAnimationFrame(step)
  }

  #edgeStep(): number {
    const { top, bottom } = this.#scroller.getBoundingClientRect()
    const y = this.#last?.clientY ?? 0
    if (y < top + EDGE_PX) return -EDGE_STEP_PX
    return y > bottom - EDGE_PX ? EDGE_STEP_PX : 0
  }
}
