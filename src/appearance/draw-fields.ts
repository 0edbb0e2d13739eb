/** Draws fields over the pages of a file, as in the sealed one. Runs in a child process. */
import { readFile, writeFile } from 'node:fs/promises'
import type { Machine } from '../lib/machine.ts'
import { type OpenedForUpdate, openForUpdate } from '../pdf/inspect/open-for-update.ts'
import { makeOverlayIncrement } from '../pdf/writer/increment.ts'
import type { Overlay } from '../pdf/writer/overlay.ts'
import { composeOverlay, type FieldAppearance } from './field-appearance.ts'

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
