/** Checks the structure tree: it may only grow, by what is not read aloud. ISO 32000-2 §14.7. */
import { type Remark, remark } from '../../locales/remarks.ts'
import type { PdfFile } from '../../pdf/parser/file.ts'
import { type PdfDictionary, type PdfValue, textOf } from '../../pdf/parser/syntax.ts'
import { pagesOf } from './form-fields.ts'
import { findAddedItems } from './list-changes.ts'
import { differingKeys, hasNoStream, nameOf, readObject, refersTo, sameValue } from './object-changes.ts'
import type { UpdateCheck } from './update-check.ts'

const ROOT_KEYS = ['K', 'ParentTree', 'ParentTreeNextKey']
const MAX_NODES = 100_000

/** §7.9.7: the entries of a number tree and the objects that form it. */
interface NumberTree {
  entries: Map<number, PdfValue>
  nodes: Set<number>
}

function addNumbers(items: readonly PdfValue[], entries: Map<number, PdfValue>): void {
  for (let i = 0; i + 1 < items.length; i += 2) {
    const [key, value] = [items[i], items[i + 1]]
    if (key?.kind === 'number' && value !== undefined) entries.set(key.value, value)
  }
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
    addNumbers(file.items(numbers), tree.entries)
    waiting.push(...file.items(node?.entries.get('Kids')))
  }
  return tree
}

/** §14.7.2, table 355: one child or several. Undefined if earlier ones are missing or moved. */
function addedKids(old: PdfValue | undefined, now: PdfValue | undefined): readonly PdfValue[] | undefined {
  const kids = (value: PdfValue | undefined): readonly PdfValue[] =>
    value === undefined ? [] : value.kind === 'array' ? value.items : [value]
  if (old?.kind === 'reference' && now?.kind === 'reference' && old.number === now.number) return []
  return findAddedItems(kids(old), kids(now), { isStrict: false })
}

/** True if the earlier children stay, and no new one is read aloud in place of what was signed. */
function keepsKids(elements: NewElements, was: PdfDictionary, is: PdfDictionary, update: UpdateCheck): boolean {
  const added = addedKids(was.entries.get('K'), is.entries.get('K'))
  const error = added?.map(kid => elements.findError(kid)).find(one => one !== undefined)
  if (error !== undefined) update.violations.push(remark('element_refused', { why: error }))
  return added !== undefined && error === undefined
}

/** Keys with which the catalog, outline items and destinations refer to the structure. */
const POINTING_KEYS = new Set(['StructTreeRoot', 'SE', 'SD'])
const STRUCTURE_TYPES = new Set(['', 'StructTreeRoot', 'StructElem'])

/** True if the object refers to `number` only by keys that draw nothing. */
function onlyPointsTo({ before }: UpdateCheck, from: number, number: number): boolean {
  const value = readObject(before, from)
  if (value?.kind !== 'dictionary') return false
  return [...value.entries].every(([key, item]) => POINTING_KEYS.has(key) || !refersTo(item, to => to === number))
}

/** Adds the objects that use `numbers`. Empty if one of them is drawn, such as a page. */
function findStructureOnly(update: UpdateCheck, numbers: Iterable<number>): Set<number> {
  const pages = new Set(pagesOf(update.before).map(({ number }) => number))
  const mayBeStructure = (number: number): boolean => {
    const value = readObject(update.before, number)
    if (pages.has(number) || !hasNoStream(update.before, number)) return false
    return value?.kind === 'array' || (value?.kind === 'dictionary' && STRUCTURE_TYPES.has(nameOf(value.entries.get('Type'))))
  }
  const found = new Set(numbers)
  for (const number of found) {
    if (!mayBeStructure(number)) return new Set()
    for (const from of update.referrers(number)) if (!found.has(from) && !onlyPointsTo(update, from, number)) found.add(from)
  }
  return found
}

