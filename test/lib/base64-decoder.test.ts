/** Base64 in parts: the same bytes, and the same refusals, as in one piece. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Base64Decoder } from '../../src/http/body/receive.ts'

const PLACE = new Uint8Array(4096)

function inParts(parts: string[]): Uint8Array | 'refused' {
  const decoder = new Base64Decoder()
  const made: Uint8Array[] = []
  try {
    for (const part of parts) {
      const target = PLACE.subarray(0, Base64Decoder.maxBytes(part.length))
      made.push(target.slice(0, decoder.decode(Buffer.from(part, 'latin1'), target)))
    }
    made.push(decoder.end())
  } catch (error) {
    if (error instanceof SyntaxError) return 'refused'
    throw error
  }
  return new Uint8Array(Buffer.concat(made))
}

function inOne(text: string): Uint8Array | 'refused' {
  try {
    return Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' })
  } catch (error) {
    if (error instanceof SyntaxError) return 'refused'
    throw error
  }
}

const split = (text: string, sizes: number[]): string[] => {
  const parts: string[] = []
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    parts.push(text.slice(at, at + size))
    at += size
  }
  return parts
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })

test('decoding returns the bytes, whatever the parts', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), sizes, (bytes, parts) => {
      const found = inParts(split(bytes.toBase64(), parts))
      expect(found).toEqual(new Uint8Array(bytes))
    }),
  )
})

test('any text is accepted or refused as in one piece', () => {
  const text = fc.string({ unit: fc.constantFrom('A', 'Q', 'g', '+', '/', '=', '\n', ' ', '-', 'é', '\u0000'), maxLength: 14 })
  fc.assert(
    fc.property(text, sizes, (written, parts) => {
      expect([written, inParts(split(written, parts))]).toEqual([written, inOne(written)])
    }),
    { numRuns: 5000 },
  )
})
