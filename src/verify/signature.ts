/** Verifies one signature field of a PDF. ISO 32000-2 §12.8.1; EN 319 142-1 §6. */
import { type Remark, remark } from '../locales/remarks.ts'
import { type ByteRange, rangesOf } from '../pades/byte-range.ts'
import type { PdfFile } from '../pdf/parser/file.ts'
import { readCertificationLevel, readDate, type SignatureField } from '../pdf/parser/signature-fields.ts'
import { algorithmName, digestOf, type Hash } from '../pki/algorithm.ts'
import { DerError } from '../pki/der.ts'
import { deriveIndication, deriveTrust, type Finding, newFailure, newSignatureFinding } from '../pki/finding.ts'
import { type Origin, verifyOrigin } from '../pki/trust.ts'
import type { Certificate } from '../pki/x509.ts'
import { type CmsResult, PADES, readSignatureTimestamps, readSignedCms, verifyCms } from './cms.ts'
import { determineLevel, type LevelResult } from './levels.ts'
import type { Integrity, SignatureReport } from './report.ts'
import {
  checkDictionary,
  checkLaterBytes,
  deriveIntegrity,
  newProblems,
  type Problems,
  readByteRange,
  readContents,
} from './signature-dictionary.ts'
import {
  type DocumentTimestamp,
  nameSigner,
  reasonsOf,
  type SignatureResult,
  type TokenResult,
  type ValidationContext,
  verifyToken,
} from './timestamp.ts'

/** The verified CMS of a signature. */
interface VerifiedCms extends CmsResult {
  /** The other certificates of the CMS. */
  companions: readonly Certificate[]
  timestamps: readonly TokenResult[]
  /** Meets the requirements of EN 319 142-1 §6.3 for a baseline signature. */
  isBaseline: boolean
}

function verifyContents(
  file: PdfFile,
  field: SignatureField,
  { byteRange, subFilter, signed }: { byteRange: ByteRange; subFilter: string; signed: PdfFile },
  context: ValidationContext,
  problems: Problems,
  later: readonly DocumentTimestamp[],
): VerifiedCms | undefined {
  const contents = readContents(file, field, byteRange, problems)
  if (contents === undefined || problems.broken.length > 0) return undefined
  try {
    const cms = readSignedCms(contents.bytes)
    // In an unsupported type, content is not an error. Only a wrong document digest is.
    if (problems.unsupported.length > 0 && cms.content !== undefined) return undefined
    const isStrictCertification = readCertificationLevel(signed, field.value) === 1
    const known = [...context.material.certificates, ...context.trust]
    const result = verifyCms({ cms, signed: rangesOf(file.bytes, byteRange), subFilter, isStrictCertification, known })
    if (result.isOwnForm && !contents.isLowerCase) problems.errors.push(remark('contents_not_lower_case'))
    for (const kind of ['broken', 'unsupported', 'errors'] as const) problems[kind].push(...result[kind])
    const imprint = (hash: Hash) => digestOf(hash, cms.signer.signature)
    const timestamps = readSignatureTimestamps(cms).map(der => verifyToken(der, imprint, context, later))
    for (const { broken } of timestamps) problems.broken.push(...broken.map(why => remark('timestamp_of_signature', { why })))
    const { errors, weak, notBaseline } = result
    return {
      ...result,
      companions: cms.certificates.filter(one => one !== result.signer),
      timestamps,
      isBaseline: subFilter === PADES && errors.length + weak.length + notBaseline.length === 0,
    }
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    // An unsupported type of signature need not hold a CMS.
    if (problems.unsupported.length === 0) problems.broken.push(remark('cms_invalid', { cause: error.message }))
    return undefined
  }
}

function findEarliest(times: readonly (Date | undefined)[]): Date | undefined {
  const found = times.filter(time => time !== undefined).map(time => time.getTime())
  return found.length === 0 ? undefined : new Date(Math.min(...found))
}

/** Origin, proven time and level of a signature whose signer is known. */
interface SignerValidation {
  origin: Origin
  level: LevelResult
  /** The earliest time at which a trusted time-stamp shows that the signature existed. */
  provenAt: Date | undefined
}

function validateSigner(
  { signer, companions, timestamps, notBaseline }: VerifiedCms,
  documentTimestamps: readonly DocumentTimestamp[],
  claimedAt: Date | undefined,
  context: ValidationContext,
): SignerValidation | undefined {
  if (signer === undefined) return undefined
  const provenAt = findEarliest([...timestamps, ...documentTimestamps].map(one => (one.isTrusted ? one.at : undefined)))
  const { trust, now, material, knownProofs } = context
  const origin = verifyOrigin({ signer, companions, trust, provenAt, claimedAt, now, known: material.certificates })
  const level = determineLevel({
    path: origin.path,
    timestamps: timestamps.flatMap(one => {
      const { isIntact, at, isTrusted, provableUntil, path } = one
      return isIntact && at !== undefined ? [{ at, isTrusted, provableUntil, path, reasons: reasonsOf(one) }] : []
    }),
    documentTimestamps,
    material,
    knownProofs,
    provenAt,
    claimedAt,
  })
  const unsupported = timestamps.flatMap(one => one.unsupported)
  level.notes.push(...notBaseline, ...unsupported.map(why => remark('timestamp_of_signature_void', { why })))
  return { origin, level, provenAt }
}

