/** Lists a folder in slices: Bun's `readdir` of a million names blocks the event loop for long. */
import { closeSync, openSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { LibcError, nextNames } from './libc.ts'

/** Takes a few hundred names and a fraction of a millisecond. */
const BUFFER_BYTES = 32_768

/** The names in no particular order. Each slice blocks, so callers yield between slices. */
export async function* listNames(folder: string): AsyncGenerator<string[]> {
  const descriptor = openSync(folder, 'r')
  try {
    const buffer = Buffer.alloc(BUFFER_BYTES)
    for (let names = nextNames(descriptor, buffer); names.length > 0; names = nextNames(descriptor, buffer)) yield names
  } catch (error) {
    if (!(error instanceof LibcError)) throw error
    yield await readdir(folder)
  } finally {
    closeSync(descriptor)
  }
}
