/** Until when time-stamps can be proven: past certificate validation. EN 319 102-1 §5.6.2. */
import { type Finding, newTrustFinding } from '../pki/finding.ts'
import { type Certificate, nameText } from '../pki/x509.ts'

/** A time-stamp as proof that something existed. */
export interface ProofOfExistence {
  at: Date
  /** Undefined if it proves nothing at any time. */
  provableUntil: Date | undefined
}

export interface Provability {
  until: Date
  /** The certificate whose end it is. */
  limit: Certificate
}

/**
 * Until when what the path certifies can be proven: each certificate until its end, and longer by a
 * time-stamp from before that, as long as that one can be proven. `later`: the time-stamps over it.
 * Undefined without a path.
 */
export function findProvability(path: readonly Certificate[], later: readonly ProofOfExistence[]): Provability | undefined {
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
export function findLapse(provability: Provability | undefined, now: Date): Finding | undefined {
  if (provability === undefined || now <= provability.until) return undefined
  const { subject, notAfter } = provability.limit
  const words = `The certificate ${nameText(subject)} expired on ${notAfter.toISOString()}`
  const why = 'and no later time-stamp still shows that this one was made before'
  return newTrustFinding('OUT_OF_BOUNDS_NO_POE', `${words}, ${why}.`, 'expired')
}