/** In a seal by Signet, anything unverified but the trust shows that the file was changed. */
function takeOwnFormProblems(
  problems: Problems,
  { timestamps }: VerifiedCms,
  validation: SignerValidation | undefined,
  claimedAt: Date | undefined,
): Remark[] {
  const missingTime = claimedAt === undefined ? [remark('claimed_time_missing')] : []
  const unsupported = timestamps.flatMap(one => one.unsupported)
  const unverified = [...timestamps.flatMap(one => one.unverified), ...(validation?.origin.unverified ?? [])]
  return [...missingTime, ...problems.unsupported.splice(0), ...problems.errors.splice(0), ...unsupported, ...unverified]
}

function collectFindings(problems: Problems, cms: VerifiedCms | undefined, validation: SignerValidation | undefined): Finding[] {
  const unchecked = cms !== undefined && cms.signer === undefined ? 'NO_SIGNING_CERTIFICATE_FOUND' : 'CUSTOM'
  return [
    ...problems.broken.map(one => newFailure(cms?.failure ?? 'FORMAT_FAILURE', one)),
    ...(cms?.weak ?? []).map(one => newSignatureFinding('CRYPTO_CONSTRAINTS_FAILURE', one)),
    ...problems.unsupported.map(one => newSignatureFinding(unchecked, one)),
    ...problems.errors.map(one => newSignatureFinding('SIG_CONSTRAINTS_FAILURE', one)),
    ...(validation?.level.findings ?? []),
    ...(validation?.origin.findings ?? []),
  ]
}

function reportLevel(
  { integrity, subFilter, isBaseline }: { integrity: Integrity; subFilter: string; isBaseline: boolean },
  validation: SignerValidation | undefined,
): Pick<SignatureReport, 'level' | 'partsOf' | 'levelNotes'> {
  if (integrity !== 'intact' || validation === undefined) return { level: undefined, partsOf: undefined, levelNotes: [] }
  const { level, notes, lapsed } = validation.level
  if (!isBaseline) {
    const why = subFilter === PADES ? [] : [remark('level_without_pades', { subFilter: algorithmName(subFilter), level })]
    return { level: undefined, partsOf: level, levelNotes: [...why, ...notes] }
  }
  const former = lapsed && remark('level_lapsed', { level: lapsed.level, until: lapsed.until.toISOString() })
  return { level, partsOf: level, levelNotes: former === undefined ? notes : [former, ...notes] }
}

/** @throws PdfSyntaxError if an object of the dictionary cannot be read */
export function verifySignatureField(
  file: PdfFile,
  field: SignatureField,
  context: ValidationContext,
  timestamps: readonly DocumentTimestamp[],
): SignatureResult {
  const problems = newProblems()
  const laterProblems = newProblems()
  const subFilter = checkDictionary(field, false, problems)
  const claimedAt = readDate(file.resolve(field.value.entries.get('M')).value)
  const byteRange = readByteRange(field.value, file.bytes.length, problems)
  const end = byteRange === undefined ? 0 : byteRange[2] + byteRange[3]
  const later = byteRange && checkLaterBytes(file, field, byteRange, laterProblems)
  const covering = timestamps.filter(one => one.covers >= end).sort((a, b) => a.covers - b.covers)
  const parts = byteRange && later && { byteRange, subFilter, signed: later.signed }
  const cms = parts && verifyContents(file, field, parts, context, problems, covering)
  const validation = cms && validateSigner(cms, covering, claimedAt, context)
  for (const kind of ['broken', 'unsupported', 'errors'] as const) problems[kind].push(...laterProblems[kind])
  if (cms?.isOwnForm) problems.broken.push(...takeOwnFormProblems(problems, cms, validation, claimedAt))
  const findings = collectFindings(problems, cms, validation)
  const integrity = deriveIntegrity(problems)
  const report: SignatureReport = {
    kind: 'signature',
    field: field.name,
    subFilter,
    ...nameSigner(cms?.signer),
    integrity,
    trust: validation === undefined ? 'unknown' : deriveTrust(findings),
    ...deriveIndication(findings),
    ...reportLevel({ integrity, subFilter, isBaseline: cms?.isBaseline === true && claimedAt !== undefined }, validation),
    time: {
      claimedAt: claimedAt?.toISOString(),
      provenAt: validation?.provenAt?.toISOString(),
      timestamp: cms?.timestamps[0]?.report,
    },
    coversWholeFile: end === file.bytes.length,
    reasons: findings.map(finding => finding.remark),
  }
  return {
    report,
    additions: later?.additions ?? [],
    changes: later?.changes ?? [],
    isOwnForm: cms?.isOwnForm === true,
    unverified: [],
    paths: [...(validation?.origin.path ?? []), ...(cms?.timestamps ?? []).flatMap(({ path }) => path)],
    signed: later?.signed,
  }
}
