/** Codes of languages, as people and programs send them. */
import { expect, test } from 'bun:test'
import { localeError } from '../../src/core/language.ts'

test('the code of a language is one, with or without pages in it', () => {
  for (const tag of ['de', 'pt-BR', 'zh_Hans', 'SW', 'yue', '', undefined, null]) expect(localeError(tag)).toBeUndefined()
})

test('what is no code is refused, whatever characters it has', () => {
  for (const tag of ['xx', 'x', '12', 'ü', 'de fr', 'abcdefghi', 'root', '"', '\0', '%', '-de'])
    expect(localeError(tag)?.code).toBe('unknown_language')
})
