/** Glyphs by code in character maps of every format that is read. OpenType 1.9, `cmap`. */
import { expect, test } from 'bun:test'
import { type CharacterMap, readCharacterMaps } from '../../src/text/character-maps.ts'
import { GlyphOutlines } from '../../src/text/glyph-outlines.ts'
import { FontFormatError } from '../../src/text/sfnt.ts'

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length)
  values.forEach((value, i) => {
    bytes.writeUInt16BE(value & 0xffff, 2 * i)
  })
  return bytes
}

/** A font with nothing but one character map. */
function mapOf(table: Buffer): CharacterMap {
  const cmap = Buffer.concat([words(0, 1, 3, 1, 0, 12), table])
  const head = Buffer.concat([
    words(0, 0x10000 >> 16),
    words(0, 0, 0, 0),
    Buffer.from('cmap'),
    words(0, 0, 0, 28, 0, cmap.length),
  ])
  head.writeUInt16BE(1, 4)
  const [map] = readCharacterMaps(Buffer.concat([head, cmap]))
  if (map === undefined) throw new Error('no map')
  return map
}

test('formats 0, 4, 6 and 12 are read', () => {
  const octets = Buffer.alloc(256)
  octets[0x31] = 7
  const byOctet = mapOf(Buffer.concat([words(0, 262, 0), octets]))
  expect([0x31, 0x32, 0x131].map(byOctet.glyphOf)).toEqual([7, 0, 0])
  const segments = mapOf(words(4, 34, 0, 4, 4, 1, 0, 0x32, 0xffff, 0, 0x31, 0xffff, 0, 1, 4, 0, 9, 0))
  expect([0x30, 0x31, 0x32, 0x33, 0x10031].map(segments.glyphOf)).toEqual([0, 9, 0, 0, 0])
  const shifted = mapOf(words(4, 32, 0, 4, 4, 1, 0, 0x32, 0xffff, 0, 0x31, 0xffff, -0x30, 1, 0, 0))
  expect([0x31, 0x32].map(shifted.glyphOf)).toEqual([1, 2])
  const array = mapOf(words(6, 14, 0, 0x31, 2, 5, 6))
  expect([0x30, 0x31, 0x32, 0x33].map(array.glyphOf)).toEqual([0, 5, 6, 0])
  const groups = mapOf(words(12, 0, 0, 28, 0, 0, 0, 1, 0, 0x31, 0, 0x33, 0, 4))
  expect([0x30, 0x31, 0x33, 0x34].map(groups.glyphOf)).toEqual([0, 4, 6, 0])
})

test('another format is said to be not read, and a damaged font throws', () => {
  expect(mapOf(words(2, 0, 0)).glyphOf(0x31)).toBeUndefined()
  expect(() => mapOf(words(12, 0, 0, 28, 0, 0, 0, 9)).glyphOf(0x31)).toThrow(RangeError)
  expect(() => readCharacterMaps(Buffer.from('font'))).toThrow(RangeError)
  expect(() => readCharacterMaps(Buffer.alloc(16))).toThrow(FontFormatError)
  expect(() => new GlyphOutlines(Buffer.alloc(16))).toThrow(FontFormatError)
})
