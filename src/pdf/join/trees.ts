/** Reads name trees and number trees as lists. ISO 32000-2 §7.9.6, §7.9.7. */
import { type LocatedValue, type PdfFile, resolveEntry, resolveWithin } from '../parser/file.ts'
import { PdfSyntaxError, type PdfValue } from '../parser/syntax.ts'

/** Entries and nodes of one tree. */
const MAX_NODES = 200_000

/** Larger numbers cannot be written as PDF integers (annex C.2), and no file needs them. */
const MAX_INTEGER = 1_000_000_000

/** Undefined unless it is an integer from 0 that can be written again. */
export function naturalNumber(value: PdfValue): number | undefined {
  const isNatural = value.kind === 'number' && value.integer && value.value >= 0 && value.value <= MAX_INTEGER
  return isNatural ? value.value : undefined
}

export interface TreeEntry {
  key: PdfValue
  /** May be a reference. */
  value: LocatedValue
}

/** In order. @throws PdfSyntaxError for a tree that is too large */
export function readTree(file: PdfFile, root: LocatedValue, leaf: 'Names' | 'Nums'): TreeEntry[] {
  const seen = new Set<number>()
  const found: TreeEntry[] = []
  const pending = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const raw of resolveEntries(file, node, 'Kids').items.toReversed()) {
      if (raw.kind !== 'reference' || seen.has(raw.number)) continue
      seen.add(raw.number)
      pending.push(file.resolve(raw))
    }
    found.push(...entriesOf(file, node, leaf))
    if (found.length + seen.size > MAX_NODES) throw new PdfSyntaxError('a name or number tree has too many entries')
  }
  return found
}

function resolveEntries(file: PdfFile, node: LocatedValue, key: string): { array: LocatedValue; items: readonly PdfValue[] } {
  const array = resolveEntry(file, node, key)
  return { array, items: array.value.kind === 'array' ? array.value.items : [] }
}

function entriesOf(file: PdfFile, node: LocatedValue, leaf: 'Names' | 'Nums'): TreeEntry[] {
  const { array, items } = resolveEntries(file, node, leaf)
  const found: TreeEntry[] = []
  for (let i = 0; i + 1 < items.length; i += 2) {
    const value = items[i + 1]
    if (value !== undefined) found.push({ key: resolveWithin(file, array, items[i]).value, value: { ...array, value } })
  }
  return found
}
