/**
 * Judges time-stamps: the token over a signature value, and the document time-stamp that is a revision of its own. RFC 3161; EN 319 142-1 §5.4.3;
 * ISO 32000-2 §12.8.5. What a token is and who may make one is `time-stamp-token.ts`.
 */

import { type ByteRange, rangesOf } from '../pades/byte-range.ts'
import { hasOnlySignerDigest, hasValidVersions, type SignedData } from '../pades/signed-data.ts'
import { readTimestampToken, type TokenVerification, verifyTimestampToken } from '../pades/timestamp-token.ts'
import type { PdfFile } from '../pdf/parser/file.ts'
import { readDate, type SignatureField } from '../pdf/parser/signature-fields.ts'
import { digestOf, type Hash, UnsupportedError } from '../pki/algorithm.ts'
import { readBerPrefix } from '../pki/ber.ts'
import { DerError } from '../pki/der.ts'
import { deriveIndication, deriveTrust, type Finding, newFailure, newSignatureFinding, newTrustFinding } from '../pki/finding.ts'
import { isSignedBy } from '../pki/trust.ts'
import { type Certificate, commonName, fingerprint, nameText } from '../pki/x509.ts'
import type { Material } from './levels.ts'
import type { SignatureReport } from './report.ts'
import {
  checkDictionary,
  integrityOf,
  judgeTail,
  type ProblemsFound,
  readByteRange,
  readContents,
} from './signature-dictionary.ts'

/** What a judgement may lean on. */
export interface Grounds {
  /** Certificates trusted as signers or as their roots; never for a time-stamp. */
  trust: readonly Certificate[]
  /** Certificates trusted as time-stamp authorities or as their roots; never for a signer. */
  timestampTrust: readonly Certificate[]
  /** The time of validation. */
  now: Date
  /** Revocations that are known beside those in the file. */
  knownProofs: Material['proofsOf']
  /** Validation material of the newest revision. */
  material: Material
  /** Of the revision that ends at `end`. @throws PdfSyntaxError */
  materialAt(end: number): Material
}

/** A signature as it was judged, and what the judgement of others and of the file needs of it. */
export interface JudgedSignature {
  report: SignatureReport
  /** What was added behind it and is allowed, sentences. */
  additions: string[]
  /** The form is the one this product writes. */
  ownForm: boolean
  /** What in a document time-stamp nobody vouches for or cannot be checked, which has no place behind a seal of our own form; sentences. */
  unverified: readonly string[]
  /** Certificates that its signature and its time-stamps lead to. */
  paths: readonly Certificate[]
  /** The revision it signs, by itself. */
  signed: PdfFile | undefined
}

/** An intact document time-stamp, as it vouches for what it covers. */
export interface DocumentTimestamp {
  at: Date
  trusted: boolean
  /** Why it is not trusted; sentences. */
  reasons: readonly string[]
  path: readonly Certificate[]
  material: Material
  /** What ends at or before this offset is covered. */
  covers: number
}

export interface TokenVerdict {
  stamp: SignatureReport['time']['timestamp']
  at: Date | undefined
  trusted: boolean
  intact: boolean
  path: readonly Certificate[]
  /** Against the token's integrity, what in it cannot be checked here, and what speaks against its origin; sentences. */
  broken: string[]
  failure: TokenVerification['failure']
  unsupported: string[]
  reasons: string[]
  /** Certificates of its authority that were revoked before its time; sentences. */
  revoked: string[]
  /** What in it nobody vouches for, which a seal of our own form must not hold; sentences. */
  unverified: string[]
}

