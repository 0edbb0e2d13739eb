/**
 * Judges one signature of a PDF: that its dictionary, its CMS and its time-stamps hold, where its certificate comes from, when it was made as far as
 * anybody trusted says so, and which level it reaches. ISO 32000-2 §12.8.1; EN 319 142-1 §6.
 */

import { type ByteRange, rangesOf } from '../pades/byte-range.ts'
import type { PdfFile } from '../pdf/parser/file.ts'
import { readCertificationLevel, readDate, type SignatureField } from '../pdf/parser/signature-fields.ts'
import { digestOf, type Hash } from '../pki/algorithm.ts'
import { DerError } from '../pki/der.ts'
import { deriveIndication, deriveTrust, type Finding, newFailure, newSignatureFinding } from '../pki/finding.ts'
import { type Origin, verifyOrigin } from '../pki/trust.ts'
import type { Certificate } from '../pki/x509.ts'
import { type CmsVerdict, judgeCms, readSignedCms, signatureTimestamps } from './cms.ts'
import { judgeLevel, type LevelVerdict } from './levels.ts'
import type { SignatureReport } from './report.ts'
import {
  checkDictionary,
  integrityOf,
  judgeTail,
  type ProblemsFound,
  readByteRange,
  readContents,
} from './signature-dictionary.ts'
import {
  type DocumentTimestamp,
  type Grounds,
  type JudgedSignature,
  judgeToken,
  namesOf,
  type TokenVerdict,
} from './timestamp.ts'

/** What the CMS of a signature says. */
interface CmsFacts {
  signer: Certificate | undefined
  companions: readonly Certificate[]
  stamps: TokenVerdict[]
  ownForm: boolean
  /** The CMS is what EN 319 142-1 §6.3 asks of a baseline signature. */
  isBaseline: boolean
  /** Why it is not, though nothing speaks against it; sentences. */
  notBaseline: readonly string[]
  failure: CmsVerdict['failure']
  /** Algorithms and keys that are too weak; sentences. */
  weak: readonly string[]
}

