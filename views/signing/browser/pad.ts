/** A pad for drawing. Strokes have their own units and look as the seal will draw them. */
import { FULL_PRESSURE, INK_LIMITS, type Ink, inkShapes, inkText, parseInk, svgPath } from '../../../src/core/signing/ink.ts'
import { svgElement } from './element.ts'

/** Units of the drawing: about ten per CSS pixel of a phone. */
const WIDTH = 4000
const HEIGHT = 1600
/** Nearer samples are dropped. */
const NEAR = 12
/** A resting palm moves less than this. */
const LINE = 300
/** Leaves space for brackets and commas. */
const MAX_CHARACTERS = INK_LIMITS.characters - 5_000

export interface Pad {
  element: SVGSVGElement
  /** The drawing as it is sent, or empty. */
  text(): string
  isMark(): boolean
  isFull(): boolean
  undo(): void
  clear(): void
}

interface Options {
  label: string
  /** The saved drawing, or empty. */
  text: string
  /** After each stroke, `undo` and `clear`. */
  onChange(): void
}

export function openPad({ label, text, onChange }: Options): Pad {
  const before = text === '' ? undefined : parseInk(text)
  const [width, height] = before && !('error' in before) ? [before.width, before.height] : [WIDTH, HEIGHT]
  const strokes: number[][] = before && !('error' in before) ? before.strokes : []
  const line = height * 0.78
  const drawing = svgElement('g', { class: 'ink' })
  const pad = svgElement(
    'svg',
    { class: 'pad', role: 'img', 'aria-label': label, viewBox: `0 0 ${width} ${height}` },
    svgElement('path', { class: 'base', d: `M${width * 0.06} ${line}H${width * 0.94}` }),
    drawing,
  )
  const ink = (some: number[][]): Ink => ({ width, height, strokes: some })
  const outline = (stroke: number[]) => svgPath(inkShapes(ink([stroke])))
  for (const stroke of strokes) drawing.append(svgElement('path', { d: outline(stroke) }))

  const remaining = () => {
    const points = strokes.reduce((sum, stroke) => sum + stroke.length / 3, 0)
    const isLeft = strokes.length < INK_LIMITS.strokes && inkText(ink(strokes)).length < MAX_CHARACTERS
    return isLeft ? INK_LIMITS.points - points : 0
  }
  drawOn(pad, width, height, remaining, () => {
    const path = svgElement('path')
    drawing.append(path)
    return {
      show: stroke => path.setAttribute('d', outline(stroke)),
      end(stroke) {
        path.setAttribute('d', outline(stroke))
        strokes.push(stroke)
        onChange()
      },
      drop: () => path.remove(),
    }
  })
  return {
    element: pad,
    text: () => (strokes.length === 0 ? '' : inkText(ink(strokes))),
    isMark: () => strokes.length > 0 && !('error' in parseInk(inkText(ink(strokes)))),
    isFull: () => remaining() <= 0,
    undo() {
      strokes.pop()
      drawing.lastElementChild?.remove()
      onChange()
    },
    clear() {
      strokes.length = 0
      drawing.replaceChildren()
      onChange()
    },
  }
}

/** A stroke in progress. */
interface Begun {
  show(stroke: number[]): void
  end(stroke: number[]): void
  drop(): void
}

/** Records the strokes of one pointer at a time. */
function drawOn(pad: SVGSVGElement, width: number, height: number, remaining: () => number, begin: () => Begun): void {
  let begun: Begun | undefined
  let stroke: number[] = []
  let pointer = -1
  let points = 0
  let isShown = false
  let widthBefore = 0
  // With a pen, touches are ignored: the palm rests on the screen.
  let hasPen = false

  const sample = (event: PointerEvent) => {
    const [x, y] = placeOf(event, pad, width, height)
    const [lastX, lastY] = [stroke.at(-3), stroke.at(-2)]
    if (points <= 0 || (lastX !== undefined && lastY !== undefined && Math.hypot(x - lastX, y - lastY) < NEAR)) return
    points--
    stroke.push(x, y, Math.round(clamp(event.pressure) * FULL_PRESSURE))
  }
  const show = () => {
    isShown = false
    begun?.show(stroke)
  }
  const leave = (isKept: boolean) => {
    const ended = begun
    begun = undefined
    if (isKept && stroke.length > 0) ended?.end(stroke)
    else ended?.drop()
  }
  const isMine = (event: PointerEvent) => begun !== undefined && event.pointerId === pointer
  pad.addEventListener('pointerdown', event => {
    if (event.pointerType === 'pen') hasPen = true
    if (begun || event.button !== 0 || !event.isPrimary || (hasPen && event.pointerType === 'touch')) return
    points = remaining()
    if (points <= 0) return
    event.preventDefault()
    pad.setPointerCapture(event.pointerId)
    pointer = event.pointerId
    widthBefore = pad.clientWidth
    stroke = []
    begun = begin()
    sample(event)
    show()
  })
  pad.addEventListener('pointermove', event => {
    if (!isMine(event)) return
    // After a rotation of the phone the line would jump.
    if (pad.clientWidth !== widthBefore) return leave(isLine(stroke))
    const all = event.getCoalescedEvents?.() ?? []
    for (const each of all.length > 0 ? all : [event]) sample(each)
    if (isShown) return
    isShown = true
    requestAnimationFrame(show)
  })
  pad.addEventListener('pointerup', event => isMine(event) && leave(true))
  // After an interruption (call, rotation, gesture) keep a line, but not the touch of a palm.
  pad.addEventListener('pointercancel', event => isMine(event) && leave(isLine(stroke)))
  // Older iPhones scroll despite `touch-action`.
  pad.addEventListener('touchmove', event => event.preventDefault(), { passive: false })
}

function placeOf({ clientX, clientY }: PointerEvent, pad: SVGSVGElement, width: number, height: number): [x: number, y: number] {
  const { left, top, width: across, height: down } = pad.getBoundingClientRect()
  return [Math.round(clamp((clientX - left) / across) * width), Math.round(clamp((clientY - top) / down) * height)]
}

/** A palm does not move far. */
function isLine(stroke: number[]): boolean {
  const extent = (from: number) => {
    const along = stroke.filter((_, i) => i % 3 === from)
    return Math.max(...along) - Math.min(...along)
  }
  return stroke.length > 0 && Math.hypot(extent(0), extent(1)) > LINE
}

const clamp = (share: number) => Math.min(1, Math.max(0, share))
