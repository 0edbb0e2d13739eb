/**
 * Ten simulated years of a sealed document whose time-stamp authority takes its next certificate
 * late. Prints figures; exits 1 when a promise is broken.
 */
import { inYears, openRenewals } from '../test/support/renewals.ts'
import { daysInMs } from '../test/support/rotating-tsa.ts'
import { exitCode, report } from './faults-report.ts'

/** Days of overlap of an authority's certificates, each valid for three years. */
for (const overlap of [365, 60, 7, 2]) {
  const renewals = await openRenewals(3 * 365, daysInMs(overlap))
  const pauses = await renewals.runUntil(inYears(9.9))
  const { tokens, certificates } = renewals.tsa.counts()
  const { verdict, level, timestamps, bytes } = await renewals.report()
  await renewals.close()
  const isKept = verdict === 'valid' && level === 'B-LTA' && timestamps === certificates && Math.min(...pauses) >= daysInMs(1)
  const what = `renewal over ten years, the next certificate ${overlap} days before the end`
  const figures = `${verdict} ${level}, ${timestamps} time-stamps of ${certificates} certificates, ${tokens} requests, ${bytes} bytes`
  report(what, isKept, figures)
}
process.exit(exitCode())
