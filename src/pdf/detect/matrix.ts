/** Transformation matrices `[a b c d e f]`. ISO 32000-2 §8.3.3, §8.3.4. */
export type Matrix = readonly [number, number, number, number, number, number]

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** `first` is applied before `second`. */
export function multiply(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first
  const [g, h, i, j, k, l] = second
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l]
}

export function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): [x: number, y: number] {
  return [a * x + c * y + e, b * x + d * y + f]
}

/** Undefined for anything but six finite numbers. */
export function toMatrix(value: unknown): Matrix | undefined {
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return undefined
  const [a, b, c, d, e, f, ...more] = value as unknown as ArrayLike<number> & Iterable<number>
  const matrix = [a, b, c, d, e, f]
  return more.length === 0 && matrix.every(Number.isFinite) ? (matrix as unknown as Matrix) : undefined
}
