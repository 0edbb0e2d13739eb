/** A TrueType font of a few glyphs, drawn point by point. OpenType 1.9. */

/** A contour by its corners, in thousandths of the font size. */
type Contour = readonly (readonly [number, number])[]

const box = (left: number, bottom: number, right: number, top: number): Contour => [
  [left, bottom],
  [left, top],
  [right, top],
  [right, bottom],
]

/** The digit one in the height of a dash. */
const LOW_ONE: Contour = [
  [0, 140],
  [230, 200],
  [330, 200],
  [330, 40],
  [480, 40],
  [480, 0],
  [0, 0],
  [0, 40],
  [230, 40],
  [230, 150],
]

/** `twice` is made of another glyph, as accented letters are. */
export const GLYPHS = {
  dot: [box(200, 0, 300, 110)],
  underscore: [box(0, -150, 500, -100)],
  one: [
    [
      [100, 550],
      [250, 700],
      [330, 700],
      [330, 0],
      [230, 0],
      [230, 560],
      [140, 470],
    ],
  ],
  lowOne: [LOW_ONE],
  twiceAround: [[...LOW_ONE, ...LOW_ONE]],
  bar: [box(220, 0, 280, 250)],
  ring: [box(50, 0, 450, 250), [...box(110, 60, 390, 190)].reverse()],
  equals: [box(50, 0, 450, 50), box(50, 100, 450, 150)],
  twice: [],
} as const satisfies Record<string, readonly Contour[]>

export type GlyphName = keyof typeof GLYPHS

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length)
  values.forEach((value, i) => {
    bytes.writeUInt16BE(value & 0xffff, 2 * i)
  })
  return bytes
}
const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

function simpleGlyph(contours: readonly Contour[]): Buffer {
  const points = contours.flat()
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const ends = contours.map((_, i) => contours.slice(0, i + 1).flat().length - 1)
  const steps = (values: number[]) => values.map((value, i) => value - (values[i - 1] ?? 0))
  const head = words(contours.length, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), ...ends, 0)
  const glyph = Buffer.concat([head, Buffer.alloc(points.length, 1), words(...steps(xs)), words(...steps(ys))])
  return Buffer.concat([glyph, Buffer.alloc(-glyph.length & 3)])
}

/** One part: glyph 2, where it is. */
const composite = (): Buffer => Buffer.concat([words(-1, 0, 0, 500, 700), words(0x0003, 2, 0, 0), words(0)])

/** Glyph 0 is empty; the glyphs follow in order, by the codes from `first` on. */
export function tinyFont(names: readonly GlyphName[], first = 0x31): string {
  const glyphs = names.map(name => (name === 'twice' ? composite() : simpleGlyph(GLYPHS[name])))
  const offsets = [0, 0, ...glyphs.map((_, i) => glyphs.slice(0, i + 1).reduce((sum, { length }) => sum + length, 0))]
  const count = names.length + 1
  const last = first + names.length - 1
  const segments = words(4, 32, 0, 4, 4, 1, 0, last, 0xffff, 0, first, 0xffff, 1 - first, 1, 0, 0)
  const tables: Record<string, Buffer> = {
    cmap: Buffer.concat([words(0, 1, 3, 1), long(12), segments]),
    glyf: Buffer.concat(glyphs),
    head: Buffer.concat([
      long(0x10000),
      long(0x10000),
      long(0),
      long(0x5f0f3cf5),
      words(0, 1000),
      Buffer.alloc(16),
      words(0, -150, 500, 700, 0, 8, 2, 1, 0),
    ]),
    hhea: Buffer.concat([long(0x10000), words(700, -150, 0, 500, 0, 0, 500, 1, 0, 0, 0, 0, 0, 0, 0, count)]),
    hmtx: words(...Array.from({ length: count }, () => [500, 0]).flat()),
    loca: Buffer.concat(offsets.map(long)),
    maxp: Buffer.concat([long(0x10000), words(count, 20, 4, 20, 4, 1, 0, 0, 0, 0, 0, 0, 1, 1)]),
  }
  const list = Object.entries(tables)
  let at = 12 + 16 * list.length
  const directory = list.map(([tag, table]) => {
    const record = Buffer.concat([Buffer.from(tag), long(0), long(at), long(table.length)])
    at += (table.length + 3) & ~3
    return record
  })
  const padded = list.map(([, table]) => Buffer.concat([table, Buffer.alloc(-table.length & 3)]))
  return Buffer.concat([long(0x10000), words(list.length, 64, 2, 48), ...directory, ...padded]).toString('latin1')
}
