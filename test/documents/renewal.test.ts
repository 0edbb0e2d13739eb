/** Ten simulated years of renewals: proven to the end, and no time-stamp too many. */
import { afterEach, describe, expect, test } from 'bun:test'
import { inYears, openRenewals, type Renewals } from '../support/renewals.ts'
import { daysInMs } from '../support/rotating-tsa.ts'
import { START } from '../support/test-app.ts'

let renewals: Renewals
afterEach(() => renewals.close())

describe('over ten years', () => {
  test.each([
    ['a year before its end', 3 * 365, daysInMs(365)],
    ['80 days before its end', 3 * 365, daysInMs(80)],
    ['30 days before its end', 365, daysInMs(30)],
    ['two days before its end', 365, daysInMs(2)],
  ])(
    'with an authority that takes a new certificate %s, the level stays and each certificate gets one renewal',
    async (_, days, rotatesBeforeEndMs) => {
      renewals = await openRenewals(days, rotatesBeforeEndMs)
      const pauses = await renewals.runUntil(inYears(9.9))
      const { tokens, certificates } = renewals.tsa.counts()
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(daysInMs(1))
      // Beside the one of the signature, one at completion and one for each later certificate.
      expect(await renewals.report()).toMatchObject({ verdict: 'valid', level: 'B-LTA', timestamps: certificates })
      // A certificate that is still used is met a few times only, its rest halved each time.
      // One more is in the receipt of the person who signed.
      expect(tokens).toBe(pauses.length + 3)
      expect(pauses.length).toBeLessThan(certificates * 10)
    },
    60_000,
  )

  test('with an authority whose next certificate comes after the end, the level is made anew, by two time-stamps', async () => {
    renewals = await openRenewals(3 * 365, 0)
    const pauses = await renewals.runUntil(inYears(4))
    expect(renewals.tsa.counts().certificates).toBe(2)
    expect(await renewals.report()).toMatchObject({ verdict: 'valid', level: 'B-LTA', timestamps: 3 })
    expect(pauses.filter(ms => ms < daysInMs(1))).toHaveLength(1)
  })
})

test('a level that is never reached adds nothing to the file, and is tried once a day', async () => {
  renewals = await openRenewals(365, daysInMs(30))
  const { t, report, plannedAt, runSchedule } = renewals
  const { verify } = t.app.pdf
  t.app.pdf.verify = async order => {
    const found = await verify(order)
    if (found.verdict === 'unreadable') return found
    return { ...found, signatures: found.signatures.map(one => ({ ...one, level: 'B-T' as const })) }
  }
  const now = t.clock.now.toISOString()
  await t.app.write(tx => tx.updateTable('sealed_versions').set({ level: 'B-T', augment_at: now }).execute())
  const { bytes } = await report()
  for (let tries = 0; tries < 5; tries++) {
    await runSchedule()
    const at = await plannedAt()
    expect(at.getTime() - t.clock.now.getTime()).toBe(daysInMs(1))
    t.clock.now = at
  }
  expect((await report()).bytes).toBe(bytes)
})

test('a date in the past, as the release before stored it, makes one time-stamp a day at most', async () => {
  renewals = await openRenewals(100, daysInMs(99.99))
  const { t, report, runSchedule } = renewals
  const { timestamps } = await report()
  for (let hour = 0; hour < 20; hour++) {
    t.clock.pass({ hours: 1 })
    const past = START.toISOString()
    await t.app.write(tx => tx.updateTable('sealed_versions').set({ augment_at: past }).execute())
    await runSchedule()
  }
  expect((await report()).timestamps).toBe(timestamps)
  // Of the signature, of the document, and of the receipt.
  expect(renewals.tsa.counts().tokens).toBe(3)
})
