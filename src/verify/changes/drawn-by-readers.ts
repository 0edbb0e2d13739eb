/**
 * Fields that PDF readers draw themselves, by the default appearance, and with which font.
 * ISO 32000-2 §12.7.4.3.
 */
import { fromLatin1 } from '../../lib/bytes.ts'
import { memoizePerObject } from '../../lib/lru-cache.ts'
import { type Remark, remark } from '../../locales/remarks.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import { makeReference, type PdfDictionary, PdfSyntaxError, type PdfValue } from '../../pdf/parser/syntax.ts'
import { isEmpty } from './field-values.ts'
import { fieldType, findFields, inherited, pagesOf } from './form-fields.ts'
import { nameOf } from './object-changes.ts'
import { appearanceOf } from './painted/appearance.ts'
import { readFont } from './painted/fonts.ts'
import { readOperations } from './painted/operations.ts'
import { annotationsOf } from './painted/page-surface.ts'

const formOf = (file: PdfFile): PdfDictionary | undefined =>
  file.dictionary(file.dictionary(file.crossReference.trailer.entries.get('Root'))?.entries.get('AcroForm'))

/** All but nothing and `false`: a reader may follow a reference to `true`. */
export const mayBeTrue = (value: PdfValue | undefined): boolean =>
  value !== undefined && !(value.kind === 'boolean' && !value.value)

/** Readers draw every field anew (/NeedAppearances), or this widget has no appearance. */
function isDrawnByReaders(file: PdfFile, widget: PdfDictionary): boolean {
  if (mayBeTrue(formOf(file)?.entries.get('NeedAppearances'))) return true
  return appearanceOf(file, widget) === undefined && !file.dictionary(widget.entries.get('AP'))?.entries.has('N')
}

const HIDDEN = 2

/** Table 167. No accepted update makes a hidden widget visible. */
function isHidden(file: PdfFile, widget: PdfDictionary): boolean {
  const { value } = file.resolve(widget.entries.get('F'))
  return value.kind === 'number' && (value.value & HIDDEN) !== 0
}

/** The font that a default appearance sets; undefined if it sets none. */
function fontNameIn(file: PdfFile, appearance: PdfValue | undefined): string | undefined {
  const { value } = file.resolve(appearance)
  if (value.kind !== 'string') return undefined
  let name: string | undefined
  try {
    for (const { operator, operands } of readOperations(value.value)) if (operator === 'Tf') name = nameOf(operands[0])
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error
  }
  return name
}

const defaultAppearanceOf = (file: PdfFile, widget: PdfDictionary): PdfValue | undefined => inherited(file, widget, 'DA')

const fontOf = (file: PdfFile, widget: PdfDictionary): string | undefined =>
  fontNameIn(file, defaultAppearanceOf(file, widget) ?? formOf(file)?.entries.get('DA'))

/** The fonts with which readers draw what is filled in, and whether the form's default is used. */
export const fontsOfReaders = memoizePerObject((file: PdfFile): { names: ReadonlySet<string>; usesDefault: boolean } => {
  const names = new Set<string>()
  let usesDefault = false
  for (const number of findFields(file)) {
    const widget = file.dictionary(makeReference(number))
    if (widget?.entries.has('Rect') !== true) continue
    const caption = file.dictionary(widget.entries.get('MK'))?.entries.has('CA') === true
    if (!caption && isEmpty(file, inherited(file, widget, 'V'))) continue
    if (fieldType(file, widget) === 'Sig' || isHidden(file, widget) || !isDrawnByReaders(file, widget)) continue
    usesDefault ||= defaultAppearanceOf(file, widget) === undefined
    const name = fontOf(file, widget)
    if (name !== undefined) names.add(name)
  }
  return { names, usesDefault }
})

/**
 * What the appearances of a revision use and their resources lack, as `Font/F1`: some readers take
 * it from the resources of the form (§12.7.3, /DR).
 */
export const missingResources = memoizePerObject((file: PdfFile): ReadonlySet<string> => {
  const annotations = pagesOf(file).flatMap(({ number }) => annotationsOf(file, number))
  return new Set(annotations.flatMap(([, one]) => [...(appearanceOf(file, one)?.painting.missing ?? [])]))
})

const LETTERS_AND_DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']

/** Why text in this font may look like another; a clause. Undefined without a font. */
export function findFontDoubt(file: PdfFile, value: PdfValue | undefined): Remark | undefined {
  const font = readFont(file, value)
  if (font === undefined || font.doubt !== undefined) return font?.doubt
  const isOther = (letter: string) => {
    const [glyph] = font.read(fromLatin1(letter))
    return glyph !== undefined && glyph.character !== letter
  }
  return LETTERS_AND_DIGITS.some(isOther) ? remark('font_with_other_characters') : undefined
}

/** The fonts of a dictionary of resources, by name. */
export const fontsIn = (file: PdfFile, resources: PdfValue | undefined): ReadonlyMap<string, PdfValue> =>
  file.dictionary(file.dictionary(resources)?.entries.get('Font'))?.entries ?? new Map()

/** Why readers that draw the widget may show something else than its value; a clause. */
export function findDrawnDoubt(file: PdfFile, widget: PdfDictionary): Remark | undefined {
  const name = fontOf(file, widget)
  if (name === undefined || !isDrawnByReaders(file, widget)) return undefined
  const resources = [widget.entries.get('DR'), inherited(file, widget, 'DR'), formOf(file)?.entries.get('DR')]
  const doubts = resources.map(one => findFontDoubt(file, fontsIn(file, one).get(name)))
  return doubts.find(doubt => doubt !== undefined)
}
