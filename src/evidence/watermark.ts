/** Draws the word TEST as strokes (ISO 32000-2 §8.5), so that it is not in copied text. */
import { num } from '../text/pdf-fonts.ts'

/** Strokes in a cell of width 1 and height 1.5. */
const T = '0 1.5 m 1 1.5 l S 0.5 1.5 m 0.5 0 l S'
const E = '0.95 1.5 m 0.1 1.5 l 0.1 0 l 0.95 0 l S 0.1 0.77 m 0.85 0.77 l S'
const S =
  '0.95 1.27 m 0.88 1.43 0.72 1.5 0.52 1.5 c 0.26 1.5 0.08 1.36 0.08 1.14 c 0.08 0.62 0.96 0.9 0.96 0.38 c ' +
  '0.96 0.14 0.76 0 0.5 0 c 0.26 0 0.08 0.1 0.02 0.28 c S'
const LETTERS = [T, E, S, T]

const ADVANCE = 1.35
const WIDTH = ADVANCE * (LETTERS.length - 1) + 1
const HEIGHT = 1.5
const STROKE = 0.24

export function drawTestWatermark({ width, height }: { width: number; height: number }, margin: number): string {
  const diagonal = Math.hypot(width, height)
  const [cos, sin] = [width / diagonal, height / diagonal]
  const [w, h] = [WIDTH + STROKE, HEIGHT + STROKE]
  const scale = Math.min((width - 2 * margin) / (cos * w + sin * h), (height - 2 * margin) / (sin * w + cos * h))
  const turn = `${num(cos)} ${num(sin)} ${num(-sin)} ${num(cos)} ${num(width / 2)} ${num(height / 2)} cm`
  const letters = LETTERS.map((letter, i) => `q 1 0 0 1 ${num(i * ADVANCE - WIDTH / 2)} ${num(-HEIGHT / 2)} cm ${letter} Q`)
  return ['q', turn, `${num(scale)} 0 0 ${num(scale)} 0 0 cm`, `0.98 0.9 0.9 RG ${STROKE} w 0 J 0 j`, ...letters, 'Q'].join('\n')
}
