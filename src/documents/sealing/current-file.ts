/** The file with what was signed so far: it is not sealed. */
import { Refusal } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import type { Actor, App } from '../../ports.ts'
import { fileNameOf } from '../files/named-file.ts'
import { load } from '../record.ts'
import { dateLanguageOf, fieldAppearances, withDrawings } from '../signing/marks.ts'

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
