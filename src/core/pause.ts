/** Pauses after wrong passwords and codes, and between codes. */

/** Clocks of nodes differ by less, and time servers correct by less. */
const CLOCKS_DIFFER_S = 60

/**
 * Seconds until the pause ends, which lasts `longestS` at most; 0 if it is over. One that would
 * last much longer was noted by a clock that was ahead: it is over, too.
 */
export function pauseLeftS(until: Date | undefined, now: Date, longestS: number): number {
  if (until === undefined) return 0
  const leftS = Math.ceil((until.getTime() - now.getTime()) / 1000)
  return leftS > longestS + CLOCKS_DIFFER_S ? 0 : Math.max(0, Math.min(longestS, leftS))
}
