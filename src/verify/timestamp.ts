/** Verifies time-stamps of signatures and documents. RFC 3161; EN 319 142-1 §5.4.3. */
import { equalBytes } from '../lib/bytes.ts'
import { MINUTE_MS } from '../lib/duration.ts'
import { type Remark, remark } from '../locales/remarks.ts'
import { type ByteRange, rangesOf } from '../pades/byte-range.ts'
import { hasOnlySignerDigest, hasValidVersions, type SignedData } from '../pades/signed-data.ts'
import { MAX_AHEAD_MS, readTimestampToken, type TokenVerification, verifyTimestampToken } from '../pades/timestamp-token.ts'
import type { PdfFile } from '../pdf/parser/file.ts'
import { readDate, type SignatureField } from '../pdf/parser/signature-fields.ts'
import { digestOf, type Hash, UnsupportedError } from '../pki/algorithm.ts'
import { readBerPrefix } from '../pki/ber.ts'
import { DerError } from '../pki/der.ts'
import { deriveIndication, deriveTrust, type Finding, newFailure, newSignatureFinding, newTrustFinding } from '../pki/finding.ts'
import { isSignedBy } from '../pki/trust.ts'
import { type Certificate, commonName, fingerprint, nameText } from '../pki/x509.ts'
import type { LevelTimestamp, RevisionValidationData } from './levels.ts'
import type { SignatureReport, VisibleChange } from './report.ts'
import {
  checkDictionary,
  checkLaterBytes,
  deriveIntegrity,
  newProblems,
  type Problems,
  readByteRange,
  readContents,
} from './signature-dictionary.ts'

export interface ValidationContext {
  /** Certificates trusted as signers or as their roots; not used for time-stamps. */
  trust: readonly Certificate[]
  /** Certificates trusted as time-stamp authorities or as their roots; not used for signers. */
  timestampTrust: readonly Certificate[]
  /** The validation time. */
  now: Date
  /** Revocations known in addition to those in the file. */
  knownProofs: RevisionValidationData['proofsOf']
  /** The material of the newest revision. */
  material: RevisionValidationData
  /** The material of the revision that ends at `end`. @throws PdfSyntaxError */
  materialAt(end: number): RevisionValidationData
}

/** The report on one signature, with the facts that the checks of the file need. */
export interface SignatureResult {
  report: SignatureReport
  /** Allowed changes after it; sentences. */
  additions: Remark[]
  /** Those of them that a reader can see, after a signature. */
  changes?: VisibleChange[]
  /** The signature has the form that Signet writes. */
  isOwnForm: boolean
  /** Unverified parts of a document time-stamp; sentences. None may follow a seal by Signet. */
  unverified: readonly Remark[]
  /** The certification paths of the signature and of its time-stamps. */
  paths: readonly Certificate[]
  /** The signed revision by itself. */
  signed: PdfFile | undefined
}

/** An intact document time-stamp. */
export interface DocumentTimestamp extends LevelTimestamp {
  material: RevisionValidationData
  /** It covers every revision that ends at or before this offset. */
  covers: number
}

export interface TokenResult extends Omit<TokenVerification, 'trusted'> {
  report: SignatureReport['time']['timestamp']
  at: Date | undefined
  isTrusted: boolean
  isIntact: boolean
  /** Undefined if it proves nothing at any time. */
  provableUntil: Date | undefined
  /** Why it does not count although its authority is known: revoked, expired, in the future. */
  findings: readonly Finding[]
  /** Parts that nothing verifies, which a seal by Signet must not contain; sentences. */
  unverified: readonly Remark[]
}

const NO_TOKEN: TokenResult = {
  report: undefined,
  at: undefined,
  isTrusted: false,
  isIntact: false,
  provableUntil: undefined,
  findings: [],
  path: [],
  validated: [],
  broken: [],
  failure: undefined,
  unsupported: [],
  reasons: [],
  unverified: [],
}

