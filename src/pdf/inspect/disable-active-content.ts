/** Makes the update that disables the active content of an upload, as the seal will. */
import { readFile, writeFile } from 'node:fs/promises'
import { makeOverlayIncrement } from '../writer/increment.ts'
import { openForUpdate } from './open-for-update.ts'

export interface DisableActiveContentRequest {
  /** A canonical file. */
  sourcePath: string
  /** Must not exist. Gets the bytes to append to the source, if there are any. */
  updatePath: string
}

/** Equal files get equal bytes. @throws PdfSyntaxError; EEXIST and other file system errors */
export async function disableActiveContent({ sourcePath, updatePath }: DisableActiveContentRequest): Promise<{ bytes: number }> {
  const update = makeOverlayIncrement(openForUpdate(await readFile(sourcePath)), undefined)
  if (update.length > 0) await writeFile(updatePath, update, { flag: 'wx', mode: 0o600 })
  return { bytes: update.length }
}
