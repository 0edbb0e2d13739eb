/** Compares the audit log with entries that somebody else knows, while the log is read once. */
import { leafHash, TreeBuilder } from '../evidence/merkle-tree.ts'

export interface KnownEntry {
  sequence: number
  hash: string
  /** Of the tree up to this entry; RFC 9162 §2.1. */
  treeRoot?: string
}

/** `other tree`: the entry is the same, and one before it is not. */
export type Difference = 'missing' | 'other entry' | 'other tree'

export class KnownEntries {
  /** What the log has, by the sequences that are asked for. */
  readonly #found = new Map<number, { hash?: string; root?: string }>()
  /** Undefined if nobody knows a root: it costs two hashes an entry. */
  readonly #tree: TreeBuilder | undefined

  constructor(known: readonly KnownEntry[]) {
    for (const { sequence } of known) this.#found.set(sequence, {})
    if (known.some(({ treeRoot }) => treeRoot !== undefined)) this.#tree = new TreeBuilder()
  }

  /** Each entry of the log, in order. */
  readonly add = (sequence: number, hash: string): void => {
    this.#tree?.add(leafHash(hash))
    const found = this.#found.get(sequence)
    if (found === undefined) return
    found.hash = hash
    if (this.#tree) found.root = this.#tree.root
  }

  /** Once all entries were added. */
  differenceOf({ sequence, hash, treeRoot }: KnownEntry): Difference | undefined {
    if (sequence === 0) return undefined
    const found = this.#found.get(sequence)
    if (found?.hash === undefined) return 'missing'
    if (found.hash !== hash) return 'other entry'
    return treeRoot === undefined || treeRoot === found.root ? undefined : 'other tree'
  }
}
