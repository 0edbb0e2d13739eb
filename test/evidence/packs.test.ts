/** Packs of the release before verify as before, and each false pack is found by its own check. */
import { describe, expect, test } from 'bun:test'
import { verifyPack } from '../../src/evidence/pack/verify-pack.ts'
import { englishOfRemark } from '../../src/locales/remarks.ts'
import { falsePacks, formerPacks, otherForms, PACK_TIME, packsOfTests } from '../support/packs.ts'

const verified = (bytes: Uint8Array) => verifyPack(bytes, { now: PACK_TIME })

describe('a pack of the release before is valid', () => {
  test.each(formerPacks().map(({ name, bytes }) => [name, bytes] as const))('%s', (_, bytes) => {
    const report = verified(bytes)
    if (report.verdict === 'unreadable') throw new Error(englishOfRemark(report.reason))
    expect(report.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'not-checked')).toEqual([])
    expect([report.verdict, report.people.length, report.sealedEntry?.sequence]).toEqual(['valid', 2, 11])
  })

  test('also in other forms of ZIP', () => {
    expect(otherForms().map(({ name, bytes }) => [name, verified(bytes).verdict])).toEqual(
      otherForms().map(({ name }) => [name, 'valid']),
    )
  })
})

describe('a false pack is found', () => {
  test.each(falsePacks().map(one => [one.name, one] as const))('%s', (_, { bytes, found, isNote }) => {
    const report = verified(bytes)
    if (report.verdict === 'unreadable') {
      expect(report.reason.code).toBe(found)
      return
    }
    const outcome = isNote ? 'note' : 'failed'
    const codes = report.checks.flatMap(check => (check.outcome === outcome ? [check.remark.code] : []))
    expect(codes).toContain(found)
    expect(report.verdict).toBe(isNote ? 'valid' : 'not-valid')
  })
})

test('the table has packs of each kind', () => {
  expect(packsOfTests().length).toBeGreaterThan(30)
})
