/**
 * A QR code as one filled path, with its quiet zone. ISO/IEC 18004, error correction level M, quiet
 * zone of four modules (§9.1).
 */
import { encode } from 'uqr'
import { num } from '../text/pdf-fonts.ts'

/** Modules of light around the code. */
export const QUIET = 4
/** More text than this makes modules too small to be read off paper. */
const LONGEST = 300

/**
 * The modules, row by row from the top, without the quiet zone; `true` is dark. Undefined for a
 * text too long to be printed as a small code.
 */
export function encodeQrCode(text: string): boolean[][] | undefined {
  if (Buffer.byteLength(text) > LONGEST) return undefined
  return encode(text, { ecc: 'M', border: 0 }).data
}

/**
 * Operators that draw it as a square of `side` pt, quiet zone included, its upper left corner at x,
 * y. The square is painted white first.
 */
export function drawQrCode(modules: boolean[][], x: number, y: number, side: number): string {
  const module = side / (modules.length + 2 * QUIET)
  const bars = modules.flatMap((row, i) => {
    const top = y - (QUIET + i) * module
    return runsOf(row).map(
      ([from, to]) => `${num(x + (QUIET + from) * module)} ${num(top - module)} ${num((to - from) * module)} ${num(module)} re`,
    )
  })
  return [`1 g ${num(x)} ${num(y - side)} ${num(side)} ${num(side)} re f`, '0 g', ...bars, 'f'].join('\n')
}

/** Stretches of dark modules, so that no hairline of light shows between two of one row. */
function runsOf(row: boolean[]): [from: number, to: number][] {
  const runs: [number, number][] = []
  row.forEach((dark, i) => {
    if (!dark) return
    const last = runs.at(-1)
    if (last?.[1] === i) last[1] = i + 1
    else runs.push([i, i + 1])
  })
  return runs
}
