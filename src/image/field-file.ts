/**
 * Examines a file that a signer adds: its type by its content, whether it can be read, its size.
 * Run it in a child process only, because uploads are untrusted.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { MediaType } from '../core/field/field.ts'
import { writeSynced } from '../lib/disk.ts'
import { THIS_FILE_SYSTEM } from '../lib/this-file-system.ts'
import { readAttachment } from '../pdf/inspect/attachment.ts'
import { isJpeg, readJpeg, withoutMetadata } from './jpeg.ts'
import { isPng, pngSize, readPng } from './png-read.ts'
import { rgbaOf, writePng } from './png-write.ts'

export interface ExamineFileRequest {
  path: string
  /** Set for a file that will be drawn into the document: where it is written without metadata. */
  outPath: string | undefined
}

/** The reason of a refusal; `mediaType`: what the content begins as. */
export type FileRefusal =
  | { verdict: 'unknown_type' }
  /** Reading it took too much time or memory. */
  | { verdict: 'too_complex' }
  | { verdict: 'unreadable' | 'needs_password'; mediaType: MediaType }
  | { verdict: 'too_many_pixels'; megapixels: number }

export interface ExaminedFile {
  verdict: 'accepted'
  mediaType: MediaType
  /** A PDF may contain scripts, attached files, or actions other than web links. */
  hasActiveContent: boolean
  /** Of the file to keep: the upload, or the one that was written. */
  sha256: string
  bytes: number
}

/** Sides, pixels. */
export const MAX_IMAGE_SIDE = 65_535
/** What is decoded: here as PNG, and by all who look at a document that shows the image. */
const MAX_DECODED_PIXELS = 50_000_000
/** Of a JPEG that is only kept: cameras with more do not exist. */
const MAX_KEPT_PIXELS = 200_000_000
/** Of a PNG that is drawn: a page of A4 at 200 dpi. */
const MAX_DRAWN_PIXELS = 4_000_000
/** Pixels a side averaged into one where only the validity matters. */
const CHECK_SHRINK = 64

const unreadable = (mediaType: MediaType): FileRefusal => ({ verdict: 'unreadable', mediaType })
const tooManyPixels = (pixels: number): FileRefusal => ({ verdict: 'too_many_pixels', megapixels: pixels / 1_000_000 })

/** @throws the system's error for a path */
export async function examineFile({ path, outPath }: ExamineFileRequest): Promise<ExaminedFile | FileRefusal> {
  const bytes = await readFile(path)
  if (isPng(bytes)) return examinePng(bytes, outPath)
  if (isJpeg(bytes)) return examineJpeg(bytes, outPath)
  // Readers search for the header in the first kilobyte; a file that begins as something else is
  // refused, because other programs would open it as that.
  if (bytes.toString('latin1', 0, 5) === '%PDF-') return examinePdf(bytes)
  return { verdict: 'unknown_type' }
}

function accepted(mediaType: MediaType, bytes: Uint8Array, hasActiveContent = false): ExaminedFile {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { verdict: 'accepted', mediaType, hasActiveContent, sha256, bytes: bytes.length }
}

async function examinePdf(bytes: Uint8Array): Promise<ExaminedFile | FileRefusal> {
  const found = await readAttachment(bytes)
  if (found === 'unreadable' || found === 'needs_password') return { verdict: found, mediaType: 'application/pdf' }
  return accepted('application/pdf', bytes, found.hasActiveContent)
}

async function examineJpeg(bytes: Buffer, outPath: string | undefined): Promise<ExaminedFile | FileRefusal> {
  const facts = readJpeg(bytes)
  if (facts === undefined) return unreadable('image/jpeg')
  const limit = outPath === undefined ? MAX_KEPT_PIXELS : MAX_DECODED_PIXELS
  if (facts.width * facts.height > limit) return tooManyPixels(limit)
  return accepted('image/jpeg', outPath === undefined ? bytes : await written(outPath, withoutMetadata(bytes)))
}

/** Pixels are limited before anything is decompressed. */
async function examinePng(bytes: Buffer, outPath: string | undefined): Promise<ExaminedFile | FileRefusal> {
  const size = pngSize(bytes)
  if (size === undefined) return unreadable('image/png')
  if (size.width * size.height > MAX_DECODED_PIXELS) return tooManyPixels(MAX_DECODED_PIXELS)
  const samples = await readPng(bytes, MAX_IMAGE_SIDE, outPath === undefined ? () => CHECK_SHRINK : drawnShrink)
  if (samples === undefined) return unreadable('image/png')
  return accepted('image/png', outPath === undefined ? bytes : await written(outPath, writePng(rgbaOf(samples))))
}

function drawnShrink(width: number, height: number): number {
  return Math.max(1, Math.ceil(Math.sqrt((width * height) / MAX_DRAWN_PIXELS)))
}

async function written(path: string, bytes: Buffer): Promise<Buffer> {
  await writeSynced(THIS_FILE_SYSTEM, path, bytes)
  return bytes
}
