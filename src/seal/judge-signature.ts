/**
 * Judges one signature of a PDF: that its dictionary, its CMS and its time-stamps hold, where its certificate comes from, when it was made as far as
 * anybody trusted says so, and which level it reaches. ISO 32000-2 §12.8.1; EN 319 142-1 §6.
 */

import { createHash } from 'node:crypto'
import type { PdfFile } from '../pdf/file.ts'
import type { SignatureReport } from '../pdf/order.ts'
import type { Hash } from './algorithm.ts'
import { type ByteRange, digestRanges } from './byte-range.ts'
import type { Certificate } from './certificate.ts'
import { judgeCms, readSignedCms, signatureTimeStamps } from './cms-read.ts'
import { DerError } from './der.ts'
import {
  type DocumentTimeStamp,
  type Grounds,
  type JudgedSignature,
  judgeToken,
  namesOf,
  type TokenVerdict,
} from './judge-time-stamp.ts'
import { judgeLevel, type LevelVerdict } from './levels.ts'
import { checkDictionary, type Findings, judgeTail, readByteRange, readContents } from './signature-dictionary.ts'
import { certificationLevel, readDate, type SignatureField } from './signature-fields.ts'
import { judgeOrigin, type Origin } from './trust.ts'

/** What the CMS of a signature says. */
interface CmsFacts {
  signer: Certificate | undefined
  companions: readonly Certificate[]
  stamps: TokenVerdict[]
  ownForm: boolean
  /** The CMS is what EN 319 142-1 §6.3 asks of a baseline signature. */
  isBaseline: boolean
}

function judgeContents(
  file: PdfFile,
  field: SignatureField,
  { byteRange, subFilter, signed }: { byteRange: ByteRange; subFilter: string; signed: PdfFile },
  grounds: Grounds,
  findings: Findings,
): CmsFacts | undefined {
  const contents = readContents(file, field, byteRange, findings)
  if (contents === undefined || findings.broken.length + findings.unsupported.length > 0) return undefined
  try {
    const cms = readSignedCms(contents.gap)
    const certifies = certificationLevel(signed, field.value) === 1
    const verdict = judgeCms({ cms, digest: hash => digestRanges(file.bytes, byteRange, hash), subFilter, certifies })
    if (verdict.ownForm && !contents.lowerCase)
      findings.faults.push('/Contents is not in lower-case digits, as a seal of this form has it.')
    findings.broken.push(...verdict.broken)
    findings.unsupported.push(...verdict.unsupported)
    findings.faults.push(...verdict.faults)
    const digestOf = (hash: Hash) => createHash(hash).update(cms.signer.signature).digest()
    const stamps = signatureTimeStamps(cms).map(der => judgeToken(der, digestOf, grounds))
    for (const { broken, unsupported } of stamps)
      findings.faults.push(...[...broken, ...unsupported].map(why => `Time-stamp of the signature: ${why}`))
    const companions = cms.certificates.filter(one => one !== verdict.signer)
    const isBaseline = subFilter === 'ETSI.CAdES.detached' && verdict.faults.length === 0
    return { signer: verdict.signer, companions, stamps, ownForm: verdict.ownForm, isBaseline }
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    findings.broken.push(`The CMS is refused: ${error.message}.`)
    return undefined
  }
}

/** The earliest time that somebody trusted has seen the signature, if anybody has. */
function earliest(times: readonly (Date | undefined)[]): Date | undefined {
  const found = times.filter(time => time !== undefined).map(time => time.getTime())
  return found.length === 0 ? undefined : new Date(Math.min(...found))
}

/** Origin, time and level of a signature whose CMS could be read. */
interface Standing {
  origin: Origin
  level: LevelVerdict
}

function judgeStanding(
  facts: CmsFacts & { signer: Certificate },
  later: readonly DocumentTimeStamp[],
  claimedAt: Date | undefined,
  grounds: Grounds,
): Standing {
  const { signer, companions, stamps, ownForm } = facts
  const provenAt = earliest([...stamps, ...later].map(stamp => (stamp.trusted ? stamp.at : undefined)))
  const origin = judgeOrigin({
    signer,
    companions,
    trust: grounds.trust,
    at: provenAt ?? claimedAt,
    timeIs: provenAt === undefined ? 'claimed' : 'time-stamped',
    known: grounds.material.certificates,
    strict: ownForm,
  })
  const level = judgeLevel({
    path: origin.path,
    timeStampPaths: stamps.filter(stamp => stamp.intact).map(stamp => stamp.path),
    documentTimeStamps: later,
    material: grounds.material,
    provenAt,
    claimedAt,
  })
  return { origin, level }
}

/** The verdict on one field's signature. `stamps` are the intact document time-stamps of the file. @throws PdfSyntaxError when what the dictionary points to cannot be read */
export function judgeSignature(
  file: PdfFile,
  field: SignatureField,
  grounds: Grounds,
  stamps: readonly DocumentTimeStamp[],
): JudgedSignature {
  const findings: Findings = { broken: [], unsupported: [], faults: [] }
  const subFilter = checkDictionary(field, false, findings)
  const claimedAt = readDate(file.resolve(field.value.entries.get('M')).value)
  const byteRange = readByteRange(field.value, file.bytes.length, findings)
  const tail = byteRange && judgeTail(file, field, byteRange, findings)
  const facts = byteRange && tail && judgeContents(file, field, { byteRange, subFilter, signed: tail.signed }, grounds, findings)
  const end = byteRange === undefined ? 0 : byteRange[2] + byteRange[3]
  const later = stamps.filter(stamp => stamp.covers >= end).sort((a, b) => a.covers - b.covers)
  const { signer } = facts ?? {}
  const standing =
    facts === undefined || signer === undefined ? undefined : judgeStanding({ ...facts, signer }, later, claimedAt, grounds)
  const isIntact = findings.broken.length + findings.unsupported.length === 0
  const report: SignatureReport = {
    kind: 'signature',
    field: field.name,
    subFilter,
    level: isIntact && facts?.isBaseline === true ? standing?.level.level : undefined,
    timeStamp: facts?.stamps[0]?.stamp,
    ...namesOf(signer),
    claimedAt: claimedAt?.toISOString(),
    coversWholeFile: byteRange !== undefined && end === file.bytes.length,
    integrity: isIntact ? 'sound' : 'broken',
    origin: standing?.origin.trusted === true ? 'trusted' : 'untrusted',
    reasons: [
      ...findings.broken,
      ...findings.unsupported,
      ...findings.faults,
      ...(standing?.level.reasons ?? []),
      ...(standing?.origin.reasons ?? []),
    ],
  }
  const notes = isIntact ? (standing?.level.notes ?? []) : []
  return {
    report,
    additions: [...(tail?.additions ?? []), ...notes],
    ownForm: facts?.ownForm === true,
    unverified: (facts?.stamps ?? []).flatMap(stamp => stamp.unverified),
    paths: [...(standing?.origin.path ?? []), ...(facts?.stamps ?? []).flatMap(stamp => stamp.path)],
    signed: tail?.signed,
  }
}
