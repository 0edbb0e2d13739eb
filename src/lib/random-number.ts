/** Numbers from random bytes, each as likely as any other. */
import type { Random } from './machine.ts'

const RANGE = 2 ** 48

/** A whole number from 0 to `bound` − 1. `bound`: 2^48 at most. */
export function randomBelow(random: Random, bound: number): number {
  // The remainders of greater numbers would make small results more likely.
  const end = RANGE - (RANGE % bound)
  let drawn: number
  do drawn = Buffer.from(random(6)).readUIntBE(0, 6)
  while (drawn >= end)
  return drawn % bound
}

/** In [0, 1). */
export const randomFraction = (random: Random): number => randomBelow(random, RANGE) / RANGE
