/**
 * The structure of a tagged document, which assistive technology reads and no page shows: it may grow by elements for what an update adds, and what was
 * there stays. ISO 32000-2 §14.7.
 */
import type { PdfFile } from '../pdf/file.ts'
import type { PdfDictionary, PdfValue } from '../pdf/syntax.ts'
import type { Step } from './change-step.ts'
import { addedItems } from './list-changes.ts'
import { differingKeys, readObject, sameValue } from './object-changes.ts'

const ROOT_KEYS = ['K', 'ParentTree', 'ParentTreeNextKey']
const MAX_NODES = 100_000

/** §7.9.7: the entries of a number tree, and the objects that it is made of. */
interface NumberTree {
  entries: Map<number, PdfValue>
  nodes: Set<number>
}

function readNumberTree(file: PdfFile, root: PdfValue | undefined): NumberTree {
  const tree: NumberTree = { entries: new Map(), nodes: new Set() }
  const waiting = root === undefined ? [] : [root]
  for (let count = 0; waiting.length > 0 && count < MAX_NODES; count++) {
    const raw = waiting.pop()
    if (raw?.kind === 'reference' && tree.nodes.has(raw.number)) continue
    if (raw?.kind === 'reference') tree.nodes.add(raw.number)
    const node = file.dictionary(raw)
    const numbers = node?.entries.get('Nums')
    if (numbers?.kind === 'reference') tree.nodes.add(numbers.number)
    const items = file.items(numbers)
    for (let i = 0; i + 1 < items.length; i += 2) {
      const [key, value] = [items[i], items[i + 1]]
      if (key?.kind === 'number' && value !== undefined) tree.entries.set(key.value, value)
    }
    waiting.push(...file.items(node?.entries.get('Kids')))
  }
  return tree
}

/** One child or several (§14.7.2, table 355), all of before in their order. */
function keepsKids(old: PdfValue | undefined, now: PdfValue | undefined): boolean {
  const kids = (value: PdfValue | undefined): readonly PdfValue[] =>
    value === undefined ? [] : value.kind === 'array' ? value.items : [value]
  if (old?.kind === 'reference' && now?.kind === 'reference' && old.number === now.number) return true
  return addedItems(kids(old), kids(now), { isStrict: false }) !== undefined
}

/** An element that has more children than before, and is otherwise the same. */
function explainElements(step: Step): boolean {
  let isFound = false
  for (const number of [...step.unexplained]) {
    const [was, is] = [readObject(step.before, number), readObject(step.after, number)]
    if (was?.kind !== 'dictionary' || is?.kind !== 'dictionary' || is.doubled.length > 0) continue
    if (!was.entries.has('S') || !was.entries.has('P') || differingKeys(was, is).join() !== 'K') continue
    if (!keepsKids(was.entries.get('K'), is.entries.get('K'))) continue
    step.unexplained.delete(number)
    isFound = true
  }
  return isFound
}

function keepsTree(step: Step, old: PdfDictionary, now: PdfDictionary): boolean {
  const was = readNumberTree(step.before, old.entries.get('ParentTree'))
  const is = readNumberTree(step.after, now.entries.get('ParentTree'))
  const isKept = (value: PdfValue, other: PdfValue | undefined): boolean =>
    sameValue(value, other) || sameValue(step.before.resolve(value).value, step.after.resolve(other).value)
  const kept = [...was.entries].every(([key, value]) => isKept(value, is.entries.get(key)))
  if (kept) for (const number of was.nodes) step.unexplained.delete(number)
  return kept
}

/** True when the catalog's /StructTreeRoot is what it was, or has grown. */
export function explainStructure(step: Step): boolean {
  const [oldRaw, newRaw] = [step.oldCatalog.entries.get('StructTreeRoot'), step.newCatalog.entries.get('StructTreeRoot')]
  const isChanged = newRaw?.kind === 'reference' && step.changed.has(newRaw.number)
  const hasElements = explainElements(step)
  if (isChanged || hasElements || !sameValue(oldRaw, newRaw))
    step.found.push('was changed: the structure for assistive technology (/StructTreeRoot), which no page shows')
  if (sameValue(oldRaw, newRaw) && !isChanged) return true
  const [old, now] = [step.before.dictionary(oldRaw), step.after.dictionary(newRaw)]
  if (old === undefined || now === undefined || now.doubled.length > 0) return false
  // Where there were no elements, nothing can get another role.
  const mayHaveRoles = !old.entries.has('K') && !old.entries.has('RoleMap')
  const others = differingKeys(old, now).filter(key => !ROOT_KEYS.includes(key) && !(key === 'RoleMap' && mayHaveRoles))
  if (others.length > 0 || !keepsKids(old.entries.get('K'), now.entries.get('K')) || !keepsTree(step, old, now)) return false
  const isOwn = newRaw?.kind !== 'reference' || step.referrers(newRaw.number).every(one => isPartOf(step, one))
  if (isOwn && newRaw?.kind === 'reference') step.unexplained.delete(newRaw.number)
  return isOwn
}

/** The catalog, or an element whose parent is the root of the structure. */
function isPartOf(step: Step, number: number): boolean {
  const value = readObject(step.before, number)
  return step.roots.includes(number) || (value?.kind === 'dictionary' && value.entries.has('S') && value.entries.has('P'))
}
