/** Declares PAdES in files older than PDF 2.0. ISO 32000-2 §7.12; EN 319 142-1 §5. */
import { resolveEntry } from '../parser/file.ts'
import type { UpdatablePdf } from './object-changes.ts'
import { formatDictionary } from './serialize.ts'

/** Level 2: CAdES signatures. Level 1, included: validation data, document time-stamps. */
const ESIC = '<< /Type /DeveloperExtensions /BaseVersion /1.7 /ExtensionLevel 2 >>'

/** §7.5.2: the version of the header, unless the catalog has a later one. */
function readVersion({ file, catalog }: UpdatablePdf): number {
  const header = /^%PDF-(\d\.\d)/.exec(Buffer.from(file.bytes.subarray(0, 8)).toString('latin1'))?.[1] ?? '1.0'
  const own = resolveEntry(file, catalog.dictionary, 'Version').value
  const named = own.kind === 'name' && /^\d\.\d$/.test(own.value) ? own.value : '1.0'
  return Math.max(Number(header), Number(named))
}

/** The new /Extensions. Undefined if ESIC is already declared, or not needed from PDF 2.0 on. */
export function declareEsic(pdf: UpdatablePdf): string | undefined {
  if (readVersion(pdf) >= 2) return undefined
  const known = resolveEntry(pdf.file, pdf.catalog.dictionary, 'Extensions')
  if (known.value.kind !== 'dictionary') return `<< /ESIC ${ESIC} >>`
  if (known.value.entries.has('ESIC')) return undefined
  return formatDictionary(known.bytes, known.value, new Map([['ESIC', ESIC]]))
}