/** Finds elements whose only change is additional children. */
function findGrownElements(update: UpdateCheck, elements: NewElements): number[] {
  return [...update.pending].filter(number => {
    const pair = update.dictionaries(number)
    if (pair === undefined || pair.is.duplicateKeys.length > 0) return false
    const { was, is } = pair
    if (!was.entries.has('S') || !was.entries.has('P') || differingKeys(was, is).join() !== 'K') return false
    return hasNoStream(update.after, number) && keepsKids(elements, was, is, update)
  })
}

const NODE_KEYS = new Set(['Nums', 'Kids', 'Limits'])

/** Finds nodes of the number tree whose only change is their list of entries. */
function findGrownNodes(update: UpdateCheck, nodes: ReadonlySet<number>): number[] {
  return [...nodes].filter(number => {
    if (!update.pending.has(number) || !hasNoStream(update.after, number)) return false
    if (readObject(update.before, number)?.kind === 'array') return readObject(update.after, number)?.kind === 'array'
    const pair = update.dictionaries(number)
    return pair !== undefined && differingKeys(pair.was, pair.is).every(key => NODE_KEYS.has(key))
  })
}

/** The array behind a reference; other values stay. */
function resolvedArray(file: PdfFile, raw: PdfValue): PdfValue {
  const { value } = file.resolve(raw)
  return value.kind === 'array' ? value : raw
}

/** Returns the nodes of the earlier parent tree; undefined if one of its entries changed. */
function findKeptNodes(
  update: UpdateCheck,
  elements: NewElements,
  old: PdfDictionary,
  now: PdfDictionary,
): ReadonlySet<number> | undefined {
  const was = readNumberTree(update.before, old.entries.get('ParentTree'))
  const is = readNumberTree(update.after, now.entries.get('ParentTree'))
  const isKept = (value: PdfValue, other: PdfValue | undefined): boolean =>
    sameValue(value, other) || sameValue(update.before.resolve(value).value, update.after.resolve(other).value)
  // A new entry that leads to an earlier element could give signed content another role.
  const isOfNew = ([key, value]: readonly [number, PdfValue]): boolean =>
    was.entries.has(key) || !refersTo(resolvedArray(update.after, value), number => !elements.numbers.has(number))
  const isWhole = [...was.entries].every(([key, value]) => isKept(value, is.entries.get(key)))
  return isWhole && [...is.entries].every(isOfNew) ? was.nodes : undefined
}

/** The nodes of the root's parent tree; undefined if the root has other changes than additions. */
function checkRoot(
  update: UpdateCheck,
  elements: NewElements,
  oldRaw: PdfValue | undefined,
  newRaw: PdfValue | undefined,
): ReadonlySet<number> | undefined {
  const [old, now] = [update.before.dictionary(oldRaw), update.after.dictionary(newRaw)]
  if (old === undefined || now === undefined || now.duplicateKeys.length > 0) return undefined
  // Without earlier elements, a role map cannot change the role of one.
  const mayAddRoles = !old.entries.has('K') && !old.entries.has('RoleMap')
  const others = differingKeys(old, now).filter(key => !ROOT_KEYS.includes(key) && !(key === 'RoleMap' && mayAddRoles))
  if (others.length > 0 || !keepsKids(elements, old, now, update)) return undefined
  return findKeptNodes(update, elements, old, now)
}

/** Checks the catalog's /StructTreeRoot. True if it is unchanged or only has additions. */
export function acceptStructureTree(update: UpdateCheck): boolean {
  const [oldRaw, newRaw] = [update.oldCatalog, update.newCatalog].map(({ entries }) => entries.get('StructTreeRoot'))
  const changedRoot = newRaw?.kind === 'reference' && update.changed.has(newRaw.number) ? newRaw.number : undefined
  const added = new NewElements(update)
  const elements = findGrownElements(update, added)
  const isTouched = changedRoot !== undefined || !sameValue(oldRaw, newRaw)
  if (!isTouched && elements.length === 0) return true
  update.additions.push(remark('changed_structure'))
  const nodes = isTouched ? checkRoot(update, added, oldRaw, newRaw) : new Set<number>()
  if (nodes === undefined) return false
  const grown = [...elements, ...findGrownNodes(update, nodes)]
  if (changedRoot !== undefined && update.before.crossReference.entries.has(changedRoot)) grown.push(changedRoot)
  const structureOnly = findStructureOnly(update, grown)
  for (const number of grown) if (structureOnly.has(number)) update.accept(number)
  return changedRoot === undefined || !grown.includes(changedRoot) || structureOnly.has(changedRoot)
}

