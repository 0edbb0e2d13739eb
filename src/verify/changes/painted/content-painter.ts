/**
 * Runs the operators of a content stream and collects what they paint, with forms, patterns and
 * Type 3 glyphs inside. ISO 32000-2 §8, §9. Draws nothing.
 */
import { remark } from '../../../locales/remarks.ts'
import { apply, IDENTITY, type Matrix, multiply, toMatrix } from '../../../pdf/detect/page-content.ts'
import type { PdfFile } from '../../../pdf/parser/file.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue } from '../../../pdf/parser/syntax.ts'
import { intersect, type Rectangle, readRectangle } from '../form-fields.ts'
import { nameOf } from '../object-changes.ts'
import { type Glyph, type PdfFont, readFont } from './fonts.ts'
import { applyExtGState, type GraphicsState, initialState, inkOf, mixing, numberIn, readColourSpace } from './graphics-state.ts'
import { boundsOf, type Ink, newPainting, type Painting, type PathMark, type PictureMark, type Stroke, union } from './marks.ts'
import { contentBytes, type Operation, readOperations } from './operations.ts'

/** Deeper nesting is a gap. */
const MAX_DEPTH = 12
const MAX_SAVED = 500
/** For one page or appearance, with all that it contains. */
const MAX_OPERATIONS = 1_000_000

const PATHS: Readonly<Record<string, PathPainting>> = {
  n: { strokes: false, fills: false, closes: false },
  S: { strokes: true, fills: false, closes: false },
  s: { strokes: true, fills: false, closes: true },
  f: { strokes: false, fills: true, closes: true },
  F: { strokes: false, fills: true, closes: true },
  'f*': { strokes: false, fills: true, closes: true },
  B: { strokes: true, fills: true, closes: false },
  'B*': { strokes: true, fills: true, closes: false },
  b: { strokes: true, fills: true, closes: true },
  'b*': { strokes: true, fills: true, closes: true },
}

/** Operators without an effect on what is painted, or read together with others. */
const SILENT = new Set('BMC EMC MP DP BX EX J j M d ri i BDC d0 d1'.split(' '))

type Handler = (operands: readonly PdfValue[]) => void

/** Bounds the work on one page or appearance. */
interface Budget {
  operations: number
}

