/** Dates as they are printed: in the language of the document, or in the pattern of the field. */
import { describe, expect, test } from 'bun:test'
import { dateLanguage, printedDate } from '../../src/core/field/date-format.ts'
import { DATE_FORMATS } from '../../src/core/field/field.ts'
import { LANGUAGES } from '../../src/core/language.ts'

const DAY = '2026-11-02'

describe('without a format', () => {
  test.each([
    ['en', '2 November 2026'],
    ['en-US', 'November 2, 2026'],
    ['de', '2. November 2026'],
    ['fr', '2 novembre 2026'],
    ['es', '2 de noviembre de 2026'],
    ['it', '2 novembre 2026'],
    ['pt', '2 de novembro de 2026'],
    ['nl', '2 november 2026'],
    ['pl', '2 listopada 2026'],
    ['ar', '2 نوفمبر 2026'],
  ])('%s prints %s', (locale, printed) => {
    expect(printedDate(DAY, undefined, dateLanguage(locale, 'en'))).toBe(printed)
  })

  test('January is Jänner in Austria', () => {
    expect(printedDate('2026-01-02', undefined, dateLanguage('de-AT', 'en'))).toBe('2. Jänner 2026')
  })

  test.each([
    [undefined, 'de'],
    ['sv-SE', 'de'],
    ['', 'de'],
  ])('the locale %p leaves the organisation’s language', (locale, language) => {
    expect(printedDate(DAY, undefined, dateLanguage(locale, language as 'de'))).toBe('2. November 2026')
  })

  test.each(['de-12', 'de-a1b2c3d4e', 'en-x-y', 'DE-at-x', 'zh-Hans-CN', 'ar-SA', 'fr-CA-u-ca-buddhist'])(
    'the tag %p, also if it is none, prints a day of the Gregorian calendar',
    locale => {
      expect(printedDate(DAY, undefined, dateLanguage(locale, 'en'))).toContain('2026')
    },
  )
})

test('each format prints its pattern', () => {
  expect(DATE_FORMATS.map(format => printedDate(DAY, format, 'de'))).toEqual([
    '2026-11-02',
    '02.11.2026',
    '02/11/2026',
    '11/02/2026',
    '02-11-2026',
    '2 Nov. 2026',
    '2 November 2026',
    'November 2, 2026',
  ])
  expect(printedDate(DAY, 'D MMMM YYYY', 'pl')).toBe('2 listopada 2026')
})

test('no date has a mark or blank that a font may not have', () => {
  for (const language of LANGUAGES) {
    for (const format of [undefined, ...DATE_FORMATS]) {
      expect(printedDate(DAY, format, dateLanguage(language, 'en'))).not.toMatch(/[\u200e\u200f\u061c\u202f]/)
    }
  }
})

test('a value that is no day is printed as it is', () => {
  for (const value of ['', '2026-13-45', 'soon', '2026-11-02T00:00:00Z'])
    expect(printedDate(value, 'DD.MM.YYYY', 'de')).toBe(value)
})