/** Accepts cross-certificates of issuers on the path, whose own issuers are not included. */
function findUnverifiedCertificates(certificates: readonly Certificate[], path: readonly Certificate[]): Remark[] {
  const known = [...path, ...certificates]
  const issuers = path.slice(1)
  const isVerified = (certificate: Certificate): boolean => {
    const isSelfIssued = equalBytes(certificate.subject, certificate.issuer)
    // signing-certificate binds the first one; each other one signed the one below it.
    if (!isSelfIssued && path.some(one => equalBytes(one.der, certificate.der))) return true
    if (known.some(issuer => equalBytes(issuer.subject, certificate.issuer) && isSignedBy(certificate, issuer))) return true
    const hasIssuerKey = (one: Certificate) =>
      equalBytes(one.subject, certificate.subject) && equalBytes(one.publicKeyInfo, certificate.publicKeyInfo)
    return !isSelfIssued && issuers.some(hasIssuerKey)
  }
  return certificates
    .filter(certificate => !isVerified(certificate))
    .map(({ subject }) => remark('token_certificate', { name: nameText(subject) }))
}

/** Finds parts of a token that no signature covers and no path needs. */
function findUnverifiedParts(cms: SignedData, path: readonly Certificate[]): Remark[] {
  const errors: Remark[] = []
  if (!cms.isDer) errors.push(remark('token_not_der'))
  if (!hasOnlySignerDigest(cms)) errors.push(remark('token_digest_algorithms'))
  if (!hasValidVersions(cms)) errors.push(remark('token_version'))
  if (cms.signer.unsignedAttributes.length > 0) errors.push(remark('token_unsigned_attributes'))
  if (cms.hasRevocationLists) errors.push(remark('token_revocation_lists'))
  for (const cause of cms.unreadable) errors.push(remark('token_certificate_unreadable', { cause }))
  return [...errors, ...findUnverifiedCertificates(cms.certificates, path)]
}

/** CRLReason: keyCompromise, cACompromise, aACompromise. Others may have the key. */
const COMPROMISED = new Set([1, 2, 10])

/** RFC 3161 §4: without a reason, or with a compromised key, no token of the authority counts. */
function findRevocation(path: readonly Certificate[], at: Date, proofsOf: RevisionValidationData['proofsOf']): Finding[] {
  return path.flatMap((certificate, depth) => {
    const issuer = path[depth + 1]
    const revoked = (issuer === undefined ? [] : proofsOf(certificate, issuer)).filter(({ revokedAt }) => revokedAt !== undefined)
    const revocation = (since = at) => ({ name: nameText(certificate.subject), since: since.toISOString() })
    const refuse = (found: Remark) => [newTrustFinding('REVOKED_NO_POE', found, 'revoked')]
    const compromised = revoked.find(({ reason }) => reason === undefined || COMPROMISED.has(reason))
    if (compromised !== undefined) {
      const code = compromised.reason === undefined ? 'authority_revoked' : 'authority_compromised'
      return refuse(remark(code, revocation(compromised.revokedAt)))
    }
    const before = revoked.find(({ revokedAt }) => revokedAt !== undefined && revokedAt <= at)
    if (before === undefined) return []
    return refuse(remark('authority_revoked_before', { ...revocation(before.revokedAt), at: at.toISOString() }))
  })
}

function findFuture(at: Date, now: Date): Finding[] {
  if (at.getTime() <= now.getTime() + MAX_AHEAD_MS) return []
  return [
    newTrustFinding(
      'OUT_OF_BOUNDS_NO_POE',
      remark('timestamp_ahead', { at: at.toISOString(), minutes: MAX_AHEAD_MS / MINUTE_MS }),
    ),
  ]
}