// Checks structure elements that an update adds: screen readers read their texts aloud in place of
// the content. ISO 32000-2 §14.7.2, §14.7.5, §14.9.

/** Entries that are not read aloud. Not /ActualText, /E and /T, nor /C, which names attributes. */
const SILENT_KEYS = new Set(['Type', 'S', 'P', 'K', 'Pg', 'ID', 'R', 'NS', 'A'])
const [MAX_ELEMENTS, MAX_DEPTH] = [100_000, 100]

const kidsOf = (value: PdfValue | undefined): readonly PdfValue[] =>
  value === undefined ? [] : value.kind === 'array' ? value.items : [value]

const hasText = (value: PdfValue | undefined): boolean => {
  if (value === undefined || value.kind === 'name' || value.kind === 'number') return false
  if (value.kind === 'array') return value.items.some(hasText)
  return value.kind !== 'dictionary' || [...value.entries.values()].some(hasText)
}

class NewElements {
  /** The object numbers of the elements that were checked. */
  readonly numbers = new Set<number>()
  readonly #update: UpdateCheck
  #count = 0

  constructor(update: UpdateCheck) {
    this.#update = update
  }

  /** Why the added child of an element is not allowed; a predicate. */
  findError(kid: PdfValue, depth = 0): Remark | undefined {
    if (++this.#count > MAX_ELEMENTS || depth > MAX_DEPTH) return remark('element_too_many')
    if (kid.kind === 'number') return remark('element_claims_signed')
    const element = this.#update.after.dictionary(kid)
    if (element === undefined || element.duplicateKeys.length > 0) return remark('element_invalid')
    const type = nameOf(this.#update.after.resolve(element.entries.get('Type')).value)
    if (type === 'OBJR') return this.#findReferenceError(element)
    if (type !== '' && type !== 'StructElem') return remark('element_claims_signed')
    if (kid.kind === 'reference') {
      if (!this.#update.isNew(kid.number) || !hasNoStream(this.#update.after, kid.number)) return remark('element_not_new')
      if (this.numbers.has(kid.number)) return remark('element_twice')
      this.numbers.add(kid.number)
    }
    return this.#findElementError(element, depth)
  }

  #findElementError({ entries }: PdfDictionary, depth: number): Remark | undefined {
    const kids = kidsOf(entries.get('K'))
    const heard = [...entries.keys()].filter(key => !SILENT_KEYS.has(key))
    const alternative = textOf(this.#update.after.resolve(entries.get('Alt')).value)
    const isOfField = kids.length > 0 && kids.every(kid => this.#isReference(kid))
    if (heard.join() === 'Alt' && isOfField && alternative !== '') this.#noteAlternative(alternative)
    else if (heard.length > 0) return remark('element_read_aloud', { keys: heard.map(key => `/${key}`) })
    if (hasText(entries.get('A'))) return remark('element_attributes')
    for (const kid of kids) {
      const error = this.findError(kid, depth + 1)
      if (error !== undefined) return error
    }
    return undefined
  }

  #isReference(kid: PdfValue): boolean {
    const entries = this.#update.after.dictionary(kid)?.entries
    return nameOf(this.#update.after.resolve(entries?.get('Type')).value) === 'OBJR'
  }

  /** §14.7.5.3: of an annotation or field that the update itself adds or changes. */
  #findReferenceError({ entries }: PdfDictionary): Remark | undefined {
    const object = entries.get('Obj')
    const isChanged = object?.kind === 'reference' && this.#update.changed.has(object.number)
    return isChanged ? undefined : remark('element_describes_signed')
  }

  /** §14.9.3: what is read aloud for a field of this update. */
  #noteAlternative(after: string): void {
    this.#update.changes.push({ kind: 'property', revision: 0, name: 'Alt', before: '', after, page: null })
  }
}
