/**
 * SVG files for browsers: the mark in the colours of their theme, the icon of an organisation, and
 * typed signatures.
 */
import { ACTION_COLOUR, brandColours } from '../../src/core/colour.ts'
import { HAND_AREA } from '../../src/core/signing/signature-mark.ts'
import { MARK_COLOUR, MARK_COLOUR_DARK, MARK_IMPRESSION, MARK_SIDE, MARK_WAX } from '../../src/lib/mark.ts'

export function markSvg(): string {
  const impression = MARK_IMPRESSION.map(({ width, path }) => `<path d="${path}" stroke-width="${width}"/>`).join('')
  const style = `.w{fill:${MARK_COLOUR}}@media(prefers-color-scheme:dark){.w{fill:${MARK_COLOUR_DARK}}}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MARK_SIDE} ${MARK_SIDE}"><style>${style}</style><path class="w" d="${MARK_WAX}"/><g fill="none" stroke="#fff" stroke-linecap="round">${impression}</g></svg>`
}

// The icon of an organisation in the tab of a browser: its first letter on its colour.

interface Face {
  name: string
  colour: string | undefined
}

/** As a `data:` URL of an SVG. */
export function initialIcon({ name, colour = ACTION_COLOUR }: Face): string {
  const { action, on } = brandColours(colour).light
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0].toLocaleUpperCase() ?? ''
  const text = `<text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="600" text-anchor="middle" fill="${on}">${letter}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${action}"/>${text}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

// A typed signature as a picture of its own: blue ink without paper.

/** `path`: made by `drawHands`. */
export function handSvg(path: string): string {
  const { width, height } = HAND_AREA
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><path fill="#0d216b" d="${path}"/></svg>`
}
