/** Pictures of signatures as phones and scanners make them, with the truth of where the ink is. Same seed, same picture. */
import { writePng } from '../../src/image/png-write.ts'

export interface Photo {
  width: number
  height: number
  /** Red, green, blue. */
  colour: Uint8Array
  /** How much of a pixel is ink, 0 to 1. */
  truth: Float32Array
}

export interface Scene {
  width: number
  height: number
  /** Across the line, pixels. */
  pen: number
  ink: [number, number, number]
  paper: [number, number, number]
  /** Standard deviation of each sample. */
  noise: number
  /** Share of the light that is lost from the bright corner to the dark one. */
  falloff: number
  /** Share of the light that the shadow of a hand or a phone takes; 0 for none. */
  shadow: number
  /** Of printed lines on the paper; none when undefined. */
  rule?: [number, number, number]
  /** Pixels of a dark table at the left. */
  table?: number
}

export const PHOTO: Scene = {
  width: 1000,
  height: 750,
  pen: 7,
  ink: [40, 50, 120],
  paper: [236, 232, 222],
  noise: 4,
  falloff: 0.45,
  shadow: 0.3,
}

/** Uniform in 0 to 1; a linear congruence. */
function openRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Where the pen went: loops, a long stroke under them and a dot; shares of the picture. */
function way(): [number, number][] {
  const loops = Array.from({ length: 1600 }, (_, i): [number, number] => {
    const t = i / 1600
    return [0.28 + 0.42 * t + 0.03 * Math.sin(t * 44), 0.48 + 0.11 * Math.cos(t * 44) * (1 - 0.5 * t)]
  })
  const under = Array.from({ length: 700 }, (_, i): [number, number] => [0.3 + (0.45 * i) / 700, 0.68 - (0.05 * i) / 700])
  return [...loops, ...under, [0.6, 0.32]]
}

function truthOf({ width, height, pen }: Scene): Float32Array {
  const truth = new Float32Array(width * height)
  for (const [sx, sy] of way()) {
    const [cx, cy, radius] = [sx * width, sy * height, pen / 2]
    for (let y = Math.max(0, Math.floor(cy - radius - 1)); y <= Math.min(height - 1, cy + radius + 1); y++) {
      for (let x = Math.max(0, Math.floor(cx - radius - 1)); x <= Math.min(width - 1, cx + radius + 1); x++) {
        const inside = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(x + 0.5 - cx, y + 0.5 - cy)))
        truth[y * width + x] = Math.max(truth[y * width + x]!, inside)
      }
    }
  }
  return truth
}

export function photoOf(scene: Scene, seed = 7): Photo {
  const { width, height, ink, paper, noise, falloff, shadow, rule, table = 0 } = scene
  const random = openRandom(seed)
  const truth = truthOf(scene)
  const colour = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x
      const edge = Math.min(1, Math.max(0, (x / width + 0.4 * (y / height) - 0.62) * 60))
      const light = 1 - falloff * ((0.6 * x) / width + (0.4 * y) / height) - shadow * edge
      const isRuled = rule !== undefined && y % Math.round(height / 14) < 3
      const isTable = x < table
      for (let c = 0; c < 3; c++) {
        const ground = isTable ? [70, 50, 35][c]! + 12 * Math.sin(y / 9 + x / 31) : isRuled ? rule[c]! : paper[c]!
        const seen = isTable ? ground : ground + (ink[c]! - ground) * truth[at]!
        // The sum of four is nearly normal.
        const grain = (random() + random() + random() + random() - 2) * Math.sqrt(3) * noise
        colour[at * 3 + c] = Math.min(255, Math.max(0, Math.round(seen * light + grain)))
      }
      if (isTable) truth[at] = 0
    }
  }
  return { width, height, colour, truth }
}

export function pngOfPhoto({ width, height, colour }: Photo, alpha = new Uint8Array(width * height).fill(255)): Buffer {
  return writePng({ width, height, colour, alpha })
}
