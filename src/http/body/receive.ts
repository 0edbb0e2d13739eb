/** Receives the JSON of an API request. Base64 files in it are decoded to disk as they arrive. */
import { createHash } from 'node:crypto'
import { errorsIn, Refusal, refuseIfInvalid } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import type { App } from '../../ports.ts'
import type { TemporaryFile, Upload } from '../../storage/file-store.ts'
import { bodyParts } from '../request.ts'
import { type BodyBudget, type MemoryReservation, reserveMemory, withBody } from './body-budget.ts'
import { JsonScanner, type StreamedMember } from './json-scanner.ts'

/** The buffered part of a body, without its file. */
export const MAX_KEPT_BYTES = 1_000_000
const STEP_BYTES = 65_536
/** Other work runs after this many bytes, even when more have already arrived. */
const TURN_BYTES = 4 * STEP_BYTES
/** The runtime buffers about this much of a body that arrives faster than it is read. */
const RUNTIME_BUFFER_BYTES = 1_500_000
/** Decoded bytes that are collected before a write. */
const WRITE_BYTES = 128 * 1024
/** The free space is checked again after this many bytes. */
const BYTES_BETWEEN_CHECKS = 1_000_000
/** The member of a body, or of the objects of its list, that contains a file. */
const FILE_MEMBER = 'file'
const LIST_MEMBER = 'files'

/** A file on disk until the response is sent. */
export interface ReceivedFile {
  upload: Upload
  /** In a form. JSON has the name in a member of its own. */
  fileName: string | undefined
}

export interface Received {
  /** The JSON, with an empty string in place of each file; `undefined` for an empty body. */
  value: unknown
  /** Whether it came as a form: `value` is then one of its parts. */
  isForm: boolean
  /** SHA-256 of prefix and content, in hex. */
  sha256: string
  /** A body that is no JSON, as it came. */
  raw?: Uint8Array
  /** The files in order. Call it after the rest is validated. Throws `invalid_base64`. */
  files(): ReceivedFile[]
}

export interface ExpectedBody {
  /** Hashed before the body, to tell requests with equal bodies apart. */
  prefix: string
  /** Most bytes of all files together; `undefined` where none is expected. */
  maxFileBytes: number | undefined
  /** Default 1: the body has no list of files. */
  maxFiles?: number | undefined
  /** Where the JSON may be larger than usual. */
  large?: JsonLimits | undefined
}

export interface JsonLimits {
  maxBytes: number
  /** Objects, arrays and members. */
  maxParts: number
}

/** Passes the body to `work`, then removes its files. Throws its refusals, and `overloaded`. */
export async function withJson<T>(
  app: Pick<App, 'storage' | 'disk'>,
  budget: BodyBudget,
  request: Request,
  { prefix, maxFileBytes, maxFiles = 1, large }: ExpectedBody,
  work: (received: Received) => Promise<T>,
): Promise<T> {
  if (maxFileBytes !== undefined) await app.disk.requireSpaceForUpload()
  const uploads = maxFileBytes === undefined ? undefined : new Base64Uploads(app, maxFileBytes, maxFiles)
  const { maxBytes = MAX_KEPT_BYTES, maxParts } = large ?? {}
  const scanner = new JsonScanner(maxBytes, uploads?.member, maxParts)
  const hash = createHash('sha256').update(prefix)
  const reservation = reserveMemory(budget)
  try {
    let refusal: Refusal | undefined
    for await (const step of bodySteps(
      budget,
      reservation,
      request,
      maxBodyBytes(maxFileBytes, maxBytes),
      () => scanner.keptBytes,
    )) {
      // Read the rest: a client that still sends when the connection closes may miss the response.
      if (refusal) continue
      hash.update(step)
      refusal = catchRefusal(() => scanner.add(step))
      if (!refusal) await uploads?.write()
    }
    if (refusal) throw refusal
    const isEmpty = scanner.keptBytes === 0
    const value = isEmpty ? undefined : scanner.end()
    await uploads?.end()
    return await work({ value, isForm: false, sha256: hash.digest('hex'), files: () => uploads?.complete() ?? [] })
  } finally {
    reservation.set(0)
    await uploads?.discard()
  }
}

/** Passes a body that is no JSON to `work`. Throws as `bodyParts`, and `overloaded`. */
export async function withRawBody<T>(
  budget: BodyBudget,
  request: Request,
  { prefix, maxBytes }: { prefix: string; maxBytes: number },
  work: (received: Received) => Promise<T>,
): Promise<T> {
  return withBody(budget, request, maxBytes, raw => {
    const sha256 = createHash('sha256').update(prefix).update(raw).digest('hex')
    return work({ value: undefined, isForm: false, sha256, raw, files: () => [] })
  })
}

/** The refusal that the work throws. */
export function catchRefusal(work: () => void): Refusal | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  return undefined
}

