/** The file that people see before the seal: the original, and its active content disabled. */
import type { Document } from '../../core/document/document.ts'
import { Refusal } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import type { Actor, App } from '../../ports.ts'
import { load } from '../record.ts'
import { dateLanguageOf, fieldAppearances, withDrawings } from '../signing/marks.ts'
import { fileNameOf, type NamedFile, newestOf } from './named-file.ts'

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

// The file with what was signed so far: it is not sealed.

/** Throws `not_found` before the first signature and once the document is sealed. */
export async function currentFile(app: App, actor: Actor, id: string): Promise<{ fileName: string; bytes: Uint8Array }> {
  const document = await load(app.db, actor, id)
  const signed = document.recipients.filter(r => r.status === 'signed')
  if (signed.length === 0) throw new Refusal('not_found', violation('nobody_signed'))
  if (document.sha256Sealed !== undefined) throw new Refusal('not_found', violation('document_sealed'))
  const sourcePath = await app.storage.localPath(document.sha256Original)
  const language = await dateLanguageOf(app.db, document)
  const outPath = app.storage.temporaryPath()
  try {
    await withDrawings(app, signed, drawings => {
      const fields = fieldAppearances(document, signed, drawings, language)
      return app.pdf.drawFields({ sourcePath, outPath, fields })
    })
    const bytes = await app.fileSystem.read(outPath)
    return { fileName: await fileNameOf(app.db, document, 'unsealed'), bytes }
  } finally {
    await app.storage.discard(outPath)
  }
}
