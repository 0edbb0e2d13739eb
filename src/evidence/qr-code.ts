/** Draws a QR code into a PDF as one filled path. */
import { darkRuns, QUIET_ZONE } from '../lib/qr-code.ts'
import { num } from '../text/pdf-fonts.ts'

/** Draws a white square of `side` pt with the code. Its upper left corner is at x, y. */
export function drawQrCode(modules: boolean[][], x: number, y: number, side: number): string {
  const module = side / (modules.length + 2 * QUIET_ZONE)
  const bars = modules.flatMap((row, i) => {
    const top = y - (QUIET_ZONE + i) * module
    return darkRuns(row).map(
      ([from, to]) =>
        `${num(x + (QUIET_ZONE + from) * module)} ${num(top - module)} ${num((to - from) * module)} ${num(module)} re`,
    )
  })
  return [`1 g ${num(x)} ${num(y - side)} ${num(side)} ${num(side)} re f`, '0 g', ...bars, 'f'].join('\n')
}