/** The body in small steps, counted in the budget. Throws as `bodyParts`, and `overloaded`. */
export async function* bodySteps(
  budget: BodyBudget,
  reservation: MemoryReservation,
  request: Request,
  limit: number,
  keptBytes: () => number,
): AsyncGenerator<Uint8Array> {
  const parts = bodyParts(budget.machine, request, limit)
  const isSmall = Number(request.headers.get('content-length') ?? Number.NaN) <= STEP_BYTES
  let receivedBytes = 0
  let sinceTurn = 0
  for await (const part of isSmall ? parts : budget.uploads.limitConcurrency(parts)) {
    receivedBytes += part.length
    for (let at = 0; at < part.length; at += STEP_BYTES) {
      yield part.subarray(at, at + STEP_BYTES)
      reservation.set(Math.max(keptBytes(), Math.min(receivedBytes, RUNTIME_BUFFER_BYTES)))
      sinceTurn += STEP_BYTES
      if (sinceTurn < TURN_BYTES) continue
      await budget.machine.timers.yield()
      sinceTurn = 0
    }
  }
}

/** Base64 encodes three bytes in four characters. */
function maxBodyBytes(maxFileBytes: number | undefined, maxKeptBytes = MAX_KEPT_BYTES): number {
  return maxKeptBytes + (maxFileBytes === undefined ? 0 : Math.ceil((maxFileBytes * 4) / 3))
}

/** Its `write` throws `storage_unavailable` when the disk runs low during parallel uploads. */
export async function openUpload({ storage, disk }: Pick<App, 'storage' | 'disk'>): Promise<TemporaryFile> {
  const file = await storage.openTemporary()
  let sinceCheck = 0
  return {
    finish: () => file.finish(),
    discard: () => file.discard(),
    async write(bytes) {
      sinceCheck += bytes.length
      if (sinceCheck >= BYTES_BETWEEN_CHECKS) {
        sinceCheck = 0
        await disk.requireSpaceForUpload()
      }
      await file.write(bytes)
    },
  }
}

/** The files of a body, one after the other. Only the newest has a buffer. */
class Base64Uploads {
  readonly #app: Pick<App, 'storage' | 'disk'>
  readonly #maxBytes: number
  readonly #maxFiles: number
  readonly #uploads: Base64Upload[] = []
  #bytes = 0

  constructor(app: Pick<App, 'storage' | 'disk'>, maxBytes: number, maxFiles: number) {
    this.#app = app
    this.#maxBytes = maxBytes
    this.#maxFiles = maxFiles
  }

