/**
 * The Merkle tree over the hashes of audit entries: root, inclusion and consistency proofs (RFC
 * 9162 §2.1). Hashes are hex; nothing is read or stored.
 */
import { EMPTY_BYTES, fromHex, toHex } from '../lib/bytes.ts'
import { hashOf } from '../lib/primitives.ts'

const bytesOf = (hash: string) => fromHex(hash) ?? EMPTY_BYTES
const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

/** The zero byte separates leaves from nodes (§2.1.1). `entry` is the hash of an audit entry. */
export function leafHash(entry: string): string {
  return toHex(hashOf('sha256', LEAF, bytesOf(entry)))
}

function nodeHash(left: string, right: string): string {
  return toHex(hashOf('sha256', NODE, bytesOf(left), bytesOf(right)))
}

/** Of a tree without leaves. §2.1.1 */
const EMPTY_ROOT = toHex(hashOf('sha256'))

/**
 * What a tree needs to grow: the roots of its complete subtrees, the largest and leftmost first,
 * one for each bit of its size.
 */
export interface Frontier {
  size: number
  peaks: readonly string[]
}

export const EMPTY: Frontier = { size: 0, peaks: [] }

/** Whether the numbers of leaves and of subtrees belong together. */
export function isFrontier({ size, peaks }: Frontier): boolean {
  return Number.isSafeInteger(size) && size >= 0 && bitsOf(size) === peaks.length
}

function bitsOf(size: number): number {
  let bits = 0
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2
  return bits
}

/** Grows a tree by one leaf at a time. Costs two hashes for each on average. */
export class TreeBuilder {
  #size: number
  readonly #peaks: string[]

  constructor({ size, peaks }: Frontier = EMPTY) {
    this.#size = size
    this.#peaks = [...peaks]
  }

  /** `leaf` is a leaf hash. */
  add(leaf: string): void {
    let node = leaf
    for (let rest = this.#size; rest % 2 === 1; rest = Math.floor(rest / 2)) node = nodeHash(this.#peaks.pop() ?? '', node)
    this.#peaks.push(node)
    this.#size++
  }

  get frontier(): Frontier {
    return { size: this.#size, peaks: [...this.#peaks] }
  }

  get root(): string {
    return rootOf(this.#peaks)
  }
}

function rootOf(peaks: readonly string[]): string {
  return (
    peaks.reduceRight<string | undefined>((right, left) => (right === undefined ? left : nodeHash(left, right)), undefined) ??
    EMPTY_ROOT
  )
}

export const treeRoot = ({ peaks }: Frontier): string => rootOf(peaks)

/** The largest power of two below `size`, where a tree is split. `size` is at least 2. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** The root of the tree over these leaf hashes. §2.1.1 */
export function rootOfLeaves(leaves: readonly string[]): string {
  const tree = new TreeBuilder()
  for (const leaf of leaves) tree.add(leaf)
  return tree.root
}

/** The path from a leaf to the root, the lowest sibling first. §2.1.3.1 */
export function inclusionProof(leaves: readonly string[], index: number): string[] {
  if (leaves.length <= 1) return []
  const split = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return index < split
    ? [...inclusionProof(left, index), rootOfLeaves(right)]
    : [...inclusionProof(right, index - split), rootOfLeaves(left)]
}

/** Whether the leaf is in the tree, by its path. §2.1.3.2 */
export function verifyInclusion(
  { leaf, index, size, root }: { leaf: string; index: number; size: number; root: string },
  proof: readonly string[],
): boolean {
  if (index < 0 || index >= size) return false
  let [at, last, hash] = [index, size - 1, leaf]
  for (const sibling of proof) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else hash = nodeHash(hash, sibling)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && hash === root
}

const half = (value: number) => Math.floor(value / 2)

/** A member of a consistency proof: a complete subtree of the old tree, or new leaves. */
type Part = { peak: number } | { start: number; end: number }

/** The members of the proof in their order. §2.1.4.1: SUBPROOF(m, D_n, true) */
function partsOf(oldSize: number, newSize: number): Part[] {
  const after: Part[] = []
  let [start, end, isWhole, peak] = [0, newSize, true, 0]
  while (end > oldSize) {
    const split = start + splitOf(end - start)
    if (oldSize <= split) {
      after.push({ start: split, end })
      end = split
    } else {
      after.push({ peak: peak++ })
      start = split
      isWhole = false
    }
  }
  return [...(isWhole ? [] : [{ peak }]), ...after.reverse()]
}

/**
 * Proves that a tree begins with the leaves of an older one. It needs the frontier of the old tree
 * and only the leaves that follow, each once and in order.
 */
export class ConsistencyProver {
  readonly #old: Frontier
  readonly #parts: Part[]
  readonly #ranges: { start: number; end: number; tree: TreeBuilder }[]
  #size: number

  /** `old` has at least one leaf, and fewer than `newSize`. */
  constructor(old: Frontier, newSize: number) {
    this.#old = old
    this.#size = old.size
    this.#parts = partsOf(old.size, newSize)
    this.#ranges = this.#parts
      .flatMap(part => ('start' in part ? [{ ...part, tree: new TreeBuilder() }] : []))
      .sort((a, b) => a.start - b.start)
  }

  add(leaf: string): void {
    this.#ranges.find(({ end }) => this.#size < end)?.tree.add(leaf)
    this.#size++
  }

  /** Once all leaves were added. */
  proof(): string[] {
    return this.#parts.map(part =>
      'peak' in part
        ? (this.#old.peaks[part.peak] ?? '')
        : (this.#ranges.find(({ start }) => start === part.start)?.tree.root ?? EMPTY_ROOT),
    )
  }
}

interface Sized {
  size: number
  root: string
}

/** Whether the new tree begins with all leaves of the old one. §2.1.4.2 */
export function verifyConsistency(old: Sized, next: Sized, proof: readonly string[]): boolean {
  if (old.size > next.size) return false
  if (old.size === next.size) return proof.length === 0 && old.root === next.root
  if (old.size === 0) return proof.length === 0 && old.root === EMPTY_ROOT
  const [first, ...path] = bitsOf(old.size) === 1 ? [old.root, ...proof] : proof
  return first !== undefined && followPath(old, next, first, path)
}

/** Steps 4 to 7: both roots, from the subtree that they share. */
function followPath(old: Sized, next: Sized, first: string, path: readonly string[]): boolean {
  let [at, last] = [old.size - 1, next.size - 1]
  while (at % 2 === 1) [at, last] = [half(at), half(last)]
  let [oldHash, newHash] = [first, first]
  for (const sibling of path) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      oldHash = nodeHash(sibling, oldHash)
      newHash = nodeHash(sibling, newHash)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else newHash = nodeHash(newHash, sibling)
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && oldHash === old.root && newHash === next.root
}
