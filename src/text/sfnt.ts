/** Reads TrueType tables (OpenType 1.9). Trusts its input where no error is named. */

/** A font of others is damaged, or not of this format. */
export class FontFormatError extends Error {}

/** @throws FontFormatError if the font has no such table, RangeError if it is damaged */
export function findTable(font: Uint8Array, tag: string): DataView {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
  for (let i = 0; i < view.getUint16(4); i++) {
    const at = 12 + 16 * i
    if (view.getUint32(at) === tagValue(tag)) {
      return new DataView(font.buffer, font.byteOffset + view.getUint32(at + 8), view.getUint32(at + 12))
    }
  }
  throw new FontFormatError(`the font has no ${tag} table`)
}

/** The four letters of a tag as one number. */
export function tagValue(tag: string): number {
  return [...tag].reduce((sum, letter) => sum * 256 + letter.charCodeAt(0), 0)
}

/** The code points with a glyph, from a character map of format 12 or else 4. */
export function readCodePoints(font: Uint8Array): Set<number> {
  const cmap = findTable(font, 'cmap')
  let format4At: number | undefined
  for (let i = 0; i < cmap.getUint16(2); i++) {
    const at = cmap.getUint32(8 + 8 * i)
    const format = cmap.getUint16(at)
    if (format === 12) return readFormat12(cmap, at)
    if (format === 4) format4At = at
  }
  if (format4At === undefined) throw new Error('the font has no character map of format 4 or 12')
  return readFormat4(cmap, format4At)
}

function readFormat12(cmap: DataView, at: number): Set<number> {
  const codes = new Set<number>()
  for (let i = 0; i < cmap.getUint32(at + 12); i++) {
    const group = at + 16 + 12 * i
    const [first, last, glyph] = [cmap.getUint32(group), cmap.getUint32(group + 4), cmap.getUint32(group + 8)]
    for (let code = first; code <= last; code++) if (glyph + code - first !== 0) codes.add(code)
  }
  return codes
}

function readFormat4(cmap: DataView, at: number): Set<number> {
  const codes = new Set<number>()
  const segments2 = cmap.getUint16(at + 6)
  for (let i = 0; i < segments2; i += 2) {
    const last = cmap.getUint16(at + 14 + i)
    const first = cmap.getUint16(at + 16 + segments2 + i)
    const delta = cmap.getUint16(at + 16 + 2 * segments2 + i)
    const rangeAt = at + 16 + 3 * segments2 + i
    const range = cmap.getUint16(rangeAt)
    for (let code = first; code <= last && code !== 0xffff; code++) {
      const glyph = range === 0 ? code : cmap.getUint16(rangeAt + range + 2 * (code - first))
      if (glyph !== 0 && ((glyph + delta) & 0xffff) !== 0) codes.add(code)
    }
  }
  return codes
}

/** In 1/1000 of the font size, as in a font descriptor (ISO 32000-2 §9.8). */
export interface FontMetrics {
  unitsPerEm: number
  ascent: number
  descent: number
  capHeight: number
  box: [number, number, number, number]
  /** Degrees counter-clockwise from the vertical; negative for an italic. */
  italicAngle: number
}

export function readFontMetrics(font: Uint8Array): FontMetrics {
  const [head, hhea, os2, post] = [
    findTable(font, 'head'),
    findTable(font, 'hhea'),
    findTable(font, 'OS/2'),
    findTable(font, 'post'),
  ]
  const unitsPerEm = head.getUint16(18)
  const scaled = (units: number) => Math.round((units * 1000) / unitsPerEm)
  return {
    unitsPerEm,
    ascent: scaled(hhea.getInt16(4)),
    descent: scaled(hhea.getInt16(6)),
    capHeight: scaled(os2.getUint16(0) >= 2 ? os2.getInt16(88) : hhea.getInt16(4)),
    box: [scaled(head.getInt16(36)), scaled(head.getInt16(38)), scaled(head.getInt16(40)), scaled(head.getInt16(42))],
    italicAngle: post.getInt32(4) / 65536,
  }
}

/** Every glyph's ink in font units: left, bottom, right, top; all 0 without ink. */
export function readGlyphBoxes(font: Uint8Array): Int16Array {
  const [head, loca, glyf] = [findTable(font, 'head'), findTable(font, 'loca'), findTable(font, 'glyf')]
  const isLong = head.getInt16(50) === 1
  const offset = (glyph: number) => (isLong ? loca.getUint32(4 * glyph) : 2 * loca.getUint16(2 * glyph))
  const count = loca.byteLength / (isLong ? 4 : 2) - 1
  const boxes = new Int16Array(4 * count)
  for (let glyph = 0; glyph < count; glyph++) {
    const at = offset(glyph)
    if (at === offset(glyph + 1)) continue
    for (let side = 0; side < 4; side++) boxes[4 * glyph + side] = glyf.getInt16(at + 2 + 2 * side)
  }
  return boxes
}

export function removeTables(font: Uint8Array, tags: readonly string[]): Uint8Array {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
  const removed = new Set(tags.map(tagValue))
  const records = Array.from({ length: view.getUint16(4) }, (_, i) => 12 + 16 * i).filter(at => !removed.has(view.getUint32(at)))
  const tables = records.map(at => font.subarray(view.getUint32(at + 8), view.getUint32(at + 8) + view.getUint32(at + 12)))
  const padded = (length: number) => (length + 3) & ~3
  const start = 12 + 16 * records.length
  const result = new Uint8Array(tables.reduce((sum, table) => sum + padded(table.length), start))
  const directory = new DataView(result.buffer)
  directory.setUint32(0, view.getUint32(0))
  directory.setUint16(4, records.length)
  let end = start
  for (const [i, table] of tables.entries()) {
    const from = records[i]!
    result.set(font.subarray(from, from + 8), 12 + 16 * i)
    directory.setUint32(12 + 16 * i + 8, end)
    directory.setUint32(12 + 16 * i + 12, table.length)
    result.set(table, end)
    end += padded(table.length)
  }
  return result
}
