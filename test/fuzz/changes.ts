/** Changes of bytes that know nothing of their format but words and digits. */
import type { Chance } from '../simulation/chance.ts'
import type { Format } from './target.ts'

export interface Material {
  format: Format
  seeds: readonly Uint8Array[]
  words: readonly string[]
}

/** Larger inputs only take longer. */
export const MAX_BYTES = 1 << 19
/** Numbers at which readers turn. */
export const LIMITS = [
  ...[0, 1, 2, 7, 8, 127, 128, 255, 256, 32_767, 32_768, 65_535, 65_536, 99_999, 2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1],
  ...[2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63, 1e21, -1, -2, -(2 ** 31), 0.5, 1e308],
]

export type Change = (bytes: Uint8Array, chance: Chance, material: Material) => Uint8Array

const concat = (...parts: Uint8Array[]): Uint8Array => Buffer.concat(parts)

/** A part of the bytes; short ones are more frequent. */
export function rangeIn(bytes: Uint8Array, chance: Chance): [start: number, end: number] {
  const start = chance.below(bytes.length + 1)
  const length = chance.happens(0.8) ? chance.below(16) : chance.below(bytes.length - start + 1)
  return [start, Math.min(bytes.length, start + length)]
}

const flipBit: Change = (bytes, chance) => {
  const out = Uint8Array.from(bytes)
  const at = chance.below(out.length)
  if (out.length > 0) out[at] = (out[at] ?? 0) ^ (1 << chance.below(8))
  return out
}

const setByte: Change = (bytes, chance) => {
  const out = Uint8Array.from(bytes)
  if (out.length > 0) out[chance.below(out.length)] = chance.pick([0, 1, 0x20, 0x22, 0x2f, 0x7f, 0x80, 0xff, chance.below(256)])
  return out
}

const insertBytes: Change = (bytes, chance) => {
  const at = chance.below(bytes.length + 1)
  return concat(bytes.subarray(0, at), chance.bytes(1 + chance.below(8)), bytes.subarray(at))
}

const deleteRange: Change = (bytes, chance) => {
  const [start, end] = rangeIn(bytes, chance)
  return concat(bytes.subarray(0, start), bytes.subarray(end))
}

const truncate: Change = (bytes, chance) => bytes.subarray(0, chance.below(bytes.length + 1))

const repeatRange: Change = (bytes, chance) => {
  const [start, end] = rangeIn(bytes, chance)
  const times = chance.happens(0.9) ? 1 + chance.below(4) : 1 + chance.below(3_000)
  const count = Math.min(times, Math.ceil(MAX_BYTES / Math.max(1, end - start)))
  const copies = Array.from({ length: count }, () => bytes.subarray(start, end))
  return concat(bytes.subarray(0, end), ...copies, bytes.subarray(end))
}

const copyWithin: Change = (bytes, chance) => {
  const [start, end] = rangeIn(bytes, chance)
  const at = chance.below(bytes.length + 1)
  const after = chance.happens(0.5) ? at : Math.min(bytes.length, at + end - start)
  return concat(bytes.subarray(0, at), bytes.subarray(start, end), bytes.subarray(after))
}

const splice: Change = (bytes, chance, { seeds }) => {
  const other = chance.pick(seeds)
  const [start, end] = rangeIn(bytes, chance)
  const [from, to] = chance.happens(0.5) ? rangeIn(other, chance) : [chance.below(other.length + 1), other.length]
  return concat(bytes.subarray(0, start), other.subarray(from, to), bytes.subarray(end))
}

const insertWord: Change = (bytes, chance, { words }) => {
  if (words.length === 0) return setByte(bytes, chance, { format: 'bytes', seeds: [], words })
  const [start, end] = rangeIn(bytes, chance)
  const word = Buffer.from(chance.pick(words), 'utf8')
  const times = chance.happens(0.95) ? 1 : chance.below(2_000)
  const after = chance.happens(0.5) ? start : end
  return concat(bytes.subarray(0, start), ...Array.from({ length: times }, () => word), bytes.subarray(after))
}

/** A number in digits becomes one at a limit, or one beside it. */
const changeDigits: Change = (bytes, chance) => {
  const text = Buffer.from(bytes).toString('latin1')
  const from = chance.below(text.length + 1)
  const found = /\d+/.exec(text.slice(from, from + 4_000))
  if (!found) return setByte(bytes, chance, { format: 'bytes', seeds: [], words: [] })
  const start = from + found.index
  const number = chance.happens(0.5) ? chance.pick(LIMITS) : Number(found[0]) + chance.between(-3, 3)
  const digits = chance.happens(0.5) ? String(number).padStart(found[0].length, '0') : String(number)
  return concat(bytes.subarray(0, start), Buffer.from(digits), bytes.subarray(start + found[0].length))
}

/** Two or four bytes become a number at a limit, in either order. */
const changeInteger: Change = (bytes, chance) => {
  const out = Buffer.from(bytes)
  const size = chance.pick([2, 4])
  if (out.length < size) return out
  const number = Math.abs(Math.trunc(chance.pick(LIMITS))) % 2 ** (8 * size)
  const at = chance.below(out.length - size + 1)
  if (chance.happens(0.5)) out.writeUIntBE(number, at, size)
  else out.writeUIntLE(number, at, size)
  return out
}

const GENERAL: readonly Change[] = [
  ...[flipBit, flipBit, setByte, setByte, insertBytes, deleteRange, truncate, repeatRange, copyWithin, splice],
  ...[insertWord, changeDigits, changeInteger],
]
const TEXTUAL: readonly Change[] = [...GENERAL, insertWord, insertWord, changeDigits]

/** One change that knows nothing of the format. */
export const changeAnywhere: Change = (bytes, chance, material) => {
  const isText = material.format === 'text' || material.format === 'json' || material.format === 'pdf'
  return chance.pick(isText ? TEXTUAL : GENERAL)(bytes, chance, material)
}
