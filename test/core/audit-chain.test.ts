/** Canonical JSON against the vectors of RFC 8785, and the chain against a separate computation. */
import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import {
  type ChainEntry,
  canonicalJson,
  chainHash,
  commitment,
  GENESIS,
  verifyLinks,
} from '../../src/core/document/audit-chain.ts'
import type { Json } from '../../src/core/document/event.ts'

describe('canonical JSON', () => {
  test('is that of RFC 8785 §3.2.2', () => {
    const value = {
      numbers: JSON.parse('[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]') as number[],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    }
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  test('sorts members by UTF-16 code units, RFC 8785 §3.2.3', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    expect(Object.values(JSON.parse(canonicalJson(value)) as Record<string, string>).slice(1)).toEqual([
      'Carriage Return',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
    const order = ['"\\r":', '"1":', '"\u0080":', '"ö":', '"€":', '"😀":', '"\ufb33":'].map(m => canonicalJson(value).indexOf(m))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order).not.toContain(-1)
  })

  const NUMBERS: [ieee754: string, written: string][] = [
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ]
  test.each(NUMBERS)('writes the number with bits %s as %s, RFC 8785 appendix B', (bits, written) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE(0))).toBe(written)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('cannot represent %p', number => {
    expect(() => canonicalJson({ deep: [number] })).toThrow('finite')
  })

  test('cannot represent a lone surrogate, RFC 8785 §3.2.2.2', () => {
    expect(() => canonicalJson('half \ud83d')).toThrow()
    expect(() => canonicalJson({ '\ude00': 1 })).toThrow()
    expect(canonicalJson('whole \ud83d\ude00')).toBe('"whole 😀"')
  })

  test('does not depend on the order of members, and parses back to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), value => {
        const text = canonicalJson(value as Json)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        const reversed = (v: Json): Json =>
          Array.isArray(v)
            ? v.map(reversed)
            : v !== null && typeof v === 'object'
              ? Object.fromEntries(
                  Object.entries(v)
                    .toReversed()
                    .map(([name, member]) => [name, reversed(member)]),
                )
              : v
        expect(canonicalJson(reversed(JSON.parse(text) as Json))).toBe(text)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the chain', () => {
  test('is SHA-256 over a zero byte, the previous hash and the entry', () => {
    const expected = createHash('sha256')
      .update(Buffer.concat([Buffer.alloc(1), Buffer.alloc(32), Buffer.from('{"ä":1}', 'utf8')]))
      .digest('hex')
    expect(chainHash(GENESIS, '{"ä":1}')).toBe(expected)
    expect(GENESIS).toHaveLength(64)
  })

  test('commits to personal data by salt and canonical JSON', () => {
    const expected = createHash('sha256')
      .update(Buffer.concat([Buffer.from('00ff', 'hex'), Buffer.from('{"a":1,"b":2}')]))
      .digest('hex')
    expect(commitment('00ff', { b: 2, a: 1 })).toBe(expected)
    expect(commitment('01ff', { b: 2, a: 1 })).not.toBe(expected)
  })

  function chainOf(entries: string[]): ChainEntry[] {
    let hash = GENESIS
    return entries.map((entry, i) => {
      hash = chainHash(hash, entry)
      return { sequence: i + 1, entry, hash }
    })
  }

  test('is verified to its head, from the beginning or from the middle', () => {
    const chain = chainOf(['a', 'b', 'c', 'd'])
    expect(verifyLinks(GENESIS, [])).toEqual({ head: GENESIS })
    expect(verifyLinks(GENESIS, chain)).toEqual({ head: chain[3]?.hash ?? '' })
    expect(verifyLinks(chain[1]?.hash ?? '', chain.slice(2))).toEqual({ head: chain[3]?.hash ?? '' })
  })

  test('finds the first of all edits, moves, insertions and deletions', () => {
    const tampering = fc.record({
      length: fc.integer({ min: 3, max: 40 }),
      at: fc.nat(1000),
      kind: fc.constantFrom('edit entry', 'edit hash', 'swap', 'insert', 'delete'),
    })
    fc.assert(
      fc.property(tampering, ({ length, at, kind }) => {
        const chain = chainOf(Array.from({ length }, (_, i) => `{"n":${i}}`))
        const i = at % (length - 1)
        const here = chain[i]
        const next = chain[i + 1]
        if (!here || !next) throw new Error('no such place')
        if (kind === 'edit entry') chain[i] = { ...here, entry: `${here.entry} ` }
        if (kind === 'edit hash') chain[i] = { ...here, hash: chainHash(here.hash, '') }
        if (kind === 'swap') chain.splice(i, 2, next, here)
        if (kind === 'insert') chain.splice(i, 0, { sequence: 0, entry: 'x', hash: chainHash(GENESIS, 'y') })
        if (kind === 'delete') chain.splice(i, 1)
        const first = kind === 'insert' ? 0 : kind === 'swap' || kind === 'delete' ? next.sequence : here.sequence
        expect(verifyLinks(GENESIS, chain)).toEqual({ firstInvalid: first })
      }),
      { numRuns: 1000 },
    )
  })
})
