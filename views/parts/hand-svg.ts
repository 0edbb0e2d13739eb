/** A typed signature as a picture of its own: blue ink without paper. */
import { HAND_AREA } from '../../src/core/signing/signature-mark.ts'

/** `path`: made by `drawHands`. */
export function handSvg(path: string): string {
  const { width, height } = HAND_AREA
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><path fill="#0d216b" d="${path}"/></svg>`
}
