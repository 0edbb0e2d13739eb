/** Reads a file that the reader has chosen, within bounds, and says how far it is. */
import type { FileProblem } from '../../../src/locales/local-verify.ts'
import { CancelledError } from './verifier.ts'

export const MAX_FILE_BYTES = 100 * 1024 * 1024

export class FileProblemError extends Error {
  override name = 'FileProblemError'

  constructor(readonly problem: FileProblem) {
    super(problem)
  }
}

/** `onPart`: takes how many percent are read. @throws FileProblemError, CancelledError */
export async function readFile(
  file: Blob,
  signal: AbortSignal,
  onPart: (percent: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size === 0) throw new FileProblemError('empty')
  if (file.size > MAX_FILE_BYTES) throw new FileProblemError('tooLarge')
  try {
    const bytes = new Uint8Array(file.size)
    const reader = file.stream().getReader()
    for (let at = 0; ; ) {
      if (signal.aborted) throw new CancelledError()
      const { done, value } = await reader.read()
      if (done) break
      bytes.set(value, at)
      at += value.length
      onPart(Math.floor((100 * at) / file.size))
    }
    return bytes
  } catch (error) {
    if (error instanceof CancelledError) throw error
    if (error instanceof RangeError) throw new FileProblemError('memory')
    // NotReadableError, NotFoundError: the file is not what it was. File API §8.2
    if (error instanceof DOMException) throw new FileProblemError('unreadable')
    throw error
  }
}

/** Enough to tell its kind. */
export async function readStart(file: Blob): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, 1024).arrayBuffer())
  } catch (error) {
    if (error instanceof DOMException) throw new FileProblemError('unreadable')
    throw error
  }
}
