/** The texts of the audit certificate. The type checker finds a missing one. */
import { describe, expect, test } from 'bun:test'
import { LANGUAGES, languageOf } from '../../src/core/language.ts'
import { chooseHanVariant } from '../../src/evidence/model.ts'
import { catalogueOf } from '../../src/locales/index.ts'
import { unprintable } from '../../src/text/coverage.ts'

/** Every text of a language, with marks in place of what is filled in. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') {
    const marks = Array.from({ length: value.length }, (_, i) => `<${i}>`)
    const said: unknown = value(...marks)
    for (const mark of marks) expect(textsOf(said).join(' ')).toContain(mark)
    return textsOf(said)
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

describe.each(LANGUAGES)('in %s', language => {
  const words = catalogueOf(language).evidence

  test('every text says something, says what it is given, and can be printed', () => {
    const texts = textsOf(words)
    expect(texts.length).toBeGreaterThan(90)
    for (const text of texts) {
      expect(text.trim()).toBe(text)
      expect(text).not.toBe('')
      expect(text).not.toContain('undefined')
    }
    expect(unprintable(texts.join(''))).toEqual([])
  })

  test('different roles, events and ways to be identified have different names', () => {
    const { roles, events, identified, labels, signingOrders, ticks } = words
    for (const names of [roles, events, identified, labels, signingOrders, ticks]) {
      expect(new Set(Object.values(names)).size).toBe(Object.keys(names).length)
    }
  })

  test('nothing is promised that the record does not show', () => {
    const { events, aboutSeal } = words
    expect(Object.values(events).join(' ')).not.toMatch(/received|reçu|recibid|ricevut|recebid|ontvangen|otrzyma/i)
    expect(aboutSeal('X', 'PAdES').join(' ')).toContain('910/2014')
  })
})

describe('the choice of language', () => {
  test('goes by the language of a tag alone, and is English for one the pages do not speak', () => {
    expect(languageOf('de-AT')).toBe('de')
    expect(languageOf('PT_br')).toBe('pt')
    for (const tag of [undefined, '', 'ja', 'english', 'constructor', '__proto__']) expect(languageOf(tag)).toBe('en')
    for (const language of LANGUAGES) expect(languageOf(language)).toBe(language)
  })

  test('Arabic texts begin with an Arabic letter, which decides that they are read from the right', () => {
    const texts = textsOf(catalogueOf('ar').evidence).filter(text => /\p{Script=Arabic}/u.test(text))
    for (const text of texts) expect(text).toMatch(/^[^\p{L}]*\p{Script=Arabic}/u)
  })

  test('tells whose Han characters they are only where the language has them', () => {
    expect(['ja-JP', 'ko', 'zh-Hant'].map(chooseHanVariant)).toEqual(['Jpan', 'Kore', 'Hans'])
    expect([undefined, 'de', 'jav', ''].map(chooseHanVariant)).toEqual([undefined, undefined, undefined, undefined])
  })
})
