/** ToUnicode CMaps as products write them, and damaged ones. ISO 32000-2 §9.10.3. */
import { describe, expect, test } from 'bun:test'
import { readToUnicode } from '../../../src/pdf/parser/to-unicode.ts'

const read = (cmap: string) => Object.fromEntries(readToUnicode(Buffer.from(cmap, 'latin1')))

describe('a ToUnicode CMap', () => {
  test('maps single codes, of one octet or two, to any number of characters', () => {
    expect(read('2 beginbfchar\n<01> <0041>\n<0002> <00660069>\nendbfchar')).toEqual({ '01': 'A', '0002': 'fi' })
    expect(read('1 beginbfchar <1F> <D83DDE00> endbfchar')).toEqual({ '1f': '😀' })
    expect(read('1 beginbfchar <03> <20> endbfchar')).toEqual({ '03': ' ' })
    expect(read('1 beginbfchar <00 03> <00\n2E> endbfchar')).toEqual({ '0003': '.' })
  })

  test('maps ranges, counted up or listed', () => {
    expect(read('1 beginbfrange <08> <0a> <0058> endbfrange')).toEqual({ '08': 'X', '09': 'Y', '0a': 'Z' })
    expect(read('2 beginbfrange <01> <02> [<0041> <005f>] <0ff> <100> <0061> endbfrange')).toMatchObject({
      '01': 'A',
      '02': '_',
    })
  })

  test('has no text for a code that it maps to two', () => {
    expect(read('2 beginbfchar <01> <002e> <01> <0031> endbfchar 1 beginbfchar <01> <002e> endbfchar')).toEqual({})
    expect(read('2 beginbfchar <01> <002e> <01> <002e> endbfchar')).toEqual({ '01': '.' })
  })

  test('is read as far as it goes when it is damaged', () => {
    expect(read('beginbfchar <01> <0041>')).toEqual({})
    expect(read('beginbfchar <01> endbfchar beginbfrange <01> <02> [<0041> endbfrange')).toEqual({ '01': 'A' })
    expect(read('beginbfchar <01> <004142> endbfchar')).toEqual({})
  })

  test('is bounded', () => {
    const ranges = '<00000000> <ffffffff> <0041> '.repeat(1_000)
    expect(Object.keys(read(`beginbfrange ${ranges} endbfrange`)).length).toBeLessThanOrEqual(70_000)
    expect(read('beginbfchar '.repeat(100_000))).toEqual({})
    const text = '0041'.repeat(256)
    expect(read(`beginbfrange <0001> <0002> <${text}> endbfrange`)).toEqual({
      '0001': 'A'.repeat(256),
      '0002': `${'A'.repeat(255)}B`,
    })
    expect(read(`beginbfrange <0001> <ffff> <${text}0041> endbfrange`)).toEqual({})
    expect(read(`beginbfchar <${'0'.repeat(9)}1> <0041> endbfchar`)).toEqual({})
    expect(read('beginbfrange <0001> <fffffffffffff> <0041> endbfrange')).toEqual({})
  })

  test('comes to an end also where codes are too large to be counted up, and one of them has two texts', () => {
    const large = '<40000000000000>'
    const doubled = `beginbfchar ${large} <0041> ${large} <0042> endbfchar`
    expect(read(`${doubled} beginbfrange ${large} <7fffffffffffff> <0043> endbfrange`)).toEqual({})
  })
})
