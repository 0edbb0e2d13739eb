/** Compares values of several PDFs by their content. */
import { createHash, type Hash } from 'node:crypto'
import type { LocatedValue, PdfFile } from '../parser/file.ts'
import type { PdfDictionary } from '../parser/syntax.ts'
import { readStreamData } from '../writer/import-objects.ts'
import { formatName } from '../writer/serialize.ts'

/** A font refers to a descriptor, that to a font file. */
const MAX_DEPTH = 8

/** Equal for resources of equal content, whatever their object numbers. */
export function fingerprint(file: PdfFile, located: LocatedValue): string {
  const hash = createHash('sha256')
  addTo(hash, file, located, 0)
  return hash.digest('hex')
}

function addTo(hash: Hash, file: PdfFile, located: LocatedValue, depth: number): void {
  const { value, bytes } = located
  hash.update(value.kind)
  if (depth > MAX_DEPTH) return
  if (value.kind === 'reference') addTo(hash, file, file.resolve(value), depth + 1)
  else if (value.kind === 'array') for (const item of value.items) addTo(hash, file, { ...located, value: item }, depth + 1)
  else if (value.kind === 'dictionary') addDictionary(hash, file, located, value, depth)
  else hash.update(bytes.subarray(value.start, value.end))
}

function addDictionary(hash: Hash, file: PdfFile, located: LocatedValue, { entries }: PdfDictionary, depth: number): void {
  for (const [key, value] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(formatName(key))
    addTo(hash, file, { ...located, value }, depth + 1)
  }
  hash.update(readStreamData(file, located) ?? '')
}
