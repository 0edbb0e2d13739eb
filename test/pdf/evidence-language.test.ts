/** The catalogue of the certificate pages. That no word is missing is the type checker's to say. */
import { describe, expect, test } from 'bun:test'
import { unprintable } from '../../src/pdf/coverage.ts'
import { LANGUAGES, wordFor, wordsOf } from '../../src/pdf/evidence-language.ts'

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
  const words = wordsOf(language)

  test('every text says something, says what it is given, and can be printed', () => {
    const texts = textsOf(words)
    expect(texts.length).toBeGreaterThan(100)
    for (const text of texts) {
      expect(text.trim()).toBe(text)
      expect(text).not.toBe('')
      expect(text).not.toContain('undefined')
    }
    expect(unprintable(texts.join(''))).toEqual([])
  })

  test('different roles, events, moments and ways to be identified have different names', () => {
    for (const names of [words.roles, words.events, words.moments, words.identified, words.statuses, words.labels]) {
      expect(new Set(Object.values(names)).size).toBe(Object.keys(names).length)
    }
  })

  test('nothing is promised that the record does not show', () => {
    const { events, check, aboutSeal } = words
    expect(Object.values(events).join(' ')).not.toMatch(/received|reçu|recibid|ricevut|recebid|ontvangen|otrzyma/i)
    expect(aboutSeal('X').join(' ')).toContain('910/2014')
    expect(check.poppler.text).toContain('Signature is Valid')
    expect(check.openssl.text).toContain('CMS Verification successful')
    expect(check.openssl.text).toContain('-no_check_time')
    expect(check.openssl.text).toContain('tr a-f A-F | basenc --base16 -d')
  })
})

describe('the choice of language', () => {
  test('goes by the language of a tag alone, and is English for one the pages do not speak', () => {
    expect(wordsOf('de-AT').heading).toBe(wordsOf('de').heading)
    expect(wordsOf('PT_br')).toBe(wordsOf('pt'))
    for (const tag of ['', 'ja', 'english', 'constructor', '__proto__']) expect(wordsOf(tag)).toBe(wordsOf('en'))
  })

  test('Arabic texts begin with an Arabic letter, which decides that they are read from the right', () => {
    const texts = textsOf(wordsOf('ar')).filter(text => /\p{Script=Arabic}/u.test(text))
    for (const text of texts) expect(text).toMatch(/^[^\p{L}]*\p{Script=Arabic}/u)
  })

  test('what is no code is given back, also where it is the name of a property', () => {
    const { roles } = wordsOf('en')
    expect(wordFor(roles, 'signer')).toBe('Signer')
    for (const word of ['Witness', 'toString', '__proto__', '']) expect(wordFor(roles, word)).toBe(word)
  })
})
