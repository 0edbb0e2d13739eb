/**
 * What follows a signed revision, judged object by object: validation material, document time-stamps and, where the signature allows it, further
 * signatures that draw nothing new. Everything else is a change of what was signed. ISO 32000-2 §12.8.2.2, §12.8.4.3, §12.8.5; EN 319 142-1 §5.4.
 * Whether an added signature or time-stamp holds is judged where signatures are judged.
 */
import type { PdfFile } from '../pdf/file.ts'
import { type PdfDictionary, PdfSyntaxError } from '../pdf/syntax.ts'
import { explainForm } from './added-fields.ts'
import {
  changedNumbers,
  collectReferences,
  differingKeys,
  eachReference,
  isReadable,
  isStream,
  noReferences,
  type References,
  readObject,
} from './object-changes.ts'
import { labelObjects } from './object-words.ts'
import { type Revision, readRevisions } from './revisions.ts'
import { type Leaf, readStoreShape, type StoreShape } from './security-store.ts'

/** One update while it is judged. Functions that find a change allowed take its numbers out of `unexplained`. */
export interface Step {
  before: PdfFile
  after: PdfFile
  oldCatalog: PdfDictionary
  newCatalog: PdfDictionary
  changed: ReadonlySet<number>
  unexplained: Set<number>
  /** True, and the object explained, when it is new in this update and nothing outside of the store has led to its number. */
  takeNew(number: number): boolean
  /** How often an object is referred to in the earlier revision, the security store left out. */
  referredTo(number: number): number
  /** Sentences without their end. */
  problems: string[]
  /** What was found and is allowed, in words. */
  found: string[]
}

export interface AdditionsPolicy {
  /** Further signatures may follow: neither DocMDP P=1 nor a lock of fields forbids them. */
  signatures: boolean
}

export interface Additions {
  /** What was added and is allowed there; sentences. */
  additions: string[]
  /** What is not; sentences. */
  problems: string[]
  /** The signed revision by itself. */
  signed: PdfFile
}

const MAX_PROBLEMS = 12

/** Grows with each update: references once there stay counted, for an object that was taken away may come back. */
interface Known {
  references: References
  store: Map<number, number>
}

function countStore(shape: StoreShape, into: Map<number, number>, only?: ReadonlySet<number>): void {
  for (const { from, to } of shape.edges) if (only === undefined || only.has(from)) into.set(to, (into.get(to) ?? 0) + 1)
}

function rootOf(file: PdfFile): { number: number; catalog: PdfDictionary } {
  const root = file.crossReference.trailer.entries.get('Root')
  const catalog = file.dictionary(root)
  if (root?.kind !== 'reference' || catalog === undefined) throw new PdfSyntaxError('it has no catalog')
  return { number: root.number, catalog }
}

/** Cross-reference streams and object streams of the update are its layout, not its content. */
function explainLayout(step: Step): void {
  const { after, before, unexplained } = step
  const { entries, newestSection } = after.crossReference
  const containers = new Set([...entries.values()].map(one => (one.kind === 'compressed' ? one.stream : -1)))
  for (const number of [...unexplained]) {
    const entry = entries.get(number)
    if (entry?.kind !== 'offset' || before.crossReference.entries.has(number)) continue
    const type = after
      .dictionary({ kind: 'reference', number, generation: entry.generation, start: 0, end: 0 })
      ?.entries.get('Type')
    const isSection = entry.offset === newestSection.offset && type?.kind === 'name' && type.value === 'XRef'
    // By its number alone: what the signed revision leads to must not become one, for its data could be read as anything.
    if (isSection || containers.has(number)) step.takeNew(number)
  }
}

function isPlainLeaf(step: Step, number: number): boolean {
  const value = readObject(step.after, number)
  if (value?.kind !== 'dictionary') return false
  for (const [key, item] of value.entries) {
    if (!['Length', 'Filter', 'DecodeParms', 'Type'].includes(key)) return false
    if (item.kind === 'reference' && !(key === 'Length' && step.takeNew(item.number))) return false
  }
  return value.doubled.length === 0 && isStream(step.after, number)
}

