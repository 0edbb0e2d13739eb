/** Draws the mark of Signet, where the organisation has no logo. */
import { MARK_COLOUR, MARK_IMPRESSION, MARK_SIDE, MARK_WAX } from '../lib/mark.ts'
import { num } from '../text/pdf-fonts.ts'

/** pt */
export const MARK_HEIGHT = 30

const OPERATORS: Record<string, string> = { M: 'm', C: 'c', Z: 'h' }

/** An SVG path of M, C and Z in absolute coordinates as operators of ISO 32000-2, §8.5.2. */
function pathOf(svg: string): string {
  const parts = [...svg.matchAll(/([MCZ])([^MCZ]*)/g)]
  return parts.map(([, name = '', numbers = '']) => `${numbers.trim()} ${OPERATORS[name]}`.trim()).join(' ')
}

const RGB = [1, 3, 5].map(at => num(Number.parseInt(MARK_COLOUR.slice(at, at + 2), 16) / 255)).join(' ')

/** `left`, `top`: of the mark's square. */
export function drawMark(left: number, top: number): string {
  const scale = num(MARK_HEIGHT / MARK_SIDE)
  const lines = MARK_IMPRESSION.map(({ width, path }) => `${num(width)} w ${pathOf(path)} S`)
  // SVG counts downwards from the top.
  const place = `${scale} 0 0 -${scale} ${num(left)} ${num(top)} cm`
  return ['q', place, `${RGB} rg`, `${pathOf(MARK_WAX)} f`, '1 1 1 RG 1 J', ...lines, 'Q'].join('\n')
}
