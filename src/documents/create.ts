/** Creates a document: validates the request, inspects and stores the file, then the rows. */
import { type CreateDeps, createDraft, type FileFacts } from '../core/create-document.ts'
import type { Document } from '../core/document.ts'
import { addFoundFields } from '../core/fields-from.ts'
import { type NewDocument, type ValidationDeps, validateNewDocument } from '../core/new-document.ts'
import { abandonFile } from '../files/claims.ts'
import { timeOfId } from '../lib/id.ts'
import type { PdfWarning } from '../pdf/inspect/report.ts'
import type { App, Origin } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { hashAccessCode } from './link.ts'
import { findFieldsOnce } from './propose-fields.ts'
import { record } from './record.ts'
import { type NamedUpload, storeFiles } from './store-files.ts'

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

/**
 * Several uploads are joined in order. The caller discards them. A refused request or file stores
 * nothing. The names are those of the uploads; `input.files` only says that they are a list.
 */
export async function createDocument(
  app: App,
  input: NewDocument,
  uploads: readonly NamedUpload[],
  origin: Origin,
): Promise<CreatedDocument> {
  const { defaults } = await readOrganisation(app.db)
  const deps = { ...createDeps(app), defaults }
  const request = withFileNames(input, uploads)
  validateNewDocument(request, deps)
  const stored = await storeFiles(app, uploads)
  try {
    const whole = await withFieldsFrom(app, request, stored, deps)
    return await app.write(async tx => {
      const { document: drafted, events } = createDraft(whole.input, origin.actor.userId, stored, deps)
      // The list of documents orders and filters by the time in the id.
      const created = { ...drafted, createdAt: timeOfId(drafted.id), updatedAt: deps.now }
      const file = stored.claim
      const document = await record(tx, app, undefined, { document: created, events }, origin, { file })
      return { document, warnings: [...stored.warnings, ...whole.warnings] }
    })
  } catch (error) {
    await abandonFile(app, stored.claim)
    throw error
  }
}

function withFileNames({ fileName: _, files, ...input }: NewDocument, uploads: readonly NamedUpload[]): NewDocument {
  const names = uploads.map(({ fileName }) => ({ fileName }))
  const [first = { fileName: '' }] = names
  return files || names.length > 1 ? { ...input, files: names } : { ...input, ...first }
}

/** With the fields that the PDF contains, if the request asks for them. */
async function withFieldsFrom(app: App, input: NewDocument, { sha256Original, pageCount }: FileFacts, deps: ValidationDeps) {
  if (!input.fieldsFrom?.length) return { input, warnings: [] }
  const found = await findFieldsOnce(app, sha256Original)
  const whole = addFoundFields(input, found, { pageCount, unprintable: deps.unprintable })
  validateNewDocument(whole.input, deps)
  return whole
}
