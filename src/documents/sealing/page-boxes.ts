/** The page boxes of stored files, read once in a child process. */
import type { PageBox } from '../../core/field/geometry.ts'
import type { App } from '../../ports.ts'

export async function pageBoxesOf(
  { pageBoxes, pdf, storage }: Pick<App, 'pageBoxes' | 'pdf' | 'storage'>,
  sha256: string,
): Promise<PageBox[]> {
  const boxes = pageBoxes.get(sha256) ?? (await pdf.readPageBoxes({ path: await storage.localPath(sha256) }))
  pageBoxes.set(sha256, boxes)
  return boxes
}
