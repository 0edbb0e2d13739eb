/** Numbers that a seed decides: the same seed gives the same ones on every machine. */

/** sfc32, by Chris Doty-Humphrey (PractRand): 128 bits of state, additions and shifts alone. */
export class Chance {
  #a: number
  #b: number
  #c: number
  #counter = 1

  /** `name` makes another sequence of the same seed. */
  constructor(seed: number, name = '') {
    let hash = 2_166_136_261 ^ seed
    for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619)
    this.#a = hash
    this.#b = seed
    this.#c = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
    for (let i = 0; i < 12; i++) this.#word()
  }

  #word(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** A whole number from 0 up to, but without, `bound`. */
  below(bound: number): number {
    return Math.floor((this.#word() / 2 ** 32) * bound)
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  /** Whether something with this probability happens. */
  happens(probability: number): boolean {
    return this.#word() / 2 ** 32 < probability
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)]
    if (found === undefined) throw new Error('nothing to choose from')
    return found
  }

  bytes(count: number): Uint8Array {
    const bytes = Buffer.alloc(count)
    for (let i = 0; i < count; i++) bytes[i] = this.#word() & 255
    return bytes
  }
}
