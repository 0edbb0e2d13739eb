/** The organisation's colour in place of the action colour, in light and dark, readable in both. */
import { type Violation, violation } from './violation.ts'

/** WCAG 2.2, 1.4.3. */
const MIN_CONTRAST = 4.5

/** The darkest ground of the light theme, and the lightest of the dark one. */
const LIGHT_GROUND = '#eff2f7'
const DARK_GROUND = '#1f2735'
const DARK_INK = '#0b1434'

/** Of organisations that have none: the action colour of the style sheet. */
export const ACTION_COLOUR = '#2346c7'

export interface BrandColours {
  action: string
  hover: string
  /** Words on it. */
  on: string
  soft: string
}

/** `#rrggbb` in lower case, also from `#rgb`; `undefined` for anything else. */
export function parseColour(text: string): string | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/.exec(text.trim().toLowerCase())?.[1]
  if (digits === undefined) return undefined
  return digits.length === 6 ? `#${digits}` : `#${[...digits].map(digit => digit + digit).join('')}`
}

const channels = (colour: string) => [1, 3, 5].map(i => Number.parseInt(colour.slice(i, i + 2), 16))

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = channels(colour).map(value => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function mix(colour: string, other: string, share: number): string {
  const others = channels(other)
  const mixed = channels(colour).map((value, i) => Math.round(value + ((others[i] ?? 0) - value) * share))
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

/** The nearest shade towards black or white that has the contrast. */
function readable(colour: string, ground: string, towards: '#000000' | '#ffffff'): string {
  for (let share = 0; share < 1; share += 0.02) {
    const shade = mix(colour, towards, share)
    if (contrast(shade, ground) >= MIN_CONTRAST) return shade
  }
  return towards
}

/** Why white words on it cannot be read, with a shade that would do; `undefined` if they can. */
export function colourError(colour: string): Violation | undefined {
  const found = contrast(colour, '#ffffff')
  if (found >= MIN_CONTRAST) return undefined
  const darker = readable(colour, '#ffffff', '#000000')
  const shown = (Math.floor(found * 10) / 10).toFixed(1)
  return violation('colour_too_light', { contrast: shown, min: MIN_CONTRAST, darker })
}

export function brandColours(colour: string): { light: BrandColours; dark: BrandColours } {
  const light = readable(colour, LIGHT_GROUND, '#000000')
  const dark = readable(colour, DARK_GROUND, '#ffffff')
  return {
    light: { action: light, hover: mix(light, '#000000', 0.2), on: '#ffffff', soft: mix(colour, '#ffffff', 0.92) },
    dark: { action: dark, hover: mix(dark, '#ffffff', 0.35), on: DARK_INK, soft: mix('#161c28', dark, 0.18) },
  }
}
