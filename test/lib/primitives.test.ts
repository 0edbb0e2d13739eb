/** The primitives of the executable and of browsers, on the same inputs, also hostile ones. */
import { describe, expect, test } from 'bun:test'
import { createCipheriv, generateKeyPairSync, type KeyObject, privateEncrypt, constants as rsa, sign } from 'node:crypto'
import { deflateSync, constants as zlib } from 'node:zlib'
import { ed25519 } from '@noble/curves/ed25519.js'
import { brainpoolP256r1, brainpoolP384r1, brainpoolP512r1 } from '@noble/curves/misc.js'
import { p256, p384, p521 } from '@noble/curves/nist.js'
import { concatBytes, fromBase64Url, fromLatin1, toBase64 } from '../../src/lib/bytes.ts'
import { InflateError } from '../../src/lib/inflate.ts'
import type { CurveName, EcdsaEncoding, HashName } from '../../src/lib/primitive-input.ts'
import * as browser from '../../src/lib/primitives.browser.ts'
import * as native from '../../src/lib/primitives.ts'
import { applyRc4 } from '../../src/lib/rc4.ts'

type Primitives = typeof native
const BOTH: readonly Primitives[] = [native, browser]

const textOf = (result: unknown): string => (result instanceof Uint8Array ? toBase64(result) : String(result))

/** The answer of both, as text; a failure too is an answer. */
function ask(question: (one: Primitives) => unknown): string {
  const [first, second] = BOTH.map(one => {
    try {
      return textOf(question(one))
    } catch (error) {
      if (error instanceof InflateError || error instanceof RangeError) return `${error.name}: ${error.message}`
      throw error
    }
  })
  expect(second).toBe(first as string)
  return first as string
}

