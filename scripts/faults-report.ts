/** What a trial of `scripts/faults` prints: one line for each promise, with its figures. */

let broken = 0

export function report(what: string, isKept: boolean, figures: string): void {
  console.log(`${isKept ? 'kept  ' : 'BROKEN'}  ${what}: ${figures}`)
  if (!isKept) broken++
}

/** Figures that promise nothing. */
export function note(figures: string): void {
  console.log(`        ${figures}`)
}

/** 1 when a promise was broken. */
export const exitCode = (): 0 | 1 => (broken === 0 ? 0 : 1)
