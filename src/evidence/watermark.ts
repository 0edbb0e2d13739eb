/**
 * The word TEST across a page, pale and beneath the text. Drawn as strokes, not as text: it can be
 * seen but does not mix into what is copied or searched. ISO 32000-2 §8.5.
 */
import { num } from '../text/pdf-fonts.ts'

/** Strokes in a cell 1 wide and 1.5 tall. */
const T = '0 1.5 m 1 1.5 l S 0.5 1.5 m 0.5 0 l S'
const E = '0.95 1.5 m 0.1 1.5 l 0.1 0 l 0.95 0 l S 0.1 0.77 m 0.85 0.77 l S'
const S =
  '0.95 1.27 m 0.88 1.43 0.72 1.5 0.52 1.5 c 0.26 1.5 0.08 1.36 0.08 1.14 c 0.08 0.62 0.96 0.9 0.96 0.38 c ' +
  '0.96 0.14 0.76 0 0.5 0 c 0.26 0 0.08 0.1 0.02 0.28 c S'
const LETTERS = [T, E, S, T]
/** From one letter to the next. */
const ADVANCE = 1.35
const WORD = ADVANCE * (LETTERS.length - 1) + 1
const HEIGHT = 1.5
const SIGNATURE_COLOUR = 0.24

/** Operators that draw the word from the lower left to the upper right, inside the margins. */
export function testWatermark({ width, height }: { width: number; height: number }, margin: number): string {
  const diagonal = Math.hypot(width, height)
  const [cos, sin] = [width / diagonal, height / diagonal]
  const [long, tall] = [WORD + SIGNATURE_COLOUR, HEIGHT + SIGNATURE_COLOUR]
  const scale = Math.min((width - 2 * margin) / (cos * long + sin * tall), (height - 2 * margin) / (sin * long + cos * tall))
  const turn = `${num(cos)} ${num(sin)} ${num(-sin)} ${num(cos)} ${num(width / 2)} ${num(height / 2)} cm`
  const letters = LETTERS.map((letter, i) => `q 1 0 0 1 ${num(i * ADVANCE - WORD / 2)} ${num(-HEIGHT / 2)} cm ${letter} Q`)
  return [
    'q',
    turn,
    `${num(scale)} 0 0 ${num(scale)} 0 0 cm`,
    `0.98 0.9 0.9 RG ${SIGNATURE_COLOUR} w 0 J 0 j`,
    ...letters,
    'Q',
  ].join('\n')
}
