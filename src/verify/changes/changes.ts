/**
 * What follows a signed revision, judged update by update: what the signature allows is explained, and everything else is a change of what was signed.
 * ISO 32000-2 §12.8.2.2; EN 319 142-1 §5.4. Whether an added signature or time-stamp holds is judged where signatures are judged.
 */
import type { PdfFile } from '../../pdf/parser/file.ts'
import {
  type FieldLock,
  findSignatureFields,
  isLocked,
  type Permission,
  readPermission,
} from '../../pdf/parser/signature-fields.ts'
import { PdfSyntaxError } from '../../pdf/parser/syntax.ts'
import { explainFields } from './added-fields.ts'
import { explainCatalog, explainLayout, explainRest, explainStore, explainTrailer } from './document-changes.ts'
import { readStoreShape } from './dss.ts'
import { explainFilled } from './filled-fields.ts'
import {
  collectReferences,
  compressedIn,
  differingKeys,
  isReadable,
  noReferences,
  readObject,
  sameEntry,
} from './object-changes.ts'
import { labelObjects } from './object-description.ts'
import { explainPages } from './page-changes.ts'
import {
  type Change,
  type FieldChange,
  type Known,
  newChange,
  newRevisionStep,
  type RevisionStep,
  rootOf,
} from './revision-step.ts'
import { endsRevision, type Revision, type RevisionChain, readRevisions } from './revisions.ts'

/** What the signature allows behind it. */
export interface AdditionsPolicy {
  permission: Permission
  lock: FieldLock | undefined
}

export interface Additions {
  /** What was added and is allowed there; sentences. */
  additions: string[]
  /** What is not; sentences. */
  problems: string[]
  /** What was not looked at, for it is too much; sentences. */
  unchecked: string[]
  /** The signed revision by itself. */
  signed: PdfFile
}

/** One update, judged under one permission. */
interface Verdict {
  place: string
  found: string[]
  problems: string[]
  fields: FieldChange[]
}

/** A chain of revisions, each judged once for each permission that was asked for. */
interface JudgedChain extends RevisionChain {
  verdicts: ReadonlyMap<Permission, readonly Verdict[]>
  /** Objects whose bytes do not end with the signed revision; clauses. */
  openEnds: readonly string[]
}

const MAX_PROBLEMS = 12

