/** The texts of the page that verifies on the device of its reader. */
import { describe, expect, test } from 'bun:test'
import { LANGUAGES } from '../../src/core/language.ts'
import { localVerifyTextsOf } from '../../src/locales/local-verify.ts'

describe.each(LANGUAGES)('in %s', language => {
  const { problems, pack, trust, record, about, ...page } = localVerifyTextsOf(language)

  test('each reason why a file is not verified has words of its own, and says what to do', () => {
    const all = Object.values(problems)
    expect(new Set(all.map(({ heading }) => heading)).size).toBe(all.length)
    for (const { sentence } of all) expect(sentence.match(/[.:!?](?:\s|$)/g)?.length ?? 0).toBeGreaterThanOrEqual(2)
  })

  test('each verdict on a pack names its document; that by its own certificate is another than valid', () => {
    for (const { heading, sentence } of Object.values(pack.verdicts)) {
      expect(heading.length).toBeGreaterThan(3)
      expect(sentence('<title>')).toContain('<title>')
    }
    const headings = Object.values(pack.verdicts).map(({ heading }) => heading)
    expect(new Set(headings).size).toBe(headings.length)
    expect(pack.verdicts.validByPack.advice.join('').length).toBeGreaterThan(60)
  })

  test('every text says what it is given', () => {
    for (const words of [trust.given('<0>'), trust.instance('<0>'), trust.purpose('<0>'), trust.remove('<0>')])
      expect(words).toContain('<0>')
    for (const words of [page.staysHere('<0>'), record.ask('<0>'), about.version('<0>')]) expect(words).toContain('<0>')
    expect(record.known('<0>', '<1>')).toMatch(/<0>.*<1>/)
    expect(page.reading('<0>', 42)).toMatch(/<0>.*42/)
    expect(page.checking('<0>', 42)).toMatch(/<0>.*42/)
  })
})
