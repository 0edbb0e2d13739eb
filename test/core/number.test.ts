/** Numbers: read by a language, stored as JSON number text, printed and shown. */
import { describe, expect, test } from 'bun:test'
import {
  choicesOf,
  enteredNumber,
  isCanonical,
  numberKey,
  numberOf,
  parseNumber,
  printedNumber,
  readEntered,
  readJsonNumber,
  shownNumber,
} from '../../src/core/field/number.ts'
import { LANGUAGES } from '../../src/core/language.ts'

const read = (text: string, language: string) => {
  const parsed = readEntered(text, language)
  return 'number' in parsed ? parsed.number : Object.keys(parsed)[0]
}

describe('what a person enters', () => {
  test.each([
    ['1250', '1250', '1250'],
    ['12.50', '12.50', '12.50'],
    ['12,50', '12.50', '12.50'],
    ['1.250', 'unclear', '1250'],
    ['250.000', 'unclear', '250000'],
    ['1,250', '1250', 'unclear'],
    ['1.250,50', '1250.50', '1250.50'],
    ['1,250.50', '1250.50', '1250.50'],
    ['1.250.000', '1250000', '1250000'],
    ['1 250', '1250', '1250'],
    ['1\u00a0250,5', '1250.5', '1250.5'],
    ['1’250.00', '1250.00', '1250.00'],
    ['0.125', '0.1250', '0.1250'],
    ['1234.567', '1234.5670', '1234.5670'],
    ['1.2340', '1.2340', '1.2340'],
    ['007', '7', '7'],
    ['+5', '5', '5'],
    ['-1.250', 'unclear', '-1250'],
    ['−3', '-3', '-3'],
    ['-0,0', '0.0', '0.0'],
    ['3.1000', '3.10', '3.10'],
    ['12.50 €', 'error', 'error'],
    ['1.25.0', 'error', 'error'],
    ['1e5', 'error', 'error'],
    ['', 'error', 'error'],
  ])('%p is %p in English and %p in German', (text, english, german) => {
    expect([read(text, 'en'), read(text, 'de')]).toEqual([english, german])
  })

  test('every number that is read is JSON number text, and is never unclear again in any language', () => {
    const texts = ['1250', '12.50', '1,5', '0.125', '1234.567', '999.9999', '1.250.000', '007', '-12,3450']
    for (const text of texts)
      for (const language of LANGUAGES) {
        const number = read(text, language) ?? ''
        expect(String(JSON.parse(number))).toBe(String(Number(number)))
        expect(isCanonical(number)).toBe(true)
        for (const other of LANGUAGES) expect([other, read(enteredNumber(number, other), other)]).toEqual([other, number])
      }
  })

  test('what could be two numbers is offered as both, and each can be entered', () => {
    for (const language of LANGUAGES) {
      const parsed = parseNumber('1.234', undefined)
      if (!('unclear' in parsed)) throw new Error('it is clear')
      const entered = choicesOf(parsed, language).map(choice => read(choice.entered, language))
      expect([language, ...entered]).toEqual([language, '1234', '1.2340'])
    }
  })
})

test('a program writes JSON number text: 1.250 has decimals, and a comma of thousands is none', () => {
  const json = (text: string) => Object.values(readJsonNumber(text))[0]
  expect(['1250', '1.250', '12.345', '-0.5', '12,50', '1e3', '1,250', '1 250', '1.250,00'].map(json)).toEqual([
    '1250',
    '1.25',
    '12.3450',
    '-0.5',
    '12.50',
    'malformed',
    'malformed',
    'malformed',
    'malformed',
  ] as never)
})

describe('a stored number', () => {
  test('is printed with the decimals of the document’s language, and without thousands', () => {
    expect(['1250', '1250.50', '12.3450', '2026'].map(text => printedNumber(text, 'de'))).toEqual([
      '1250',
      '1250,50',
      '12,345',
      '2026',
    ])
    expect(['1250.50', '12.3450'].map(text => printedNumber(text, 'en-GB'))).toEqual(['1250.50', '12.345'])
  })

  test('of an earlier release is printed as it was entered, and keeps its meaning in limits and conditions', () => {
    for (const old of ['1.250', '12,50', '+5', '1,250'])
      for (const language of ['en', 'de']) expect(printedNumber(old, language)).toBe(old)
    expect(['1.250', '12,50', '+5'].map(numberOf)).toEqual([1.25, 12.5, 5])
    expect(numberKey('12,50')).toBe(numberKey('12.5'))
  })

  test('is shown with spaces between thousands', () => {
    expect(['1250', '1250.50', '250000', '-1234567', '999'].map(text => shownNumber(text, 'de'))).toEqual([
      '1\u00a0250',
      '1\u00a0250,50',
      '250\u00a0000',
      '-1\u00a0234\u00a0567',
      '999',
    ])
  })
})
