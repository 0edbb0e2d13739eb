/** Receives a form with files: large ones on disk, a small or secret one in memory. */
import { createHash, type Hash } from 'node:crypto'
import { errorsIn, Refusal, refuseIfInvalid, type ValidationError } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import { storageRefusal } from '../../db/storage-refusal.ts'
import type { App } from '../../ports.ts'
import type { TemporaryFile, Upload } from '../../storage/file-store.ts'
import { type BodyBudget, reserveMemory } from './body-budget.ts'
import { JsonScanner } from './json-scanner.ts'
import { MultipartScanner } from './multipart-scanner.ts'
import { bodySteps, catchRefusal, type ExpectedBody, MAX_KEPT_BYTES, openUpload, type Received } from './receive.ts'

export interface SentFile {
  /** Of the form's field. */
  field: string
  name: string
  /** The content, where the file stays in memory. */
  bytes: Uint8Array
  /** The file on disk until the response is sent, where it was written. */
  onDisk: Upload | undefined
  /** Why the file of a form that is kept whatever its files are was dropped. */
  dropped: 'too_large' | 'no_space' | undefined
}

/** A form whose fields may be files. The rest is kept whatever the files are. */
export interface FormWithFiles {
  isFileField(name: string): boolean
  /** Larger files are dropped, and those beyond the bytes of all. */
  maxBytesEach: number
  maxBytes: number
}

export interface SentForm {
  form: Record<string, string>
  /** The files that were chosen, in order. */
  files: SentFile[]
  /** The first of them. */
  file: SentFile | undefined
}

interface Expected {
  maxKeptBytes: number
  /** Of all files together. */
  maxFileBytes: number
  maxFiles: number
  isToDisk: boolean
}

/** Of a form with files: those that are dropped are received too, so that the rest is kept. */
const MAX_RECEIVED_BYTES = 500_000_000
/** As many as a document may have fields, with some for the marks. */
const MAX_FIELDS = 1_100

/** Passes the form to `work`, then removes its files. Throws its refusals, and `overloaded`. */
export async function withMultipart<T>(
  app: Pick<App, 'storage' | 'disk'>,
  budget: BodyBudget,
  request: Request,
  { maxKeptBytes, maxFileBytes, maxFiles, isToDisk }: Expected,
  work: (sent: SentForm) => Promise<T>,
): Promise<T> {
  await app.disk.requireSpaceForUpload()
  const incoming = new IncomingFiles(app, { maxBytes: maxFileBytes, maxFiles, isToDisk })
  const scanned = { maxKeptBytes, isFileField: (name: string) => name === 'file' }
  return withScanned(budget, request, { incoming, scanned, maxReceivedBytes: maxFileBytes }, work)
}

/** As `withMultipart`. Files that are too large are named, and do not refuse the form. */
export async function withFormAndFiles<T>(
  app: Pick<App, 'storage' | 'disk'>,
  budget: BodyBudget,
  request: Request,
  { maxKeptBytes, isFileField, maxBytes, maxBytesEach }: FormWithFiles & Pick<Expected, 'maxKeptBytes'>,
  work: (sent: SentForm) => Promise<T>,
): Promise<T> {
  // Signing goes on when files are no longer accepted.
  await app.disk.requireSpaceForChange()
  const incoming = new IncomingFiles(app, { maxBytes, maxBytesEach, maxFiles: MAX_FIELDS, isToDisk: true })
  const scanned = { maxKeptBytes, isFileField, maxParts: MAX_FIELDS }
  return withScanned(budget, request, { incoming, scanned, maxReceivedBytes: MAX_RECEIVED_BYTES }, work)
}

interface Scanned {
  incoming: IncomingFiles
  scanned: { maxKeptBytes: number; isFileField(name: string): boolean; maxParts?: number }
  /** Besides the fields. */
  maxReceivedBytes: number
}

async function withScanned<T>(
  budget: BodyBudget,
  request: Request,
  { incoming, scanned, maxReceivedBytes }: Scanned,
  work: (sent: SentForm) => Promise<T>,
): Promise<T> {
  const contentType = request.headers.get('content-type') ?? ''
  const reservation = reserveMemory(budget)
  try {
    const scanner = new MultipartScanner({ contentType, ...scanned, ...incoming.sink })
    const keptBytes = () => scanner.keptBytes + incoming.keptBytes
    await addSteps(scanner, incoming, bodySteps(budget, reservation, request, scanned.maxKeptBytes + maxReceivedBytes, keptBytes))
    scanner.end()
    const files = await incoming.end()
    return await work({ form: scanner.fields, files, file: files[0] })
  } finally {
    reservation.set(0)
    await incoming.discard()
  }
}

