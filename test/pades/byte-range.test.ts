import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { byteRangeError, rangesOf, readHexContents } from '../../src/pades/byte-range.ts'
import {
  ByteRangeError,
  fillContentsInFile,
  newPlaceholder,
  type Placeholder,
  writeByteRange,
} from '../../src/pades/placeholder.ts'
import { digestOf } from '../../src/pki/algorithm.ts'
import { useFolder } from '../support/folders.ts'
import { fillContents } from '../support/seal.ts'

const folder = useFolder()

const latin1 = (text: string): Buffer<ArrayBuffer> => Buffer.from(text, 'latin1')

function fileWith(placeholder: Placeholder, before = 'head ', after = ' tail'): Buffer<ArrayBuffer> {
  return latin1(`${before}/ByteRange [${placeholder.byteRange.join(' ')}] /Contents <${placeholder.contentsHex}>${after}`)
}

describe('the placeholder', () => {
  test('is random, so that no file can contain it before', () => {
    const [one, other] = [newPlaceholder(100, THIS_MACHINE.random), newPlaceholder(100, THIS_MACHINE.random)]
    expect(one.contentsHex).not.toBe(other.contentsHex)
    expect(one.byteRange).not.toEqual(other.byteRange)
    expect(one.contentsHex).toMatch(/^\d{40}0{160}$/)
    for (const number of one.byteRange.slice(1)) expect(String(number)).toHaveLength(10)
  })

  test('is replaced by the range in the same length', () => {
    const placeholder = newPlaceholder(100, THIS_MACHINE.random)
    const bytes = fileWith(placeholder)
    const length = bytes.length
    const range = writeByteRange(bytes, placeholder)
    expect(bytes.length).toBe(length)
    const text = bytes.toString('latin1')
    expect(text).toMatch(/^head \/ByteRange \[0 \d+ \d+ 5 *\] \/Contents </)
    expect(range[0]).toBe(0)
    expect(text[range[1]]).toBe('<')
    expect(text[range[2] - 1]).toBe('>')
    expect(range[2] - range[1]).toBe(202)
    expect(range[2] + range[3]).toBe(length)
  })

  test('may be in the last part of a file: offsets count from the file’s first byte', () => {
    const placeholder = newPlaceholder(100, THIS_MACHINE.random)
    const update = fileWith(placeholder)
    const whole = Buffer.concat([Buffer.alloc(1000, 'x'), fileWith(placeholder)])
    expect(writeByteRange(update, placeholder, 1000)).toEqual(writeByteRange(whole, placeholder))
    expect(whole.subarray(1000)).toEqual(update)
  })

  test('is not confused with similar text', () => {
    const placeholder = newPlaceholder(100, THIS_MACHINE.random)
    const lure = '/Name (/ByteRange [0 9999999999 9999999999 9999999999] /Contents <0000>) '
    const bytes = fileWith(placeholder, lure, lure)
    const [, first] = writeByteRange(bytes, placeholder)
    expect(first).toBeGreaterThan(lure.length)
    expect(bytes.toString('latin1')).toStartWith(lure)
  })

  test.each([
    ['missing', (p: Placeholder) => latin1(`no contents here ${p.byteRange[1]}`)],
    ['duplicated', (p: Placeholder) => Buffer.concat([fileWith(p), fileWith(p)])],
    ['without its brackets', (p: Placeholder) => latin1(fileWith(p).toString('latin1').replace('<', '('))],
    ['in an array of five', (p: Placeholder) => latin1(fileWith(p).toString('latin1').replace(']', ' 1]'))],
  ])('that is %s is refused', (_, make) => {
    const placeholder = newPlaceholder(100, THIS_MACHINE.random)
    expect(() => writeByteRange(make(placeholder), placeholder)).toThrow(ByteRangeError)
  })
})

