/**
 * Draws fields and typed signatures as in the sealed file, over its pages or by themselves. Runs in
 * a child process.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { type PageBox, type PercentBox, place } from '../core/field/geometry.ts'
import { HAND_AREA, type Hand } from '../core/signing/signature-mark.ts'
import type { Machine } from '../lib/machine.ts'
import { type OpenedForUpdate, openForUpdate } from '../pdf/inspect/open-for-update.ts'
import { makeOverlayIncrement } from '../pdf/writer/increment.ts'
import type { Overlay } from '../pdf/writer/overlay.ts'
import { loadForShaping } from '../text/font-cache.ts'
import { outlinesOf } from '../text/font-outlines.ts'
import { openShaper } from '../text/harfbuzz.ts'
import { openParagraphShaper } from '../text/shape.ts'
import { composeOverlay, type FieldAppearance, type OverlayPage, placeSignature, sizedText } from './field-appearance.ts'
import { countFitting, type TextContent } from './text-appearance.ts'

export interface DrawFieldsRequest {
  /** A canonical file. Its bytes become the first revision. */
  sourcePath: string
  /** Must not exist. */
  outPath: string
  fields: FieldAppearance[]
}

/** The drawings of the pages that have fields; `undefined` if none has. */
export async function drawOverlay(
  { pages }: OpenedForUpdate,
  fields: readonly FieldAppearance[],
  compose: typeof composeOverlay,
): Promise<Overlay | undefined> {
  const numbers = [...new Set(fields.map(field => field.page))].sort((a, b) => a - b)
  if (numbers.length === 0) return undefined
  const overlays = numbers.map(number => {
    const page = pages[number - 1]
    if (page === undefined) throw new RangeError(`there is no page ${number} for a field`)
    return { page: number, box: page.box, fields: fields.filter(field => field.page === number) }
  })
  const boxes = overlays.map(page => page.fields.flatMap(({ box, content }) => (content.kind === 'cover' ? [] : [box])))
  return { bytes: await compose(overlays), pages: numbers, fields: boxes }
}

/** @throws PdfSyntaxError; RangeError for a missing page; EEXIST and other file system errors */
export async function drawFields(
  { sourcePath, outPath, fields }: DrawFieldsRequest,
  { random }: Pick<Machine, 'random'>,
): Promise<{ bytes: number }> {
  const source = await readFile(sourcePath)
  const pdf = openForUpdate(source)
  const overlay = await drawOverlay(pdf, fields, composeOverlay)
  const update = makeOverlayIncrement(pdf, overlay && { overlay, id: random(16) })
  await writeFile(outPath, Buffer.concat([source, update]), { flag: 'wx', mode: 0o600 })
  return { bytes: source.length + update.length }
}

// Draws typed signatures for a page as they are stamped. Runs in a child process.

export interface DrawHandsRequest {
  text: string
  hands: Hand[]
}

/** `HAND_AREA` is in tenths of a point. */
const UNIT = 10

/** The data of one SVG path for each hand, in a box of `HAND_AREA`. */
export async function drawHands({ text, hands }: DrawHandsRequest): Promise<string[]> {
  const [shaper, shape] = await Promise.all([openShaper(), openParagraphShaper()])
  return hands.map(hand => {
    const { line, left, baseline, size } = placeSignature({ text, hand }, HAND_AREA, UNIT, shape)
    let at = left
    const paths = line.runs.flatMap(({ font, clusters }) => {
      const outlines = outlinesOf(font)
      const scale = (size * font.scale) / loadForShaping(shaper, font).metrics.unitsPerEm
      return clusters.flatMap(({ glyphs }) =>
        glyphs.map(({ id, dx, dy, advance }) => {
          // The y axis of SVG points down.
          const origin = [at + dx * size, HAND_AREA.height - baseline - dy * size] as const
          at += advance * size
          return outlines.pathOf(id, [scale, 0, 0, -scale, ...origin])
        }),
      )
    })
    return paths.join('')
  })
}

// Draws fields as in the sealed file, for the signing page. Runs in a child process.

export interface PageBoxesRequest {
  /** A canonical file. */
  path: string
}

export interface OverlayRequest {
  pages: OverlayPage[]
  /** Must not exist. */
  outPath: string
}

export interface FitTextsRequest {
  texts: { page: PageBox; box: PercentBox; content: TextContent }[]
}

/** @throws PdfSyntaxError if the file is not a canonical one */
export async function readPageBoxes({ path }: PageBoxesRequest): Promise<PageBox[]> {
  return openForUpdate(await readFile(path)).pages.map(page => page.box)
}

export async function writeOverlay({ pages, outPath }: OverlayRequest): Promise<{ bytes: number }> {
  const bytes = await composeOverlay(pages)
  await writeFile(outPath, bytes, { flag: 'wx', mode: 0o600 })
  return { bytes: bytes.length }
}

/** By the rules of the drawing: about how many characters of each text fit, null if all do. */
export async function fitTexts({ texts }: FitTextsRequest): Promise<(number | null)[]> {
  const shape = await openParagraphShaper()
  return texts.map(({ page, box, content }) => {
    const area = place(page, box)
    return countFitting(sizedText(content, page), area, 1 / page.userUnit, shape) ?? null
  })
}
