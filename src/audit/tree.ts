/** Grows the Merkle tree over the audit log, from the entries alone and a batch at a time. */
import { type Frontier, leafHash, TreeBuilder } from '../evidence/merkle-tree.ts'
import type { App } from '../ports.ts'
import { hashesBetween } from './queries.ts'

/** The log has no entry of this number, although it has later ones. */
export class MissingEntryError extends Error {
  constructor(readonly sequence: number) {
    super(`the audit log has no entry ${sequence}`)
  }
}

/** About 10 ms of a slow processor. */
const ENTRIES_AT_ONCE = 500
/** Between batches others get the processor for as long. */
const MAX_PAUSE_MS = 50

type Deps = Pick<App, 'db' | 'timers' | 'steadyMs'>

/**
 * The tree with the entries up to this one. `onLeaf` gets each that is added. Reads 100 bytes an
 * entry, outside of any transaction. @throws MissingEntryError
 */
export async function growTree(
  { db, timers, steadyMs }: Deps,
  from: Frontier,
  upTo: number,
  onLeaf: (leaf: string) => void = () => undefined,
): Promise<Frontier> {
  const tree = new TreeBuilder(from)
  for (let after = from.size; after < upTo; ) {
    const startMs = steadyMs()
    const rows = await hashesBetween(db, after, upTo, ENTRIES_AT_ONCE)
    for (const { sequence, hash } of rows) {
      if (sequence !== ++after) throw new MissingEntryError(after)
      const leaf = leafHash(hash)
      tree.add(leaf)
      onLeaf(leaf)
    }
    if (rows.length === 0) throw new MissingEntryError(after + 1)
    if (after < upTo) await timers.sleep(Math.min(MAX_PAUSE_MS, steadyMs() - startMs))
  }
  return tree.frontier
}