/** Verifies a token. `imprintOf` hashes the time-stamped bytes; `later`: time-stamps over it. */
export function verifyToken(
  der: Uint8Array,
  imprintOf: (hash: Hash) => Uint8Array,
  context: ValidationContext,
  later: readonly ProofOfExistence[],
): TokenResult {
  try {
    const token = readTimestampToken(der, 'BER')
    const { at } = token
    const { material, knownProofs, now } = context
    const { trusted, ...verification } = verifyTimestampToken({
      token,
      digestOf: imprintOf,
      trust: context.timestampTrust,
      companions: material.certificates,
    })
    const { broken, unsupported, path, validated } = verification
    const refusals = [
      ...findRevocation(path, at, (one, issuer) => [...material.proofsOf(one, issuer), ...knownProofs(one, issuer)]),
      ...findFuture(at, now),
    ]
    const isIntact = broken.length + unsupported.length === 0
    const provability = trusted && refusals.length === 0 ? findProvability(validated, later) : undefined
    const lapse = findLapse(provability, now)
    const isTrusted = provability !== undefined && lapse === undefined
    const authority = path[0] === undefined ? 'unknown' : commonName(path[0].subject)
    return {
      ...verification,
      report: { at: at.toISOString(), authority, trusted: isTrusted },
      at,
      isTrusted,
      isIntact,
      provableUntil: provability?.until,
      findings: lapse === undefined ? refusals : [...refusals, lapse],
      unverified: findUnverifiedParts(token.cms, path),
    }
  } catch (error) {
    if (error instanceof UnsupportedError) return { ...NO_TOKEN, unsupported: [error.remark] }
    if (!(error instanceof DerError)) throw error
    return { ...NO_TOKEN, broken: [remark('token_invalid', { cause: error.message })] }
  }
}

/** Why a token does not count; sentences. */
export const reasonsOf = ({ reasons, findings }: TokenResult): Remark[] => [
  ...reasons,
  ...findings.map(finding => finding.remark),
]

export const nameSigner = (signer: Certificate | undefined): { signer: string; certificateSha256: string } => ({
  signer: signer === undefined ? '' : commonName(signer.subject),
  certificateSha256: signer === undefined ? '' : fingerprint(signer.der),
})

function collectFindings(problems: Problems, { failure, findings, reasons }: TokenResult): Finding[] {
  return [
    ...problems.broken.map(one => newFailure(failure ?? 'FORMAT_FAILURE', one)),
    ...problems.unsupported.map(one => newSignatureFinding('CUSTOM', one)),
    ...problems.errors.map(one => newSignatureFinding('SIG_CONSTRAINTS_FAILURE', one)),
    ...reasons.map(one => newTrustFinding('NO_CERTIFICATE_CHAIN_FOUND', one)),
    ...findings,
  ]
}

/** The token at the beginning of /Contents. Only zeros may follow it. @throws DerError */
function takeToken(contents: Uint8Array): Uint8Array {
  const { end } = readBerPrefix(contents)
  if (contents.subarray(end).some(octet => octet !== 0))
    throw new DerError('something other than zeros follows its end in /Contents')
  return contents.subarray(0, end)
}

function verifyDocumentToken(
  file: PdfFile,
  field: SignatureField,
  byteRange: ByteRange,
  context: ValidationContext,
  problems: Problems,
  later: readonly DocumentTimestamp[],
): TokenResult {
  const contents = readContents(file, field, byteRange, problems)
  if (contents === undefined || problems.broken.length + problems.unsupported.length > 0) return NO_TOKEN
  try {
    const imprintOf = (hash: Hash) => digestOf(hash, ...rangesOf(file.bytes, byteRange))
    return verifyToken(takeToken(contents.bytes), imprintOf, context, later)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    return { ...NO_TOKEN, broken: [remark('token_invalid', { cause: error.message })] }
  }
}

