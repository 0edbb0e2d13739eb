/** A document is born: the request judged, the file judged in a child process, both on disk before the row that speaks of them. */

import type { Document } from '../core/document.ts'
import { draft, judgeRequest, type Means, type NewDocument } from '../core/draft.ts'
import { Refusal } from '../core/refusal.ts'
import { addFile, fileIsReferred } from '../files/queries.ts'
import { timeOfId } from '../lib/id.ts'
import { sha256Hex } from '../lib/token.ts'
import type { PdfWarning } from '../pdf/order.ts'
import type { App, Origin } from '../ports.ts'
import { hashAccessCode } from './link.ts'
import { record } from './record.ts'

const LIMITS = { recipients: 100, fields: 1000 }

export interface Created {
  document: Document
  warnings: PdfWarning[]
}

function meansOf(app: App): Means {
  return {
    newId: app.newId,
    hashAccessCode: (recipientId, code) => hashAccessCode(app, recipientId, code),
    unprintable: app.unprintable,
    limits: LIMITS,
    now: app.now(),
  }
}

/** `file`: the PDF's bytes. Nothing is stored when the request or the file is refused. */
export async function createDocument(app: App, input: NewDocument, file: Uint8Array, origin: Origin): Promise<Created> {
  const means = meansOf(app)
  judgeRequest(input, means)
  const limit = app.config.maxPdfBytes
  if (file.length > limit) {
    throw new Refusal('payload_too_large', `The PDF has ${file.length} bytes; at most ${limit} are accepted.`)
  }
  const kept = await keepFile(app, file)
  try {
    const created = await app.write(async tx => {
      await addFile(tx, kept.sha256Original, kept.bytes, means.now)
      const { document: drafted, events } = draft(input, origin.actor.userId, kept, means)
      // The list takes a document's time from its id.
      const created = { ...drafted, createdAt: timeOfId(drafted.id) }
      const document = await record(tx, app, undefined, { document: created, events }, origin)
      return { document, warnings: kept.warnings }
    })
    app.storage.settle(kept.sha256Original)
    return created
  } catch (error) {
    app.storage.settle(kept.sha256Original)
    // What was refused leaves nothing behind, unless another document holds the same bytes.
    await app.storage.remove(kept.sha256Original, sha256 => fileIsReferred(app.db, sha256))
    throw error
  }
}

/** Judges the file while it goes to disk; keeps the canonical bytes under their hash. */
async function keepFile(app: App, file: Uint8Array) {
  const upload = await app.storage.writeTemporary(file)
  const canonicalPath = app.storage.temporaryPath()
  try {
    const order = { path: upload.path, canonicalPath, maxPages: app.config.maxPages }
    const [found] = await Promise.all([app.pdf.inspect(order), upload.synced])
    if (found.verdict === 'refused') throw new Refusal(found.code, found.message)
    await app.storage.keep(found.rewritten ? canonicalPath : upload.path, found.sha256)
    return {
      pageCount: found.pages.length,
      bytes: found.bytes,
      sha256Original: found.sha256,
      sha256Uploaded: found.rewritten ? sha256Hex(file) : undefined,
      warnings: found.warnings,
    }
  } finally {
    await app.storage.discard(upload.path)
    await app.storage.discard(canonicalPath)
  }
}
