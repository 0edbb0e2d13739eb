/** Lists a folder of any size in slices. The runtime's own listing makes all names at once, which blocks for long when there are a million. */
import { closeSync, openSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { LibcError, nextNames } from './libc.ts'

/** A few hundred names, a fraction of a millisecond. */
const BUFFER_BYTES = 32_768

/** The names in a folder, in no order. The caller's work between two slices lets others run. */
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
