/**
 * Tells whether a run of one glyph of an embedded TrueType font is a line to write on: by what the
 * font says of the glyph, and by its outline. ISO 32000-2 §9.6.5.4, §9.7.4.2, §9.10.
 */
import type { PdfFile } from '../../../pdf/parser/file.ts'
import type { PdfDictionary, PdfValue } from '../../../pdf/parser/syntax.ts'
import { type CodeTexts, readToUnicode } from '../../../pdf/parser/to-unicode.ts'
import { type CharacterMap, readCharacterMaps } from '../../../text/character-maps.ts'
import { type Contour, GlyphOutlines } from '../../../text/glyph-outlines.ts'
import { FontFormatError, findTable } from '../../../text/sfnt.ts'
import type { Rectangle } from '../form-fields.ts'
import { nameOf } from '../object-changes.ts'
import { boundsOf } from './marks.ts'
import { contentBytes } from './operations.ts'

/** Underscores, dots and dashes on which something is to be written say nothing themselves. */
export const WRITING_LINE = /^[\s_.·․…‥\-–—]*$/u

/** Parts of the font size: of the line's height, and of how far its parts are from one height. */
const [MAX_HEIGHT, MAX_STEP] = [0.3, 0.05]
/** What dots and dashes fill of their bounding box, and how much higher than wide they may be. */
const [MIN_FILLED, MAX_RATIO] = [0.7, 1.3]

/** By the formula of the shoelace: the area within the corners and control points. */
function areaWithin(contour: Contour): number {
  const sum = contour.reduce((total, { x, y }, i) => {
    const next = contour[(i + 1) % contour.length]
    return total + x * (next?.y ?? 0) - y * (next?.x ?? 0)
  }, 0)
  return Math.abs(sum) / 2
}

const boxOf = (contour: Contour): Rectangle => boundsOf(contour.map(({ x, y }) => [x, y] as const))

/** Dots and dashes in one row: none over another, so they draw no letter or digit together. */
function isRow(contours: readonly Contour[], unitsPerEm: number): boolean {
  const boxes = contours.map(boxOf).sort((a, b) => a.left - b.left)
  const [first] = boxes
  return boxes.every(({ left, bottom, right, top }, i) => {
    const before = boxes[i - 1]
    const isBeside = before === undefined || before.right <= left
    const isLevel = first === undefined || Math.abs(bottom - first.bottom) <= MAX_STEP * unitsPerEm
    const isLow = top - bottom <= Math.min(MAX_HEIGHT * unitsPerEm, MAX_RATIO * (right - left))
    return isBeside && isLevel && isLow
  })
}

/** How often a contour that is followed once around turns back along one axis. */
function countTurns(values: readonly number[]): number {
  const steps = values.map((value, i) => Math.sign((values[(i + 1) % values.length] ?? value) - value)).filter(step => step !== 0)
  return steps.filter((step, i) => step !== steps[(i + 1) % steps.length]).length
}

/** A dot or dash: it goes there and back once, and fills its bounding box. */
function isFull(contour: Contour): boolean {
  const { left, bottom, right, top } = boxOf(contour)
  const isRound = [contour.map(({ x }) => x), contour.map(({ y }) => y)].every(values => countTurns(values) <= 2)
  return isRound && areaWithin(contour) >= MIN_FILLED * (right - left) * (top - bottom)
}

/** Table 115: where the character map of a symbolic font has its codes. */
const SYMBOLS = 0xf000

interface Program {
  outlines: GlyphOutlines
  maps: () => readonly CharacterMap[]
  unitsPerEm: number
}

function readProgram(file: PdfFile, value: PdfValue | undefined): Program | undefined {
  const bytes = value === undefined ? undefined : contentBytes(file, value)
  if (bytes === undefined) return undefined
  const unitsPerEm = findTable(bytes, 'head').getUint16(18)
  return { outlines: new GlyphOutlines(bytes), maps: () => readCharacterMaps(bytes), unitsPerEm }
}

