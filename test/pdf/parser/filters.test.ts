/** Page content is decoded through every filter, within the limits. */
import { describe, expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { decodeContent } from '../../../src/pdf/parser/filters.ts'
import { PdfLimitError } from '../../../src/pdf/parser/limits.ts'
import { zeros } from '../../support/hostile-pdf.ts'

const decoded = (raw: string | Uint8Array, ...filters: string[]) =>
  Buffer.from(decodeContent(typeof raw === 'string' ? Buffer.from(raw, 'latin1') : raw, filters)).toString('latin1')

describe('a filter is decoded', () => {
  test('for every standard filter, by its long and its short name', () => {
    for (const name of ['ASCIIHexDecode', 'AHx']) expect(decoded('71 20\n5>ff', name)).toBe('q P')
    for (const name of ['ASCII85Decode', 'A85']) expect(decoded('87cUR\nD]j7BEbo80~>x', name)).toBe('Hello world!')
    for (const name of ['RunLengthDecode', 'RL'])
      expect(decoded(Uint8Array.of(2, 97, 98, 99, 254, 122, 128, 1), name)).toBe('abczzz')
    for (const name of ['FlateDecode', 'Fl']) expect(decoded(deflateSync('q Q'), name)).toBe('q Q')
    // ISO 32000-2 §7.4.4.2, the example.
    const sample = Uint8Array.of(0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01)
    for (const name of ['LZWDecode', 'LZW']) expect(decoded(sample, name)).toBe('-----A---B')
  })

  test('in sequences of up to three', () => {
    const hex = Buffer.from(deflateSync('q Q')).toString('hex')
    expect(decoded(Buffer.from(`${hex}>`).toString('hex'), 'AHx', 'AHx', 'Fl')).toBe('q Q')
    expect(() => decoded('', 'AHx', 'AHx', 'AHx', 'AHx')).toThrow(PdfLimitError)
  })

  test('up to the first damage, and not at all for an image filter', () => {
    expect(decoded(deflateSync('q Q'.repeat(100)).subarray(0, -6), 'FlateDecode')).toStartWith('q Q')
    expect(decoded('no zlib at all', 'FlateDecode')).toBe('')
    expect(decoded(Uint8Array.of(0x80, 0x0b, 0x7f, 0xff), 'LZWDecode')).toBe('-')
    expect(decoded('\xff\xd8', 'DCTDecode')).toBe('')
  })
})

test('content of more than 128 MiB is not decoded, whatever the filter', () => {
  const runs = Buffer.alloc(2 * 1024 * 1024 + 4096, Buffer.of(0x81, 0x20))
  expect(() => decodeContent(zeros(129), ['FlateDecode'])).toThrow(PdfLimitError)
  expect(() => decodeContent(runs, ['RunLengthDecode'])).toThrow(PdfLimitError)
  expect(() => decodeContent(Buffer.alloc(34 * 1024 * 1024, 'z'), ['ASCII85Decode'])).toThrow(PdfLimitError)
  expect(decodeContent(zeros(128), ['FlateDecode'])).toHaveLength(128 * 1024 * 1024)
})
