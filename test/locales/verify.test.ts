/** The texts of the verify page. The type checker finds a missing one. */
import { describe, expect, test } from 'bun:test'
import { LANGUAGES } from '../../src/core/language.ts'
import { catalogueOf } from '../../src/locales/index.ts'
import type { VerdictFacts } from '../../src/locales/verify.ts'

const FACTS: VerdictFacts = { signer: '<signer>', sealer: '<sealer>', time: '<time>', isChanged: false }

describe.each(LANGUAGES)('in %s', language => {
  const { verdicts, isInRecord, details, quoted, notKept, signedOn, approvedOn } = catalogueOf(language).verify

  test('each verdict is one sentence, and different verdicts have different words', () => {
    const sentences = Object.values(verdicts).map(({ sentence }) => sentence(FACTS))
    for (const sentence of sentences) {
      expect(sentence).toEndWith('.')
      expect(sentence.trim().match(/[.!?](?:\s|$)/g)).toHaveLength(1)
    }
    expect(new Set(sentences).size).toBe(sentences.length)
    // Both are valid; only one of them is in the record.
    const { validHere, valid, ...others } = verdicts
    expect(validHere.heading).toBe(valid.heading)
    const headings = [valid, ...Object.values(others)].map(({ heading }) => heading)
    expect(new Set(headings).size).toBe(headings.length)
  })

  test('what is sealed here names the organisation and the time; what is not, the name in the certificate', () => {
    for (const words of [verdicts.validHere.sentence(FACTS), isInRecord(FACTS)]) {
      expect(words).toContain(FACTS.sealer)
      expect(words).toContain(FACTS.time)
    }
    expect(verdicts.valid.sentence(FACTS)).toContain(FACTS.sealer)
    for (const key of ['validChanged', 'unknown', 'revoked', 'expired'] as const)
      expect(verdicts[key].sentence(FACTS)).toContain(FACTS.signer)
    for (const key of ['notValid', 'unknown', 'notSigned', 'unreadable'] as const)
      expect(verdicts[key].advice.join('').length).toBeGreaterThan(20)
  })

  test('every text says what it is given', () => {
    const { signature, timestamp, timeBy, untrustedTimeBy } = details
    for (const words of [quoted('<0>'), notKept('<0>'), signedOn('<0>'), approvedOn('<0>')]) expect(words).toContain('<0>')
    for (const words of [signature(7), timestamp(7)]) expect(words).toContain('7')
    for (const words of [timeBy('<0>', '<1>'), untrustedTimeBy('<0>', '<1>')]) expect(words).toMatch(/<0>.*<1>/)
    expect(timeBy('<0>', '<1>')).not.toBe(untrustedTimeBy('<0>', '<1>'))
  })
})
