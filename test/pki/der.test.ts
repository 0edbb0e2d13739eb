import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  bitString,
  DerError,
  der,
  oid,
  readDer,
  readDerPrefix,
  readOid,
  readTime,
  sequence,
  setOf,
  tagged,
  time,
  unsignedInteger,
  utf8String,
} from '../../src/pki/der.ts'

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replace(/ /g, ''), 'hex'))
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

describe('writing', () => {
  test.each([
    [0, '0400'],
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
    [65536, '0483010000'],
  ])('a length of %d is in the fewest octets', (length, head) => {
    expect(toHex(der(4, new Uint8Array(length)))).toStartWith(head)
  })

  test('integers are positive and minimal', () => {
    expect(toHex(unsignedInteger(hex('00007f')))).toBe('02017f')
    expect(toHex(unsignedInteger(hex('80')))).toBe('02020080')
    expect(toHex(unsignedInteger(hex('0000')))).toBe('020100')
  })

  test('object identifiers are read as they were written', () => {
    for (const dotted of [
      '2.16.840.1.101.3.4.2.1',
      '1.2.840.113549.1.9.16.2.47',
      '0.9.2342.19200300.100.1.1',
      '2.5.29.37.0',
      '2.999.3',
    ]) {
      expect(readOid(readDer(oid(dotted)), 'it')).toBe(dotted)
    }
    expect(toHex(oid('1.2.840.113549.1.7.2'))).toBe('06092a864886f70d010702')
  })

  test('SET OF is in ascending order of its encodings', () => {
    expect(toHex(setOf(hex('0402ffff'), hex('0401ff'), hex('020105')))).toBe('310a0201050401ff0402ffff')
  })

  test('times are UTCTime through 2049 and GeneralizedTime from 2050', () => {
    const early = time(new Date('2049-12-31T23:59:59.900Z'))
    const late = time(new Date('2050-01-01T00:00:00Z'))
    expect(Buffer.from(early).toString('latin1', 2)).toBe('491231235959Z')
    expect(Buffer.from(late).toString('latin1', 2)).toBe('20500101000000Z')
    expect(readTime(readDer(early), 'it').toISOString()).toBe('2049-12-31T23:59:59.000Z')
    expect(readTime(readDer(late), 'it').toISOString()).toBe('2050-01-01T00:00:00.000Z')
  })
})

describe('reading is strict about', () => {
  test.each([
    ['an indefinite length', '3080 0000'],
    ['a length in more octets than needed', '04 81 05 0102030405'],
    ['a length with a leading zero', '04 82 0005 0102030405'],
    ['a length beyond the input', '04 05 0102'],
    ['a child longer than its parent', '30 03 04 05 01'],
    ['a constructed OCTET STRING', '24 04 0402 0102'],
    ['a primitive SEQUENCE', '10 00'],
    ['a BOOLEAN that is 01', '01 01 01'],
    ['an INTEGER with a needless zero', '02 02 0001'],
    ['an INTEGER with a needless FF', '02 02 ff80'],
    ['an empty INTEGER', '02 00'],
    ['a NULL with contents', '05 01 00'],
    ['a cut-off OBJECT IDENTIFIER', '06 02 2a86'],
    ['a BIT STRING with eight unused bits', '03 02 0800'],
    ['a high tag number', '1f 81 00 00'],
    ['bytes behind the end', '0500 00'],
    ['nothing at all', ''],
  ])('%s', (_, bytes) => {
    expect(() => readDer(hex(bytes))).toThrow(DerError)
  })

  test('deep nesting', () => {
    let bytes = sequence()
    for (let i = 0; i < 60; i++) bytes = sequence(bytes)
    expect(() => readDer(bytes)).toThrow('nested too deeply')
  })
})

test('a prefix is read to its end only', () => {
  const bytes = Buffer.concat([sequence(utf8String('é')), hex('0000')])
  expect(readDerPrefix(bytes).end).toBe(6)
})

test('any bytes give an element or a DerError', () => {
  const seed = Buffer.from(
    sequence(tagged(0, oid('1.2.3'), bitString(hex('ff'), 3)), setOf(utf8String('x'), unsignedInteger(hex('ff')))),
  )
  fc.assert(
    fc.property(fc.nat(seed.length - 1), fc.nat(255), fc.nat(seed.length), (at, value, cut) => {
      const bytes = Buffer.from(seed)
      bytes[at] = value
      for (const input of [bytes, bytes.subarray(0, cut)]) {
        try {
          expect(toHex(readDer(input).encoded)).toBe(input.toString('hex'))
        } catch (error) {
          expect(error).toBeInstanceOf(DerError)
        }
      }
    }),
    { numRuns: 2000 },
  )
})
