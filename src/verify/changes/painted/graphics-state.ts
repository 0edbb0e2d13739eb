/** The graphics state that decides what operators paint. ISO 32000-2 §8.4, §9.3, §11.3. */
import { type Remark, remark } from '../../../locales/remarks.ts'
import type { Matrix } from '../../../pdf/detect/page-content.ts'
import type { PdfFile } from '../../../pdf/parser/file.ts'
import type { PdfDictionary, PdfValue } from '../../../pdf/parser/syntax.ts'
import type { Rectangle } from '../form-fields.ts'
import { nameOf } from '../object-changes.ts'
import type { PdfFont } from './fonts.ts'
import type { Ink, Mark } from './marks.ts'

export interface GraphicsState {
  matrix: Matrix
  clip: Rectangle
  /** A clipping path was no rectangle: what it leaves is less than `clip`. */
  isCut: boolean
  lineWidth: number
  fill: Ink
  stroke: Ink
  /** Of the colour spaces, to read the operands of the operators that follow. */
  fillSpace: number | 'pattern' | 'unknown'
  strokeSpace: number | 'pattern' | 'unknown'
  /** 1 is opaque. */
  alpha: number
  blend: string
  font: PdfFont | undefined
  /** Among the resources. */
  fontName: string
  size: number
  charSpacing: number
  wordSpacing: number
  horizontalScale: number
  leading: number
  rise: number
  mode: number
}

/** A coloured ground of less is not seen well on white. */
const MIN_ALPHA = 0.4

export const BLACK: Ink = [0, 0, 0]

export const initialState = (matrix: Matrix, clip: Rectangle): GraphicsState => ({
  matrix,
  clip,
  isCut: false,
  lineWidth: 1,
  fill: BLACK,
  stroke: BLACK,
  fillSpace: 1,
  strokeSpace: 1,
  alpha: 1,
  blend: 'Normal',
  font: undefined,
  fontName: '',
  size: 0,
  charSpacing: 0,
  wordSpacing: 0,
  horizontalScale: 1,
  leading: 0,
  rise: 0,
  mode: 0,
})

/** How what is painted mixes with the page, and whether all of it is painted. */
export const mixing = ({
  blend,
  alpha,
  isCut,
}: GraphicsState): Pick<Mark, 'isOpaque' | 'isMultiplied' | 'isFaint' | 'isCut'> => ({
  isCut,
  isOpaque: blend === 'Normal' && alpha === 1,
  isMultiplied: blend === 'Multiply',
  isFaint: alpha < MIN_ALPHA || (blend !== 'Normal' && blend !== 'Multiply'),
})

export const numberIn = (value: PdfValue | undefined): number => (value?.kind === 'number' ? value.value : 0)

/** Grey, RGB or CMYK by the number of components (§8.6.4). */
export function inkOf(components: readonly number[]): Ink {
  const [a = 0, b = a, c = a, black = 0] = components
  if (components.length === 4) return [(1 - a) * (1 - black), (1 - b) * (1 - black), (1 - c) * (1 - black)]
  return components.length === 1 || components.length === 3 ? [a, b, c] : 'unknown'
}

const COMPONENTS: Readonly<Record<string, number>> = {
  DeviceGray: 1,
  CalGray: 1,
  G: 1,
  DeviceRGB: 3,
  CalRGB: 3,
  RGB: 3,
  DeviceCMYK: 4,
  CMYK: 4,
}

/** The number of components of a colour space, by its name or in the resources (§8.6.3). */
export function readColourSpace(file: PdfFile, resources: PdfDictionary | undefined, name: string): GraphicsState['fillSpace'] {
  if (name === 'Pattern') return 'pattern'
  const known = COMPONENTS[name]
  if (known !== undefined) return known
  const { value } = file.resolve(file.dictionary(resources?.entries.get('ColorSpace'))?.entries.get(name))
  if (value.kind === 'name') return value.value === 'Pattern' ? 'pattern' : (COMPONENTS[value.value] ?? 'unknown')
  if (value.kind !== 'array') return 'unknown'
  const family = nameOf(file.resolve(value.items[0]).value)
  if (family === 'Pattern') return 'pattern'
  if (family !== 'ICCBased') return COMPONENTS[family] ?? 'unknown'
  return numberIn(file.resolve(file.dictionary(value.items[1])?.entries.get('N')).value) || 'unknown'
}

/** §8.4.5. Returns a clause if it makes what follows look different from its operators. */
export function applyExtGState(file: PdfFile, state: GraphicsState, entries: PdfDictionary['entries']): Remark | undefined {
  const width = file.resolve(entries.get('LW')).value
  if (width.kind === 'number') state.lineWidth = width.value
  const blend = file.resolve(entries.get('BM')).value
  if (blend.kind === 'name') state.blend = blend.value === 'Compatible' ? 'Normal' : blend.value
  else if (blend.kind === 'array') state.blend = nameOf(file.resolve(blend.items[0]).value)
  const alphas = ['ca', 'CA'].map(key => file.resolve(entries.get(key)).value)
  for (const alpha of alphas) if (alpha.kind === 'number') state.alpha = Math.min(state.alpha, alpha.value)
  const mask = file.resolve(entries.get('SMask')).value
  return mask.kind === 'dictionary' ? remark('painted_through_mask') : undefined
}
