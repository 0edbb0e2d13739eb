/** Several documents as one ZIP: the sealed file of each, else what people are shown before. */
import type { Document } from '../../core/document/document.ts'
import { Refusal } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import { fileBytes } from '../../files/queries.ts'
import { ArchiveNames } from '../../lib/file-names.ts'
import type { Actor, App } from '../../ports.ts'
import { FileDamagedError } from '../../storage/file-store.ts'
import { intactFile } from '../evidence/evidence-pack.ts'
import { MAX_BULK } from '../lifecycle/bulk.ts'
import { load } from '../record.ts'
import { fileNameOf } from './named-file.ts'
import { shownFile } from './shown-file.ts'

interface Entry {
  name: string
  content: string | Awaited<ReturnType<typeof contentOf>>
}

/** A ZIP without the 64-bit extension, which some programs cannot read, ends at 4 GB. */
const MAX_ZIP_BYTES = 2_000_000_000

/**
 * Documents the actor may not see are left out. Damaged files are named in a text beside. The name
 * of a file that nobody has sealed says so: it looks like the sealed one, and proves nothing.
 */
export async function documentsZip(app: App, actor: Actor, ids: string[]): Promise<{ fileName: string; entries: Entry[] }> {
  if (ids.length > MAX_BULK) throw new Refusal('validation_failed', violation('too_many_documents', { max: MAX_BULK }))
  const documents = await visible(app, actor, ids)
  if (documents.length === 0) throw new Refusal('validation_failed', violation('no_documents_chosen'))
  await requireSize(app, documents)
  const names = new ArchiveNames()
  const entries: Entry[] = []
  const missing: string[] = []
  for (const document of documents) {
    const name = await fileNameOf(app.db, document, document.sha256Sealed === undefined ? 'unsealed' : 'signed')
    const content = await ifIntact(app, document)
    if (content) entries.push({ name: names.unique(name, 'pdf'), content })
    else missing.push(`${document.title} (${document.id})`)
  }
  if (missing.length > 0) entries.push({ name: names.unique('NOT INCLUDED', 'txt'), content: missingText(missing) })
  return { fileName: 'documents.zip', entries }
}

/** As each document is shown: one without a seal with its active content disabled. */
async function contentOf(app: App, document: Document) {
  const file = await intactFile(app, document.sha256Sealed ?? document.sha256Original)
  // Made when it is the file's turn: each takes a child process.
  return { ...file, update: async () => (await shownFile(app, document)).update }
}

async function ifIntact(app: App, document: Document) {
  try {
    return await contentOf(app, document)
  } catch (error) {
    if (error instanceof FileDamagedError) return undefined
    throw error
  }
}

async function visible(app: App, actor: Actor, ids: string[]): Promise<Document[]> {
  const found = await Promise.all(
    [...new Set(ids)].map(id =>
      load(app.db, actor, id).catch((error: unknown) => {
        if (error instanceof Refusal && error.reason === 'not_found') return undefined
        throw error
      }),
    ),
  )
  return found.filter(document => document !== undefined)
}

async function requireSize(app: App, documents: Document[]): Promise<void> {
  let bytes = 0
  for (const document of documents) {
    bytes += (await fileBytes(app.db, document.sha256Sealed ?? document.sha256Original)) ?? 0
  }
  if (bytes <= MAX_ZIP_BYTES) return
  const gigabytes = (bytes / 1e9).toFixed(1)
  throw new Refusal('payload_too_large', violation('zip_too_large', { gigabytes }))
}

function missingText(missing: string[]): string {
  const list = missing.map(each => `- ${each}\n`).join('')
  return `The files of these documents are damaged or missing on the server. Please tell your administrator.\n\n${list}`
}
