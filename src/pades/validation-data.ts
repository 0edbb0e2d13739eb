/**
 * Collects what a seal needs to be judged when nobody can be asked any more: certificates up to the root, and for each below the root a proof that it
 * was not revoked. EN 319 142-1 §5.4; EN 319 102-1 §5.2.6.
 */

import { fetchIssuer, fetchRevocationProof, type NetworkOptions, type ProofResult, proofFromList } from '../pki/revocation.ts'
import { pathFrom } from '../pki/trust.ts'
import { type Certificate, nameText } from '../pki/x509.ts'

/** What lets a signature be judged when its authorities are gone. DER, base64. ISO 32000-2 §12.8.4.3; EN 319 142-1 §5.4.2. */
export interface ValidationData {
  certificates: string[]
  /** OCSPResponse, RFC 6960 §4.2.1. */
  ocspResponses: string[]
  /** CertificateList, RFC 5280 §5.1. */
  revocationLists: string[]
}

const MAX_PATH = 8
/** Delegates of a responder may have responders of their own: so many certificates are asked about, whoever names them. */
const MAX_ASKED = 24

export interface ValidationDataOptions {
  /** Chains as far as they are at hand, the end certificate first. */
  chains: readonly (readonly Certificate[])[]
  /** The time the proofs have to be of. */
  at: Date
  net: NetworkOptions
  /** The revocation list of an authority of our own: its certificates need not be asked for. */
  own: { root: Certificate; revocationList: Uint8Array } | undefined
}

export interface Collected {
  material: ValidationData
  /** What could not be had, in clauses; with any of them the long term is not reached. */
  missing: string[]
  /** Certificates that a proof calls revoked, in clauses. */
  revoked: string[]
}

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0
const isRoot = ({ subject, issuer }: Certificate): boolean => same(subject, issuer)

/** Everything that was found; DER objects, each once. */
interface Gathering {
  certificates: Map<string, Certificate>
  ocspResponses: Map<string, Uint8Array>
  revocationLists: Map<string, Uint8Array>
  missing: string[]
  revoked: string[]
  /** Certificates that were asked about. */
  asked: Set<string>
}

const keyOf = (der: Uint8Array): string => Buffer.from(der).toString('base64')

/** The chain up to its root, missing issuers fetched from where the certificates say. */
async function completed(chain: readonly Certificate[], net: NetworkOptions, missing: string[]): Promise<Certificate[]> {
  const [first, ...known] = chain
  if (first === undefined) return []
  const path = pathFrom(first, known)
  for (let last = path.at(-1); last !== undefined && !isRoot(last) && path.length < MAX_PATH; last = path.at(-1)) {
    const issuer = await fetchIssuer(last, net)
    if (issuer === undefined) {
      missing.push(`the certificate of the issuer of ${nameText(last.subject)}`)
      break
    }
    path.push(issuer)
  }
  return path
}

function foundInOwn({ own, at }: ValidationDataOptions, certificate: Certificate, issuer: Certificate): ProofResult | undefined {
  if (own === undefined || !same(own.root.der, issuer.der)) return undefined
  return proofFromList(own.revocationList, certificate, issuer, at)
}

async function gather(order: ValidationDataOptions, path: readonly Certificate[], into: Gathering): Promise<void> {
  for (const certificate of path) into.certificates.set(keyOf(certificate.der), certificate)
  for (const [depth, certificate] of path.entries()) {
    const issuer = path[depth + 1]
    if (issuer === undefined || into.asked.has(keyOf(certificate.der))) continue
    if (into.asked.size >= MAX_ASKED) {
      into.missing.push(
        `a proof that ${nameText(certificate.subject)} was not revoked: too many certificates have to be asked about`,
      )
      continue
    }
    into.asked.add(keyOf(certificate.der))
    const found = foundInOwn(order, certificate, issuer) ?? (await fetchRevocationProof(certificate, issuer, order.at, order.net))
    if ('missing' in found) {
      into.missing.push(found.missing)
      continue
    }
    const { proof } = found
    ;(proof.kind === 'ocsp' ? into.ocspResponses : into.revocationLists).set(keyOf(proof.der), proof.der)
    if (proof.revokedAt) into.revoked.push(`${nameText(certificate.subject)} was revoked on ${proof.revokedAt.toISOString()}`)
    if (proof.responder === undefined) continue
    // A delegate stands under the issuer it answers for; unless told not to, it is asked about like any other.
    const upwards = [proof.responder, ...path.slice(depth + 1)]
    if (proof.responderNeedsProof) await gather(order, upwards, into)
    else into.certificates.set(keyOf(proof.responder.der), proof.responder)
  }
}

/** Asks whoever has to be asked, in turn. What others do never throws. */
export async function collectValidationData(order: ValidationDataOptions): Promise<Collected> {
  const into: Gathering = {
    certificates: new Map(),
    ocspResponses: new Map(),
    revocationLists: new Map(),
    missing: [],
    revoked: [],
    asked: new Set(),
  }
  for (const chain of order.chains) await gather(order, await completed(chain, order.net, into.missing), into)
  return {
    material: {
      certificates: [...into.certificates.keys()],
      ocspResponses: [...into.ocspResponses.keys()],
      revocationLists: [...into.revocationLists.keys()],
    },
    missing: into.missing,
    revoked: into.revoked,
  }
}
