/** The icon of an organisation in the tab of a browser: its first letter on its colour. */
import { ACTION_COLOUR, brandColours } from '../../src/core/colour.ts'

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
