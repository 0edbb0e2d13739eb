/**
 * The organisation's colour in place of the action colour, on pages for recipients and in e-mails
 * shown on a page. A style sheet of its own: pages that update themselves take no inline styles.
 */
import { brandColours } from '../../src/core/colour.ts'

const TOKENS = { action: '--action', hover: '--action-hover', on: '--on-action', soft: '--action-soft' } as const

export function brandCss(colour: string): string {
  const { light, dark } = brandColours(colour)
  const names = Object.keys(TOKENS) as (keyof typeof TOKENS)[]
  const tokens = names.map(name => `${TOKENS[name]}:light-dark(${light[name]},${dark[name]})`)
  return `.branded,.mail-paper{${[...tokens, `--focus:light-dark(${light.action},${dark.action})`].join(';')}}`
}
