/** Changes JSON as a value, so that it stays JSON. Other text is changed like any text. */
import type { Chance } from '../simulation/chance.ts'
import { type Change, changeAnywhere, LIMITS } from './changes.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const NAMES = ['__proto__', 'constructor', 'toString', 'length', '', '0', 'id', 'a.b', '\u0000', '\ud800', 'ａ']
const TEXTS = [
  ...[
    '',
    ' ',
    '0',
    'null',
    '\u0000',
    '\ud800',
    '\udc00\ud83d',
    'a'.repeat(5_000),
    '\u202e',
    '🧾',
    '../..',
    "'; --",
    '%00',
    '{{x}}',
  ],
  ...['2026-02-30', '2026-11-27T00:00:00Z', 'NaN', '-1', '1e999', 'data:,', 'javascript:1', 'http://[::1', '<script>', 'é'],
]

/** A value that the place does not expect. */
function odd(chance: Chance): Json {
  switch (chance.below(7)) {
    case 0:
      return null
    case 1:
      return chance.happens(0.5)
    case 2:
      return chance.pick(LIMITS)
    case 3:
      return []
    case 4:
      return {}
    case 5:
      return Array.from({ length: chance.below(300) }, () => chance.below(3))
    default:
      return chance.pick(TEXTS)
  }
}

interface Place {
  get(): Json
  set(value: Json): void
  remove(): void
}

function placesIn(value: Json, found: Place[] = []): Place[] {
  if (value === null || typeof value !== 'object' || found.length > 2_000) return found
  const names = Array.isArray(value) ? value.keys() : Object.keys(value)
  const parent = value as Record<string, Json>
  for (const name of names) {
    const key = String(name)
    const remove = () => {
      if (Array.isArray(value)) value.splice(Number(name), 1)
      else delete parent[key]
    }
    const set = (next: Json) => {
      parent[key] = next
    }
    found.push({ get: () => parent[key] as Json, set, remove })
    placesIn(parent[key] as Json, found)
  }
  return found
}

function changeValue(root: Json, chance: Chance): Json {
  const places = placesIn(root)
  if (places.length === 0 || chance.happens(0.03)) return odd(chance)
  const place = chance.pick(places)
  const value = place.get()
  switch (chance.below(8)) {
    case 0:
      place.remove()
      break
    case 1:
      place.set(structuredClone(chance.pick(places).get()))
      break
    case 2:
      if (Array.isArray(value)) value.push(...structuredClone(value), odd(chance))
      else place.set([value])
      break
    case 3:
      if (value !== null && typeof value === 'object' && !Array.isArray(value))
        Object.defineProperty(value, chance.pick(NAMES), {
          value: odd(chance),
          enumerable: true,
          configurable: true,
          writable: true,
        })
      else place.set({ value })
      break
    case 4: {
      let nested: Json = value
      for (let depth = chance.below(50); depth > 0; depth--) nested = chance.happens(0.5) ? [nested] : { a: nested }
      place.set(nested)
      break
    }
    case 5:
      if (typeof value === 'string') {
        const changed = changeAnywhere(Buffer.from(value), chance, { format: 'text', seeds: [Buffer.from(value)], words: TEXTS })
        place.set(Buffer.from(changed).toString('utf8'))
      } else if (typeof value === 'number') place.set(value + chance.between(-2, 2))
      else place.set(odd(chance))
      break
    default:
      place.set(odd(chance))
  }
  return root
}

function parsed(bytes: Uint8Array): { value: Json } | undefined {
  try {
    return { value: JSON.parse(Buffer.from(bytes).toString('utf8')) as Json }
  } catch {
    return undefined
  }
}

export const mutateJson: Change = (bytes, chance, material) => {
  const found = parsed(bytes)
  if (found === undefined) return changeAnywhere(bytes, chance, material)
  return Buffer.from(JSON.stringify(changeValue(found.value, chance)))
}
