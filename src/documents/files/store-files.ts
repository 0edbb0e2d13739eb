/** Inspects uploads, joins several, and stores the file that everybody will see. */
import type { DocumentFile } from '../../core/document/document.ts'
import { errorAt, InvalidInputError, Refusal } from '../../core/refusal.ts'
import { cleanLine } from '../../core/text.ts'
import type { Violation } from '../../core/violation.ts'
import { abandonFile, type FileClaim, keepFile } from '../../files/claims.ts'
import { sha256OfFile } from '../../lib/disk.ts'
import type { Inspection, PdfWarning } from '../../pdf/inspect/report.ts'
import type { App } from '../../ports.ts'
import type { Upload } from '../../storage/file-store.ts'

/** Of one document. */
export const MAX_FILES = 20

/** An upload under the name that its sender gives it. */
export interface NamedUpload {
  upload: Upload
  fileName: string
}

export interface StoredFile {
  claim: FileClaim
  pageCount: number
  bytes: number
  sha256Original: string
  /** Of the upload, if it had to be rewritten. */
  sha256Uploaded: string | undefined
  files: DocumentFile[] | undefined
  warnings: PdfWarning[]
}

type Accepted = Extract<Inspection, { verdict: 'accepted' }>

/** Facts about a file that end with it: the joined file has neither. */
const NOT_JOINED: ReadonlySet<string> = new Set(['earlier_revisions', 'trailing_bytes'])

/** The caller discards the uploads. `work` settles the claim; after a failure it is abandoned. */
export async function withStoredFiles<T>(
  app: App,
  uploads: readonly NamedUpload[],
  work: (stored: StoredFile) => Promise<T>,
): Promise<T> {
  const stored = await storeFiles(app, uploads)
  try {
    return await work(stored)
  } catch (error) {
    await abandonFile(app, stored.claim)
    throw error
  }
}

async function storeFiles(app: App, uploads: readonly NamedUpload[]): Promise<StoredFile> {
  const [only, ...others] = uploads
  if (only === undefined) throw new Error('a document is made of one file at least')
  return others.length === 0 ? storeOne(app, only.upload) : storeJoined(app, uploads)
}

/** Inspects the file while it is synced, then stores the canonical bytes under their hash. */
async function storeOne(app: App, upload: Upload): Promise<StoredFile> {
  const canonicalPath = app.storage.temporaryPath()
  try {
    const order = { path: upload.path, canonicalPath, maxPages: app.config.maxPages }
    const [found] = await Promise.all([app.pdf.inspect(order), upload.synced])
    if (found.verdict === 'refused') throw new Refusal(found.code, found.violation)
    const sha256Uploaded = found.rewritten ? await sha256OfFile(app.fileSystem, upload.path) : undefined
    const claim = await keepFile(app, found.rewritten ? canonicalPath : upload.path, found)
    const { pages, bytes, sha256: sha256Original, warnings } = found
    return { claim, pageCount: pages.length, bytes, sha256Original, sha256Uploaded, files: undefined, warnings }
  } finally {
    await app.storage.discard(canonicalPath)
  }
}

/** Only the joined file is stored. Of the uploads, the document keeps the hashes. */
async function storeJoined(app: App, uploads: readonly NamedUpload[]): Promise<StoredFile> {
  const canonicalPaths = uploads.map(() => app.storage.temporaryPath())
  const joinedPath = app.storage.temporaryPath()
  const rewrittenPath = app.storage.temporaryPath()
  try {
    const parts: { file: DocumentFile; path: string; warnings: PdfWarning[] }[] = []
    for (const [i, named] of uploads.entries()) parts.push(await inspectPart(app, named, i, canonicalPaths[i] ?? ''))
    const { maxPages } = app.config
    const order = {
      parts: parts.map(({ file, path }) => ({ path, title: titleOf(file.fileName) })),
      outPath: joinedPath,
      maxPages,
    }
    const joined = await app.pdf.join(order)
    if (joined.verdict === 'refused') throw partRefusal('unsupported_pdf', joined.violation, uploads, joined.part)
    const found = await app.pdf.inspect({ path: joinedPath, canonicalPath: rewrittenPath, maxPages })
    if (found.verdict === 'refused') throw new Refusal(found.code, found.violation)
    const claim = await keepFile(app, found.rewritten ? rewrittenPath : joinedPath, found)
    const own = parts.map(({ file, warnings }, i) => ({ file, warnings: [...warnings, ...(joined.warnings[i] ?? [])] }))
    return {
      claim,
      pageCount: found.pages.length,
      bytes: found.bytes,
      sha256Original: found.sha256,
      sha256Uploaded: undefined,
      files: parts.map(({ file }) => file),
      warnings: namedWarnings(own, found.warnings),
    }
  } finally {
    for (const path of [...canonicalPaths, joinedPath, rewrittenPath]) await app.storage.discard(path)
  }
}

async function inspectPart(app: App, { upload, fileName }: NamedUpload, index: number, canonicalPath: string) {
  const found = await app.pdf.inspect({ path: upload.path, canonicalPath, maxPages: app.config.maxPages })
  if (found.verdict === 'refused') throw partRefusal(found.code, found.violation, [{ upload, fileName }], 0, index)
  // A rewritten file has another hash than the upload.
  const sha256 = found.rewritten ? await sha256OfFile(app.fileSystem, upload.path) : found.sha256
  return partOf(found, { fileName, sha256, pageCount: found.pages.length }, found.rewritten ? canonicalPath : upload.path)
}

function partOf({ warnings }: Accepted, file: DocumentFile, path: string) {
  return { file, path, warnings: warnings.filter(({ code }) => !NOT_JOINED.has(code)) }
}

/** Names the file, if the refusal is about one. `at`: its index among all uploads. */
function partRefusal(
  code: Refusal['reason'],
  found: Violation,
  uploads: readonly NamedUpload[],
  part: number | undefined,
  at = part,
): Refusal {
  const named = part === undefined ? undefined : uploads[part]
  if (!named) return new Refusal(code, found)
  const error = errorAt(`files[${at}].file`, found)
  return new InvalidInputError(code, [error], sentence => `${cleanLine(named.fileName)}: ${sentence}`)
}

function titleOf(fileName: string): string {
  return cleanLine(fileName.replace(/\.pdf$/i, '')) || cleanLine(fileName)
}

/** Those of the parts name their files; of the joined file only what is new. */
function namedWarnings(parts: { file: DocumentFile; warnings: PdfWarning[] }[], joined: readonly PdfWarning[]): PdfWarning[] {
  const own = parts.flatMap(({ warnings }, part) => warnings.map(warning => ({ ...warning, part })))
  const grouped = Map.groupBy(own, ({ code, message }) => `${code} ${message}`)
  const named = [...grouped.values()].map(same => {
    const { code, message } = same[0]!
    const files = same.map(({ part }) => part)
    const names = files.map(part => cleanLine(parts[part]!.file.fileName)).join(', ')
    return { code, message: `${names}: ${message}`, files }
  })
  const codes = new Set(own.map(({ code }) => code))
  return [...named, ...joined.filter(({ code }) => !codes.has(code))]
}
