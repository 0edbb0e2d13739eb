/** The names in a structure tree that mean something in one file only. ISO 32000-2 §14.7. */
import { type LocatedValue, type PdfFile, resolveWithin } from '../parser/file.ts'
import type { PdfDictionary, PdfValue } from '../parser/syntax.ts'
import { formatName, verbatim } from '../writer/serialize.ts'

/** How the structure of a file differs in the joined one. */
export interface StructureNames {
  /** Added to the keys of structure parents. */
  offset: number
  /** Put before the identifiers of elements. */
  idPrefix: string
  /** New names by old ones. */
  roles: ReadonlyMap<string, string>
  classes: ReadonlyMap<string, string>
}

export const formatBytes = (bytes: Uint8Array): string => `<${Buffer.from(bytes).toString('hex')}>`
export const prefixed = (bytes: Uint8Array, prefix: string): Buffer => Buffer.concat([Buffer.from(prefix), bytes])

/** The new text of an entry of an element, or of the header cells of a table (§14.8.5.7). */
export function formatStructureEntry(
  file: PdfFile,
  key: string,
  value: LocatedValue,
  owner: PdfDictionary,
  { idPrefix, roles, classes }: StructureNames,
): string | undefined {
  const located = resolveWithin(file, value, value.value)
  const formatId = (id: PdfValue) => (id.kind === 'string' ? formatBytes(prefixed(id.value, idPrefix)) : 'null')
  if (key === 'Headers' && idPrefix !== '' && located.value.kind === 'array')
    return `[${located.value.items.map(item => formatId(file.resolve(item).value)).join(' ')}]`
  const isElement = owner.entries.has('S') && owner.entries.has('P')
  if (!isElement) return undefined
  if (key === 'ID' && idPrefix !== '' && located.value.kind === 'string') return formatId(located.value)
  if (key === 'S') return renamed(located.value, roles)
  return key === 'C' && classes.size > 0 ? formatClasses(file, located, classes) : undefined
}

function renamed(value: PdfValue, names: ReadonlyMap<string, string>): string | undefined {
  const name = value.kind === 'name' ? names.get(value.value) : undefined
  return name === undefined ? undefined : formatName(name)
}

/** A class, or an array of classes and revision numbers (§14.7.6.2). */
function formatClasses(file: PdfFile, located: LocatedValue, classes: ReadonlyMap<string, string>): string | undefined {
  if (located.value.kind !== 'array') return renamed(located.value, classes)
  const items = located.value.items.map(item => resolveWithin(file, located, item))
  return `[${items.map(item => renamed(item.value, classes) ?? verbatim(item)).join(' ')}]`
}
