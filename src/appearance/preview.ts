/**
 * Marks as the seal will draw them, for a screen: the boxes of a document's pages, and drawings to
 * be laid over them. Runs in a child process.
 */

import { readFile, writeFile } from 'node:fs/promises'
import type { PageBox } from '../core/geometry.ts'
import { openForUpdate } from '../pdf/inspect/open-for-update.ts'
import type { FieldAppearance } from './field-appearance.ts'
import { composeOverlay } from './field-appearance.ts'

export interface PageBoxesRequest {
  /** A document of the house. */
  path: string
}

/** Marks drawn alone, as the seal will draw them, to be laid over the document on a screen. */
export interface OverlayRequest {
  pages: { page: number; box: PageBox; fields: FieldAppearance[] }[]
  outPath: string
}

/** @throws PdfSyntaxError for what is no document of the house */
export async function readPageBoxes({ path }: PageBoxesRequest): Promise<PageBox[]> {
  return openForUpdate(await readFile(path)).pages.map(page => page.box)
}

/** Writes the drawings to `outPath`, which must not be there yet. */
export async function writeOverlay({ pages, outPath }: OverlayRequest): Promise<{ bytes: number }> {
  const bytes = await composeOverlay(pages)
  await writeFile(outPath, bytes, { flag: 'wx', mode: 0o600 })
  return { bytes: bytes.length }
}
