/** The small functions on octets, each against Buffer. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  compareBytes,
  concatBytes,
  equalBytes,
  fromBase64,
  fromBase64Url,
  fromHex,
  fromLatin1,
  fromUtf8,
  indexOfBytes,
  joinBytes,
  lastIndexOfBytes,
  readUint,
  startsWithBytes,
  toBase64,
  toBase64Url,
  toHex,
  toLatin1,
  toUtf8,
  trimZeros,
  uint32Bytes,
} from '../../src/lib/bytes.ts'

const octets = fc.uint8Array({ maxLength: 80 })
/** Few values, so that what is sought is there. */
const similar = (maxLength: number) =>
  fc.array(fc.constantFrom(0, 1, 0xff), { minLength: 1, maxLength }).map(list => Uint8Array.from(list))

describe('octets', () => {
  test('are spelled as Buffer does, and read back', () => {
    fc.assert(
      fc.property(octets, bytes => {
        const buffer = Buffer.from(bytes)
        expect(toHex(bytes)).toBe(buffer.toString('hex'))
        expect(toBase64(bytes)).toBe(buffer.toString('base64'))
        expect(toBase64Url(bytes)).toBe(buffer.toString('base64url'))
        expect(toLatin1(bytes)).toBe(buffer.toString('latin1'))
        expect(toUtf8(bytes)).toBe(buffer.toString('utf8'))
        expect(fromHex(toHex(bytes).toUpperCase())).toEqual(bytes)
        expect(fromBase64(toBase64(bytes))).toEqual(bytes)
        expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes)
        expect(fromLatin1(toLatin1(bytes))).toEqual(bytes)
      }),
    )
    const long = Uint8Array.from({ length: 30_000 }, (_, i) => i % 251)
    expect(toLatin1(long, 5, 29_990)).toBe(Buffer.from(long.subarray(5, 29_990)).toString('latin1'))
    expect(toLatin1(Uint8Array.of(65, 66, 67), 1, 90)).toBe('BC')
    expect(toUtf8(fromUtf8('\ufeffÄ€😀'))).toBe('\ufeffÄ€😀')
  })

  test('are not read from other texts', () => {
    expect(fromHex('abc')).toBeUndefined()
    expect(fromHex('0g')).toBeUndefined()
    expect(fromBase64('QU\n JD')).toEqual(fromLatin1('ABC'))
    expect(fromBase64('QUI')).toEqual(fromLatin1('AB'))
    for (const text of ['Q', 'QUJDR', 'QUI==', 'Q===', 'QU-_', 'QU=I', '=QUI', 'QUJ💥']) expect(fromBase64(text)).toBeUndefined()
    for (const text of ['Q', 'QU+/', 'QUI=', 'QU I']) expect(fromBase64Url(text)).toBeUndefined()
  })

  test('are compared and joined as by Buffer', () => {
    fc.assert(
      fc.property(similar(4), similar(4), (a, b) => {
        expect(equalBytes(a, b)).toBe(Buffer.compare(a, b) === 0)
        expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(a, b))
        expect(concatBytes(a, b, a)).toEqual(new Uint8Array(Buffer.concat([a, b, a])))
      }),
    )
    expect(concatBytes()).toEqual(new Uint8Array())
    expect(joinBytes(Array.from({ length: 300_000 }, () => Uint8Array.of(7)))).toEqual(new Uint8Array(300_000).fill(7))
  })

  test('are found as by Buffer', () => {
    fc.assert(
      fc.property(similar(40), similar(3), fc.nat(45), (bytes, sought, from) => {
        const buffer = Buffer.from(bytes)
        expect(indexOfBytes(bytes, sought, from)).toBe(buffer.indexOf(sought, from))
        expect(lastIndexOfBytes(bytes, sought, from)).toBe(buffer.lastIndexOf(sought, from))
        expect(lastIndexOfBytes(bytes, toLatin1(sought))).toBe(buffer.lastIndexOf(sought))
        expect(startsWithBytes(bytes, sought)).toBe(buffer.indexOf(sought) === 0)
      }),
    )
    expect(lastIndexOfBytes(fromLatin1('aab'), 'b', -1)).toBe(-1)
  })

  test('are numbers, the highest octet first', () => {
    expect(readUint(Uint8Array.of(9, 1, 2, 3, 4, 5, 6), 1, 6)).toBe(0x010203040506)
    expect(uint32Bytes(0xfe01_0203)).toEqual(Uint8Array.of(0xfe, 1, 2, 3))
    expect(trimZeros(Uint8Array.of(0, 0, 1, 0))).toEqual(Uint8Array.of(1, 0))
    expect(trimZeros(Uint8Array.of(0, 0))).toEqual(new Uint8Array())
  })
})
