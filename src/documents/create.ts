/** A document is born: the request judged, the file judged in a child process, both on disk before the row that speaks of them. */

import { type Deps, draft, type NewDocument, validateNewDocument } from '../core/create-document.ts'
import type { Document } from '../core/document.ts'
import { Refusal } from '../core/refusal.ts'
import { addFile, isFileReferenced } from '../files/queries.ts'
import { sha256OfFile } from '../lib/disk.ts'
import { timeOfId } from '../lib/id.ts'
import type { PdfWarning } from '../pdf/inspect/report.ts'
import type { App, Origin } from '../ports.ts'
import type { Upload } from '../storage/files.ts'
import { hashAccessCode } from './link.ts'
import { record } from './record.ts'

const LIMITS = { recipients: 100, fields: 1000 }

export interface CreatedDocument {
  document: Document
  warnings: PdfWarning[]
}

function depsOf(app: App): Deps {
  return {
    newId: app.newId,
    hashAccessCode: (recipientId, code) => hashAccessCode(app, recipientId, code),
    unprintable: app.unprintable,
    limits: LIMITS,
    now: app.now(),
  }
}

/** Creates a draft from the uploaded PDF, which the caller discards. Nothing is stored when the request or the file is refused. */
export async function createDocument(app: App, input: NewDocument, file: Upload, origin: Origin): Promise<CreatedDocument> {
  const deps = depsOf(app)
  validateNewDocument(input, deps)
  const kept = await keepFile(app, file)
  try {
    const created = await app.write(async tx => {
      await addFile(tx, kept.sha256Original, kept.bytes, deps.now)
      const { document: drafted, events } = draft(input, origin.actor.userId, kept, deps)
      // The list takes a document's time from its id.
      const created = { ...drafted, createdAt: timeOfId(drafted.id) }
      const document = await record(tx, app, undefined, { document: created, events }, origin)
      return { document, warnings: kept.warnings }
    })
    app.storage.release(kept.sha256Original)
    return created
  } catch (error) {
    app.storage.release(kept.sha256Original)
    // What was refused leaves nothing behind, unless another document holds the same bytes.
    await app.storage.remove(kept.sha256Original, sha256 => isFileReferenced(app.db, sha256))
    throw error
  }
}

/** Judges the file while it goes to disk; keeps the canonical bytes under their hash. */
async function keepFile(app: App, upload: Upload) {
  const canonicalPath = app.storage.temporaryPath()
  try {
    const order = { path: upload.path, canonicalPath, maxPages: app.config.maxPages }
    const [found] = await Promise.all([app.pdf.inspect(order), upload.synced])
    if (found.verdict === 'refused') throw new Refusal(found.code, found.message)
    const sha256Uploaded = found.rewritten ? await sha256OfFile(upload.path) : undefined
    await app.storage.keep(found.rewritten ? canonicalPath : upload.path, found.sha256)
    const { pages, bytes, sha256: sha256Original, warnings } = found
    return { pageCount: pages.length, bytes, sha256Original, sha256Uploaded, warnings }
  } finally {
    await app.storage.discard(canonicalPath)
  }
}
