/** Determines baseline level and revocations of a signature. EN 319 142-1 §6; RFC 5280 §6.3. */
import { equalBytes } from '../lib/bytes.ts'
import { DAY_MS } from '../lib/duration.ts'
import { distinctRemarks, type Remark, remark } from '../locales/remarks.ts'

import { type Finding, newTrustFinding } from '../pki/finding.ts'
import { type Certificate, nameText } from '../pki/x509.ts'
import type { BaselineLevel } from './report.ts'
import type { RevocationProof } from './revocation-proofs.ts'

/** The validation data of one revision. */
export interface RevisionValidationData {
  /** The revision has a DSS with content. */
  isPresent: boolean
  /** Certificates of the DSS; those of the CMS and of tokens are used in addition. */
  certificates: readonly Certificate[]
  /** Proofs on the status of a certificate, with verified signatures. */
  proofsOf(certificate: Certificate, issuer: Certificate): readonly RevocationProof[]
}

export interface LevelTimestamp {
  at: Date
  isTrusted: boolean
  /** Undefined if it proves nothing at any time. */
  provableUntil: Date | undefined
  /** Why it is not trusted; sentences. */
  reasons: readonly Remark[]
  path: readonly Certificate[]
}

export interface LevelRequest {
  /** Signer first, then issuers as far as they are known. */
  path: readonly Certificate[]
  /** The intact time-stamps over the signature value. */
  timestamps: readonly LevelTimestamp[]
  /** Intact document time-stamps over the signature, with the material of their revision. */
  documentTimestamps: readonly (LevelTimestamp & { material: RevisionValidationData })[]
  /** The material of the newest revision. */
  material: RevisionValidationData
  /** Revocations known in addition to those in the file. */
  knownProofs: RevisionValidationData['proofsOf']
  /** The earliest time at which a trusted time-stamp shows that the signature existed. */
  provenAt: Date | undefined
  /** The time that the signer claims. */
  claimedAt: Date | undefined
}

export interface LevelResult {
  level: BaselineLevel
  /** Revocations that affect the signature. */
  findings: Finding[]
  /** Why the level is not higher, and revocations without effect; sentences. */
  notes: Remark[]
  /** A higher level that can no longer be proven, and until when it could. */
  lapsed: { level: BaselineLevel; until: Date } | undefined
}

/** Validity of a proof without a next update. */

function isCurrentAt({ thisUpdate, nextUpdate }: RevocationProof, at: Date | undefined): boolean {
  const end = nextUpdate ?? new Date(thisUpdate.getTime() + DAY_MS)
  return at === undefined || end >= at
}

/** What B-LT still needs; phrases. Proofs must be current at `at`. */
function listMissing(path: readonly Certificate[], material: RevisionValidationData, at: Date | undefined): Remark[] {
  const top = path.at(-1)
  if (top === undefined) return [remark('lacks_certificate')]
  if (!material.isPresent) return [remark('lacks_everything')]
  const missing = equalBytes(top.subject, top.issuer) ? [] : [remark('lacks_issuer', { name: nameText(top.subject) })]
  path.forEach((certificate, depth) => {
    const issuer = path[depth + 1]
    if (issuer === undefined) return
    const isProven = material.proofsOf(certificate, issuer).some(proof => {
      if (!isCurrentAt(proof, at)) return false
      const { responder } = proof
      return responder === undefined || material.proofsOf(responder, issuer).some(own => isCurrentAt(own, at))
    })
    if (!isProven) missing.push(remark('lacks_revocation_proof', { name: nameText(certificate.subject) }))
  })
  return missing
}

/** RFC 5280 §5.3: a revocation does not affect a signature with an earlier proven time. */
function checkRevocations({ path, material, knownProofs, provenAt }: LevelRequest): Pick<LevelResult, 'findings' | 'notes'> {
  const result: Pick<LevelResult, 'findings' | 'notes'> = { findings: [], notes: [] }
  path.forEach((certificate, depth) => {
    const issuer = path[depth + 1]
    const proofs = issuer === undefined ? [] : [...material.proofsOf(certificate, issuer), ...knownProofs(certificate, issuer)]
    const dates = proofs.flatMap(({ revokedAt }) => (revokedAt === undefined ? [] : [revokedAt.getTime()]))
    if (dates.length === 0) return
    const since = new Date(Math.min(...dates))
    const revocation = { name: nameText(certificate.subject), since: since.toISOString() }
    const subIndication = depth === 0 ? 'REVOKED_NO_POE' : 'REVOKED_CA_NO_POE'
    const addFinding = (found: Remark) => result.findings.push(newTrustFinding(subIndication, found, 'revoked'))
    if (provenAt === undefined) addFinding(remark('revoked', revocation))
    else if (since <= provenAt) addFinding(remark('revoked_before', { ...revocation, at: provenAt.toISOString() }))
    else result.notes.push(remark('revoked_after', { ...revocation, at: provenAt.toISOString() }))
  })
  return result
}

