/** BER of other programs, read as DER. ITU-T X.690 §8. */
import { describe, expect, test } from 'bun:test'
import { berToDer } from '../../src/pki/ber.ts'
import { octetString, sequence, smallInteger, tagged } from '../../src/pki/der.ts'
import { inBer } from '../verify/foreign-signer.ts'

describe('BER', () => {
  test('is read as the equivalent DER', () => {
    const original = sequence(smallInteger(1), tagged(0, octetString(Buffer.from('abcdef'))))
    expect(Buffer.from(berToDer(inBer(original)))).toEqual(Buffer.from(original))
  })

  test('that is nested too deeply, cut off or too large is refused', () => {
    const deep = Buffer.concat([...Array.from({ length: 60 }, () => Uint8Array.of(0x30, 0x80)), Buffer.alloc(120)])
    expect(() => berToDer(deep)).toThrow('nested too deeply')
    expect(() => berToDer(Uint8Array.of(0x30, 0x80, 0x02, 0x01, 0x01))).toThrow('cut off')
    const many = Buffer.concat([Uint8Array.of(0x30, 0x80), Buffer.alloc(2_200_000, Uint8Array.of(5, 0)), Buffer.alloc(2)])
    expect(() => berToDer(many)).toThrow('more than 1000000 elements')
  })
})