export class ContentPainter {
  readonly painting: Painting = newPainting()
  readonly #file: PdfFile
  readonly #fonts = new Map<PdfValue, PdfFont | undefined>()
  readonly #budget: Budget = { operations: MAX_OPERATIONS }
  readonly #text = new TextPainter(this.painting)
  readonly #path = new PathPainter(this.painting)
  readonly #handlers: Readonly<Record<string, Handler>> = {
    ...this.#stateHandlers(),
    ...this.#pathHandlers(),
    ...this.#textHandlers(),
    ...this.#inkHandlers(),
  }
  #state: GraphicsState = initialState(IDENTITY, boundsOf([]))
  #resources: PdfDictionary | undefined
  #depth = 0

  constructor(file: PdfFile) {
    this.#file = file
  }

  /** Paints `bytes` with their resources into the page's space, inside `clip`. */
  paint(bytes: Uint8Array, resources: PdfDictionary | undefined, matrix: Matrix, clip: Rectangle): void {
    this.#state = initialState(matrix, clip)
    this.#run(bytes, resources)
  }

  /** The form XObject is drawn through `matrix`, inside `clip`. */
  paintForm(form: PdfValue, matrix: Matrix, clip: Rectangle): void {
    this.#state = initialState(matrix, clip)
    this.#paintForm(form)
  }

  #run(bytes: Uint8Array, resources: PdfDictionary | undefined): void {
    if (this.#depth >= MAX_DEPTH) return void this.painting.gaps.add(remark('content_too_deep'))
    const saved: GraphicsState[] = []
    const [outer, outerState] = [this.#resources, this.#state]
    this.#resources = resources
    this.#depth++
    try {
      for (const operation of readOperations(bytes)) {
        if (this.#budget.operations-- <= 0) {
          this.painting.gaps.add(remark('content_too_long'))
          break
        }
        this.#apply(operation, saved)
      }
    } catch (error) {
      if (!(error instanceof PdfSyntaxError)) throw error
      this.painting.gaps.add(remark('content_damaged'))
    } finally {
      this.#depth--
      this.#resources = outer
      this.#state = outerState
    }
  }

  #apply({ operator, operands }: Operation, saved: GraphicsState[]): void {
    if (operator === 'q') {
      if (saved.length >= MAX_SAVED) this.painting.gaps.add(remark('content_too_deep'))
      else saved.push({ ...this.#state })
    } else if (operator === 'Q') this.#state = saved.pop() ?? this.#state
    else if (Object.hasOwn(PATHS, operator)) this.#path.paint(this.#state, PATHS[operator] as PathPainting)
    else if (Object.hasOwn(this.#handlers, operator)) this.#handlers[operator]?.(operands)
    else if (!SILENT.has(operator)) this.painting.doubts.add(remark('unknown_operators'))
    if (operator === 'BDC' && nameOf(operands[0]) === 'OC') this.painting.doubts.add(remark('layers'))
  }

  #stateHandlers(): Record<string, Handler> {
    return {
      cm: operands => {
        const matrix = toMatrix(operands.map(numberIn))
        if (matrix) this.#state.matrix = multiply(matrix, this.#state.matrix)
      },
      w: ([width]) => {
        this.#state.lineWidth = numberIn(width)
      },
      gs: ([name]) => {
        const entries = this.#file.dictionary(this.#needed('ExtGState', name))?.entries
        const doubt = entries && applyExtGState(this.#file, this.#state, entries)
        if (doubt !== undefined) this.painting.doubts.add(doubt)
        if (entries?.has('Font')) this.painting.doubts.add(remark('font_by_graphics_state'))
      },
      Do: ([name]) => this.#paintXObject(this.#needed('XObject', name)),
      sh: ([name]) => {
        this.#needed('Shading', name)
        this.#addPicture('shading', this.#state.clip)
      },
      BI: () => this.#addPicture('image', this.#unitSquare()),
    }
  }

  #pathHandlers(): Record<string, Handler> {
    const path = this.#path
    const at = (operands: readonly PdfValue[], i: number) => [numberIn(operands[i]), numberIn(operands[i + 1])] as const
    return {
      m: operands => path.moveTo(this.#state.matrix, ...at(operands, 0)),
      l: operands => path.lineTo(this.#state.matrix, ...at(operands, 0)),
      c: operands => path.curveTo(this.#state.matrix, [at(operands, 0), at(operands, 2), at(operands, 4)]),
      v: operands => path.curveTo(this.#state.matrix, [at(operands, 0), at(operands, 2)]),
      y: operands => path.curveTo(this.#state.matrix, [at(operands, 0), at(operands, 2)]),
      re: operands => path.rectangle(this.#state.matrix, [...at(operands, 0), ...at(operands, 2)]),
      h: () => path.close(),
      W: () => path.clip(),
      'W*': () => path.clip(),
    }
  }

  #textHandlers(): Record<string, Handler> {
    const text = this.#text
    const set = (key: 'charSpacing' | 'wordSpacing' | 'leading' | 'rise' | 'mode', scale = 1): Handler => {
      return ([value]) => {
        this.#state[key] = numberIn(value) * scale
      }
    }
    const showLine: Handler = ([string]) => {
      text.moveLine(0, -this.#state.leading)
      this.#show([string ?? NULL])
    }
    return {
      BT: () => text.begin(),
      ET: () => undefined,
      Tc: set('charSpacing'),
      Tw: set('wordSpacing'),
      TL: set('leading'),
      Ts: set('rise'),
      Tr: set('mode'),
      Tz: ([percent]) => {
        this.#state.horizontalScale = numberIn(percent) / 100
      },
      Tf: ([name, size]) => {
        this.#state.font = this.#readFont(this.#resource('Font', name))
        this.#state.fontName = nameOf(name)
        this.#state.size = numberIn(size)
      },
      Td: ([x, y]) => text.moveLine(numberIn(x), numberIn(y)),
      TD: ([x, y]) => {
        this.#state.leading = -numberIn(y)
        text.moveLine(numberIn(x), numberIn(y))
      },
      Tm: operands => text.setMatrix(toMatrix(operands.map(numberIn)) ?? IDENTITY),
      'T*': () => text.moveLine(0, -this.#state.leading),
      Tj: ([string]) => this.#show([string ?? NULL]),
      TJ: ([array]) => this.#show(array?.kind === 'array' ? array.items : []),
      "'": showLine,
      '"': ([word, character, string]) => {
        this.#state.wordSpacing = numberIn(word)
        this.#state.charSpacing = numberIn(character)
        showLine([string ?? NULL])
      },
    }
  }

  #inkHandlers(): Record<string, Handler> {
    const device = (which: 'fill' | 'stroke'): Handler => {
      return operands => {
        this.#state[which] = inkOf(operands.map(numberIn))
        this.#state[`${which}Space`] = operands.length
      }
    }
    const space = (which: 'fill' | 'stroke'): Handler => {
      return ([name]) => {
        const found = readColourSpace(this.#file, this.#resources, nameOf(name))
        this.#state[`${which}Space`] = found
        this.#state[which] = typeof found === 'number' ? inkOf(found === 4 ? [0, 0, 0, 1] : Array(found).fill(0)) : found
      }
    }
    const colour = (which: 'fill' | 'stroke'): Handler => {
      return operands => {
        const found = this.#state[`${which}Space`]
        this.#state[which] = typeof found === 'number' ? inkOf(operands.map(numberIn)) : found
      }
    }
    const [fill, stroke] = ['fill', 'stroke'] as const
    return {
      ...{ g: device(fill), rg: device(fill), k: device(fill), cs: space(fill), sc: colour(fill), scn: colour(fill) },
      ...{ G: device(stroke), RG: device(stroke), K: device(stroke), CS: space(stroke), SC: colour(stroke), SCN: colour(stroke) },
    }
  }

  #resource(kind: string, name: PdfValue | undefined): PdfValue | undefined {
    return this.#file.dictionary(this.#resources?.entries.get(kind))?.entries.get(nameOf(name))
  }

  /** A font is needed only where it shows a text (`TextPainter`). */
  #needed(kind: string, name: PdfValue | undefined): PdfValue | undefined {
    const found = this.#resource(kind, name)
    if (this.#file.resolve(found).value.kind === 'null') this.painting.missing.add(`${kind}/${nameOf(name)}`)
    return found
  }

  #readFont(value: PdfValue | undefined): PdfFont | undefined {
    if (value === undefined) return undefined
    if (!this.#fonts.has(value)) this.#fonts.set(value, readFont(this.#file, value))
    return this.#fonts.get(value)
  }

  #show(items: readonly PdfValue[]): void {
    const { font } = this.#state
    if (font?.type3 === undefined) {
      this.#text.showAll(this.#state, items)
      return
    }
    if (font.doubt !== undefined) this.painting.doubts.add(font.doubt)
    for (const item of items) {
      if (item.kind !== 'string') this.#text.showAll(this.#state, [item])
      else this.#showProcedures(font.type3, item.value)
    }
  }

  /** §9.6.4: each glyph is a content stream. */
  #showProcedures({ procedures, matrix, resources }: NonNullable<PdfFont['type3']>, string: Uint8Array): void {
    const glyphs = this.#text.show(this.#state, string)
    const fontMatrix = toMatrix(this.#file.items(matrix).map(numberIn)) ?? [0.001, 0, 0, 0.001, 0, 0]
    const places = this.#text.glyphMatrices(this.#state, glyphs, fontMatrix)
    const own = this.#file.dictionary(resources) ?? this.#resources
    for (const [i, { code }] of glyphs.entries()) {
      const [procedure, place] = [procedures.get(code), places[i]]
      if (procedure === undefined || place === undefined) continue
      const bytes = contentBytes(this.#file, procedure)
      if (bytes === undefined) this.painting.gaps.add(remark('glyph_unreadable'))
      const outer = this.#state
      this.#state = { ...outer, matrix: place }
      this.#run(bytes ?? new Uint8Array(), own)
      this.#state = outer
    }
  }

  #paintXObject(value: PdfValue | undefined): void {
    const dictionary = this.#file.dictionary(value)
    if (dictionary?.entries.has('OC')) this.painting.doubts.add(remark('layers'))
    const subtype = nameOf(this.#file.resolve(dictionary?.entries.get('Subtype')).value)
    if (subtype === 'Image') this.#addPicture('image', this.#unitSquare())
    else if (value !== undefined && subtype === 'Form') this.#paintForm(value)
    else if (dictionary !== undefined) this.painting.gaps.add(remark('unknown_object_painted'))
  }

  #paintForm(value: PdfValue): void {
    const file = this.#file
    const entries = file.dictionary(value)?.entries
    const bytes = contentBytes(file, value)
    if (entries === undefined || bytes === undefined) return void this.painting.gaps.add(remark('part_unreadable'))
    if (entries.has('OC')) this.painting.doubts.add(remark('layers'))
    const outer = this.#state
    const own = toMatrix(file.items(entries.get('Matrix')).map(item => numberIn(file.resolve(item).value))) ?? IDENTITY
    const matrix = multiply(own, outer.matrix)
    const box = readRectangle(file, entries.get('BBox'))
    const clip = box === undefined ? outer.clip : intersect(outer.clip, transformed(box, matrix))
    this.#state = { ...outer, matrix, clip }
    this.#run(bytes, file.dictionary(entries.get('Resources')) ?? this.#resources)
    this.#state = outer
  }

  #unitSquare(): Rectangle {
    return transformed({ left: 0, bottom: 0, right: 1, top: 1 }, this.#state.matrix)
  }

  #addPicture(kind: PictureMark['kind'], area: Rectangle): void {
    this.painting.marks.push({ kind, area, clip: this.#state.clip, ink: 'pattern', ...mixing(this.#state) })
  }
}

const NULL: PdfValue = { kind: 'null', start: 0, end: 0 }

/** The bounding box of a rectangle in another space. */
export function transformed({ left, bottom, right, top }: Rectangle, matrix: Matrix): Rectangle {
  return boundsOf([
    apply(matrix, left, bottom),
    apply(matrix, right, bottom),
    apply(matrix, left, top),
    apply(matrix, right, top),
  ])
}

// Follows text objects and makes a mark of each string. ISO 32000-2 §9.2 to §9.4.

/** Heights above the baseline by which text is recognised, as parts of the font size. */
const [BOTTOM, TOP] = [-0.05, 0.6]
const MIN_REPEATED = 5
/** §9.3.6: neither filled nor stroked. */
const [INVISIBLE, INVISIBLE_CLIP, CLIPS] = [3, 7, 4]
/** A glyph must advance by this part of its width, or it is painted over the next. */
const MIN_ADVANCE = 0.4

class TextPainter {
  #matrix: Matrix = IDENTITY
  #lineMatrix: Matrix = IDENTITY
  readonly #painting: Painting

  constructor(painting: Painting) {
    this.#painting = painting
  }

  begin(): void {
    this.#matrix = IDENTITY
    this.#lineMatrix = IDENTITY
  }

  setMatrix(matrix: Matrix): void {
    this.#matrix = matrix
    this.#lineMatrix = matrix
  }

  moveLine(x: number, y: number): void {
    this.setMatrix(multiply([1, 0, 0, 1, x, y], this.#lineMatrix))
  }

  /** The operand of `TJ`: strings, and adjustments in thousandths of the font size. */
  showAll(state: GraphicsState, items: readonly PdfValue[]): void {
    for (const item of items) {
      if (item.kind === 'string') this.show(state, item.value)
      else this.#advance((-numberIn(item) / 1000) * state.size * state.horizontalScale)
    }
  }

  show(state: GraphicsState, string: Uint8Array): readonly Glyph[] {
    const { font, size, horizontalScale } = state
    const glyphs = font?.read(string) ?? []
    if (font === undefined && string.length > 0) {
      this.#painting.gaps.add(remark('font_missing'))
      this.#painting.missing.add(`Font/${state.fontName}`)
    }
    const toPage = multiply(this.#matrix, state.matrix)
    let width = 0
    for (const glyph of glyphs) {
      const own = (glyph.width / 1000) * size
      const advance = own + state.charSpacing + (glyph.isSpace ? state.wordSpacing : 0)
      const isBlank = glyph.character?.trim() === ''
      if (!isBlank && advance < own * MIN_ADVANCE) this.#painting.doubts.add(remark('text_overlapping'))
      width += advance * horizontalScale
    }
    this.#addMark(state, glyphs, toPage, width)
    this.#advance(width)
    return glyphs
  }

  /** From the space of the glyphs of a Type 3 font to that of the page, for each glyph. */
  glyphMatrices(state: GraphicsState, glyphs: readonly Glyph[], fontMatrix: Matrix): Matrix[] {
    const { size, horizontalScale, rise } = state
    const end = multiply(this.#matrix, state.matrix)
    let x = -glyphs.reduce((sum, glyph) => sum + this.#advanceOf(state, glyph), 0)
    return glyphs.map(glyph => {
      const place = multiply([size * horizontalScale, 0, 0, size, x, rise], end)
      x += this.#advanceOf(state, glyph)
      return multiply(fontMatrix, place)
    })
  }

  #advanceOf({ size, charSpacing, wordSpacing, horizontalScale }: GraphicsState, glyph: Glyph): number {
    return ((glyph.width / 1000) * size + charSpacing + (glyph.isSpace ? wordSpacing : 0)) * horizontalScale
  }

  #advance(x: number): void {
    this.#matrix = multiply([1, 0, 0, 1, x, 0], this.#matrix)
  }

  #addMark(state: GraphicsState, glyphs: readonly Glyph[], toPage: Matrix, width: number): void {
    const { font, size, rise, mode, fill, clip, horizontalScale } = state
    if (font === undefined || glyphs.length === 0 || font.type3 !== undefined) return
    if (mode === INVISIBLE || mode === INVISIBLE_CLIP) return void this.#painting.doubts.add(remark('text_invisible'))
    const [a, b, c, d] = toPage
    if ((a * d - b * c) * horizontalScale < 0) this.#painting.doubts.add(remark('text_mirrored'))
    if (mode >= CLIPS) this.#painting.doubts.add(remark('clipped_by_text'))
    const at = (x: number, y: number) => apply(toPage, x, y + rise)
    const area: Rectangle = boundsOf([at(0, BOTTOM * size), at(width, BOTTOM * size), at(0, TOP * size), at(width, TOP * size)])
    const [first] = glyphs
    this.#painting.marks.push({
      kind: 'text',
      area,
      clip,
      ink: mode === 1 ? state.stroke : fill,
      ...mixing(state),
      text: glyphs.some(({ character }) => character === undefined) ? undefined : glyphs.map(one => one.character).join(''),
      doubt: font.doubt,
      isDingbat: font.isDingbats,
      isLine:
        first !== undefined &&
        glyphs.length >= MIN_REPEATED &&
        glyphs.every(({ code }) => code === first.code) &&
        font.isLine(first.code),
      start: at(0, 0),
      end: at(width, 0),
      size: Math.hypot(toPage[2], toPage[3]) * Math.abs(size),
    })
  }
}

// Collects a path and makes a mark of it when it is painted. ISO 32000-2 §8.5.

type Point = readonly [number, number]

interface PathPainting {
  strokes: boolean
  fills: boolean
  closes: boolean
}

/** In points, of a rectangle on a turned page. */
const ROUNDING = 0.001

/** Four lines along the axes, and one that closes them. */
const isRectangle = (parts: readonly Stroke[]): boolean =>
  parts.length <= 5 &&
  parts.every(({ box, isCurve }) => !isCurve && Math.min(box.right - box.left, box.top - box.bottom) < ROUNDING)

class PathPainter {
  #parts: Stroke[] = []
  #start: Point = [0, 0]
  #at: Point = [0, 0]
  #clips = false
  readonly #painting: Painting

  constructor(painting: Painting) {
    this.#painting = painting
  }

  moveTo(matrix: Matrix, x: number, y: number): void {
    this.#at = apply(matrix, x, y)
    this.#start = this.#at
  }

  lineTo(matrix: Matrix, x: number, y: number): void {
    this.#addLine(apply(matrix, x, y))
  }

  curveTo(matrix: Matrix, points: readonly Point[]): void {
    const ends = points.map(([x, y]) => apply(matrix, x, y))
    this.#parts.push({ box: boundsOf([this.#at, ...ends]), isCurve: true })
    this.#at = ends.at(-1) ?? this.#at
  }

  rectangle(matrix: Matrix, [x, y, width, height]: readonly [number, number, number, number]): void {
    this.moveTo(matrix, x, y)
    this.lineTo(matrix, x + width, y)
    this.lineTo(matrix, x + width, y + height)
    this.lineTo(matrix, x, y + height)
    this.close()
  }

  close(): void {
    this.#addLine(this.#start)
  }

  clip(): void {
    this.#clips = true
  }

  paint(state: GraphicsState, { strokes, fills, closes }: PathPainting): void {
    if (closes) this.close()
    const parts = this.#parts
    this.#parts = []
    const isClip = this.#clips
    this.#clips = false
    if (parts.length === 0) return
    const area = parts.map(({ box }) => box).reduce(union)
    if (strokes) this.#add(state, parts, { isFilled: false, isStroked: true, ink: state.stroke })
    if (fills) this.#add(state, parts, { isFilled: true, isStroked: false, ink: state.fill })
    if (!isClip) return
    state.clip = intersect(state.clip, area)
    state.isCut ||= !isRectangle(parts)
  }

  #addLine(to: Point): void {
    this.#parts.push({ box: boundsOf([this.#at, to]), isCurve: false })
    this.#at = to
  }

  #add(state: GraphicsState, parts: readonly Stroke[], how: Pick<PathMark, 'isFilled' | 'isStroked'> & { ink: Ink }): void {
    const { clip, matrix, lineWidth } = state
    const area = parts.map(({ box }) => box).reduce(union)
    const painted = { area, clip, ...mixing(state), ink: how.ink }
    if (how.ink === 'pattern') return void this.#painting.marks.push({ ...painted, kind: 'pattern' })
    // §8.4.3.2: a line of width 0 is as thin as the device can draw.
    const width = how.isStroked
      ? Math.max(0.1, lineWidth * Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])))
      : 0
    this.#painting.marks.push({ ...painted, ...how, kind: 'path', parts, width })
  }
}