function describeUnexplained({ before, after, unexplained }: RevisionStep): string[] {
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

/** @throws PdfSyntaxError when one of both revisions cannot be read */
function judgeChange(change: Change, { update }: Revision, known: Known, permission: Permission): Verdict {
  const step = newRevisionStep(change, known, permission)
  const { before, after } = step
  const isMoved = rootOf(before).number !== step.root
  if (isMoved && (permission === 1 || !step.isNew(step.root))) step.problems.push('the trailer names another catalog')
  if (update.hasComments && permission === 1) step.problems.push('comments stand between its objects')
  for (const number of step.changed) {
    const entry = after.crossReference.entries.get(number)
    if (entry?.kind === 'offset' && !update.objects.has(number))
      step.problems.push(`the cross-reference leads to object ${number} where something else stands in the file`)
  }
  explainTrailer(step)
  explainLayout(step)
  explainCatalog(step)
  explainStore(step)
  const filled = explainFilled(step)
  const added = explainFields(step)
  explainPages(step, [...filled, ...added])
  explainRest(step)
  step.problems.push(...describeUnexplained(step))
  const { problems, found, fields } = step
  return { place: `revision ${after.crossReference.revisions}`, problems, found: problems.length === 0 ? found : [], fields }
}

/** Objects whose bytes do not end with the revision: what is appended decides what they are. */
function openEnds(signed: PdfFile, last: PdfFile, { references }: Known): string[] {
  const problems = [...references.endless].map(
    number => `object ${number} has no end in the signed revision, and goes on in what was added`,
  )
  const [old, now] = [signed.crossReference.entries, last.crossReference.entries]
  for (const number of references.unreadable) {
    // Another object of that number was judged as a change.
    if (sameEntry(old.get(number), now.get(number)) && isReadable(last, number))
      problems.push(`object ${number}, which could not be read in the signed revision, can be read now`)
  }
  return problems
}

function noteRevision(file: PdfFile, known: Known, only?: ReadonlySet<number>): void {
  const { number, catalog } = rootOf(file)
  collectReferences(file, known.references, only)
  for (const container of readStoreShape(file, catalog, number).containers) known.store.add(container)
}

/** Processor time for what follows one signature. The child is ended at a few seconds more, and then nothing is said of the file. */
const MAX_CPU_MS = 7_000

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

/** Goes once along the chain; who refers to whom is found as it grows. */
function judgeChain(chain: RevisionChain, permissions: readonly Permission[]): JudgedChain {
  const { signed, later } = chain
  const known: Known = { references: noReferences(), store: new Set(), compressed: compressedIn(signed) }
  noteRevision(signed, known)
  const verdicts = new Map(permissions.map(permission => [permission, [] as Verdict[]]))
  let before = signed
  let limit = chain.limit
  const start = process.cpuUsage()
  for (const revision of later) {
    if (cpuMs(start) > MAX_CPU_MS) {
      limit = `To check what follows the signature takes more than ${MAX_CPU_MS / 1000} s of processor time.`
      break
    }
    const change = newChange(before, revision.file, known)
    for (const [permission, list] of verdicts) list.push(judgeChange(change, revision, known, permission))
    noteRevision(revision.file, known, change.changed)
    before = revision.file
  }
  return { ...chain, limit, verdicts, openEnds: openEnds(signed, before, known) }
}

/** The chains of a file: signatures that stand in one chain share it. */
const chainsOf = new WeakMap<PdfFile, JudgedChain[]>()

/** How many updates of the chain stand before `end`; undefined when it does not end one of them. */
function indexAt({ signed, later }: RevisionChain, end: number): number | undefined {
  if (signed.bytes.length === end) return 0
  // An end of line may follow the %%EOF.
  const index = later.findIndex(({ update }) => end >= update.end && end <= update.end + 2)
  return index === -1 ? undefined : index + 1
}

/** Where the signatures of a file end, in the order of the file, and what they allow behind them. */
function signedEnds(file: PdfFile): { ends: number[]; permissions: Set<Permission> } {
  const signatures = findSignatureFields(file, rootOf(file).catalog).map(({ value }) => value)
  const ends = signatures.flatMap(({ entries }) => {
    const range = entries.get('ByteRange')
    const [, , second, length] = range?.kind === 'array' ? range.items : []
    const end = second?.kind === 'number' && length?.kind === 'number' ? second.value + length.value : Number.NaN
    return Number.isSafeInteger(end) && end < file.bytes.length && endsRevision(file.bytes, end) ? [end] : []
  })
  return {
    ends: [...new Set(ends)].sort((a, b) => a - b),
    permissions: new Set(signatures.map(one => readPermission(file, one))),
  }
}

function findChain(chains: readonly JudgedChain[], end: number): { chain: JudgedChain; from: number } | undefined {
  for (const chain of chains) {
    const from = indexAt(chain, end)
    if (from !== undefined) return { chain, from }
  }
  return undefined
}

/** Chains of all signatures of the file, the first one first: what it holds need not be looked at again for those behind it. */
function chainsIn(file: PdfFile): JudgedChain[] {
  const known = chainsOf.get(file)
  if (known !== undefined) return known
  const chains: JudgedChain[] = []
  chainsOf.set(file, chains)
  const { ends, permissions } = signedEnds(file)
  for (const end of ends) {
    if (findChain(chains, end) !== undefined) continue
    try {
      chains.push(judgeChain(readRevisions(file, end), [...permissions]))
    } catch (error) {
      // Whoever asks about the signature that ends there is told.
      if (!(error instanceof PdfSyntaxError)) throw error
    }
  }
  return chains
}

const atMost = (problems: string[]): string[] =>
  problems.length <= MAX_PROBLEMS
    ? problems
    : [...problems.slice(0, MAX_PROBLEMS), `And ${problems.length - MAX_PROBLEMS} more changes after signing.`]

/**
 * Judges all that stands behind `signedEnd`, where a signature of the file ends a revision. Each update is looked at once for all signatures.
 * @throws PdfSyntaxError when the bytes before it are no PDF by themselves
 */
export function judgeAdditions(file: PdfFile, signedEnd: number, { permission, lock }: AdditionsPolicy): Additions {
  const signed = file.revisionAt(signedEnd)
  const found = findChain(chainsIn(file), signedEnd)
  if (found === undefined) throw new PdfSyntaxError('what follows them cannot be told apart')
  const { chain, from } = found
  const additions: string[] = []
  const problems: string[] = []
  for (const verdict of chain.verdicts.get(permission)?.slice(from) ?? []) {
    const locked = verdict.fields.filter(({ name }) => lock !== undefined && isLocked(lock, name))
    const against = [...verdict.problems, ...locked.map(({ what }) => `${what}, which the signature before it does not allow`)]
    problems.push(...against.map(problem => `Changed after signing in ${verdict.place}: ${problem}.`))
    if (against.length === 0) additions.push(...verdict.found.map(found => `In ${verdict.place} ${found}.`))
  }
  if (chain.fault !== undefined) problems.push(`What follows the signed revision cannot be judged: ${chain.fault}.`)
  if (chain.hasBlankTail && permission === 1)
    problems.push('What follows the signed revision cannot be judged: something stands there that is no revision.')
  problems.push(...chain.openEnds.map(problem => `Changed after signing: ${problem}.`))
  return { additions, problems: atMost(problems), unchecked: chain.limit === undefined ? [] : [chain.limit], signed }
}
