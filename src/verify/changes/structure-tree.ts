/**
 * The structure of a tagged document, which assistive technology reads and no page shows: it may grow by elements for what an update adds, and what was
 * there stays. ISO 32000-2 §14.7.
 */
import type { PdfFile } from '../../pdf/parser/file.ts'
import type { PdfDictionary, PdfValue } from '../../pdf/parser/syntax.ts'
import { pagesOf } from './form-fields.ts'
import { addedItems } from './list-changes.ts'
import { differingKeys, eachReference, isWithoutStream, nameOf, readObject, sameValue } from './object-changes.ts'
import type { RevisionStep } from './revision-step.ts'

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

/** Keys by which other objects point at the structure and take nothing from it: the catalog, outline items, destinations. */
const POINTING_KEYS = new Set(['StructTreeRoot', 'SE', 'SD'])
const STRUCTURE_TYPES = new Set(['', 'StructTreeRoot', 'StructElem'])

/** The object leads to `number` by a key that draws nothing. */
function onlyPoints({ before }: RevisionStep, from: number, number: number): boolean {
  const value = readObject(before, from)
  if (value?.kind !== 'dictionary') return false
  return [...value.entries].every(([key, item]) => {
    let leads = false
    eachReference(item, to => {
      leads ||= to === number
    })
    return !leads || POINTING_KEYS.has(key)
  })
}

/** Of these objects: those to which nothing leads but other objects of the structure. A group of a page (/K) or its tree (/Kids) is none of them. */
function servingStructureAlone(step: RevisionStep, numbers: Iterable<number>): Set<number> {
  const pages = new Set(pagesOf(step.before).map(({ number }) => number))
  const mayServe = (number: number): boolean => {
    const value = readObject(step.before, number)
    if (pages.has(number) || !isWithoutStream(step.before, number)) return false
    return value?.kind === 'array' || (value?.kind === 'dictionary' && STRUCTURE_TYPES.has(nameOf(value.entries.get('Type'))))
  }
  const found = new Set(numbers)
  for (const number of found) {
    if (!mayServe(number)) return new Set()
    for (const from of step.referrers(number)) if (!found.has(from) && !onlyPoints(step, from, number)) found.add(from)
  }
  return found
}

/** Elements that have more children than before, and are otherwise the same. */
function grownElements(step: RevisionStep): number[] {
  return [...step.unexplained].filter(number => {
    const [was, is] = [readObject(step.before, number), readObject(step.after, number)]
    if (was?.kind !== 'dictionary' || is?.kind !== 'dictionary' || is.duplicateKeys.length > 0) return false
    if (!was.entries.has('S') || !was.entries.has('P') || differingKeys(was, is).join() !== 'K') return false
    return keepsKids(was.entries.get('K'), is.entries.get('K')) && isWithoutStream(step.after, number)
  })
}

/** Number tree nodes that list more than before, and are otherwise the same. */
const NODE_KEYS = new Set(['Nums', 'Kids', 'Limits'])

function grownNodes(step: RevisionStep, nodes: ReadonlySet<number>): number[] {
  return [...nodes].filter(number => {
    const [was, is] = [readObject(step.before, number), readObject(step.after, number)]
    if (!step.unexplained.has(number) || !isWithoutStream(step.after, number)) return false
    if (was?.kind === 'array') return is?.kind === 'array'
    if (was?.kind !== 'dictionary' || is?.kind !== 'dictionary') return false
    return differingKeys(was, is).every(key => NODE_KEYS.has(key))
  })
}

/** The nodes of the parent tree as it was; undefined when an entry is no longer what it was. */
function keptNodes(step: RevisionStep, old: PdfDictionary, now: PdfDictionary): ReadonlySet<number> | undefined {
  const was = readNumberTree(step.before, old.entries.get('ParentTree'))
  const is = readNumberTree(step.after, now.entries.get('ParentTree'))
  const isKept = (value: PdfValue, other: PdfValue | undefined): boolean =>
    sameValue(value, other) || sameValue(step.before.resolve(value).value, step.after.resolve(other).value)
  return [...was.entries].every(([key, value]) => isKept(value, is.entries.get(key))) ? was.nodes : undefined
}

/** The root of the structure as it was and as it is: the nodes of its parent tree; undefined when it is another one. */
function grownRoot(
  step: RevisionStep,
  oldRaw: PdfValue | undefined,
  newRaw: PdfValue | undefined,
): ReadonlySet<number> | undefined {
  const [old, now] = [step.before.dictionary(oldRaw), step.after.dictionary(newRaw)]
  if (old === undefined || now === undefined || now.duplicateKeys.length > 0) return undefined
  // Where there were no elements, nothing can get another role.
  const mayHaveRoles = !old.entries.has('K') && !old.entries.has('RoleMap')
  const others = differingKeys(old, now).filter(key => !ROOT_KEYS.includes(key) && !(key === 'RoleMap' && mayHaveRoles))
  if (others.length > 0 || !keepsKids(old.entries.get('K'), now.entries.get('K'))) return undefined
  return keptNodes(step, old, now)
}

/** True when the catalog's /StructTreeRoot is what it was, or has grown. */
export function explainStructure(step: RevisionStep): boolean {
  const [oldRaw, newRaw] = [step.oldCatalog.entries.get('StructTreeRoot'), step.newCatalog.entries.get('StructTreeRoot')]
  const changedRoot = newRaw?.kind === 'reference' && step.changed.has(newRaw.number) ? newRaw.number : undefined
  const elements = grownElements(step)
  const isTouched = changedRoot !== undefined || !sameValue(oldRaw, newRaw)
  if (!isTouched && elements.length === 0) return true
  step.found.push('was changed: the structure for assistive technology (/StructTreeRoot), which no page shows')
  const nodes = isTouched ? grownRoot(step, oldRaw, newRaw) : new Set<number>()
  if (nodes === undefined) return false
  const grown = [...elements, ...grownNodes(step, nodes)]
  if (changedRoot !== undefined && step.before.crossReference.entries.has(changedRoot)) grown.push(changedRoot)
  const serving = servingStructureAlone(step, grown)
  for (const number of grown) if (serving.has(number)) step.unexplained.delete(number)
  return changedRoot === undefined || !grown.includes(changedRoot) || serving.has(changedRoot)
}
