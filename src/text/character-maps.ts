/** Finds glyphs by code in the character maps of others' fonts (OpenType 1.9, `cmap`). */
import { findTable } from './sfnt.ts'

export interface CharacterMap {
  platform: number
  encoding: number
  /** 0: not in the map. Undefined: its format is not read. @throws RangeError if damaged */
  glyphOf(code: number): number | undefined
}

function readSegments(cmap: DataView, at: number, code: number): number {
  const segments2 = cmap.getUint16(at + 6)
  for (let i = 0; i < segments2; i += 2) {
    if (code > cmap.getUint16(at + 14 + i)) continue
    const first = cmap.getUint16(at + 16 + segments2 + i)
    if (code < first) return 0
    const delta = cmap.getUint16(at + 16 + 2 * segments2 + i)
    const rangeAt = at + 16 + 3 * segments2 + i
    const range = cmap.getUint16(rangeAt)
    if (range === 0) return (code + delta) & 0xffff
    const glyph = cmap.getUint16(rangeAt + range + 2 * (code - first))
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff
  }
  return 0
}

function readGroups(cmap: DataView, at: number, code: number): number {
  for (let i = 0; i < cmap.getUint32(at + 12); i++) {
    const group = at + 16 + 12 * i
    const first = cmap.getUint32(group)
    if (code >= first && code <= cmap.getUint32(group + 4)) return cmap.getUint32(group + 8) + code - first
  }
  return 0
}

function readArray(cmap: DataView, at: number, code: number): number {
  const index = code - cmap.getUint16(at + 6)
  return index >= 0 && index < cmap.getUint16(at + 8) ? cmap.getUint16(at + 10 + 2 * index) : 0
}

function findGlyph(cmap: DataView, at: number, code: number): number | undefined {
  switch (cmap.getUint16(at)) {
    case 0:
      return code < 256 ? cmap.getUint8(at + 6 + code) : 0
    case 4:
      return code <= 0xffff ? readSegments(cmap, at, code) : 0
    case 6:
      return readArray(cmap, at, code)
    case 12:
      return readGroups(cmap, at, code)
    default:
      return undefined
  }
}

/** @throws FontFormatError without the table, RangeError if it is damaged */
export function readCharacterMaps(font: Uint8Array): CharacterMap[] {
  const cmap = findTable(font, 'cmap')
  return Array.from({ length: cmap.getUint16(2) }, (_, i) => {
    const record = 4 + 8 * i
    const at = cmap.getUint32(record + 4)
    return {
      platform: cmap.getUint16(record),
      encoding: cmap.getUint16(record + 2),
      glyphOf: code => findGlyph(cmap, at, code),
    }
  })
}