/** Numbers from a seed: a failure repeats. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const octetsOf = (text: string | undefined): Uint8Array => fromBase64Url(text ?? '') as Uint8Array
const bigOctets = (value: bigint): Uint8Array => {
  const digits = value.toString(16)
  return new Uint8Array(Buffer.from(digits.length % 2 === 1 ? `0${digits}` : digits, 'hex'))
}

test('both files export the same functions', () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(native).sort())
  expect(native.workMs()).toBeGreaterThan(0)
  expect(browser.workMs()).toBeGreaterThan(0)
})

describe('hashes', () => {
  const names: HashName[] = [
    ...(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-256'] as const),
    ...(['sha3-256', 'sha3-384', 'sha3-512', 'shake256'] as const),
  ]

  test.each(names)('%s', name => {
    const data = Uint8Array.from({ length: 300 }, (_, i) => i & 255)
    for (const length of [0, 1, 55, 56, 64, 111, 112, 128, 135, 136, 137, 300]) {
      const whole = ask(one => one.hashOf(name, data.subarray(0, length)))
      expect(
        ask(one => one.hashOf(name, data.subarray(0, length >> 1), new Uint8Array(), data.subarray(length >> 1, length))),
      ).toBe(whole)
    }
    expect(ask(one => one.hashOf(name))).toBe(ask(one => one.hashOf(name, new Uint8Array())))
  })
})

describe('RSA', () => {
  const made = (bits: number, publicExponent = 65_537) => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: bits, publicExponent })
    const { n, e } = publicKey.export({ format: 'jwk' }) as { n: string; e: string }
    return { privateKey, key: { modulus: octetsOf(n), exponent: octetsOf(e) } }
  }
  const raw = (privateKey: KeyObject, value: Uint8Array) =>
    new Uint8Array(privateEncrypt({ key: privateKey, padding: rsa.RSA_NO_PADDING }, value))

  test.each([
    [1024, 3],
    [2048, 65_537],
    [3072, 65_537],
  ])('opens what a key of %i bits made', (bits, exponent) => {
    const { privateKey, key } = made(bits, exponent)
    for (const fill of [0, 1, 0x5a]) {
      const value = new Uint8Array(bits / 8).fill(fill, 1)
      expect(ask(one => one.openRsa(key, raw(privateKey, value)))).toBe(toBase64(value))
    }
  })

  test('refuses values of another length or at least the modulus', () => {
    const { key } = made(2048)
    const modulus = BigInt(`0x${Buffer.from(key.modulus).toString('hex')}`)
    expect(ask(one => one.openRsa(key, bigOctets(modulus)))).toBe('undefined')
    expect(ask(one => one.openRsa(key, bigOctets(modulus + 2n)))).toBe('undefined')
    expect(ask(one => one.openRsa(key, new Uint8Array(256).fill(255)))).toBe('undefined')
    expect(ask(one => one.openRsa(key, bigOctets(modulus - 1n)))).not.toBe('undefined')
    for (const length of [0, 1, 255, 257]) expect(ask(one => one.openRsa(key, new Uint8Array(length)))).toBe('undefined')
  })

  test('refuses keys whose operation is not bounded, or has no meaning', () => {
    const value = (modulus: bigint) => new Uint8Array(bigOctets(modulus).length).fill(1, 1)
    const odd = (bits: number) => 2n ** BigInt(bits - 1) + 12_345n
    const results = (
      [
        [odd(2048), 0n],
        [odd(2048), 1n],
        [odd(2048), 2n],
        [odd(2048), 65_536n],
        [odd(2048), 2n ** 33n + 1n],
        [odd(2048), odd(2048) - 2n],
        [odd(2048) + 1n, 3n],
        [odd(511), 3n],
        [odd(64), 3n],
        [1n, 3n],
        [0n, 3n],
        [odd(16_385), 3n],
        [odd(60_000), 65_537n],
        [odd(2048), 3n],
        [odd(2048), 2n ** 33n - 1n],
        [odd(512), 3n],
        [odd(16_384), 65_537n],
      ] as const
    ).map(([modulus, exponent]) =>
      ask(one => one.openRsa({ modulus: bigOctets(modulus), exponent: bigOctets(exponent) }, value(modulus))),
    )
    expect(results.slice(0, 13).filter(result => result !== 'undefined')).toEqual([])
    expect(results.slice(13).filter(result => result === 'undefined')).toEqual([])
    expect(ask(one => one.openRsa({ modulus: new Uint8Array(), exponent: new Uint8Array() }, new Uint8Array()))).toBe('undefined')
  })
})

describe('ECDSA', () => {
  const CURVES = {
    'P-256': p256,
    'P-384': p384,
    'P-521': p521,
    brainpoolP256r1,
    brainpoolP384r1,
    brainpoolP512r1,
  } as const
  const parts = [fromLatin1('one '), new Uint8Array(), fromLatin1('two')]
  const message = concatBytes(...parts)

  /** The signature of the digest, by the library of browsers. */
  function signed(curve: CurveName, hash: HashName) {
    const arithmetic = CURVES[curve]
    const secret = new Uint8Array(arithmetic.Point.Fn.BYTES).fill(7)
    secret[0] = 0
    const digest = native.hashOf(hash, message)
    const sign = (format: 'der' | 'compact') => arithmetic.sign(digest, secret, { prehash: false, lowS: false, format })
    return { arithmetic, secret, der: sign('der'), plain: sign('compact') }
  }

  test.each(Object.keys(CURVES) as CurveName[])('%s', curve => {
    for (const hash of ['sha1', 'sha256', 'sha512', 'sha3-256', 'md5', 'shake256'] as const) {
      const { arithmetic, secret, der, plain } = signed(curve, hash)
      for (const isCompressed of [true, false]) {
        const key = { curve, point: arithmetic.getPublicKey(secret, isCompressed) }
        const verify = (signature: Uint8Array, encoding: EcdsaEncoding, data = parts) =>
          ask(one => one.isEcdsaBy(key, hash, data, signature, encoding))
        expect(verify(der, 'der')).toBe('true')
        expect(verify(plain, 'plain')).toBe('true')
        expect(verify(der, 'der', [message])).toBe('true')
        expect(verify(der, 'der', [message, Uint8Array.of(0)])).toBe('false')
        expect(verify(der, 'plain')).toBe('false')
        expect(verify(plain, 'der')).toBe('false')
      }
    }
  })

  test('the executable and OpenSSL agree with the library of browsers', () => {
    for (const [curve, namedCurve] of [
      ['P-256', 'P-256'],
      ['P-384', 'P-384'],
      ['P-521', 'P-521'],
    ] as const) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
      const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
      const point = concatBytes(Uint8Array.of(4), octetsOf(x), octetsOf(y))
      for (const hash of ['sha256', 'sha384', 'sha512'] as const) {
        const signature = new Uint8Array(sign(hash, message, privateKey))
        expect(ask(one => one.isEcdsaBy({ curve, point }, hash, parts, signature, 'der'))).toBe('true')
      }
    }
  })

  test('numbers out of range and other spellings are refused alike', () => {
    const { arithmetic, secret, der, plain } = signed('P-256', 'sha256')
    const key = { curve: 'P-256', point: arithmetic.getPublicKey(secret, false) } as const
    const order = arithmetic.Point.Fn.ORDER
    const half = (value: bigint) => new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
    const [r, s] = [plain.subarray(0, 32), plain.subarray(32)]
    const asInteger = (value: Uint8Array) => concatBytes(Uint8Array.of(2, value.length), value)
    const asDer = (...integers: Uint8Array[]) => {
      const body = concatBytes(...integers.map(asInteger))
      return concatBytes(Uint8Array.of(0x30, body.length), body)
    }
    const signatures: [Uint8Array, EcdsaEncoding][] = [
      ...[half(0n), half(order), half(order + 1n), new Uint8Array(32).fill(255)].flatMap(number => [
        [concatBytes(r, number), 'plain'] as [Uint8Array, EcdsaEncoding],
        [concatBytes(number, s), 'plain'] as [Uint8Array, EcdsaEncoding],
      ]),
      [new Uint8Array(), 'plain'],
      [new Uint8Array(), 'der'],
      [plain.subarray(1), 'plain'],
      [concatBytes(plain, Uint8Array.of(0)), 'plain'],
      [concatBytes(Uint8Array.of(0), r, Uint8Array.of(0), s), 'plain'],
      [concatBytes(der, Uint8Array.of(0)), 'der'],
      [der.subarray(0, -1), 'der'],
      [asDer(concatBytes(Uint8Array.of(0, 0), r), concatBytes(Uint8Array.of(0), s)), 'der'],
      [asDer(Uint8Array.of(0), Uint8Array.of(1)), 'der'],
      [asDer(Uint8Array.of(0x81), Uint8Array.of(0x81)), 'der'],
      [asDer(new Uint8Array(), new Uint8Array()), 'der'],
      [asDer(Uint8Array.of(1)), 'der'],
      [concatBytes(Uint8Array.of(0x30, 0x81, der.length - 2), der.subarray(2)), 'der'],
      [concatBytes(Uint8Array.of(0x30, 0x80), der.subarray(2), Uint8Array.of(0, 0)), 'der'],
      [Uint8Array.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff), 'der'],
    ]
    for (const [signature, encoding] of signatures)
      expect(ask(one => one.isEcdsaBy(key, 'sha256', parts, signature, encoding))).toBe('false')
    // The greater of the two values of s is valid too.
    const other = half(order - BigInt(`0x${Buffer.from(s).toString('hex')}`))
    expect(ask(one => one.isEcdsaBy(key, 'sha256', parts, concatBytes(r, other), 'plain'))).toBe('true')
  })

  test('points off the curve and other spellings of points are refused alike', () => {
    for (const [name, curve] of Object.entries(CURVES) as [CurveName, typeof p256][]) {
      const secret = new Uint8Array(curve.Point.Fn.BYTES).fill(7)
      secret[0] = 0
      const point = curve.getPublicKey(secret, false)
      const { plain } = signed(name, 'sha256')
      const changed = (at: number, octet: number) => point.map((own, i) => (i === at ? octet : own))
      const isPoint = (octets: Uint8Array) => {
        const key = { curve: name, point: octets }
        const verified = ask(one => one.isEcdsaBy(key, 'sha256', parts, plain, 'plain'))
        const isOn = ask(one => one.isEcPoint(key))
        if (isOn === 'false') expect(verified).toBe('false')
        return isOn
      }
      const coordinate = (point.length - 1) / 2
      const prime = bigOctets(curve.Point.Fp.ORDER)
      expect(isPoint(point)).toBe('true')
      for (const octets of [
        new Uint8Array(),
        Uint8Array.of(0),
        Uint8Array.of(4),
        new Uint8Array(point.length).fill(0).fill(4, 0, 1),
        new Uint8Array(point.length).fill(255).fill(4, 0, 1),
        concatBytes(Uint8Array.of(4), prime, point.subarray(1 + coordinate)),
        concatBytes(Uint8Array.of(2), prime),
        changed(point.length - 1, (point.at(-1) ?? 0) ^ 1),
        changed(0, 6),
        changed(0, 7),
        changed(0, 2),
        changed(0, 5),
        point.subarray(0, -1),
        concatBytes(point, Uint8Array.of(0)),
        point.subarray(1),
      ])
        expect(isPoint(octets)).toBe('false')
    }
  })
})

