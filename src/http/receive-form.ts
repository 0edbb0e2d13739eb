/** Receives a form with a file: a large file on disk, a small or secret one in memory. */
import { Refusal } from '../core/refusal.ts'
import type { App } from '../ports.ts'
import type { TemporaryFile, Upload } from '../storage/files.ts'
import { type BodyBudget, reserveMemory } from './body-budget.ts'
import { MultipartScanner } from './multipart-scanner.ts'
import { bodySteps, openUpload } from './receive.ts'

export interface SentFile {
  name: string
  /** The content, where the file stays in memory. */
  bytes: Uint8Array
  /** The file on disk until the response is sent, where it was written. */
  onDisk: Upload | undefined
}

export interface SentForm {
  form: Record<string, string>
  /** Undefined when no file was chosen. */
  file: SentFile | undefined
}

interface Expected {
  maxKeptBytes: number
  maxFileBytes: number
  isToDisk: boolean
}

/** Passes the form to `work`, then removes its file. Throws its refusals, and `overloaded`. */
export async function withMultipart<T>(
  app: Pick<App, 'storage' | 'disk'>,
  budget: BodyBudget,
  request: Request,
  { maxKeptBytes, maxFileBytes, isToDisk }: Expected,
  work: (sent: SentForm) => Promise<T>,
): Promise<T> {
  await app.disk.requireSpaceForUpload()
  const contentType = request.headers.get('content-type') ?? ''
  const reservation = reserveMemory(budget)
  const parts: Uint8Array[] = []
  let fileBytes = 0
  let temporary: TemporaryFile | undefined
  const take = (part: Uint8Array) => {
    fileBytes += part.length
    if (fileBytes > maxFileBytes)
      throw new Refusal('payload_too_large', `The file is larger than the ${maxFileBytes} bytes accepted here.`)
    parts.push(part.slice())
  }
  try {
    const scanner = new MultipartScanner({ contentType, maxKeptBytes, fileField: 'file', take })
    const keptBytes = () => scanner.keptBytes + (isToDisk ? 0 : fileBytes)
    for await (const step of bodySteps(budget, reservation, request, maxKeptBytes + maxFileBytes, keptBytes)) {
      scanner.add(step)
      if (!isToDisk) continue
      temporary ??= await openUpload(app)
      for (const part of parts.splice(0)) await temporary.write(part)
    }
    scanner.end()
    const isChosen = scanner.fileName !== undefined && fileBytes > 0
    const file = { name: scanner.fileName ?? '', bytes: Buffer.concat(parts), onDisk: isChosen ? temporary?.finish() : undefined }
    return await work({ form: scanner.fields, file: isChosen ? file : undefined })
  } finally {
    reservation.set(0)
    await temporary?.discard()
  }
}