/** Undefined for a font that is damaged. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof FontFormatError || error instanceof RangeError) return undefined
    throw error
  }
}

/**
 * Readers choose one of several maps, so the glyphs of all count. Undefined if one is not read, or
 * if none has the character of the encoding: some readers then find a glyph by its name.
 */
function glyphsBySimpleCode({ maps }: Program, code: number, character: string | undefined): number[] | undefined {
  const all = maps()
  const glyphsOf = (one: number): (number | undefined)[] =>
    all.flatMap(({ glyphOf }) => [glyphOf(one), glyphOf(SYMBOLS + one)]).filter(glyph => glyph !== 0)
  const own = glyphsOf(code)
  const named = character === undefined ? own : glyphsOf(character.codePointAt(0) ?? code)
  const drawn = [...own, ...named].filter(glyph => glyph !== undefined)
  return named.length === 0 || drawn.length < own.length + named.length ? undefined : drawn
}

/** Table 115: by the code of Identity-H, which is the CID. */
function glyphByCid(file: PdfFile, descendant: PdfDictionary | undefined, cid: number): number | undefined {
  const map = descendant?.entries.get('CIDToGIDMap')
  const { value } = file.resolve(map)
  if (value.kind === 'null' || nameOf(value) === 'Identity') return cid
  const bytes = map === undefined ? undefined : contentBytes(file, map)
  const [high, low] = [bytes?.[2 * cid], bytes?.[2 * cid + 1]]
  return high === undefined || low === undefined ? undefined : high * 256 + low
}

export interface LineFont {
  /** With /ToUnicode. */
  font: PdfDictionary
  /** Of a composite font; undefined for a simple one. */
  descendant: PdfDictionary | undefined
  /** What the encoding says of a code; undefined if it says nothing. */
  characterOf: (code: number) => string | undefined
}

/** The test of one font, which reads what it needs at its first use. */
export class LineGlyphs {
  readonly #file: PdfFile
  readonly #font: LineFont
  readonly #known = new Map<number, boolean>()
  #texts: CodeTexts | undefined

  constructor(file: PdfFile, font: LineFont) {
    this.#file = file
    this.#font = font
  }

  has(code: number): boolean {
    const known = this.#known.get(code) ?? (this.#isNamedLine(code) && attempt(() => this.#isDrawnAsLine(code)) === true)
    this.#known.set(code, known)
    return known
  }

  /** One of mapping and encoding says so, and the other does not say otherwise. */
  #isNamedLine(code: number): boolean {
    const named = [this.#mapped(code), this.#font.characterOf(code)].filter(text => text !== undefined)
    return named.length > 0 && named.every(text => WRITING_LINE.test(text))
  }

  #mapped(code: number): string | undefined {
    const { font, descendant } = this.#font
    const map = font.entries.get('ToUnicode')
    this.#texts ??= readToUnicode((map && contentBytes(this.#file, map)) ?? new Uint8Array())
    return this.#texts.get(code.toString(16).padStart(descendant === undefined ? 2 : 4, '0'))
  }

  #isDrawnAsLine(code: number): boolean {
    const { font, descendant, characterOf } = this.#font
    const descriptor = this.#file.dictionary((descendant ?? font).entries.get('FontDescriptor'))
    const program = readProgram(this.#file, descriptor?.entries.get('FontFile2'))
    if (program === undefined) return false
    const cid = descendant === undefined ? undefined : glyphByCid(this.#file, descendant, code)
    const glyphs = descendant === undefined ? glyphsBySimpleCode(program, code, characterOf(code)) : [cid]
    return glyphs?.every(glyph => glyph !== undefined && isLineShape(program, glyph)) === true
  }
}

/** A glyph that is made of others is not read: dots and dashes are not. */
function isLineShape({ outlines, unitsPerEm }: Program, glyph: number): boolean {
  const contours = outlines.simpleContours(glyph)
  return contours?.every(isFull) === true && isRow(contours, unitsPerEm)
}
