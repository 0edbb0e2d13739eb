/** Runs inputs of one target in this process, and shrinks those that no reader may answer so. */
import { Chance } from '../simulation/chance.ts'
import type { Material } from './changes.ts'
import { seedsIn, sharedPdfs } from './corpus.ts'
import { inputOf } from './mutator.ts'
import { type Outcome, outcomeOf, type Reader, type Target } from './target.ts'

/**
 * Inputs that were found are no material: a new one would change all that follow. The shared corpus
 * is left out where runs have to be the same on every machine.
 */
export function materialOf(target: Target, withShared: boolean): Material {
  const kept = [...seedsIn(...target.seeds), ...(withShared && target.usesSharedCorpus ? sharedPdfs() : [])]
  if (kept.length === 0) throw new Error(`the target ${target.name} has no seeds`)
  return { format: target.format, seeds: kept.map(({ bytes }) => bytes), words: target.words ?? [] }
}

export const inputFor = (target: Target, material: Material, seed: number, number: number): Uint8Array =>
  inputOf(material, target.name, seed, number)

/** What is wrong, without what differs from input to input. */
export const kindOf = (violation: string): string => violation.replace(/“[^”]*”|"[^"]*"|\d+/g, '…').slice(0, 160)

const MAX_TRIES = 3_000

/** A smaller input with a violation of the same kind. `isOver`: shrinking has taken long enough. */
export async function shrink(
  target: Target,
  reader: Reader,
  bytes: Uint8Array,
  found: Outcome,
  isOver: () => boolean,
): Promise<Uint8Array> {
  const kind = kindOf(found.violation ?? '')
  let [best, tries] = [bytes, 0]
  const take = async (smaller: Uint8Array): Promise<boolean> => {
    if (++tries > MAX_TRIES || isOver()) return false
    const { violation } = await outcomeOf(target, reader, smaller)
    if (violation === undefined || kindOf(violation) !== kind) return false
    best = smaller
    return true
  }
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length && tries <= MAX_TRIES && !isOver(); ) {
      const without = Buffer.concat([best.subarray(0, at), best.subarray(at + size)])
      if (!(await take(Uint8Array.from(without)))) at += size
    }
  }
  return best
}

/** A seed for runs that nobody repeats on purpose. */
export const anySeed = (): number => new Chance(Date.now() % 2 ** 31, 'seed').below(2 ** 31)
