/** Receives a form with files: large ones on disk, a small or secret one in memory. */
import { createHash, type Hash } from 'node:crypto'
import { Refusal, refuseIfInvalid } from '../core/refusal.ts'
import type { App } from '../ports.ts'
import type { TemporaryFile, Upload } from '../storage/file-store.ts'
import { type BodyBudget, reserveMemory } from './body-budget.ts'
import { MultipartScanner } from './multipart-scanner.ts'
import { bodySteps, catchRefusal, openUpload } from './receive.ts'

export interface SentFile {
  name: string
  /** The content, where the file stays in memory. */
  bytes: Uint8Array
  /** The file on disk until the response is sent, where it was written. */
  onDisk: Upload | undefined
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

/** Passes the form to `work`, then removes its files. Throws its refusals, and `overloaded`. */
export async function withMultipart<T>(
  app: Pick<App, 'storage' | 'disk'>,
  budget: BodyBudget,
  request: Request,
  { maxKeptBytes, maxFileBytes, maxFiles, isToDisk }: Expected,
  work: (sent: SentForm) => Promise<T>,
): Promise<T> {
  await app.disk.requireSpaceForUpload()
  const contentType = request.headers.get('content-type') ?? ''
  const reservation = reserveMemory(budget)
  const incoming = new IncomingFiles(app, { maxBytes: maxFileBytes, maxFiles, isToDisk })
  try {
    const scanner = new MultipartScanner({ contentType, maxKeptBytes, fileField: 'file', ...incoming.sink })
    const keptBytes = () => scanner.keptBytes + incoming.keptBytes
    await addSteps(scanner, incoming, bodySteps(budget, reservation, request, maxKeptBytes + maxFileBytes, keptBytes))
    scanner.end()
    const files = await incoming.end()
    return await work({ form: scanner.fields, files, file: files[0] })
  } finally {
    reservation.set(0)
    await incoming.discard()
  }
}

/** Throws a refusal only after the rest has arrived: browsers then show the response. */
export async function addSteps(
  scanner: MultipartScanner,
  incoming: IncomingFiles,
  steps: AsyncIterable<Uint8Array>,
): Promise<void> {
  let refusal: Refusal | undefined
  for await (const step of steps) {
    if (refusal) continue
    refusal = catchRefusal(() => scanner.add(step))
    if (!refusal) await incoming.write()
  }
  if (refusal) throw refusal
}

interface IncomingFile {
  name: string
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
}

/** The files of a form, one after the other. At most two are open at once. */
export class IncomingFiles {
  readonly #app: Pick<App, 'storage' | 'disk'>
  readonly #options: FileOptions
  readonly #files: IncomingFile[] = []
  #bytes = 0

  constructor(app: Pick<App, 'storage' | 'disk'>, options: FileOptions) {
    this.#app = app
    this.#options = options
  }

  /** For the scanner of the form. Throws `payload_too_large`, `validation_failed`. */
  get sink(): { open(fileName: string): void; take(part: Uint8Array): void } {
    return { open: name => this.#open(name), take: part => this.#take(part) }
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
      if (file.onDisk) continue
      file.temporary ??= await openUpload(this.#app)
      for (const part of file.parts.splice(0)) await file.temporary.write(part)
      // The next one has begun: an open file counts against the limit of the process.
      if (file !== this.#files.at(-1)) file.onDisk = file.temporary.finish()
    }
  }

  /** Call after the whole form has arrived. */
  async end(): Promise<SentFile[]> {
    await this.write()
    // Browsers send an input without a chosen file as an empty file without a name. An empty file
    // among several is passed on, so that its refusal names it.
    const isSeveral = this.#options.maxFiles > 1
    const chosen = this.#files.filter(({ name, bytes }) => bytes > 0 || (isSeveral && name !== ''))
    return chosen.map(file => {
      file.onDisk ??= file.temporary?.finish()
      return { name: file.name, bytes: Buffer.concat(file.parts), onDisk: file.onDisk }
    })
  }

  async discard(): Promise<void> {
    for (const { temporary } of this.#files) await temporary?.discard()
  }

  #open(name: string): void {
    const { maxFiles, isHashed } = this.#options
    const message = maxFiles === 1 ? 'must be one file only' : `must be at most ${maxFiles} files`
    if (this.#files.length >= maxFiles) refuseIfInvalid([{ path: 'file', message }])
    const sha256 = isHashed ? createHash('sha256') : undefined
    this.#files.push({ name, sha256, bytes: 0, parts: [], temporary: undefined, onDisk: undefined })
  }

  #take(part: Uint8Array): void {
    const file = this.#files.at(-1)
    if (!file) throw new Error('the content of a file came before its name')
    const { maxBytes, maxFiles } = this.#options
    this.#bytes += part.length
    file.bytes += part.length
    const what = maxFiles === 1 ? 'The file is' : 'The files are together'
    if (this.#bytes > maxBytes) throw new Refusal('payload_too_large', `${what} larger than the ${maxBytes} bytes accepted here.`)
    file.sha256?.update(part)
    file.parts.push(part.slice())
  }
}