  /** For the scanner of the body. Throws `validation_failed`. */
  get member(): StreamedMember {
    return { name: FILE_MEMBER, ...(this.#maxFiles > 1 ? { list: LIST_MEMBER } : {}), open: isInList => this.#open(isInList) }
  }

  /** Writes what has arrived. Throws `storage_unavailable` and file system errors. */
  async write(): Promise<void> {
    for (const upload of this.#uploads) {
      if (upload !== this.#uploads.at(-1)) {
        await upload.end()
        // An open file counts against the limit of the process.
        upload.close()
      } else if (upload.isFull) await upload.write()
    }
  }

  /** Call after the last part. */
  async end(): Promise<void> {
    for (const upload of this.#uploads) await upload.end()
  }

  /** Throws `invalid_base64`. */
  complete(): ReceivedFile[] {
    return this.#uploads.map(upload => ({ upload: upload.complete(), fileName: undefined }))
  }

  async discard(): Promise<void> {
    for (const upload of this.#uploads) await upload.discard()
  }

  #open(isInList: boolean): (part: Uint8Array) => void {
    const index = this.#uploads.length
    const max = this.#maxFiles
    if (index >= max) refuseIfInvalid(errorsIn([[LIST_MEMBER, violation('too_many_entries', { max })]]))
    const path = isInList ? `${LIST_MEMBER}[${index}].${FILE_MEMBER}` : FILE_MEMBER
    const upload = new Base64Upload(this.#app, path, bytes => this.#count(bytes))
    this.#uploads.push(upload)
    return part => upload.take(part)
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes <= this.#maxBytes) return
    const code = this.#uploads.length > 1 ? 'pdfs_too_large' : 'pdf_too_large'
    throw new Refusal('payload_too_large', violation(code, { bytes: this.#maxBytes }))
  }
}

/** A file in base64. `complete` reports invalid base64, after the rest of the body is validated. */
class Base64Upload {
  #decoder = new Base64Decoder()
  /** Undefined after the end. */
  #buffer: Buffer | undefined = Buffer.allocUnsafeSlow(WRITE_BYTES + Base64Decoder.maxBytes(STEP_BYTES + 8))
  #filled = 0
  #isBase64 = true
  #temporary: TemporaryFile | undefined
  #upload: Upload | undefined

  /** `count` gets the number of decoded bytes, and throws if there are too many. */
  constructor(
    readonly app: Pick<App, 'storage' | 'disk'>,
    readonly path: string,
    readonly count: (bytes: number) => void,
  ) {}

  get isFull(): boolean {
    return this.#filled >= WRITE_BYTES
  }

  /** Throws `payload_too_large`. */
  take(part: Uint8Array): void {
    this.#decode(buffer => this.#decoder.decode(part, buffer.subarray(this.#filled)))
  }

  async write(): Promise<void> {
    this.#temporary ??= await openUpload(this.app)
    if (this.#buffer) await this.#temporary.write(this.#buffer.subarray(0, this.#filled))
    this.#filled = 0
  }

  /** Call after the last part. A second call has no effect. */
  async end(): Promise<void> {
    if (!this.#buffer) return
    this.#decode(buffer => {
      const last = this.#decoder.end()
      buffer.set(last, this.#filled)
      return last.length
    })
    if (this.#isBase64) await this.write()
    this.#buffer = undefined
  }

  /** Syncs and closes the file. */
  close(): void {
    if (this.#isBase64) this.#upload ??= this.#temporary?.finish()
  }

  /** Throws `invalid_base64`. */
  complete(): Upload {
    // Only now, so that a request that is refused for other members costs no fsync.
    this.close()
    if (this.#upload) return this.#upload
    throw new Refusal('invalid_base64', violation('not_base64', { path: this.path }))
  }

  async discard(): Promise<void> {
    await this.#temporary?.discard()
  }

  #decode(work: (buffer: Buffer) => number): void {
    if (!this.#isBase64 || !this.#buffer) return
    try {
      const bytes = work(this.#buffer)
      this.#filled += bytes
      this.count(bytes)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      this.#isBase64 = false
      this.#filled = 0
    }
  }
}

// Decodes base64 (RFC 4648 §4) in parts, strictly: padding required, ASCII white space skipped.

const ALPHABET = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const PADDING = 0x3d
const WHITE_SPACE = new Set(Buffer.from(' \t\n\f\r'))

/** The six bits of each character, shifted to its place in a group of four; -1 for other bytes. */
function shifted(by: number): Int32Array {
  const table = new Int32Array(256).fill(-1)
  for (const [bits, byte] of ALPHABET.entries()) table[byte] = bits << by
  return table
}

const [FIRST, SECOND, THIRD, FOURTH] = [shifted(18), shifted(12), shifted(6), shifted(0)] as const

export class Base64Decoder {
  /** Bits and number of characters of an incomplete group. */
  #bits = 0
  #count = 0
  #padding = 0

  /** Upper bound of the bytes that `decode` writes for a text of this length. */
  static maxBytes(length: number): number {
    return Math.ceil(((length + 4) * 3) / 4)
  }

  /** Writes the bytes into `target` and returns their number. Throws `SyntaxError`. */
  decode(text: Uint8Array, target: Uint8Array): number {
    let written = 0
    for (let i = 0; i < text.length; ) {
      if (this.#count === 0 && this.#padding === 0) {
        const groups = decodeGroups(text, i, target, written)
        i += 4 * groups
        written += 3 * groups
      }
      if (i < text.length && this.#take(text[i++] ?? 0)) {
        target[written++] = this.#bits >> 16
        target[written++] = this.#bits >> 8
        target[written++] = this.#bits
        this.#bits = this.#count = 0
      }
    }
    return written
  }

  /** Returns the last group's bytes. Throws `SyntaxError` when it is incomplete. */
  end(): Uint8Array {
    const [count, padding] = [this.#count, this.#padding]
    if (count === 0 && padding === 0) return new Uint8Array()
    const unused = count === 2 ? this.#bits & 0xf : this.#bits & 0x3
    if (count + padding !== 4 || unused !== 0) throw new SyntaxError('base64 ends within a group')
    return count === 2 ? Uint8Array.of(this.#bits >> 4) : Uint8Array.of(this.#bits >> 10, this.#bits >> 2)
  }

  /** Takes one character. Returns whether it completes a group. */
  #take(byte: number): boolean {
    if (WHITE_SPACE.has(byte)) return false
    if (byte === PADDING) {
      this.#padding++
      if (this.#count < 2 || this.#count + this.#padding > 4) throw new SyntaxError('base64 has misplaced padding')
      return false
    }
    const bits = FOURTH[byte] ?? -1
    if (bits < 0 || this.#padding > 0) throw new SyntaxError('not base64')
    this.#bits = (this.#bits << 6) | bits
    return ++this.#count === 4
  }
}

/** Decodes groups of four up to the first other character. Returns the number of groups. */
function decodeGroups(text: Uint8Array, start: number, target: Uint8Array, offset: number): number {
  let at = start
  let to = offset
  for (const end = text.length - 3; at < end; at += 4) {
    const bits =
      (FIRST[text[at] ?? 0] ?? 0) |
      (SECOND[text[at + 1] ?? 0] ?? 0) |
      (THIRD[text[at + 2] ?? 0] ?? 0) |
      (FOURTH[text[at + 3] ?? 0] ?? 0)
    if (bits < 0) break
    target[to] = bits >> 16
    target[to + 1] = bits >> 8
    target[to + 2] = bits
    to += 3
  }
  return (at - start) / 4
}
