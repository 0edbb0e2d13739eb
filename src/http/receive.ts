/** Receives the body of an API request. A base64 file in it is decoded to disk as it arrives. */
import { createHash } from 'node:crypto'
import { Refusal } from '../core/refusal.ts'
import { Base64Decoder } from '../lib/base64-decoder.ts'
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts'
import type { App } from '../ports.ts'
import type { TemporaryFile, Upload } from '../storage/files.ts'
import { type BodyBudget, type MemoryReservation, reserveMemory } from './body-budget.ts'
import { JsonScanner } from './json-scanner.ts'
import { bodyParts } from './request.ts'

/** The buffered part of a body, without its file. */
const MAX_KEPT_BYTES = 1_000_000
const STEP_BYTES = 65_536
/** Other work runs after this many bytes, even when more have already arrived. */
const TURN_BYTES = 4 * STEP_BYTES
/** The runtime buffers about this much of a body that arrives faster than it is read. */
const RUNTIME_BUFFER_BYTES = 1_500_000
/** Decoded bytes that are collected before a write. */
const WRITE_BYTES = 128 * 1024
/** The free space is checked again after this many bytes. */
const BYTES_BETWEEN_CHECKS = 1_000_000
/** The member of a body that contains the file. */
const FILE_MEMBER = 'file'

export interface Received {
  /** The JSON, with an empty string in place of the file; `undefined` for an empty body. */
  value: unknown
  /** SHA-256 of prefix and body, in hex. */
  sha256: string
  /** The decoded file. Call it after the rest is validated. Throws `invalid_base64`. */
  file(): Upload
}

interface Expected {
  /** Hashed before the body, to tell requests with equal bodies apart. */
  prefix: string
  /** Largest file in bytes; `undefined` where none is expected. */
  maxFileBytes: number | undefined
}

/** Passes the body to `work`, then removes its file. Throws its refusals, and `overloaded`. */
export async function withJson<T>(
  app: Pick<App, 'storage' | 'disk'>,
  budget: BodyBudget,
  request: Request,
  { prefix, maxFileBytes }: Expected,
  work: (received: Received) => Promise<T>,
): Promise<T> {
  if (maxFileBytes !== undefined) await app.disk.requireSpaceForUpload()
  const upload = maxFileBytes === undefined ? undefined : new Base64Upload(app, maxFileBytes)
  const streamed = upload && { name: FILE_MEMBER, take: (part: Uint8Array) => upload.take(part) }
  const scanner = new JsonScanner(MAX_KEPT_BYTES, streamed)
  const hash = createHash('sha256').update(prefix)
  const reservation = reserveMemory(budget)
  try {
    let refusal: Refusal | undefined
    for await (const step of bodySteps(budget, reservation, request, maxBodyBytes(maxFileBytes), () => scanner.keptBytes)) {
      // Read the rest: a client that still sends when the connection closes may miss the response.
      if (refusal) continue
      hash.update(step)
      refusal = catchRefusal(() => scanner.add(step))
      if (!refusal && upload?.isFull) await upload.write()
    }
    if (refusal) throw refusal
    const isEmpty = scanner.keptBytes === 0
    const value = isEmpty ? undefined : scanner.end()
    if (scanner.hasStreamed) await upload?.end()
    return await work({ value, sha256: hash.digest('hex'), file: () => complete(upload) })
  } finally {
    reservation.set(0)
    await upload?.discard()
  }
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
  const parts = bodyParts(request, limit)
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
      await yieldToEventLoop()
      sinceTurn = 0
    }
  }
}

/** Base64 encodes three bytes in four characters. */
export function maxBodyBytes(maxFileBytes: number | undefined): number {
  return MAX_KEPT_BYTES + (maxFileBytes === undefined ? 0 : Math.ceil((maxFileBytes * 4) / 3))
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

function complete(upload: Base64Upload | undefined): Upload {
  if (!upload) throw new Error('this body was not expected to hold a file')
  return upload.complete()
}

/** A file in base64. `complete` reports invalid base64, after the rest of the body is validated. */
class Base64Upload {
  #decoder = new Base64Decoder()
  #buffer = Buffer.allocUnsafeSlow(WRITE_BYTES + Base64Decoder.maxBytes(STEP_BYTES + 8))
  #filled = 0
  #bytes = 0
  #isBase64 = true
  #temporary: TemporaryFile | undefined
  #upload: Upload | undefined

  constructor(
    readonly app: Pick<App, 'storage' | 'disk'>,
    readonly maxBytes: number,
  ) {}

  get isFull(): boolean {
    return this.#filled >= WRITE_BYTES
  }

  /** Throws `payload_too_large`. */
  take(part: Uint8Array): void {
    this.#decode(() => this.#decoder.decode(part, this.#buffer.subarray(this.#filled)))
  }

  async write(): Promise<void> {
    this.#temporary ??= await openUpload(this.app)
    await this.#temporary.write(this.#buffer.subarray(0, this.#filled))
    this.#filled = 0
  }

  /** Call after the last part. */
  async end(): Promise<void> {
    this.#decode(() => {
      const last = this.#decoder.end()
      this.#buffer.set(last, this.#filled)
      return last.length
    })
    if (this.#isBase64) await this.write()
  }

  /** Throws `invalid_base64`. */
  complete(): Upload {
    // Only now, so that a request that is refused for other members costs no fsync.
    if (this.#isBase64) this.#upload ??= this.#temporary?.finish()
    if (this.#upload) return this.#upload
    const remedy = 'encode the PDF by RFC 4648 §4, with padding and without a data: prefix.'
    throw new Refusal('invalid_base64', `${FILE_MEMBER} is not base64: ${remedy}`)
  }

  async discard(): Promise<void> {
    await this.#temporary?.discard()
  }

  #decode(work: () => number): void {
    if (!this.#isBase64) return
    try {
      const bytes = work()
      this.#filled += bytes
      this.#bytes += bytes
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      this.#isBase64 = false
      this.#filled = 0
    }
    if (this.#bytes > this.maxBytes)
      throw new Refusal('payload_too_large', `The PDF is larger than the ${this.maxBytes} bytes accepted.`)
  }
}
