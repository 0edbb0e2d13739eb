/** Follows text objects and makes a mark of each string. ISO 32000-2 §9.2 to §9.4. */
import { apply, IDENTITY, type Matrix, multiply } from '../../../pdf/detect/matrix.ts'
import type { PdfValue } from '../../../pdf/parser/syntax.ts'
import type { Rectangle } from '../form-fields.ts'
import type { Glyph } from './fonts.ts'
import { type GraphicsState, mixing, numberIn } from './graphics-state.ts'
import { boundsOf, type Painting } from './marks.ts'

/** Heights above the baseline by which text is recognised, as parts of the font size. */
const [BOTTOM, TOP] = [-0.05, 0.6]
const MIN_REPEATED = 5
/** §9.3.6: neither filled nor stroked. */
const [INVISIBLE, INVISIBLE_CLIP, CLIPS] = [3, 7, 4]
/** A glyph must advance by this part of its width, or it is painted over the next. */
const MIN_ADVANCE = 0.4

export class TextPainter {
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
      this.#painting.gaps.add('a text has no font')
      this.#painting.missing.add(`Font/${state.fontName}`)
    }
    const toPage = multiply(this.#matrix, state.matrix)
    let width = 0
    for (const glyph of glyphs) {
      const own = (glyph.width / 1000) * size
      const advance = own + state.charSpacing + (glyph.isSpace ? state.wordSpacing : 0)
      const isBlank = glyph.character?.trim() === ''
      if (!isBlank && advance < own * MIN_ADVANCE) this.#painting.doubts.add('its characters lie one over another')
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
    if (mode === INVISIBLE || mode === INVISIBLE_CLIP) return void this.#painting.doubts.add('it has invisible text')
    const [a, b, c, d] = toPage
    if ((a * d - b * c) * horizontalScale < 0) this.#painting.doubts.add('its text is mirrored')
    if (mode >= CLIPS) this.#painting.doubts.add('it is clipped by text')
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
