/** The file that people see before the seal: the original, and its active content disabled. */
import type { Document } from '../../core/document/document.ts'
import type { App } from '../../ports.ts'
import { type NamedFile, newestOf } from './named-file.ts'

export interface ShownFile extends NamedFile {
  /** Bytes that follow those of the stored file. */
  update?: Uint8Array
}

/**
 * The sealed file, else the original with the update that the seal will begin with. The original
 * stays its prefix, byte for byte.
 */
export async function shownFile(app: App, document: Document): Promise<ShownFile> {
  const file = await newestOf(app.db, document)
  if (document.sha256Sealed !== undefined) return file
  return { ...file, update: await disablingUpdate(app, document.sha256Original) }
}

/** Made from the original alone, so nothing is stored that would have to be erased or moved. */
function disablingUpdate(app: App, sha256: string): Promise<Uint8Array> {
  return app.disablingUpdates.get(sha256, async () => {
    const updatePath = app.storage.temporaryPath()
    try {
      const { path: sourcePath } = await app.storage.intact(sha256)
      const { bytes } = await app.pdf.disableActiveContent({ sourcePath, updatePath })
      return bytes === 0 ? new Uint8Array() : await app.fileSystem.read(updatePath)
    } finally {
      await app.storage.discard(updatePath)
    }
  })
}
