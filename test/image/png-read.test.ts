/**
 * The order of a PNG's chunks, and its transparent colour: no image is checked by one header and
 * decoded by another.
 */
import { describe, expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { pngSize, readPng } from '../../src/image/png-read.ts'
import { pngChunk } from '../evidence/sample.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const END = pngChunk('IEND', Buffer.alloc(0))

function header(width: number, height: number, depth: number, type: number): Buffer {
  const body = Buffer.alloc(13)
  body.writeUInt32BE(width, 0)
  body.writeUInt32BE(height, 4)
  body.set([depth, type, 0, 0, 0], 8)
  return pngChunk('IHDR', body)
}

const pngOf = (...chunks: Buffer[]) => Buffer.concat([SIGNATURE, ...chunks, END])
const read = (bytes: Buffer) => readPng(bytes, 30_000)

describe('the order of chunks', () => {
  const head = header(4, 2, 8, 3)
  const palette = pngChunk('PLTE', Buffer.from([1, 2, 3, 9, 9, 9]))
  const clear = pngChunk('tRNS', Buffer.from([0]))
  const rows = deflateSync(Buffer.from([0, 0, 1, 0, 1, 0, 1, 0, 1, 0]))
  const [data, first, second] = [rows, rows.subarray(0, 5), rows.subarray(5)].map(part => pngChunk('IDAT', part)) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  const text = pngChunk('tEXt', Buffer.from('Comment\0made for a test'))

  test('is that of the standard; ancillary chunks between them are skipped, animation frames included', async () => {
    const [control, frame] = [pngChunk('acTL', Buffer.alloc(8)), pngChunk('fdAT', Buffer.alloc(12))]
    for (const chunks of [
      [palette, clear, data],
      [text, palette, text, clear, text, first, second, text, text],
      [control, palette, clear, pngChunk('fcTL', Buffer.alloc(26)), data, pngChunk('fcTL', Buffer.alloc(26)), frame],
    ]) {
      const samples = await read(pngOf(head, ...chunks))
      expect(Array.from(samples?.alpha ?? [])).toEqual([0, 255, 0, 255, 255, 0, 255, 0])
    }
  })

  test('a second header is refused: the size that was checked is the size that is decoded', async () => {
    const small = header(10, 10, 1, 0)
    const large = header(20_000, 20_000, 1, 0)
    const bytes = pngOf(small, large, pngChunk('IDAT', deflateSync(Buffer.alloc(20_000 * 2_501))))
    expect(pngSize(bytes)).toEqual({ width: 10, height: 10 })
    expect(await read(bytes)).toBeUndefined()
    expect(await read(pngOf(head, palette, data, header(4, 2, 8, 3)))).toBeUndefined()
    expect(await read(pngOf(text, head, palette, data))).toBeUndefined()
    expect(await read(pngOf())).toBeUndefined()
  })

  test('a second palette or transparency, one after the data, or divided data are refused', async () => {
    for (const chunks of [
      [palette, palette, data],
      [palette, clear, clear, data],
      [data, palette],
      [palette, data, clear],
      [palette, first, text, second],
    ]) {
      expect(await read(pngOf(head, ...chunks))).toBeUndefined()
    }
  })
})

test('the one transparent colour is recognised by all of its sixteen bits', async () => {
  const rows = Buffer.from([0, 0xff, 0xff, 0xff, 0xfe, 0x12, 0x34])
  const samples = await read(
    pngOf(header(3, 1, 16, 0), pngChunk('tRNS', Buffer.of(0xff, 0xff)), pngChunk('IDAT', deflateSync(rows))),
  )
  expect(Array.from(samples?.alpha ?? [])).toEqual([0, 255, 255])
  expect(Array.from(samples?.colour ?? [])).toEqual([255, 255, 0x12])
})
