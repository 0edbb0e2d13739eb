/** Sealed files at a fixed time, with time-stamps and material by an authority in memory. */
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { rangesOf } from '../../src/pades/byte-range.ts'
import { createSignedData } from '../../src/pades/cms.ts'
import { newPlaceholder, writeByteRange } from '../../src/pades/placeholder.ts'
import { openForUpdate } from '../../src/pdf/inspect/open-for-update.ts'
import { makeDssUpdate } from '../../src/pdf/writer/dss.ts'
import { makeTimestampIncrement } from '../../src/pdf/writer/increment.ts'
import { digestOf } from '../../src/pki/algorithm.ts'
import { issueRevocationList } from '../../src/pki/issue.ts'
import { readCertificate } from '../../src/pki/x509.ts'
import type { VerificationReport } from '../../src/verify/report.ts'
import { fillContents } from '../support/seal.ts'
import { SEAL_TIME, sharedAuthority } from '../support/test-pki.ts'
import { verifyBytes } from '../support/written-report.ts'
import { plainPdf, sealTiny, type TinySealOptions } from './tiny-pdf.ts'
import { sha256, signatureValue, type TestTsa, testTsa, withUnsigned } from './tokens.ts'

const HOUR_MS = 3_600_000
export const later = (hours: number): Date => new Date(SEAL_TIME.getTime() + hours * HOUR_MS)
export const tsa = testTsa(SEAL_TIME)
export const stranger = testTsa(SEAL_TIME, 'Stranger')

/** `now`: by default a day after the seal; `revocationLists`: in addition to those in the file. */
interface ReportOptions {
  trustsTime?: boolean
  now?: Date
  /** Time-stamp authorities trusted in addition. */
  authorities?: readonly TestTsa[]
  revocationLists?: readonly Uint8Array[]
}

export async function reportOf(
  bytes: Uint8Array,
  { trustsTime = true, authorities = [], ...more }: ReportOptions = {},
): Promise<VerificationReport<string>> {
  const { root } = await sharedAuthority()
  const times = [...(trustsTime ? [tsa.root] : []), ...authorities.map(one => one.root)]
  const report = verifyBytes(bytes, [readCertificate(root.certificateDer)], times.map(readCertificate), {
    now: later(24),
    ...more,
  })
  if (report.verdict === 'unreadable') throw new Error(report.reason)
  return report
}

export type Stamper = (cms: Uint8Array) => Uint8Array
export const stampedAt =
  (at: Date, by = tsa): Stamper =>
  cms =>
    withUnsigned(cms, { values: [by.token({ digest: sha256(signatureValue(cms)), at })] })

export async function sealed(stamp: Stamper = cms => cms, order: Partial<TinySealOptions> = {}): Promise<Buffer> {
  const { key } = await sharedAuthority()
  const cms = async (digest: Uint8Array) => stamp(await createSignedData({ digest, key }))
  return sealTiny({ base: await plainPdf(), key, cms, contentsBytes: 4000, ...order })
}

export interface DssObjects {
  certificates?: Uint8Array[]
  lists?: Uint8Array[]
  responses?: Uint8Array[]
}

export type Proofs = Required<Pick<DssObjects, 'certificates' | 'lists'>>

/** The complete validation data, one hour after the seal. */
export async function proofs(order: { revokedAt?: Date; until?: Date } = {}): Promise<Proofs> {
  const { root, leaf } = await sharedAuthority()
  const list = issueRevocationList({
    root,
    thisUpdate: later(1),
    nextUpdate: order.until ?? later(700),
    number: 1,
    revoked: order.revokedAt
      ? [{ serial: readCertificate(leaf.certificateDer).serial, revokedAt: order.revokedAt, reason: 1 }]
      : [],
  })
  const certificates = [root.certificateDer, leaf.certificateDer, tsa.root, tsa.certificate]
  return { certificates, lists: [list, tsa.list({ at: later(1) })] }
}

export function withDss(bytes: Buffer, { certificates = [], lists = [], responses = [] }: DssObjects): Buffer {
  const update = makeDssUpdate(
    openForUpdate(bytes),
    { certificates, ocspResponses: responses, revocationLists: lists },
    ['00'],
    THIS_MACHINE.random(16),
  )
  return Buffer.concat([bytes, update ?? Buffer.of()])
}

export function timestamped(bytes: Buffer, at: Date, by = tsa): Buffer {
  const placeholder = newPlaceholder(3000, THIS_MACHINE.random)
  const out = Buffer.concat([bytes, makeTimestampIncrement(openForUpdate(bytes), placeholder, THIS_MACHINE.random(16)).bytes])
  const range = writeByteRange(out.subarray(bytes.length), placeholder, bytes.length)
  fillContents(out, range, by.token({ digest: digestOf('sha256', ...rangesOf(out, range)), at }))
  return out
}
