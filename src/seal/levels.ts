/**
 * What the parts of a signature reach: baseline level B-B, B-T, B-LT or B-LTA, and whether a certificate under it was revoked. EN 319 142-1 §6;
 * RFC 5280 §6.3. A level says what is there and holds together, not whom to trust: that is said beside it.
 */
import type { BaselineLevel } from '../pdf/order.ts'
import { type Certificate, nameText } from './certificate.ts'
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

export interface LevelQuestion {
  /** Signer first, as far up as issuers are at hand. */
  path: readonly Certificate[]
  /** The paths of the intact time-stamps over the signature value. */
  timeStampPaths: readonly (readonly Certificate[])[]
  /** Intact document time-stamps that cover the signature, with the material that stood in the file when each was made. */
  documentTimeStamps: readonly { at: Date; trusted: boolean; path: readonly Certificate[]; material: Material }[]
  /** What the newest revision holds. */
  material: Material
  /** The earliest time at which a trusted authority has seen the signature; undefined when none has. */
  provenAt: Date | undefined
  /** The time the signer claims. */
  claimedAt: Date | undefined
}

export interface LevelVerdict {
  level: BaselineLevel
  /** Against soundness: sentences. */
  reasons: string[]
  /** What is to be told beside it: sentences. */
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

/** RFC 5280 §5.3: a revocation counts from its date; what was signed before, as a trusted time shows, stands. */
function revocations({ path, material, provenAt }: LevelQuestion): Pick<LevelVerdict, 'reasons' | 'notes'> {
  const verdict: Pick<LevelVerdict, 'reasons' | 'notes'> = { reasons: [], notes: [] }
  path.forEach((certificate, depth) => {
    const issuer = path[depth + 1]
    const proofs = issuer === undefined ? [] : material.proofsOf(certificate, issuer)
    const dates = proofs.flatMap(({ revokedAt }) => (revokedAt === undefined ? [] : [revokedAt.getTime()]))
    if (dates.length === 0) return
    const since = new Date(Math.min(...dates))
    const words = `The certificate ${nameText(certificate.subject)} was revoked on ${since.toISOString()}`
    if (provenAt === undefined)
      verdict.reasons.push(`${words}, and no trusted time-stamp shows that the signature was made before.`)
    else if (since <= provenAt)
      verdict.reasons.push(`${words}, before the time-stamped time of the signature, ${provenAt.toISOString()}.`)
    else verdict.notes.push(`${words}, after the time-stamped time of the signature, ${provenAt.toISOString()}.`)
  })
  return verdict
}

/** Level and revocation of a PAdES signature whose integrity holds. */
export function judgeLevel(question: LevelQuestion): LevelVerdict {
  const { path, timeStampPaths, documentTimeStamps, material, provenAt, claimedAt } = question
  const verdict: LevelVerdict = { level: 'B-B', ...revocations(question) }
  if (timeStampPaths.length === 0 && documentTimeStamps.length === 0) return verdict
  verdict.level = 'B-T'
  const at = provenAt ?? claimedAt
  const stamps = timeStampPaths.length > 0 ? timeStampPaths : documentTimeStamps.slice(0, 1).map(stamp => stamp.path)
  const lacking = (held: Material) => [path, ...stamps].flatMap(one => lacks(one, held, at))
  const missing = lacking(material)
  if (missing.length > 0) {
    if (material.present)
      verdict.notes.push(`The validation material (DSS) is not complete; it lacks ${[...new Set(missing)].join('; ')}.`)
    return verdict
  }
  verdict.level = 'B-LT'
  // The first document time-stamp may stand in place of one over the signature value; then another one has to seal the material.
  const sealing = timeStampPaths.length > 0 ? documentTimeStamps : documentTimeStamps.slice(1)
  if (sealing.some(stamp => lacking(stamp.material).length === 0)) verdict.level = 'B-LTA'
  return verdict
}
