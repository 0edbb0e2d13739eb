/** The mark as a file for browsers, in the colours of their theme. */
import { MARK_COLOUR, MARK_COLOUR_DARK, MARK_IMPRESSION, MARK_SIDE, MARK_WAX } from '../../src/lib/mark.ts'

export function markSvg(): string {
  const impression = MARK_IMPRESSION.map(({ width, path }) => `<path d="${path}" stroke-width="${width}"/>`).join('')
  const style = `.w{fill:${MARK_COLOUR}}@media(prefers-color-scheme:dark){.w{fill:${MARK_COLOUR_DARK}}}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MARK_SIDE} ${MARK_SIDE}"><style>${style}</style><path class="w" d="${MARK_WAX}"/><g fill="none" stroke="#fff" stroke-linecap="round">${impression}</g></svg>`
}
