/** The tasks of a child process as JSON: paths and hashes, never a file's bytes. */
import type {
  DrawFieldsRequest,
  DrawHandsRequest,
  FitTextsRequest,
  OverlayRequest,
  PageBoxesRequest,
} from '../appearance/draw-fields.ts'
import type { FoundFields } from '../core/draft/proposal.ts'
import type { PageBox } from '../core/field/geometry.ts'
import type { PackReport, UnreadablePack, VerifyPackRequest } from '../evidence/pack/report.ts'
import type { PrepareRequest } from '../evidence/prepare.ts'
import type { VerifyReceiptRequest } from '../evidence/receipt-report.ts'
import type { ReceiptReport, RefusedReceipt } from '../evidence/verify-receipt.ts'
import type { ExaminedFile, ExamineFileRequest, FileRefusal } from '../image/field-file.ts'
import type { LogoRequest, LogoVerdict } from '../image/logo.ts'
import type { LogoPicture, LogoPictureRequest } from '../image/logo-picture.ts'
import type { SignatureImage, SignatureImageRequest } from '../image/signature-image.ts'
import type { AddValidationDataRequest, PrepareTimestampRequest } from '../pades/augment.ts'
import type { PreparedFile } from '../pades/revision-file.ts'
import type { FindFieldsRequest } from '../pdf/detect/find-fields.ts'
import type { DisableActiveContentRequest } from '../pdf/inspect/open-for-update.ts'
import type { Inspection, InspectRequest } from '../pdf/inspect/report.ts'
import type { JoinRequest, JoinResult } from '../pdf/join/join.ts'
import type { UnreadableReport, VerificationReport, VerifyFileRequest } from '../verify/report.ts'
import type { Confinement } from './confinement.ts'

/** The request and the result of each kind of task. */
export interface Tasks {
  inspect: [InspectRequest, Inspection]
  /** Joins files that were accepted before. The result is inspected like an upload. */
  join: [JoinRequest, JoinResult]
  prepare: [PrepareRequest, PreparedFile]
  verify: [VerifyFileRequest, VerificationReport | UnreadableReport]
  verifyPack: [VerifyPackRequest, PackReport | UnreadablePack]
  verifyReceipt: [VerifyReceiptRequest, ReceiptReport | RefusedReceipt]
  /** Adds validation data to a sealed file, in one incremental update. */
  addValidationData: [AddValidationDataRequest, { path: string; sha256: string; bytes: number }]
  prepareTimestamp: [PrepareTimestampRequest, PreparedFile]
  /** The box of each page, in its own user space. */
  readPageBoxes: [PageBoxesRequest, PageBox[]]
  writeOverlay: [OverlayRequest, { bytes: number }]
  /** The number of characters that fit, null if all do. */
  fitTexts: [FitTextsRequest, (number | null)[]]
  /** The data of one SVG path for each hand. */
  drawHands: [DrawHandsRequest, string[]]
  drawFields: [DrawFieldsRequest, { bytes: number }]
  /** 0 bytes for a file without active content. */
  disableActiveContent: [DisableActiveContentRequest, { bytes: number }]
  /** Fields proposed from form fields, tags and signature lines. */
  findFields: [FindFieldsRequest, FoundFields]
  /** Fails with a `PdfTaskError` whose code is a `SignatureImageErrorCode`. */
  cleanSignature: [SignatureImageRequest, SignatureImage]
  checkLogo: [LogoRequest, LogoVerdict]
  shrinkLogo: [LogoPictureRequest, LogoPicture | null]
  /** A file that a signer adds. */
  examineFile: [ExamineFileRequest, ExaminedFile | FileRefusal]
  /** How a child is confined on this machine. */
  confinement: [undefined, Confinement]
  /** Loads the libraries. The first task of every child, so that no other pays for the start. */
  warm: [undefined, true]
}

export type TaskKind = keyof Tasks
export type RequestOf<K extends TaskKind> = Tasks[K][0]
export type ResultOf<K extends TaskKind> = Tasks[K][1]
export type Task<Kind extends TaskKind = TaskKind> = { [K in Kind]: { kind: K; request: RequestOf<K> } }[Kind]

/** A child's answer: the task's result, or the error it threw. */
export type Reply = { value: unknown } | { error: { message: string; code: string | undefined } }

/** The number is random: a child cannot answer a task before it gets it. */
export interface Numbered<T> {
  number: string
  content: T
}

// JSON messages on a byte stream, each after its length in four bytes, big-endian.

const HEADER_BYTES = 4

/** Far above every request and result. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024

/** A message is too long or not JSON. */
export class FramingError extends Error {
  override name = 'FramingError'
}

/** @throws RangeError if the text is longer than 64 MiB */
export function encodeMessage(value: unknown): Uint8Array {
  const text = Buffer.from(JSON.stringify(value))
  if (text.length > MAX_MESSAGE_BYTES) {
    throw new RangeError(`a message of ${text.length} bytes is longer than ${MAX_MESSAGE_BYTES}`)
  }
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(text.length)
  return Buffer.concat([header, text])
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch (cause) {
    throw new FramingError('a message is not JSON', { cause })
  }
}

/** Copies each byte once, so a message in many chunks costs no more than one in a single chunk. */
export class MessageDecoder {
  #target = Buffer.alloc(HEADER_BYTES)
  #filled = 0
  #isInHeader = true

  /** Returns the values that the chunk completes. @throws FramingError */
  push(chunk: Uint8Array): unknown[] {
    const values: unknown[] = []
    for (let at = 0; at < chunk.length; ) {
      const count = Math.min(this.#target.length - this.#filled, chunk.length - at)
      this.#target.set(chunk.subarray(at, at + count), this.#filled)
      at += count
      this.#filled += count
      if (this.#filled < this.#target.length) break
      const length = this.#isInHeader ? this.#target.readUInt32BE(0) : HEADER_BYTES
      if (length === 0 || length > MAX_MESSAGE_BYTES) throw new FramingError(`a message of ${length} bytes`)
      if (!this.#isInHeader) values.push(parse(this.#target))
      this.#target = Buffer.alloc(length)
      this.#filled = 0
      this.#isInHeader = !this.#isInHeader
    }
    return values
  }

  get isBetweenMessages(): boolean {
    return this.#isInHeader && this.#filled === 0
  }
}

/** @throws FramingError for a message over 64 MiB, before it is read, or not JSON */
export async function* decodeMessages(stream: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new MessageDecoder()
  for await (const chunk of stream) yield* decoder.push(chunk)
}