/** A number of things in English whose plural ends in -s. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

function explainStore(step: Step, root: number): void {
  const shape = readStoreShape(step.after, step.newCatalog, root)
  const old = readStoreShape(step.before, step.oldCatalog, root)
  const touched = [...shape.containers, ...shape.leaves.keys()].some(number => step.changed.has(number))
  if (!touched && !differingKeys(step.oldCatalog, step.newCatalog).includes('DSS')) return
  step.problems.push(...shape.faults)
  for (const number of shape.containers) {
    if (!step.changed.has(number)) continue
    const replaced = old.containers.has(number) && step.referredTo(number) === 0
    if (replaced) step.unexplained.delete(number)
    else step.takeNew(number)
  }
  const added = new Map<Leaf, number>()
  for (const [number, leaf] of shape.leaves) {
    if (!step.changed.has(number)) continue
    if (!isPlainLeaf(step, number)) step.problems.push(`object ${number} of the /DSS is no plain stream`)
    else if (step.takeNew(number)) added.set(leaf, (added.get(leaf) ?? 0) + 1)
  }
  const counts = [...added].map(([leaf, count]) => counted(count, leaf))
  step.found.push(`validation material (DSS): ${counts.length === 0 ? 'nothing that was not there before' : counts.join(', ')}`)
}

/** §7.12: what developers declare; it changes nothing that is shown. */
function explainExtensions(step: Step): void {
  const value = step.newCatalog.entries.get('Extensions')
  const old = step.oldCatalog.entries.get('Extensions')
  if (value?.kind !== 'dictionary') return void step.problems.push('the catalog has another /Extensions')
  const kept = old === undefined || (old.kind === 'dictionary' && [...old.entries.keys()].every(key => value.entries.has(key)))
  let leads = false
  eachReference(value, () => {
    leads = true
  })
  if (leads || !kept) step.problems.push('the catalog has another /Extensions')
}

function judgeCatalog(step: Step, root: number): void {
  const keys = differingKeys(step.oldCatalog, step.newCatalog)
  const others = keys.filter(key => !['DSS', 'Extensions', 'AcroForm'].includes(key))
  for (const key of step.newCatalog.doubled) step.problems.push(`the catalog has the key /${key} twice`)
  if (others.length === 0) step.unexplained.delete(root)
  else step.problems.push(`the catalog has another ${others.map(key => `/${key}`).join(', ')}`)
  if (keys.includes('Extensions')) explainExtensions(step)
}

function judgeTrailer({ before, after, problems }: Step): void {
  const [old, now] = [before.crossReference.trailer, after.crossReference.trailer]
  const differing = differingKeys(old, now)
  if (differing.includes('Info')) problems.push('the trailer names another document information (/Info)')
  if (differing.includes('Encrypt')) problems.push('the trailer names an encryption')
  if (now.entries.has('XRefStm'))
    problems.push('its cross-reference is a hybrid one, which shows different objects to different readers')
}

function describeUnexplained({ before, after, unexplained }: Step): string[] {
  if (unexplained.size === 0) return []
  const [old, now] = [labelObjects(before), labelObjects(after)]
  const words = [...unexplained].slice(0, MAX_PROBLEMS).map(number => {
    const was = readObject(before, number)
    const is = readObject(after, number)
    const entry = after.crossReference.entries.get(number)
    const label = old.get(number) ?? now.get(number)
    const object = label === undefined ? `object ${number}` : `${label} (object ${number})`
    if (entry === undefined || entry.kind === 'free') return `${object} was taken away`
    if (!before.crossReference.entries.has(number)) return `${object} was added`
    if (before.crossReference.entries.get(number)?.kind === 'free')
      return `${object} was put in the place of an object that had been taken away`
    if (was?.kind !== 'dictionary' || is?.kind !== 'dictionary') return `${object} was replaced`
    const keys = differingKeys(was, is).map(key => `/${key}`)
    return keys.length === 0 ? `${object} was written anew` : `${object} was changed: ${keys.slice(0, 8).join(', ')}`
  })
  return unexplained.size <= MAX_PROBLEMS ? words : [...words, `${unexplained.size - MAX_PROBLEMS} more objects are others`]
}

