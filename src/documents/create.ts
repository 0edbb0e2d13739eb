/** Creates a document: validates the request, inspects and stores the file, then the rows. */
import { type CreateDeps, createDraft } from '../core/create-document.ts'
import type { Document } from '../core/document.ts'
import { type NewDocument, type ValidationDeps, validateNewDocument } from '../core/new-document.ts'
import { Refusal } from '../core/refusal.ts'
import { addFile, isFileReferenced } from '../files/queries.ts'
import { sha256OfFile } from '../lib/disk.ts'
import { timeOfId } from '../lib/id.ts'
import type { PdfWarning } from '../pdf/inspect/report.ts'
import type { App, Origin } from '../ports.ts'
import type { Upload } from '../storage/files.ts'
import { hashAccessCode } from './link.ts'
import { record } from './record.ts'

export const LIMITS = { recipients: 100, fields: 1000 }

export interface CreatedDocument {
  document: Document
  warnings: PdfWarning[]
}

export function createDeps(app: App): CreateDeps & ValidationDeps {
  return {
    newId: app.newId,
    hashAccessCode: (recipientId, code) => hashAccessCode(app, recipientId, code),
    unprintable: app.unprintable,
    limits: LIMITS,
    now: app.now(),
  }
}

/** The caller discards the upload. A refused request or file stores nothing. */
export async function createDocument(app: App, input: NewDocument, file: Upload, origin: Origin): Promise<CreatedDocument> {
  const deps = createDeps(app)
  validateNewDocument(input, deps)
  const stored = await storeFile(app, file)
  try {
    const created = await app.write(async tx => {
      await addFile(tx, stored.sha256Original, stored.bytes, deps.now)
      const { document: drafted, events } = createDraft(input, origin.actor.userId, stored, deps)
      // The list of documents orders and filters by the time in the id.
      const created = { ...drafted, createdAt: timeOfId(drafted.id), updatedAt: deps.now }
      const document = await record(tx, app, undefined, { document: created, events }, origin)
      return { document, warnings: stored.warnings }
    })
    app.storage.release(stored.sha256Original)
    return created
  } catch (error) {
    app.storage.release(stored.sha256Original)
    // The file stays if another document has the same bytes.
    await app.storage.remove(stored.sha256Original, sha256 => isFileReferenced(app.db, sha256))
    throw error
  }
}

/** Inspects the file while it is synced, then stores the canonical bytes under their hash. */
async function storeFile(app: App, upload: Upload) {
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
