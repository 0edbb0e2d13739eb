/** QR codes as modules, and as the path of an SVG. ISO/IEC 18004, error correction level M. */
import { encode } from 'uqr'

/** Width of the quiet zone, in modules (§9.1). */
export const QUIET_ZONE = 4
/** Longer text makes the modules too small to scan from paper. */
const MAX_BYTES = 300

/** Rows from the top, without quiet zone; `true` is dark. Undefined if the text is too long. */
export function encodeQrCode(text: string): boolean[][] | undefined {
  if (Buffer.byteLength(text) > MAX_BYTES) return undefined
  return encode(text, { ecc: 'M', border: 0 }).data
}

/** The path of an SVG of `side` by `side` modules, quiet zone included. */
export function qrCodePath(modules: boolean[][]): { side: number; path: string } {
  const bars = modules.flatMap((row, i) =>
    darkRuns(row).map(([from, to]) => `M${QUIET_ZONE + from} ${QUIET_ZONE + i}h${to - from}v1h${from - to}z`),
  )
  return { side: modules.length + 2 * QUIET_ZONE, path: bars.join('') }
}

/** Runs of dark modules: between separate squares a renderer may show light hairlines. */
export function darkRuns(row: boolean[]): [from: number, to: number][] {
  const runs: [number, number][] = []
  row.forEach((dark, i) => {
    if (!dark) return
    const last = runs.at(-1)
    if (last?.[1] === i) last[1] = i + 1
    else runs.push([i, i + 1])
  })
  return runs
}