describe('Ed25519', () => {
  const { Point } = ed25519
  const order = Point.Fn.ORDER
  const little = (value: bigint) => new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse())
  const parts = [fromLatin1('one '), fromLatin1('two')]
  const secret = new Uint8Array(32).fill(9)
  const key = ed25519.getPublicKey(secret)
  const signature = ed25519.sign(concatBytes(...parts), secret)
  const verify = (point: Uint8Array, value: Uint8Array, data = parts) => ask(one => one.isEd25519By(point, data, value))

  test('a signature, a changed message, other lengths', () => {
    expect(verify(key, signature)).toBe('true')
    expect(verify(key, signature, [fromLatin1('one two')])).toBe('true')
    expect(verify(key, signature, [])).toBe('false')
    for (const length of [0, 31, 32, 63]) expect(verify(key, signature.subarray(0, length))).toBe('false')
    for (const length of [0, 31]) expect(verify(key.subarray(0, length), signature)).toBe('false')
    expect(verify(concatBytes(key, Uint8Array.of(0)), signature)).toBe('false')
    expect(verify(new Uint8Array(32).fill(2), signature)).toBe('false')
  })

  test('s at the order and above it', () => {
    const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`)
    for (const value of [s + order, order, 2n ** 256n - 1n, 0n])
      expect(verify(key, concatBytes(signature.subarray(0, 32), little(value)))).toBe('false')
  })

  test('points of small order and other spellings of them', () => {
    // A point of order 8; its multiples are all of small order.
    const torsion = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a')
    const small = Array.from({ length: 8 }, (_, i) => torsion.multiplyUnsafe(BigInt(i)).toBytes())
    const prime = Point.Fp.ORDER
    const spellings = [0n, 1n, 2n, prime - 1n, prime, prime + 1n, 2n ** 255n - 1n].flatMap(y => [
      little(y),
      little(y + 2n ** 255n),
    ])
    const answers = [...small, ...spellings].flatMap(point =>
      [...small, ...spellings].map(commitment => verify(point, concatBytes(commitment, little(0n)))),
    )
    expect(answers).toContain('true')
    expect(answers).toContain('false')
    // A key with a part of small order: the equation with the cofactor would hold.
    const mixed = Point.fromBytes(key).add(torsion).toBytes()
    const challenged = ed25519.sign(concatBytes(...parts), secret)
    verify(mixed, challenged)
    verify(key, concatBytes(Point.fromBytes(signature.subarray(0, 32)).add(torsion).toBytes(), signature.subarray(32)))
  })
})

test('Ed448 is one implementation', () => {
  expect(browser.isEd448By).toBe(native.isEd448By)
  expect(browser.isEd448By(new Uint8Array(57), [], new Uint8Array(114))).toBe(false)
  expect(browser.isEd448By(new Uint8Array(), [], new Uint8Array())).toBe(false)
})

describe('inflate', () => {
  const limits = [1, 100, 16_383, 16_384, 16_385, 99_999, 100_000, 1 << 20]
  const askBoth = (raw: Uint8Array, max: number) => [false, true].map(allowsCut => ask(one => one.inflate(raw, max, allowsCut)))

  test('limits, also of data that would be large', () => {
    const bomb = deflateSync(new Uint8Array(100_000))
    for (const max of limits) {
      const [strict, cut] = askBoth(bomb, max)
      expect(strict?.startsWith('InflateError')).toBe(max < 100_000)
      expect(cut).toBe(strict as string)
    }
    expect(ask(one => one.inflate(deflateSync(new Uint8Array(20_000_000)), 1 << 20))).toBe('InflateError: too_large')
  })

  test('data that end at any octet, or go on', () => {
    const text = fromLatin1('This sentence is there more than once. '.repeat(20))
    for (const strategy of [zlib.Z_DEFAULT_STRATEGY, zlib.Z_FIXED, zlib.Z_HUFFMAN_ONLY]) {
      const raw = deflateSync(text, { strategy })
      for (let length = 0; length < raw.length; length++) {
        const [strict, cut] = askBoth(raw.subarray(0, length), 1 << 20)
        expect(strict).toBe('InflateError: cut')
        expect(cut?.startsWith('InflateError')).toBe(false)
      }
      expect(askBoth(concatBytes(raw, fromLatin1('more')), 1 << 20)).toEqual([toBase64(text), toBase64(text)])
    }
  })

  test('damaged and made-up data', () => {
    const next = numbersFrom(7)
    const found = new Set<string>()
    for (let round = 0; round < 2_000; round++) {
      const data = Uint8Array.from({ length: [0, 1, 50, 1_000, 40_000][next(5)] ?? 0 }, () =>
        next([1, 2, 4, 256][round % 4] ?? 1),
      )
      let raw = new Uint8Array(deflateSync(data.subarray(0, next(data.length + 1)), { level: next(10), strategy: next(5) }))
      const kind = next(4)
      if (kind === 1) raw = raw.slice(0, next(raw.length + 1))
      if (kind === 2) for (let flips = next(3); flips >= 0; flips--) raw[next(raw.length)]! ^= 1 << next(8)
      if (kind === 3)
        raw = Uint8Array.from({ length: 3 + next(300) }, (_, i) => [0x78, 0x9c, (next(32) << 3) | 4 | next(2)][i] ?? next(256))
      const max = [1 + next(50_000), Math.max(1, data.length - next(2)), 1 << 20][next(3)] ?? 1
      for (const answer of askBoth(raw, max)) found.add(answer.startsWith('InflateError') ? answer : 'data')
    }
    expect([...found].sort()).toEqual(['InflateError: cut', 'InflateError: damaged', 'InflateError: too_large', 'data'])
  })
})

test('searching', () => {
  const bytes = fromLatin1('one two onetwo \xffone')
  for (const sought of ['one', 'two', 'o', '\xff', 'none', 'onetwo']) {
    for (let from = -1; from <= bytes.length; from++) {
      if (from >= 0) ask(one => one.indexOfBytes(bytes.subarray(1), sought, from))
      ask(one => one.lastIndexOfBytes(bytes.subarray(1), sought, from))
    }
    ask(one => one.lastIndexOfBytes(bytes, sought))
    ask(one => one.indexOfBytes(bytes, sought))
    expect(ask(one => one.indexOfBytes(new Uint8Array(), sought))).toBe('-1')
    expect(ask(one => one.lastIndexOfBytes(new Uint8Array(), sought))).toBe('-1')
  }
})

describe('ciphers', () => {
  const data = Uint8Array.from({ length: 64 }, (_, i) => i)
  const iv = new Uint8Array(16).fill(3)

  test.each([16, 24, 32])('AES-CBC with a key of %i octets', length => {
    const key = Uint8Array.from({ length }, (_, i) => 255 - i)
    for (const size of [0, 16, 64]) {
      const encrypted = ask(one => one.encryptAesCbc(key, iv, data.subarray(0, size)))
      const octets = new Uint8Array(Buffer.from(encrypted, 'base64'))
      expect(ask(one => one.decryptAesCbc(key, iv, octets))).toBe(toBase64(data.subarray(0, size)))
    }
    for (const size of [1, 15, 17]) {
      expect(ask(one => one.encryptAesCbc(key, iv, data.subarray(0, size)))).toStartWith('RangeError')
      expect(ask(one => one.decryptAesCbc(key, iv, data.subarray(0, size)))).toStartWith('RangeError')
    }
    expect(ask(one => one.decryptAesCbc(key, iv.subarray(1), data))).toStartWith('RangeError')
    expect(ask(one => one.decryptAesCbc(key.subarray(1), iv, data))).toStartWith('RangeError')
  })

  test('RC4 as OpenSSL does it', () => {
    for (const length of [5, 7, 10, 16]) {
      const key = Uint8Array.from({ length }, (_, i) => i * 37)
      const expected = createCipheriv('rc4', key, null).update(data)
      expect(applyRc4(key, data)).toEqual(new Uint8Array(expected))
    }
    expect(applyRc4(Uint8Array.of(1), new Uint8Array())).toEqual(new Uint8Array())
  })
})