const NO_TOKEN: Omit<TokenVerdict, 'broken'> = {
  stamp: undefined,
  at: undefined,
  trusted: false,
  intact: false,
  path: [],
  failure: undefined,
  unsupported: [],
  reasons: [],
  revoked: [],
  unverified: [],
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/**
 * Octets of a token that no signature covers and no path needs. A certificate beside the path may be one that somebody at hand has signed, or
 * another one for the key of an issuer on the path: authorities send along cross-certificates of issuers that are not at hand.
 */
function unverifiedParts(cms: SignedData, path: readonly Certificate[]): string[] {
  const errors: string[] = []
  if (!cms.isDer) errors.push('The token is not written in DER.')
  if (!hasOnlySignerDigest(cms)) errors.push('digestAlgorithms of the token is not the one digest algorithm of its signer.')
  if (!hasValidVersions(cms))
    errors.push('The version of its SignedData or SignerInfo is not the one of a token (RFC 5652 §5.1).')
  if (cms.signer.unsignedAttributes.length > 0) errors.push('The token has unsigned attributes, which are not verified.')
  if (cms.hasRevocationLists) errors.push('The token holds revocation lists, which are not verified.')
  for (const why of cms.unreadable) errors.push(`A certificate in the token cannot be read: ${why}.`)
  const known = [...path, ...cms.certificates]
  for (const certificate of cms.certificates) {
    const isKey = path
      .slice(1)
      .some(one => same(one.subject, certificate.subject) && same(one.publicKeyInfo, certificate.publicKeyInfo))
    const isSelfIssued = same(certificate.subject, certificate.issuer)
    // The attribute signing-certificate binds the first; every other one on the path has signed the one below.
    if (!isSelfIssued && path.some(one => same(one.der, certificate.der))) continue
    const isSigned = known.some(issuer => same(issuer.subject, certificate.issuer) && isSignedBy(certificate, issuer))
    if (!isSigned && (isSelfIssued || !isKey))
      errors.push(`The token holds the certificate ${nameText(certificate.subject)}, which nothing at hand has signed.`)
  }
  return errors
}

/** Certificates of an authority that were revoked when it made the token. */
function revokedBefore(path: readonly Certificate[], at: Date, material: Material): string[] {
  return path.flatMap((certificate, depth) => {
    const issuer = path[depth + 1]
    const proofs = issuer === undefined ? [] : material.proofsOf(certificate, issuer)
    const since = proofs.find(({ revokedAt }) => revokedAt !== undefined && revokedAt <= at)?.revokedAt
    if (since === undefined) return []
    return [
      `The certificate ${nameText(certificate.subject)} was revoked on ${since.toISOString()}, before the time of its token, ${at.toISOString()}.`,
    ]
  })
}

/** Judges a time-stamp token over what `digestOf` hashes. */
export function judgeToken(der: Uint8Array, digestOf: (hash: Hash) => Uint8Array, grounds: Grounds): TokenVerdict {
  try {
    const token = readTimestampToken(der, 'BER')
    const { broken, failure, unsupported, reasons, trusted, path } = verifyTimestampToken({
      token,
      digestOf,
      trust: grounds.timestampTrust,
      companions: grounds.material.certificates,
    })
    const revoked = revokedBefore(path, token.at, grounds.material)
    const intact = broken.length + unsupported.length === 0
    const [signer] = path
    const authority = signer === undefined ? 'unknown' : commonName(signer.subject)
    const isTrusted = trusted && intact && revoked.length === 0
    const stamp = { at: token.at.toISOString(), authority, trusted: isTrusted }
    const unverified = unverifiedParts(token.cms, path)
    return {
      stamp,
      at: token.at,
      trusted: isTrusted,
      intact,
      path,
      broken,
      failure,
      unsupported,
      reasons,
      revoked,
      unverified,
    }
  } catch (error) {
    if (error instanceof UnsupportedError) return { ...NO_TOKEN, broken: [], unsupported: [error.message] }
    if (!(error instanceof DerError)) throw error
    return { ...NO_TOKEN, broken: [`The token is refused: ${error.message}.`] }
  }
}

/** Who signed, as a report names it. */
export const namesOf = (signer: Certificate | undefined): { signer: string; certificateSha256: string } => ({
  signer: signer === undefined ? '' : commonName(signer.subject),
  certificateSha256: signer === undefined ? '' : fingerprint(signer.der),
})

/** Objections to a document time-stamp. `revoked` and `reasons` speak against its authority. */
function objectionsTo(problemsFound: ProblemsFound, { failure, revoked, reasons }: TokenVerdict): Finding[] {
  return [
    ...problemsFound.broken.map(text => newFailure(failure ?? 'FORMAT_FAILURE', text)),
    ...problemsFound.unsupported.map(text => newSignatureFinding('CUSTOM', text)),
    ...problemsFound.errors.map(text => newSignatureFinding('SIG_CONSTRAINTS_FAILURE', text)),
    ...reasons.map(text => newTrustFinding('NO_CERTIFICATE_CHAIN_FOUND', text)),
    ...revoked.map(text => newTrustFinding('REVOKED_NO_POE', text, 'revoked')),
  ]
}

/** The token in a gap; only zeros may follow it. */
function tokenOf(gap: Uint8Array): Uint8Array {
  const { end } = readBerPrefix(gap)
  if (gap.subarray(end).some(octet => octet !== 0)) throw new DerError('something other than zeros follows its end in /Contents')
  return gap.subarray(0, end)
}

function judgeDocumentToken(
  file: PdfFile,
  field: SignatureField,
  byteRange: ByteRange,
  grounds: Grounds,
  problemsFound: ProblemsFound,
): TokenVerdict {
  const contents = readContents(file, field, byteRange, problemsFound)
  const nothing = { ...NO_TOKEN, broken: [] }
  if (contents === undefined || problemsFound.broken.length + problemsFound.unsupported.length > 0) return nothing
  try {
    return judgeToken(tokenOf(contents.gap), hash => digestOf(hash, ...rangesOf(file.bytes, byteRange)), grounds)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    return { ...nothing, broken: [`The token is refused: ${error.message}.`] }
  }
}

/** The verdict on a document time-stamp, and what it vouches for when it is intact. @throws PdfSyntaxError when what the dictionary points to cannot be read */
export function verifyDocumentTimestamp(
  file: PdfFile,
  field: SignatureField,
  grounds: Grounds,
): JudgedSignature & { stamp: DocumentTimestamp | undefined } {
  const problemsFound: ProblemsFound = { broken: [], unsupported: [], errors: [] }
  const subFilter = checkDictionary(field, true, problemsFound)
  const byteRange = readByteRange(field.value, file.bytes.length, problemsFound)
  const token = byteRange === undefined ? undefined : judgeDocumentToken(file, field, byteRange, grounds, problemsFound)
  const tail = byteRange && judgeTail(file, field, byteRange, problemsFound)
  problemsFound.broken.push(...(token?.broken ?? []))
  problemsFound.unsupported.push(...(token?.unsupported ?? []))
  const isChecked = problemsFound.broken.length + problemsFound.unsupported.length === 0
  const isIntact = token?.intact === true && isChecked
  const end = byteRange === undefined ? 0 : byteRange[2] + byteRange[3]
  const findings = objectionsTo(problemsFound, token ?? { ...NO_TOKEN, broken: [] })
  const { at } = token?.trusted === true && isIntact ? token : { at: undefined }
  const report: SignatureReport = {
    kind: 'document-timestamp',
    field: field.name,
    subFilter,
    ...namesOf(token?.path[0]),
    integrity: integrityOf(problemsFound),
    trust: token?.path[0] === undefined ? 'unknown' : deriveTrust(findings),
    ...deriveIndication(findings),
    level: undefined,
    levelNotes: [],
    time: {
      claimedAt: readDate(file.resolve(field.value.entries.get('M')).value)?.toISOString(),
      provenAt: at?.toISOString(),
      timestamp: token?.stamp === undefined ? undefined : { ...token.stamp, trusted: token.trusted && isIntact },
    },
    coversWholeFile: end === file.bytes.length,
    reasons: findings.map(({ text }) => text),
  }
  const stamp =
    isIntact && byteRange !== undefined && token.at !== undefined
      ? {
          at: token.at,
          trusted: token.trusted,
          reasons: [...token.reasons, ...token.revoked],
          path: token.path,
          material: grounds.materialAt(end),
          covers: byteRange[1],
        }
      : undefined
  return {
    report,
    additions: tail?.additions ?? [],
    ownForm: false,
    unverified: [...(token?.unverified ?? []), ...problemsFound.unsupported, ...problemsFound.errors],
    paths: token?.path ?? [],
    signed: tail?.signed,
    stamp,
  }
}