/** Throws a refusal only after the rest has arrived: browsers then show the response. */
async function addSteps(scanner: MultipartScanner, incoming: IncomingFiles, steps: AsyncIterable<Uint8Array>): Promise<void> {
  let refusal: Refusal | undefined
  for await (const step of steps) {
    if (refusal) continue
    refusal = catchRefusal(() => scanner.add(step))
    if (!refusal) await incoming.write()
  }
  if (refusal) throw refusal
}

interface IncomingFile {
  field: string
  name: string
  dropped: SentFile['dropped']
  sha256: Hash | undefined
  bytes: number
  /** Not written yet; all of the file where it stays in memory. */
  parts: Uint8Array[]
  temporary: TemporaryFile | undefined
  onDisk: Upload | undefined
}

interface FileOptions {
  /** Of all files together. */
  maxBytes: number
  maxFiles: number
  isToDisk: boolean
  isHashed?: boolean
  /** Set where a file with more bytes, or beyond those of all, is dropped, not refused. */
  maxBytesEach?: number
}

/** The files of a form, one after the other. At most two are open at once. */
class IncomingFiles {
  readonly #app: Pick<App, 'storage' | 'disk'>
  readonly #options: FileOptions
  readonly #files: IncomingFile[] = []
  #bytes = 0

  constructor(app: Pick<App, 'storage' | 'disk'>, options: FileOptions) {
    this.#app = app
    this.#options = options
  }

