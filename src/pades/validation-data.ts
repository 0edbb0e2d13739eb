/** Collects certificates up to the root and proofs of non-revocation. EN 319 142-1 §5.4. */

import { equalBytes } from '../lib/bytes.ts'
import {
  fetchIssuer,
  fetchRevocationProof,
  type NetworkOptions,
  type Proof,
  type ProofResult,
  proofFromList,
} from '../pki/revocation.ts'
import { MAX_PATH, pathFrom } from '../pki/trust.ts'
import { type Certificate, nameText } from '../pki/x509.ts'

/** DER in Base64. ISO 32000-2 §12.8.4.3, EN 319 142-1 §5.4.2. */
export interface ValidationData {
  certificates: string[]
  /** OCSPResponse, RFC 6960 §4.2.1. */
  ocspResponses: string[]
  /** CertificateList, RFC 5280 §5.1. */
  revocationLists: string[]
}

/** Bounds the proofs to fetch: delegated responders can have responders of their own. */
const MAX_CERTIFICATES = 24

export interface ValidationDataOptions {
  /** Known parts of the chains, the end certificate first. */
  chains: readonly (readonly Certificate[])[]
  /** The proofs must be valid at this time. */
  at: Date
  net: NetworkOptions
  /** For certificates of this instance's own authority, nothing is fetched. */
  own: { root: Certificate; revocationList: Uint8Array } | undefined
}

export interface CollectedValidationData {
  material: ValidationData
  /** Data that could not be fetched, in clauses. Any prevents B-LT. */
  missing: string[]
  /** Certificates that are revoked, in clauses. */
  revoked: string[]
}

const isRoot = ({ subject, issuer }: Certificate): boolean => equalBytes(subject, issuer)

interface Gathered {
  certificates: Set<string>
  ocspResponses: Set<string>
  revocationLists: Set<string>
  missing: string[]
  revoked: string[]
  checked: Set<string>
}

const base64 = (der: Uint8Array): string => Buffer.from(der).toString('base64')

/** Extends the chain to its root, and fetches missing issuers. */
async function completePath(chain: readonly Certificate[], net: NetworkOptions, missing: string[]): Promise<Certificate[]> {
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

function proofFromOwnList(
  { own, at }: ValidationDataOptions,
  certificate: Certificate,
  issuer: Certificate,
): ProofResult | undefined {
  if (own === undefined || !equalBytes(own.root.der, issuer.der)) return undefined
  return proofFromList(own.revocationList, certificate, issuer, at)
}

async function gather(options: ValidationDataOptions, path: readonly Certificate[], found: Gathered): Promise<void> {
  for (const certificate of path) found.certificates.add(base64(certificate.der))
  for (const [depth, certificate] of path.entries()) {
    const issuer = path[depth + 1]
    if (issuer === undefined || found.checked.has(base64(certificate.der))) continue
    const proof = await findProof(options, certificate, issuer, found)
    if (proof?.responder === undefined) continue
    // A delegated responder is issued by the same issuer and may need a proof of its own.
    if (proof.responderNeedsProof) await gather(options, [proof.responder, ...path.slice(depth + 1)], found)
    else found.certificates.add(base64(proof.responder.der))
  }
}

async function findProof(
  options: ValidationDataOptions,
  certificate: Certificate,
  issuer: Certificate,
  found: Gathered,
): Promise<Proof | undefined> {
  const name = nameText(certificate.subject)
  if (found.checked.size >= MAX_CERTIFICATES) {
    found.missing.push(`a proof that ${name} was not revoked: too many certificates need one`)
    return undefined
  }
  found.checked.add(base64(certificate.der))
  const { at, net } = options
  const result = proofFromOwnList(options, certificate, issuer) ?? (await fetchRevocationProof(certificate, issuer, at, net))
  if ('missing' in result) {
    found.missing.push(result.missing)
    return undefined
  }
  const { proof } = result
  const target = proof.kind === 'ocsp' ? found.ocspResponses : found.revocationLists
  target.add(base64(proof.der))
  if (proof.revokedAt) found.revoked.push(`${name} was revoked on ${proof.revokedAt.toISOString()}`)
  return proof
}

/** Never throws for failures of responders and servers. */
export async function collectValidationData(options: ValidationDataOptions): Promise<CollectedValidationData> {
  const found: Gathered = {
    certificates: new Set(),
    ocspResponses: new Set(),
    revocationLists: new Set(),
    missing: [],
    revoked: [],
    checked: new Set(),
  }
  for (const chain of options.chains) await gather(options, await completePath(chain, options.net, found.missing), found)
  const { certificates, ocspResponses, revocationLists, missing, revoked } = found
  return {
    material: {
      certificates: [...certificates],
      ocspResponses: [...ocspResponses],
      revocationLists: [...revocationLists],
    },
    missing,
    revoked,
  }
}
