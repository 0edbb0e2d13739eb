/** What is wrong with a value is said in each language, with all that the code comes with. */
import { describe, expect, test } from 'bun:test'
import { FEATURE_NAMES } from '../../src/core/feature.ts'
import { errorAt, errorsIn, InvalidInputError, refuseIfInvalid } from '../../src/core/refusal.ts'
import { type Violation, type ViolationCode, violation } from '../../src/core/violation.ts'
import { appTextsOf, errorText } from '../../src/locales/app.ts'
import { paramsOf, storedTranslator } from '../../src/locales/coded-text.ts'
import { storedText } from '../../src/locales/de/app/stored-text.ts'
import { violations as german } from '../../src/locales/de/violations.ts'
import { sentences } from '../../src/locales/en/sentences.ts'
import { violations as english } from '../../src/locales/en/violations.ts'
import { englishOf, englishOfRefusal, type ViolationTexts } from '../../src/locales/violations.ts'

/** German leaves out what only a program needs: paths, types of fields, and members of a schema. */
const UNSAID = new Set<string>([
  'mailbox_of_recipient',
  'malformed_id',
  'not_for_type',
  'box_beside_options',
  'choices_missing',
  'type_not_for_sender',
  'mark_of_approver',
  'not_prefillable',
  'wrong_type',
  'not_one_of',
  'wrong_form',
  'schema_mismatch',
  'changed_meanwhile',
  'pdf_beyond_limits',
  'pdf_not_sealable',
  'pdf_not_processed',
  'pdf_not_joined',
  'files_not_joined',
  'seal_certificate_revoked',
  'links_only_while_out',
  'locked_out_anyway',
  'method_not_allowed',
  'body_of_other_type',
])
/** Their texts say a number or a name in other words. */
const COMPUTED = new Set<string>([
  'sign_in_delayed',
  'document_over',
  'document_not_a_draft',
  'document_not_ended',
  'document_labels_only',
  'recipients_not_correctable',
  'recipient_not_correctable',
  'upgrade_unfinished',
])
/** Of these, the English words do not tell enough. */
const UNTOLD = new Set<string>(['wrong_type', 'schema_mismatch', 'unknown_part', 'pdf_beyond_limits', ...COMPUTED])
const fromEnglish = storedTranslator([[english, german]], text => text)
const isSentence = (code: string) => code in sentences || /^(pdf|files|url|network)_/.test(code)

/** In place of each param is its name. */
function sampleOf(texts: ViolationTexts, code: ViolationCode, flag: boolean) {
  const read = new Set<string>()
  const partOf = (name: string) => {
    read.add(name)
    return `‹${name}›`
  }
  const text = String(texts[code](paramsOf(partOf, { flag, isOne: false })))
  return { text, read: [...read].sort() }
}

/** All but the words of the verifier. */
const CODES = (Object.keys(english) as ViolationCode[]).filter(code => code !== 'seal_key_origin')
const ALL = CODES.flatMap(code => [true, false].map(flag => ({ code, flag })))

describe.each(ALL)('$code, $flag', ({ code, flag }) => {
  const [inEnglish, inGerman] = [sampleOf(english, code, flag), sampleOf(german, code, flag)]

  test('has words in English and in German, which are not the same', () => {
    expect(inEnglish.text).not.toBe(inGerman.text)
    expect(inGerman.text).not.toMatch(/\b(the|must|cannot|please|already|has|again)\b/i)
  })

  test('says everything that it comes with; a clause ends without a full stop, a sentence with one', () => {
    if (!UNSAID.has(code)) expect(inGerman.read).toEqual(inEnglish.read)
    for (const { text, read } of [inEnglish, inGerman]) {
      if (!COMPUTED.has(code)) for (const name of read) expect(text).toContain(name)
      if (!isSentence(code)) expect(text).not.toMatch(/[.!?]$/)
      else if (code in sentences) expect(text).toMatch(/([.!?]|‹reason›)$/)
    }
  })

  test.if(!UNTOLD.has(code))('is found by its English words, as earlier releases have stored them', () => {
    expect(fromEnglish(inEnglish.text)).toBe(inGerman.text)
  })
})

test.each(FEATURE_NAMES)('that an upgrade is unfinished is German too, from its English words: %s', feature => {
  expect(storedText(english.upgrade_unfinished({ feature }))).toBe(german.upgrade_unfinished({ feature }))
})

describe('a refusal that lists what is wrong', () => {
  const refusalOf = (errors: Parameters<typeof refuseIfInvalid>[0]): InvalidInputError => {
    try {
      refuseIfInvalid(errors)
    } catch (error) {
      if (error instanceof InvalidInputError) return error
    }
    throw new Error('it was not refused')
  }

  test('says the first in the words of the API, and how many more there are', () => {
    const one = errorAt('recipients[0].name', violation('empty'))
    expect(englishOfRefusal(refusalOf([one]))).toBe('recipients[0].name: must not be empty')
    expect(englishOfRefusal(refusalOf([one, one, one]))).toBe('recipients[0].name: must not be empty (and 2 more, see details)')
  })

  test('says the words of a parser in the language of the page, where it knows them', () => {
    const said = (found: Violation) => errorText(appTextsOf('de'), errorAt('url', found))
    expect(said(violation('url_port_zero'))).toBe('Die URL darf nicht den Port 0 nennen.')
    expect(said(violation('not_reachable', { reason: 'colour it blue' }))).toBe('muss erreichbar sein: colour it blue')
    expect(englishOf(errorAt('s3', violation('not_reachable', { reason: 'colour it blue' })))).toBe(
      'must be reachable: colour it blue',
    )
  })

  test('is none if no rule has found anything', () => {
    expect(errorsIn([['title', undefined]])).toEqual([])
    expect(() => refuseIfInvalid([])).not.toThrow()
  })
})