function newStep(before: PdfFile, after: PdfFile, known: Known): Step {
  const changed = changedNumbers(before, after)
  const unexplained = new Set(changed)
  const problems: string[] = []
  const referredTo = (number: number) => (known.references.counts.get(number) ?? 0) - (known.store.get(number) ?? 0)
  return {
    before,
    after,
    oldCatalog: rootOf(before).catalog,
    newCatalog: rootOf(after).catalog,
    changed,
    unexplained,
    problems,
    found: [],
    referredTo,
    takeNew(number) {
      if (!changed.has(number) || before.crossReference.entries.has(number)) return false
      if (referredTo(number) > 0) {
        problems.push(`object ${number}, to which the signed revision led already though it was not there, was given a content`)
        return false
      }
      unexplained.delete(number)
      return true
    },
  }
}

/** Judges one update and adds what it refers to. @throws PdfSyntaxError when one of both revisions cannot be read */
function judgeStep(before: PdfFile, { file: after, update }: Revision, known: Known, policy: AdditionsPolicy): Step {
  const [old, now] = [rootOf(before), rootOf(after)]
  const step = newStep(before, after, known)
  if (old.number !== now.number) step.problems.push('the trailer names another catalog')
  if (update.hasComments) step.problems.push('comments stand between its objects')
  for (const number of step.changed) {
    const entry = after.crossReference.entries.get(number)
    if (entry?.kind === 'offset' && !update.objects.has(number))
      step.problems.push(`the cross-reference leads to object ${number} where something else stands in the file`)
  }
  judgeTrailer(step)
  explainLayout(step)
  judgeCatalog(step, now.number)
  explainStore(step, now.number)
  explainForm(step, policy)
  step.problems.push(...describeUnexplained(step))
  collectReferences(after, known.references, step.changed)
  countStore(readStoreShape(after, step.newCatalog, now.number), known.store, step.changed)
  return step
}

/** Objects whose bytes do not end with the revision: what is appended decides what they are. */
function openEnds(last: PdfFile, { references }: Known): string[] {
  const problems = [...references.endless].map(
    number => `object ${number} has no end in the signed revision, and goes on in what was added`,
  )
  for (const number of references.unreadable) {
    if (isReadable(last, number))
      problems.push(`object ${number}, which could not be read in the signed revision, can be read now`)
  }
  return problems
}

/**
 * Judges all that stands behind `signedEnd`.
 * @throws PdfSyntaxError when the bytes before it are no PDF by themselves
 */
export function judgeAdditions(bytes: Uint8Array, signedEnd: number, policy: AdditionsPolicy): Additions {
  const { signed, later, fault } = readRevisions(bytes, signedEnd)
  const known: Known = { references: noReferences(), store: new Map() }
  collectReferences(signed, known.references)
  const root = rootOf(signed)
  countStore(readStoreShape(signed, root.catalog, root.number), known.store)
  const additions: string[] = []
  const problems: string[] = []
  let before = signed
  for (const revision of later) {
    const place = `revision ${revision.file.crossReference.revisions}`
    const step = judgeStep(before, revision, known, policy)
    problems.push(...step.problems.map(problem => `Changed after signing in ${place}: ${problem}.`))
    if (step.problems.length === 0) additions.push(...step.found.map(found => `In ${place} was added: ${found}.`))
    before = revision.file
  }
  if (fault !== undefined) problems.push(`What follows the signed revision cannot be judged: ${fault}.`)
  problems.push(...openEnds(before, known).map(problem => `Changed after signing: ${problem}.`))
  const more = problems.length - MAX_PROBLEMS
  if (more > 0) problems.splice(MAX_PROBLEMS, more, `And ${more} more changes after signing.`)
  return { additions, problems, signed }
}
