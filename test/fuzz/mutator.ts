/** Makes inputs from seeds of the corpus: the same number always makes the same input. */
import { Chance } from '../simulation/chance.ts'
import { type Change, changeAnywhere, MAX_BYTES, type Material } from './changes.ts'
import { mutatePng, mutateTar, mutateZip } from './mutate-containers.ts'
import { mutateDer } from './mutate-der.ts'
import { mutateJson } from './mutate-json.ts'
import { mutatePdf } from './mutate-pdf.ts'
import type { Format } from './target.ts'

const STRUCTURED: Readonly<Partial<Record<Format, Change>>> = {
  der: mutateDer,
  json: mutateJson,
  pdf: mutatePdf,
  png: mutatePng,
  tar: mutateTar,
  zip: mutateZip,
}

/** The input with this number, of this seed. */
export function inputOf(material: Material, name: string, seed: number, number: number): Uint8Array {
  const chance = new Chance(seed, `${name} ${number}`)
  let bytes: Uint8Array = chance.pick(material.seeds)
  const structured = STRUCTURED[material.format]
  for (let changes = 1 + chance.below(chance.pick([1, 2, 4, 8])); changes > 0; changes--) {
    const change = structured && chance.happens(0.6) ? structured : changeAnywhere
    bytes = change(bytes, chance, material)
    if (bytes.length > MAX_BYTES) bytes = bytes.subarray(0, MAX_BYTES)
  }
  return Uint8Array.from(bytes)
}