/** @throws PdfSyntaxError if the signed revision cannot be read */
function newDocumentTimestamp(
  token: TokenResult,
  [, covers, second, length]: ByteRange,
  context: ValidationContext,
): DocumentTimestamp | undefined {
  const { at, isTrusted, provableUntil, path } = token
  if (at === undefined) return undefined
  return { at, isTrusted, provableUntil, reasons: reasonsOf(token), path, material: context.materialAt(second + length), covers }
}

/** `over`: the document time-stamps over it. @throws PdfSyntaxError if an object cannot be read */
export function verifyDocumentTimestamp(
  file: PdfFile,
  field: SignatureField,
  context: ValidationContext,
  over: readonly DocumentTimestamp[],
): SignatureResult & { timestamp: DocumentTimestamp | undefined } {
  const problems = newProblems()
  const subFilter = checkDictionary(field, true, problems)
  const byteRange = readByteRange(field.value, file.bytes.length, problems)
  const token = byteRange === undefined ? NO_TOKEN : verifyDocumentToken(file, field, byteRange, context, problems, over)
  const later = byteRange && checkLaterBytes(file, field, byteRange, problems)
  problems.broken.push(...token.broken)
  problems.unsupported.push(...token.unsupported)
  const integrity = deriveIntegrity(problems)
  const isIntact = token.isIntact && integrity === 'intact'
  const isTrusted = token.isTrusted && isIntact
  const findings = collectFindings(problems, token)
  const report: SignatureReport = {
    kind: 'document-timestamp',
    field: field.name,
    subFilter,
    ...nameSigner(token.path[0]),
    integrity,
    trust: token.path.length === 0 ? 'unknown' : deriveTrust(findings),
    ...deriveIndication(findings),
    level: undefined,
    partsOf: undefined,
    levelNotes: [],
    time: {
      claimedAt: readDate(file.resolve(field.value.entries.get('M')).value)?.toISOString(),
      provenAt: isTrusted ? token.at?.toISOString() : undefined,
      timestamp: token.report && { ...token.report, trusted: isTrusted },
    },
    coversWholeFile: byteRange !== undefined && byteRange[2] + byteRange[3] === file.bytes.length,
    reasons: findings.map(finding => finding.remark),
  }
  return {
    report,
    additions: later?.additions ?? [],
    isOwnForm: false,
    unverified: [...token.unverified, ...problems.unsupported, ...problems.errors],
    paths: token.path,
    signed: later?.signed,
    timestamp: isIntact && byteRange ? newDocumentTimestamp(token, byteRange, context) : undefined,
  }
}

// Until when time-stamps can be proven: past certificate validation. EN 319 102-1 §5.6.2.

/** A time-stamp as proof that something existed. */
interface ProofOfExistence {
  at: Date
  /** Undefined if it proves nothing at any time. */
  provableUntil: Date | undefined
}

interface Provability {
  until: Date
  /** The certificate whose end it is. */
  limit: Certificate
}

/**
 * Until when what the path certifies can be proven: each certificate until its end, and longer by a
 * time-stamp from before that, as long as that one can be proven. `later`: the time-stamps over it.
 * Undefined without a path.
 */
function findProvability(path: readonly Certificate[], later: readonly ProofOfExistence[]): Provability | undefined {
  let first: Provability | undefined
  for (const limit of path) {
    const ends = later.flatMap(({ at, provableUntil }) =>
      provableUntil && at <= limit.notAfter ? [provableUntil.getTime()] : [],
    )
    const until = new Date(Math.max(limit.notAfter.getTime(), ...ends))
    if (first === undefined || until < first.until) first = { until, limit }
  }
  return first
}

/** Why a time-stamp no longer counts at `now`. */
function findLapse(provability: Provability | undefined, now: Date): Finding | undefined {
  if (provability === undefined || now <= provability.until) return undefined
  const { subject, notAfter } = provability.limit
  const end = { name: nameText(subject), at: notAfter.toISOString() }
  return newTrustFinding('OUT_OF_BOUNDS_NO_POE', remark('authority_expired', end), 'expired')
}