function describeUntrusted(timestamps: readonly LevelTimestamp[], code: 'timestamp_void' | 'document_timestamp_void'): Remark[] {
  const untrusted = timestamps.filter(({ isTrusted }) => !isTrusted)
  return untrusted.map(({ at, reasons }) => remark(code, { at: at.toISOString(), why: reasons }))
}

/** The level by the trusted time-stamps, and what the next one lacks; phrases. */
function reachLevel(request: LevelRequest): { level: BaselineLevel; missing: Remark[] } {
  const { path, material, provenAt, claimedAt } = request
  const ownTimestamps = request.timestamps.filter(({ isTrusted }) => isTrusted)
  const documentTimestamps = request.documentTimestamps.filter(({ isTrusted }) => isTrusted)
  if (ownTimestamps.length === 0 && documentTimestamps.length === 0) return { level: 'B-B', missing: [] }
  // Without a time-stamp over the signature value, the first document time-stamp takes its place.
  const hasOwn = ownTimestamps.length > 0
  const first = hasOwn ? ownTimestamps : documentTimestamps.slice(0, 1)
  const archiving = hasOwn ? documentTimestamps : documentTimestamps.slice(1)
  const paths = [path, ...first.map(one => one.path)]
  const listAllMissing = (from: RevisionValidationData) => paths.flatMap(one => listMissing(one, from, provenAt ?? claimedAt))
  const missing = listAllMissing(material)
  if (missing.length > 0) return { level: 'B-T', missing }
  return { level: archiving.some(one => listAllMissing(one.material).length === 0) ? 'B-LTA' : 'B-LT', missing }
}

/** The request as it was at an earlier time. Revocations since then stay known. */
function requestAt(request: LevelRequest, at: Date): LevelRequest {
  const asOf = <T extends LevelTimestamp>(all: readonly T[]): T[] =>
    all.map(one => ({ ...one, isTrusted: one.provableUntil !== undefined && at <= one.provableUntil }))
  const [timestamps, documentTimestamps] = [asOf(request.timestamps), asOf(request.documentTimestamps)]
  const proven = [...timestamps, ...documentTimestamps].filter(({ isTrusted }) => isTrusted)
  const provenAt = proven.map(one => one.at).reduce<Date | undefined>((a, b) => (a !== undefined && a < b ? a : b), undefined)
  return { ...request, timestamps, documentTimestamps, provenAt }
}

const LEVELS: readonly BaselineLevel[] = ['B-B', 'B-T', 'B-LT', 'B-LTA']

/** Bounds the work for a file with very many time-stamps. */
const MAX_ENDS = 8

/** The highest level of an earlier time, if the time-stamps for it can no longer be proven. */
function findLapsedLevel(request: LevelRequest, level: BaselineLevel): LevelResult['lapsed'] {
  const lapsedOnes = [...request.timestamps, ...request.documentTimestamps].filter(({ isTrusted }) => !isTrusted)
  const ends = [...new Set(lapsedOnes.flatMap(({ provableUntil }) => provableUntil?.getTime() ?? []))]
  let lapsed: LevelResult['lapsed']
  // The newest first, so that each level has its last date.
  for (const end of ends.sort((a, b) => b - a).slice(0, MAX_ENDS)) {
    const until = new Date(end)
    const { level: former } = reachLevel(requestAt(request, until))
    if (LEVELS.indexOf(former) > LEVELS.indexOf(lapsed?.level ?? level)) lapsed = { level: former, until }
    if (former === 'B-LTA') break
  }
  return lapsed
}

/** Determines the level of a PAdES signature whose integrity is intact. */
export function determineLevel(request: LevelRequest): LevelResult {
  const { level, missing } = reachLevel(request)
  const { findings, notes } = checkRevocations(request)
  notes.push(
    ...describeUntrusted(request.timestamps, 'timestamp_void'),
    ...describeUntrusted(request.documentTimestamps, 'document_timestamp_void'),
  )
  if (missing.length > 0 && request.material.isPresent)
    notes.push(remark('dss_incomplete', { missing: distinctRemarks(missing) }))
  return { level, findings, notes, lapsed: findLapsedLevel(request, level) }
}
