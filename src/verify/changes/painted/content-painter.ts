/**
 * Runs the operators of a content stream and collects what they paint, with forms, patterns and
 * Type 3 glyphs inside. ISO 32000-2 §8, §9. Draws nothing.
 */
import { apply, IDENTITY, type Matrix, multiply, toMatrix } from '../../../pdf/detect/matrix.ts'
import type { PdfFile } from '../../../pdf/parser/file.ts'
import { type PdfDictionary, PdfSyntaxError, type PdfValue } from '../../../pdf/parser/syntax.ts'
import { intersect, type Rectangle, readRectangle } from '../form-fields.ts'
import { nameOf } from '../object-changes.ts'
import { contentBytes } from './content-bytes.ts'
import { type PdfFont, readFont } from './fonts.ts'
import { applyExtGState, type GraphicsState, initialState, inkOf, mixing, numberIn, readColourSpace } from './graphics-state.ts'
import { boundsOf, newPainting, type Painting, type PictureMark } from './marks.ts'
import { type Operation, readOperations } from './operations.ts'
import { PathPainter, type PathPainting } from './path-painter.ts'
import { TextPainter } from './text-painter.ts'

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
    if (this.#depth >= MAX_DEPTH) return void this.painting.gaps.add('its content is nested too deeply')
    const saved: GraphicsState[] = []
    const [outer, outerState] = [this.#resources, this.#state]
    this.#resources = resources
    this.#depth++
    try {
      for (const operation of readOperations(bytes)) {
        if (this.#budget.operations-- <= 0) {
          this.painting.gaps.add('it has more content than is read')
          break
        }
        this.#apply(operation, saved)
      }
    } catch (error) {
      if (!(error instanceof PdfSyntaxError)) throw error
      this.painting.gaps.add('its content is damaged')
    } finally {
      this.#depth--
      this.#resources = outer
      this.#state = outerState
    }
  }

  #apply({ operator, operands }: Operation, saved: GraphicsState[]): void {
    if (operator === 'q') {
      if (saved.length >= MAX_SAVED) this.painting.gaps.add('its content is nested too deeply')
      else saved.push({ ...this.#state })
    } else if (operator === 'Q') this.#state = saved.pop() ?? this.#state
    else if (Object.hasOwn(PATHS, operator)) this.#path.paint(this.#state, PATHS[operator] as PathPainting)
    else if (Object.hasOwn(this.#handlers, operator)) this.#handlers[operator]?.(operands)
    else if (!SILENT.has(operator)) this.painting.doubts.add('it has operators that PDF readers do not know')
    if (operator === 'BDC' && nameOf(operands[0]) === 'OC') this.painting.doubts.add('it has layers that can be hidden')
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
        if (entries?.has('Font')) this.painting.doubts.add('its font is chosen by a graphics state')
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
    this.painting.doubts.add(font.doubt ?? '')
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
      if (bytes === undefined) this.painting.gaps.add('a glyph cannot be read')
      const outer = this.#state
      this.#state = { ...outer, matrix: place }
      this.#run(bytes ?? new Uint8Array(), own)
      this.#state = outer
    }
  }

  #paintXObject(value: PdfValue | undefined): void {
    const dictionary = this.#file.dictionary(value)
    if (dictionary?.entries.has('OC')) this.painting.doubts.add('it has layers that can be hidden')
    const subtype = nameOf(this.#file.resolve(dictionary?.entries.get('Subtype')).value)
    if (subtype === 'Image') this.#addPicture('image', this.#unitSquare())
    else if (value !== undefined && subtype === 'Form') this.#paintForm(value)
    else if (dictionary !== undefined) this.painting.gaps.add('it paints an object of an unknown kind')
  }

  #paintForm(value: PdfValue): void {
    const file = this.#file
    const entries = file.dictionary(value)?.entries
    const bytes = contentBytes(file, value)
    if (entries === undefined || bytes === undefined) return void this.painting.gaps.add('a part of its content cannot be read')
    if (entries.has('OC')) this.painting.doubts.add('it has layers that can be hidden')
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
