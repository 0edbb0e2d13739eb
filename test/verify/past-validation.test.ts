/** What expired, renewed, revoked and future time-stamps prove. EN 319 102-1 §5.6.2. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { certificatesOfPem, readCertificate } from '../../src/pki/x509.ts'
import { describeReport } from '../../src/verify/describe.ts'
import { SEAL_TIME } from '../support/test-pki.ts'
import { verifyBytes } from '../support/written-report.ts'
import { later, proofs, reportOf, sealed, stampedAt, timestamped, tsa, withDss } from './long-term.ts'
import { ocspResponse, type TestTsa, testTsa } from './tokens.ts'

const onDay = (days: number): Date => later(24 * days)
/** The first authority's certificate ends after three years, that of the seal after five. */
const END_OF_FIRST = onDay(3 * 365)
const made = (day: number, name: string, days?: number): TestTsa => testTsa(onDay(day), name, days)
const second = made(1000, 'Second')
const third = made(2000, 'Third')

/** B-LTA on the first day. */
const archived = async () => timestamped(withDss(await sealed(stampedAt(later(1))), await proofs()), later(2))

/** A further document time-stamp, over the validation data of the authorities before it. */
function renewed(bytes: Buffer, day: number, by: TestTsa): Buffer {
  const material = { certificates: [by.root, by.certificate], lists: [by.list({ at: onDay(day) })] }
  return timestamped(withDss(bytes, material), onDay(day), by)
}

describe('a B-LTA file', () => {
  test('that was never renewed is not B-LTA once the authority’s certificate has ended, and says until when it was', async () => {
    const bytes = await archived()
    expect(await reportOf(bytes, { now: END_OF_FIRST })).toMatchObject({ verdict: 'valid', signatures: [{ level: 'B-LTA' }, {}] })
    const until = `The level B-LTA could be proven until ${END_OF_FIRST.toISOString()}.`
    // The certificate of the seal is valid still.
    const lapsed = await reportOf(bytes, { now: onDay(1500) })
    expect(lapsed).toMatchObject({
      verdict: 'valid',
      signatures: [
        { level: 'B-B', time: { provenAt: undefined, timestamp: { trusted: false } } },
        { trust: 'expired', subIndication: 'OUT_OF_BOUNDS_NO_POE', time: { provenAt: undefined } },
      ],
    })
    expect(lapsed.signatures[0]?.levelNotes[0]).toBe(until)
    expect(describeReport(lapsed)).not.toContain('PAdES B-LTA')
    const expired = await reportOf(bytes, { now: onDay(2150) })
    expect(expired).toMatchObject({ verdict: 'signer-unknown', signatures: [{ level: 'B-B', trust: 'expired' }, {}] })
    expect(describeReport(expired)).toContain(until)
    expect(describeReport(expired)).not.toMatch(/^VALID|PAdES B-LTA/m)
  })

  test('that was renewed in time stays B-LTA after the end of every earlier certificate', async () => {
    const authorities = [second, third]
    const twice = renewed(renewed(await archived(), 1001, second), 2001, third)
    for (const day of [1000, 1500, 2150, 2900]) {
      const report = await reportOf(twice.subarray(0), { now: onDay(Math.max(day, 2002)), authorities })
      expect(report).toMatchObject({ verdict: 'valid', signatures: [{ level: 'B-LTA' }, {}, {}, {}] })
      expect(report.signatures[0]?.time.provenAt).toBe(later(1).toISOString())
    }
    const after = await reportOf(twice, { now: onDay(2000 + 3 * 365 + 1), authorities })
    expect(after).toMatchObject({ verdict: 'signer-unknown', signatures: [{ level: 'B-B', trust: 'expired' }, {}, {}, {}] })
    expect(after.signatures[0]?.levelNotes[0]).toContain(`until ${onDay(2000 + 3 * 365).toISOString()}`)
  })

  test('that was renewed too late is proven from the renewal on, not before', async () => {
    const late = renewed(await archived(), 1200, second)
    const report = await reportOf(late, { now: onDay(1300), authorities: [second] })
    expect(report).toMatchObject({
      verdict: 'valid',
      signatures: [{ time: { provenAt: onDay(1200).toISOString() } }, { trust: 'expired' }, { trust: 'trusted' }],
    })
    expect(report.signatures[0]?.level).not.toBe('B-LTA')
    expect(report.signatures[0]?.levelNotes[0]).toContain(`B-LTA could be proven until ${END_OF_FIRST.toISOString()}`)
  })

  test('is not proven by a renewal of an authority that is not trusted', async () => {
    const report = await reportOf(renewed(await archived(), 1001, second), { now: onDay(1500) })
    expect(report).toMatchObject({ signatures: [{ level: 'B-B' }, { trust: 'expired' }, { trust: 'unknown' }] })
  })

  test('is not proven by a renewal whose own certificate has ended', async () => {
    const short = made(1000, 'Short', 200)
    const bytes = renewed(await archived(), 1001, short)
    const at = (day: number) => reportOf(bytes, { now: onDay(day), authorities: [short] })
    expect(await at(1150)).toMatchObject({ signatures: [{ level: 'B-LTA' }, {}, {}] })
    expect(await at(1201)).toMatchObject({ signatures: [{ level: 'B-B' }, { trust: 'expired' }, { trust: 'expired' }] })
    expect((await at(1201)).signatures[0]?.levelNotes[0]).toContain(`until ${onDay(1200).toISOString()}`)
  })
})

