/** The table of all targets. A reader of untrusted bytes that is not in it is not fuzzed. */
import type { Target } from './target.ts'
import { BODY_TARGETS } from './targets-bodies.ts'
import { FILE_TARGETS } from './targets-files.ts'
import { PDF_TARGETS } from './targets-pdf.ts'
import { PKI_TARGETS } from './targets-pki.ts'
import { REQUEST_TARGETS } from './targets-requests.ts'

export const TARGETS: readonly Target[] = [...PKI_TARGETS, ...PDF_TARGETS, ...FILE_TARGETS, ...BODY_TARGETS, ...REQUEST_TARGETS]

export function targetNamed(name: string): Target {
  const found = TARGETS.find(target => target.name === name)
  if (!found) throw new Error(`there is no target ${name}; there are ${TARGETS.map(target => target.name).join(', ')}`)
  return found
}

/**
 * The inputs of each target when `total` are shared. The shares of processor time grow with the
 * root of the cost: fast readers get most inputs, and slow ones are not left with a few.
 */
export function plan(total: number, targets: readonly Target[] = TARGETS): Map<string, number> {
  const weights = targets.map(({ costUs }) => 1 / Math.sqrt(costUs))
  const sum = weights.reduce((a, b) => a + b, 0)
  return new Map(targets.map(({ name }, i) => [name, Math.ceil((total * (weights[i] ?? 0)) / sum)]))
}