  /** For the scanner of the form. Throws `payload_too_large`, `validation_failed`. */
  get sink(): { open(fileName: string, field: string): void; take(part: Uint8Array): void } {
    return { open: (name, field) => this.#open(name, field), take: part => this.#take(part) }
  }

  get keptBytes(): number {
    return this.#options.isToDisk ? 0 : this.#bytes
  }

  /** Of each file with `isHashed`, in hex. Call it once, after the whole form has arrived. */
  hashes(): string[] {
    return this.#files.map(({ sha256 }) => sha256?.digest('hex') ?? '')
  }

  /** Writes what has arrived. Throws `storage_unavailable` and file system errors. */
  async write(): Promise<void> {
    if (!this.#options.isToDisk) return
    for (const file of this.#files) {
      // So browsers send an input without a chosen file.
      if (file.onDisk || (file.name === '' && file.bytes === 0)) continue
      if (file.dropped) {
        await file.temporary?.discard()
        file.temporary = undefined
        continue
      }
      await this.#writeParts(file)
      // The next one has begun: an open file counts against the limit of the process.
      if (file !== this.#files.at(-1) && !file.dropped) file.onDisk = file.temporary?.finish()
    }
  }

  /** Call after the whole form has arrived. */
  async end(): Promise<SentFile[]> {
    await this.write()
    // An empty file is passed on, so that its refusal names it.
    const chosen = this.#files.filter(({ name, bytes }) => bytes > 0 || name !== '')
    return chosen.map(file => {
      const { field, name, dropped, parts, temporary } = file
      if (!dropped) file.onDisk ??= temporary?.finish()
      return { field, name, dropped, bytes: Buffer.concat(parts), onDisk: file.onDisk }
    })
  }

  async discard(): Promise<void> {
    for (const { temporary } of this.#files) await temporary?.discard()
  }

  #open(name: string, field: string): void {
    const { maxFiles, isHashed } = this.#options
    const tooMany = maxFiles === 1 ? violation('one_file_only') : violation('too_many_files', { max: maxFiles })
    if (this.#files.length >= maxFiles) refuseIfInvalid(errorsIn([['file', tooMany]]))
    const sha256 = isHashed ? createHash('sha256') : undefined
    this.#files.push({ field, name, dropped: undefined, sha256, bytes: 0, parts: [], temporary: undefined, onDisk: undefined })
  }

  #take(part: Uint8Array): void {
    const file = this.#files.at(-1)
    if (!file) throw new Error('the content of a file came before its name')
    const { maxBytes, maxFiles, maxBytesEach } = this.#options
    if (file.dropped) return
    this.#bytes += part.length
    file.bytes += part.length
    if (maxBytesEach !== undefined && (file.bytes > maxBytesEach || this.#bytes > maxBytes)) {
      this.#drop(file, 'too_large')
      return
    }
    const code = maxFiles === 1 ? 'file_too_large' : 'files_too_large'
    if (this.#bytes > maxBytes) throw new Refusal('payload_too_large', violation(code, { bytes: maxBytes }))
    file.sha256?.update(part)
    file.parts.push(part.slice())
  }

  /** A file for which there is no space is dropped where the rest of the form is kept. */
  async #writeParts(file: IncomingFile): Promise<void> {
    const isKept = this.#options.maxBytesEach !== undefined
    try {
      if (isKept && !file.temporary) await this.#app.disk.requireSpaceForUpload()
      const temporary = file.temporary ?? (await openUpload(this.#app))
      file.temporary = temporary
      for (const part of file.parts.splice(0)) await temporary.write(part)
    } catch (error) {
      const isFull = error instanceof Refusal ? error.reason === 'storage_unavailable' : storageRefusal(error) !== undefined
      if (!isKept || !isFull) throw error
      this.#drop(file, 'no_space')
    }
  }

  #drop(file: IncomingFile, reason: 'too_large' | 'no_space'): void {
    this.#bytes -= file.bytes
    file.parts = []
    file.dropped = reason
  }
}

// Receives an API request as a form: a part with the JSON, and parts with files, to disk.

const FILE_PART = 'file'
/** Boundaries and headers of the parts. */
const MAX_FRAME_BYTES = 100_000
const MAX_NAME_SHOWN = 100

/** Passes the form to `work`, then removes its files. `part`: the name of the JSON's part. */
export async function withJsonForm<T>(
  app: Pick<App, 'storage' | 'disk'>,
  budget: BodyBudget,
  request: Request,
  { prefix, maxFileBytes = 0, maxFiles = 1, part }: ExpectedBody & { part: string },
  work: (received: Received) => Promise<T>,
): Promise<T> {
  await app.disk.requireSpaceForUpload()
  const reservation = reserveMemory(budget)
  const incoming = new IncomingFiles(app, { maxBytes: maxFileBytes, maxFiles, isToDisk: true, isHashed: true })
  const contentType = request.headers.get('content-type') ?? ''
  const fields = { maxKeptBytes: MAX_KEPT_BYTES, isFileField: (name: string) => name === FILE_PART, textFields: [part] }
  try {
    const scanner = new MultipartScanner({ contentType, ...fields, ...incoming.sink })
    const limit = MAX_KEPT_BYTES + MAX_FRAME_BYTES + maxFileBytes
    await addSteps(
      scanner,
      incoming,
      bodySteps(budget, reservation, request, limit, () => scanner.keptBytes),
    )
    scanner.end()
    refuseIfInvalid(partErrors(scanner.names, scanner.contents, part))
    const content = scanner.contents.get(part) ?? Buffer.alloc(0)
    const json = new JsonScanner(MAX_KEPT_BYTES)
    json.add(content)
    const value = json.end()
    const files = (await incoming.end()).flatMap(({ name, onDisk }) => (onDisk ? [{ upload: onDisk, fileName: name }] : []))
    if (files.length === 0) refuseIfInvalid(errorsIn([[FILE_PART, violation('required')]]))
    // Not over the bytes of the body: a repeated request has another boundary.
    const hash = createHash('sha256').update(prefix).update(createHash('sha256').update(content).digest())
    for (const [i, sha256] of incoming.hashes().entries()) hash.update(`${sha256} ${JSON.stringify(files[i]?.fileName)}\n`)
    return await work({ value, isForm: true, sha256: hash.digest('hex'), files: () => files })
  } finally {
    reservation.set(0)
    await incoming.discard()
  }
}

function partErrors(names: readonly string[], contents: ReadonlyMap<string, Buffer>, part: string): ValidationError[] {
  const unknown = violation('unknown_part', { parts: [part, FILE_PART] })
  const others = names.filter(name => name !== part && name !== FILE_PART)
  const isRepeated = names.filter(name => name === part).length > 1
  return errorsIn([
    ...others.map(name => [name.slice(0, MAX_NAME_SHOWN), unknown] as const),
    [part, contents.has(part) ? undefined : violation('required')],
    [part, isRepeated ? violation('given_more_than_once') : undefined],
    [FILE_PART, contents.has(FILE_PART) ? violation('part_without_file_name') : undefined],
  ])
}
