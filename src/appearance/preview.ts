/** Draws fields as in the sealed file, for the signing page. Runs in a child process. */
import { readFile, writeFile } from 'node:fs/promises'
import type { PageBox } from '../core/geometry.ts'
import { openForUpdate } from '../pdf/inspect/open-for-update.ts'
import { composeOverlay, type OverlayPage } from './field-appearance.ts'

export interface PageBoxesRequest {
  /** A canonical file. */
  path: string
}

export interface OverlayRequest {
  pages: OverlayPage[]
  /** Must not exist. */
  outPath: string
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