describe('filling /Contents', () => {
  function prepared(contentsBytes = 100) {
    const placeholder = newPlaceholder(contentsBytes, THIS_MACHINE.random)
    const bytes = fileWith(placeholder)
    return { bytes, byteRange: writeByteRange(bytes, placeholder) }
  }
  const cms = Uint8Array.from({ length: 100 }, (_, i) => 255 - i)

  test('changes no other bytes, and can be repeated', async () => {
    const { bytes, byteRange } = prepared(120)
    const path = join(folder, 'fill.bin')
    writeFileSync(path, bytes)
    const digest = digestOf('sha256', ...rangesOf(bytes, byteRange))
    expect(Buffer.from(digest)).toEqual(
      createHash('sha256').update(bytes.subarray(0, byteRange[1])).update(bytes.subarray(byteRange[2])).digest(),
    )
    fillContents(bytes, byteRange, cms)
    await fillContentsInFile(THIS_FILE_SYSTEM, path, byteRange, cms)
    await fillContentsInFile(THIS_FILE_SYSTEM, path, byteRange, cms)
    expect(readFileSync(path)).toEqual(bytes)
    expect(Buffer.from(digestOf('sha256', ...rangesOf(bytes, byteRange)))).toEqual(Buffer.from(digest))
    const contents = bytes.toString('latin1', byteRange[1], byteRange[2])
    expect(contents).toBe(`<${Buffer.from(cms).toString('hex')}${'0'.repeat(40)}>`)
    expect(readHexContents(latin1(contents))?.bytes.subarray(0, 100)).toEqual(Buffer.from(cms))
  })

  test('accepts a CMS that fits exactly', async () => {
    const { bytes, byteRange } = prepared(100)
    const path = join(folder, 'exact.bin')
    writeFileSync(path, bytes)
    await fillContentsInFile(THIS_FILE_SYSTEM, path, byteRange, cms)
    expect(readFileSync(path, 'latin1')).toContain(`<${Buffer.from(cms).toString('hex')}>`)
  })

  test('refuses a CMS that is one byte too long, names both lengths and does not change the file', async () => {
    const { bytes, byteRange } = prepared(99)
    const before = Buffer.from(bytes)
    const path = join(folder, 'small.bin')
    writeFileSync(path, bytes)
    await expect(fillContentsInFile(THIS_FILE_SYSTEM, path, byteRange, cms)).rejects.toThrow(
      'the CMS has 100 bytes, /Contents holds 99',
    )
    expect(bytes).toEqual(before)
    expect(readFileSync(path)).toEqual(before)
  })

  test('refuses a file that is longer or shorter than its range, or has no /Contents there', async () => {
    const { bytes, byteRange } = prepared()
    for (const [name, content] of [
      ['longer.bin', Buffer.concat([bytes, latin1('x')])],
      ['shorter.bin', bytes.subarray(0, -1)],
      ['none.bin', Buffer.alloc(bytes.length, 'x')],
    ] as const) {
      const path = join(folder, name)
      writeFileSync(path, content)
      await expect(fillContentsInFile(THIS_FILE_SYSTEM, path, byteRange, cms)).rejects.toThrow(ByteRangeError)
      expect(readFileSync(path)).toEqual(Buffer.from(content))
    }
  })
})

describe('reading', () => {
  test.each([
    ['three numbers', [0, 10, 20]],
    ['five numbers', [0, 10, 20, 80, 1]],
    ['a fraction', [0, 10.5, 20, 80]],
    ['a negative number', [0, 10, 20, -80]],
    ['a start after the first byte', [1, 10, 20, 80]],
    ['an empty first range', [0, 0, 20, 80]],
    ['overlapping ranges', [0, 30, 20, 80]],
    ['adjacent ranges', [0, 20, 20, 80]],
    ['an end beyond the file', [0, 10, 20, 81]],
    ['a huge number', [0, 10, 20, 2 ** 53]],
    ['a number whose sum wraps', [0, 10, 2 ** 31, 2 ** 32 - 2 ** 31 + 100]],
  ])('a byte range with %s is refused with a reason', (_, numbers) => {
    expect(byteRangeError(numbers, 100)?.code).toStartWith('byte_range_')
  })

  test('a byte range that ends before the end of the file is valid', () => {
    expect(byteRangeError([0, 10, 20, 80], 100)).toBeUndefined()
    expect(byteRangeError([0, 10, 20, 70], 100)).toBeUndefined()
  })

  test.each(['<0g>', '<0 00>', '<000>', '(00)', '<00', '00>', '<>', '<0\n00>'])('%j is not a /Contents string', contents => {
    expect(readHexContents(latin1(contents))).toBeUndefined()
  })

  test('reports the case of the hexadecimal digits', () => {
    const letters = (contents: string) => readHexContents(latin1(contents))?.letters
    expect([letters('<01>'), letters('<0a>'), letters('<0A>'), letters('<aA>')]).toEqual(['none', 'lower', 'upper', 'mixed'])
  })
})
