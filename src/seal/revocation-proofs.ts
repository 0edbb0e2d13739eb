/**
 * What revocation lists and OCSP responses prove of a certificate: that it was good, or revoked and since when. RFC 5280 §6.3; RFC 6960 §3.2.
 * Takes only what carries the signature of who may say so; how long a proof speaks is the caller's to judge.
 */
import { type Certificate, readCertificate } from './certificate.ts'
import { DerError } from './der.ts'
import type { Material } from './levels.ts'
import { answerFor, needsNoCheck, type OcspResponse, readOcspResponse, responderOf } from './ocsp.ts'
import { listCovers, type RevocationList, readRevocationList, revocationListFault, revocationOf } from './revocation-list.ts'
import type { StoreContents } from './security-store.ts'

/** One statement on one certificate. */
export interface RevocationProof {
  thisUpdate: Date
  nextUpdate: Date | undefined
  /** Undefined while it was good. */
  revokedAt: Date | undefined
  /** Who answered for the issuer and has to be proven good itself (RFC 6960 §4.2.2.2.1). */
  responder: Certificate | undefined
}

/** What could be read of a list of DER objects; what is no such object proves nothing. */
function readable<T>(all: readonly Uint8Array[], read: (der: Uint8Array) => T): T[] {
  return all.flatMap(der => {
    try {
      return [read(der)]
    } catch (error) {
      if (error instanceof DerError) return []
      throw error
    }
  })
}

function proofOfList(list: RevocationList, certificate: Certificate, issuer: Certificate): RevocationProof[] {
  // At its own time of issue, only its form and its signature can speak against it.
  if (!listCovers(list, certificate) || revocationListFault(list, issuer, list.thisUpdate) !== undefined) return []
  const { thisUpdate, nextUpdate } = list
  return [{ thisUpdate, nextUpdate, revokedAt: revocationOf(list, certificate.serial)?.at, responder: undefined }]
}

function proofOfResponse(response: OcspResponse, certificate: Certificate, issuer: Certificate): RevocationProof[] {
  const answer = answerFor(response, certificate, issuer)
  if (answer === undefined || answer.status === 'unknown') return []
  const signer = responderOf(response, issuer)
  if (signer === undefined) return []
  const { thisUpdate, nextUpdate, revokedAt } = answer
  return [{ thisUpdate, nextUpdate, revokedAt, responder: signer === issuer || needsNoCheck(signer) ? undefined : signer }]
}

/** The validation material of a security store. */
export function materialOf(store: StoreContents): Material {
  const certificates = readable(store.certificates, readCertificate)
  const lists = readable(store.revocationLists, readRevocationList)
  const responses = readable(store.ocspResponses, readOcspResponse)
  const present = store.certificates.length + store.ocspResponses.length + store.revocationLists.length > 0
  return {
    present,
    certificates,
    proofsOf: (certificate, issuer) => [
      ...lists.flatMap(list => proofOfList(list, certificate, issuer)),
      ...responses.flatMap(response => proofOfResponse(response, certificate, issuer)),
    ],
  }
}