describe('a revoked time-stamp authority', () => {
  const TOKEN = later(1)
  const NAMES = ['unspecified', 'keyCompromise', 'cACompromise', 'affiliationChanged', 'superseded', 'cessationOfOperation']
  const REASONS = [undefined, 0, 1, 2, 3, 4, 5, 6, 9, 10].map(
    reason => [reason === undefined ? 'no reason' : (NAMES[reason] ?? `reason ${reason}`), reason] as const,
  )
  const isCompromise = (reason: number | undefined) => reason === undefined || [1, 2, 10].includes(reason)

  const byList = async (revokedAt: Date, reason: number | undefined) => {
    const { certificates, lists } = await proofs()
    return { certificates, lists: [...lists, tsa.list({ at: later(9), revokedAt, ...(reason === undefined ? {} : { reason }) })] }
  }
  const byOcsp = async (revokedAt: Date, reason: number | undefined) => {
    const order = { issuer: tsa.issuer, certificate: tsa.certificate, at: later(9), until: later(99), revokedAt }
    return { ...(await proofs()), responses: [ocspResponse({ ...order, ...(reason === undefined ? {} : { reason }) })] }
  }

  describe.each([
    ['a list', byList],
    ['an OCSP response', byOcsp],
  ] as const)('by %s', (_, material) => {
    // A list says `unspecified` by naming no reason (RFC 5280 §5.3.1).
    test.each(REASONS.filter(([, reason]) => reason !== 0 || material === byOcsp))('for %s', async (__, reason) => {
      const isTrusted = async (revokedAt: Date) => {
        const report = await reportOf(withDss(await sealed(stampedAt(TOKEN)), await material(revokedAt, reason)))
        return report.signatures[0]?.time.timestamp?.trusted
      }
      expect([await isTrusted(later(0.5)), await isTrusted(later(5))]).toEqual([false, !isCompromise(reason)])
    })
  })

  test('lets nothing be proven by its document time-stamp either', async () => {
    const bytes = withDss(await archived(), { lists: [tsa.list({ at: later(9), revokedAt: later(5), reason: 1 })] })
    const report = await reportOf(bytes)
    expect(report).toMatchObject({ verdict: 'valid', signatures: [{ level: 'B-B' }, { trust: 'revoked' }] })
    expect(describeReport(report)).toContain('because its key was compromised: no time-stamp by it proves anything')
  })
})

describe('a time-stamp in the future', () => {
  test.each([
    [0, true],
    [4, true],
    [6, false],
    [400 * 1440, false],
  ])('by %d minutes counts: %p', async (minutes, counts) => {
    const now = later(1)
    const at = new Date(now.getTime() + minutes * 60_000)
    const own = await reportOf(await sealed(stampedAt(at)), { now })
    expect(own.signatures[0]).toMatchObject({ level: counts ? 'B-T' : 'B-B', time: { timestamp: { trusted: counts } } })
    const over = await reportOf(timestamped(await sealed(), at), { now })
    expect(over).toMatchObject({ verdict: 'valid', signatures: [{ level: counts ? 'B-T' : 'B-B' }, {}] })
    if (!counts) expect(describeReport(over)).toContain('more than 5 minutes in the future: it proves no time')
  })
})

const CORPUS = join(import.meta.dir, '../../../shared/corpus/forgeries')
const hasCorpus = existsSync(join(CORPUS, 'q1-TSA-revoked-none-after-genTime.pdf'))
if (!hasCorpus) console.warn('skipped for lack of ../shared/corpus: a file whose authority was revoked')

test.skipIf(!hasCorpus)('the file of the corpus whose authority was revoked without a reason proves no time', () => {
  const read = (end: string) => readFileSync(join(CORPUS, `q1-TSA-revoked-none-after-genTime.${end}`))
  const trusted = (end: string) => certificatesOfPem(read(end).toString()).map(readCertificate)
  const report = verifyBytes(read('pdf'), trusted('trust.pem'), trusted('time.pem'), { now: SEAL_TIME })
  if (report.verdict === 'unreadable') throw new Error(report.reason)
  for (const { time } of report.signatures) expect([time.provenAt, time.timestamp?.trusted ?? false]).toEqual([undefined, false])
  expect(describeReport(report)).toContain('without a reason: no time-stamp by it proves anything')
})