function judgeContents(
  file: PdfFile,
  field: SignatureField,
  { byteRange, subFilter, signed }: { byteRange: ByteRange; subFilter: string; signed: PdfFile },
  grounds: Grounds,
  problemsFound: ProblemsFound,
): CmsFacts | undefined {
  const contents = readContents(file, field, byteRange, problemsFound)
  if (contents === undefined || problemsFound.broken.length > 0) return undefined
  try {
    const cms = readSignedCms(contents.gap)
    // A kind of signature that is not supported may hold anything; only a digest that is not the document's speaks against it.
    if (problemsFound.unsupported.length > 0 && cms.content !== undefined) return undefined
    const certifies = readCertificationLevel(signed, field.value) === 1
    const known = [...grounds.material.certificates, ...grounds.trust]
    const verdict = judgeCms({ cms, signed: rangesOf(file.bytes, byteRange), subFilter, certifies, known })
    if (verdict.ownForm && !contents.lowerCase)
      problemsFound.errors.push('/Contents is not in lower-case digits, as a seal of this form has it.')
    problemsFound.broken.push(...verdict.broken)
    problemsFound.unsupported.push(...verdict.unsupported)
    problemsFound.errors.push(...verdict.errors)
    const imprint = (hash: Hash) => digestOf(hash, cms.signer.signature)
    const stamps = signatureTimestamps(cms).map(der => judgeToken(der, imprint, grounds))
    for (const { broken } of stamps) problemsFound.broken.push(...broken.map(why => `Time-stamp of the signature: ${why}`))
    const companions = cms.certificates.filter(one => one !== verdict.signer)
    const { signer, errors, weak, notBaseline, failure, ownForm } = verdict
    const isBaseline = subFilter === 'ETSI.CAdES.detached' && errors.length + weak.length + notBaseline.length === 0
    return { signer, companions, stamps, ownForm, isBaseline, notBaseline, failure, weak }
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    // What a kind of signature that is not supported holds need not be a CMS.
    if (problemsFound.unsupported.length === 0) problemsFound.broken.push(`The CMS is refused: ${error.message}.`)
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
  provenAt: Date | undefined
}

function judgeStanding(
  facts: CmsFacts & { signer: Certificate },
  later: readonly DocumentTimestamp[],
  claimedAt: Date | undefined,
  grounds: Grounds,
): Standing {
  const { signer, companions, stamps } = facts
  const provenAt = earliest([...stamps, ...later].map(stamp => (stamp.trusted ? stamp.at : undefined)))
  const { trust, now, material, knownProofs } = grounds
  const origin = verifyOrigin({ signer, companions, trust, provenAt, claimedAt, now, known: material.certificates })
  const timestamps = stamps.flatMap(({ intact, at, trusted, path, reasons, revoked }) =>
    intact && at !== undefined ? [{ at, trusted, path, reasons: [...reasons, ...revoked] }] : [],
  )
  const level = judgeLevel({
    path: origin.path,
    timestamps,
    documentTimestamps: later,
    material,
    knownProofs,
    provenAt,
    claimedAt,
  })
  level.notes.push(...facts.notBaseline)
  for (const { unsupported } of stamps)
    level.notes.push(...unsupported.map(why => `The time-stamp of the signature does not count. ${why}`))
  return { origin, level, provenAt }
}

/** In a seal of our own form nothing but the trust in its signer and its authorities may be left open: everything else is a change of the file. */
function strictFindings(
  problemsFound: ProblemsFound,
  { stamps }: CmsFacts,
  standing: Standing | undefined,
  claimedAt: Date | undefined,
): string[] {
  const timeless = claimedAt === undefined ? ['The signature claims no time (/M), which a seal of this form always does.'] : []
  const unsupported = stamps.flatMap(stamp => stamp.unsupported)
  const unverified = [...stamps.flatMap(stamp => stamp.unverified), ...(standing?.origin.unverified ?? [])]
  return [...timeless, ...problemsFound.unsupported.splice(0), ...problemsFound.errors.splice(0), ...unsupported, ...unverified]
}

function objectionsTo(problemsFound: ProblemsFound, facts: CmsFacts | undefined, standing: Standing | undefined): Finding[] {
  const unchecked = facts !== undefined && facts.signer === undefined ? 'NO_SIGNING_CERTIFICATE_FOUND' : 'CUSTOM'
  return [
    ...problemsFound.broken.map(text => newFailure(facts?.failure ?? 'FORMAT_FAILURE', text)),
    ...(facts?.weak ?? []).map(text => newSignatureFinding('CRYPTO_CONSTRAINTS_FAILURE', text)),
    ...problemsFound.unsupported.map(text => newSignatureFinding(unchecked, text)),
    ...problemsFound.errors.map(text => newSignatureFinding('SIG_CONSTRAINTS_FAILURE', text)),
    ...(standing?.level.findings ?? []),
    ...(standing?.origin.findings ?? []),
  ]
}

/** The verdict on one field's signature. `stamps` are the intact document time-stamps of the file. @throws PdfSyntaxError when what the dictionary points to cannot be read */
export function judgeSignature(
  file: PdfFile,
  field: SignatureField,
  grounds: Grounds,
  stamps: readonly DocumentTimestamp[],
): JudgedSignature {
  const problemsFound: ProblemsFound = { broken: [], unsupported: [], errors: [] }
  const behind: ProblemsFound = { broken: [], unsupported: [], errors: [] }
  const subFilter = checkDictionary(field, false, problemsFound)
  const claimedAt = readDate(file.resolve(field.value.entries.get('M')).value)
  const byteRange = readByteRange(field.value, file.bytes.length, problemsFound)
  const tail = byteRange && judgeTail(file, field, byteRange, behind)
  const facts =
    byteRange && tail && judgeContents(file, field, { byteRange, subFilter, signed: tail.signed }, grounds, problemsFound)
  const end = byteRange === undefined ? 0 : byteRange[2] + byteRange[3]
  const later = stamps.filter(stamp => stamp.covers >= end).sort((a, b) => a.covers - b.covers)
  const { signer } = facts ?? {}
  const standing =
    facts === undefined || signer === undefined ? undefined : judgeStanding({ ...facts, signer }, later, claimedAt, grounds)
  for (const kind of ['broken', 'unsupported', 'errors'] as const) problemsFound[kind].push(...behind[kind])
  if (facts?.ownForm) problemsFound.broken.push(...strictFindings(problemsFound, facts, standing, claimedAt))
  const findings = objectionsTo(problemsFound, facts, standing)
  const integrity = integrityOf(problemsFound)
  const report: SignatureReport = {
    kind: 'signature',
    field: field.name,
    subFilter,
    ...namesOf(signer),
    integrity,
    trust: signer === undefined ? 'unknown' : deriveTrust(findings),
    ...deriveIndication(findings),
    level: integrity === 'intact' && facts?.isBaseline === true && claimedAt !== undefined ? standing?.level.level : undefined,
    levelNotes: integrity === 'intact' ? (standing?.level.notes ?? []) : [],
    time: {
      claimedAt: claimedAt?.toISOString(),
      provenAt: standing?.provenAt?.toISOString(),
      timestamp: facts?.stamps[0]?.stamp,
    },
    coversWholeFile: byteRange !== undefined && end === file.bytes.length,
    reasons: findings.map(({ text }) => text),
  }
  return {
    report,
    additions: tail?.additions ?? [],
    ownForm: facts?.ownForm === true,
    unverified: [],
    paths: [...(standing?.origin.path ?? []), ...(facts?.stamps ?? []).flatMap(stamp => stamp.path)],
    signed: tail?.signed,
  }
}
