/**
 * Reads the kept corpus and a fixed number of new inputs with every target, in this process, and
 * prints a line before each target and one after it. The test ends it when it takes too long.
 */
import { keptInputs } from './corpus.ts'
import { inputFor, materialOf } from './run.ts'
import { outcomeOf, type Target } from './target.ts'
import { TARGETS } from './targets.ts'

const SEED = 2026
/** Of the processor, for the new inputs of one target. */
const NEW_US = 150_000
const MAX_NEW = 300

async function check(target: Target): Promise<{ inputs: number; violations: string[] }> {
  const reader = await target.open()
  const material = materialOf(target, false)
  const count = Math.min(MAX_NEW, Math.ceil(NEW_US / target.costUs))
  const fresh = Array.from({ length: count }, (_, i) => ({ name: `input ${i}`, bytes: inputFor(target, material, SEED, i) }))
  const all = [...keptInputs(target), ...fresh]
  const violations: string[] = []
  for (const { name, bytes } of all) {
    const { violation } = await outcomeOf(target, reader, bytes)
    if (violation !== undefined) violations.push(`${name}: ${violation}`)
  }
  await reader.close?.()
  return { inputs: all.length, violations }
}

for (const target of TARGETS) {
  console.log(JSON.stringify({ begins: target.name }))
  console.log(JSON.stringify({ name: target.name, ...(await check(target)) }))
}
process.exit()
