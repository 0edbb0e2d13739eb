/**
 * Says in the catalog that a file older than PDF 2.0 holds PAdES structures: the developer
 * extension ESIC. ISO 32000-2 §7.12; EN 319 142-1 §5. What other developers declared stays.
 */

import { resolveEntry } from '../parser/file.ts'
import type { UpdatablePdf } from './object-changes.ts'
import { changedDictionary } from './serialize.ts'

/**
 * Level 2 stands for CAdES signatures in PDF, and takes in level 1: validation material and
 * document time-stamps.
 */
const ESIC = '<< /Type /DeveloperExtensions /BaseVersion /1.7 /ExtensionLevel 2 >>'

/** §7.5.2: the header's version, unless the catalog names a later one. */
function versionOf({ file, catalog }: UpdatablePdf): number {
  const header = /^%PDF-(\d\.\d)/.exec(Buffer.from(file.bytes.subarray(0, 8)).toString('latin1'))?.[1] ?? '1.0'
  const own = resolveEntry(file, catalog.dictionary, 'Version').value
  const named = own.kind === 'name' && /^\d\.\d$/.test(own.value) ? own.value : '1.0'
  return Math.max(Number(header), Number(named))
}

/**
 * The new value of /Extensions; undefined when the one there is already says it, or the file is of
 * a version that knows the structures.
 */
export function padesExtensions(readable: UpdatablePdf): string | undefined {
  if (versionOf(readable) >= 2) return undefined
  const known = resolveEntry(readable.file, readable.catalog.dictionary, 'Extensions')
  if (known.value.kind !== 'dictionary') return `<< /ESIC ${ESIC} >>`
  if (known.value.entries.has('ESIC')) return undefined
  return changedDictionary(known.bytes, known.value, new Map([['ESIC', ESIC]]))
}
