/**
 * What the parts of a signature reach: baseline level B-B, B-T, B-LT or B-LTA, and whether a certificate under it was revoked. EN 319 142-1 §6;
 * RFC 5280 §6.3. A time-stamp counts when its authority is trusted; one that does not count lowers the level, and is no finding.
 */

import { type Finding, newTrustFinding } from '../pki/finding.ts'
import { type Certificate, nameText } from '../pki/x509.ts'
import type { BaselineLevel } from './report.ts'
import type { RevocationProof } from './revocation-proofs.ts'

/** Validation material as a revision holds it, read and verified. */
export interface Material {
  /** The file has a security store. */
  present: boolean
  /** Certificates of the store; those of CMS and tokens count as well. */
  certificates: readonly Certificate[]
  /** What is proven of a certificate; the issuer's signature on each proof holds. */
  proofsOf(certificate: Certificate, issuer: Certificate): readonly RevocationProof[]
}

interface CountedTimestamp {
  at: Date
  trusted: boolean
  /** Why it is not trusted; sentences. */
  reasons: readonly string[]
  path: readonly Certificate[]
}

export interface LevelQuestion {
  /** Signer first, as far up as issuers are at hand. */
  path: readonly Certificate[]
  /** The intact time-stamps over the signature value. */
  timestamps: readonly CountedTimestamp[]
  /** Intact document time-stamps that cover the signature, with the material that stood in the file when each was made. */
  documentTimestamps: readonly (CountedTimestamp & { material: Material })[]
  /** What the newest revision holds. */
  material: Material
  /** Revocations that are known beside those in the file. */
  knownProofs: Material['proofsOf']
  /** The earliest time at which a trusted authority has seen the signature; undefined when none has. */
  provenAt: Date | undefined
  /** The time the signer claims. */
  claimedAt: Date | undefined
}

export interface LevelVerdict {
  level: BaselineLevel
  /** Revocations that count. */
  findings: Finding[]
  /** Why the level is not higher, and revocations that do not count; sentences. */
  notes: string[]
}

/** How long a proof without an end speaks for itself. */
const DAY_MS = 24 * 60 * 60 * 1000

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
const isSelfIssued = ({ subject, issuer }: Certificate): boolean => same(subject, issuer)

/** The proof is not from a time that was over at `at`. */
function reaches({ thisUpdate, nextUpdate }: RevocationProof, at: Date | undefined): boolean {
  const end = nextUpdate ?? new Date(thisUpdate.getTime() + DAY_MS)
  return at === undefined || end >= at
}

/** What lacks for the long term; clauses. Empty when every certificate below the top has a proof that reaches to `at`. */
function lacks(path: readonly Certificate[], material: Material, at: Date | undefined): string[] {
  const top = path.at(-1)
  if (top === undefined) return ['its certificate']
  if (!material.present) return ['everything: there is no /DSS']
  const missing = isSelfIssued(top) ? [] : [`the certificate of the issuer of ${nameText(top.subject)}`]
  path.forEach((certificate, depth) => {
    const issuer = path[depth + 1]
    if (issuer === undefined) return
    const reaching = material.proofsOf(certificate, issuer).some(proof => {
      if (!reaches(proof, at)) return false
      const { responder } = proof
      return responder === undefined || material.proofsOf(responder, issuer).some(own => reaches(own, at))
    })
    if (!reaching) missing.push(`a proof that ${nameText(certificate.subject)} was not revoked`)
  })
  return missing
}

/**
 * RFC 5280 §5.3: a revocation counts from its date; what was signed before, as a trusted time shows, stands. EN 319 102-1 §5.5.4: without such a time
 * nobody can tell.
 */
function revocations({ path, material, knownProofs, provenAt }: LevelQuestion): Pick<LevelVerdict, 'findings' | 'notes'> {
  const verdict: Pick<LevelVerdict, 'findings' | 'notes'> = { findings: [], notes: [] }
  path.forEach((certificate, depth) => {
    const issuer = path[depth + 1]
    const proofs = issuer === undefined ? [] : [...material.proofsOf(certificate, issuer), ...knownProofs(certificate, issuer)]
    const dates = proofs.flatMap(({ revokedAt }) => (revokedAt === undefined ? [] : [revokedAt.getTime()]))
    if (dates.length === 0) return
    const since = new Date(Math.min(...dates))
    const words = `The certificate ${nameText(certificate.subject)} was revoked on ${since.toISOString()}`
    const object = (why: string) =>
      verdict.findings.push(newTrustFinding(depth === 0 ? 'REVOKED_NO_POE' : 'REVOKED_CA_NO_POE', `${words}, ${why}.`, 'revoked'))
    if (provenAt === undefined) object('and no trusted time-stamp shows that the signature was made before')
    else if (since <= provenAt) object(`before the time-stamped time of the signature, ${provenAt.toISOString()}`)
    else verdict.notes.push(`${words}, after the time-stamped time of the signature, ${provenAt.toISOString()}.`)
  })
  return verdict
}

/** Why an intact time-stamp does not count. */
const uncountedNote = ({ at, reasons }: CountedTimestamp, what: string): string =>
  [`The ${what} of ${at.toISOString()} does not count.`, ...reasons].join(' ')

/** Level and revocation of a PAdES signature whose integrity holds. */
export function judgeLevel(question: LevelQuestion): LevelVerdict {
  const { path, material, provenAt, claimedAt } = question
  const verdict: LevelVerdict = { level: 'B-B', ...revocations(question) }
  const isCounted = ({ trusted }: CountedTimestamp) => trusted
  const ownStamps = question.timestamps.filter(isCounted)
  const documentStamps = question.documentTimestamps.filter(isCounted)
  for (const stamp of question.timestamps) if (!stamp.trusted) verdict.notes.push(uncountedNote(stamp, 'time-stamp'))
  for (const stamp of question.documentTimestamps)
    if (!stamp.trusted) verdict.notes.push(uncountedNote(stamp, 'document time-stamp'))
  if (ownStamps.length === 0 && documentStamps.length === 0) return verdict
  verdict.level = 'B-T'
  const at = provenAt ?? claimedAt
  const stamps = (ownStamps.length > 0 ? ownStamps : documentStamps.slice(0, 1)).map(stamp => stamp.path)
  const lacking = (held: Material) => [path, ...stamps].flatMap(one => lacks(one, held, at))
  const missing = lacking(material)
  if (missing.length > 0) {
    if (material.present)
      verdict.notes.push(`The validation material (DSS) is not complete; it lacks ${[...new Set(missing)].join('; ')}.`)
    return verdict
  }
  verdict.level = 'B-LT'
  // The first document time-stamp may stand in place of one over the signature value; then another one has to seal the material.
  const sealing = ownStamps.length > 0 ? documentStamps : documentStamps.slice(1)
  if (sealing.some(stamp => lacking(stamp.material).length === 0)) verdict.level = 'B-LTA'
  return verdict
}
