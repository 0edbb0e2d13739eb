/** Draws fields as in the sealed file, for the signing page. Runs in a child process. */
import { readFile, writeFile } from 'node:fs/promises'
import { type PageBox, type PercentBox, place } from '../core/field/geometry.ts'
import { openForUpdate } from '../pdf/inspect/open-for-update.ts'
import { openParagraphShaper } from '../text/shape.ts'
import { composeOverlay, type OverlayPage, sizedText } from './field-appearance.ts'
import { countFitting, type TextContent } from './text-appearance.ts'

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
