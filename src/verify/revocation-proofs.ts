/**
 * What revocation lists and OCSP responses prove of a certificate: that it was good, or revoked and since when. RFC 5280 §6.3; RFC 6960 §3.2.
 * Takes only what carries the signature of who may say so; how long a proof speaks is the caller's to judge.
 */

import { findRevocation, listCovers, type RevocationList, readRevocationList, revocationListError } from '../pki/crl.ts'
import { DerError } from '../pki/der.ts'
import { findOcspStatus, findResponder, hasNoCheckExtension, type OcspResponse, readOcspResponse } from '../pki/ocsp.ts'
import { type Certificate, readCertificate } from '../pki/x509.ts'
import type { StoreContents } from './changes/dss.ts'
import type { Material } from './levels.ts'

/** One statement on one certificate. */
export interface RevocationProof {
  thisUpdate: Date
  nextUpdate: Date | undefined
  /** Undefined while it was good. */
  revokedAt: Date | undefined
  /** Who answered for the issuer and has to be proven good itself (RFC 6960 §4.2.2.2.1). */
  responder: Certificate | undefined
}

/** Reads each object once, by its very bytes: the stores of all revisions of a file share them, and a list may be large. */
function once<T>(read: (der: Uint8Array) => T): (all: readonly Uint8Array[]) => T[] {
  const known = new WeakMap<Uint8Array, { value: T | undefined }>()
  const readOne = (der: Uint8Array): T | undefined => {
    try {
      return read(der)
    } catch (error) {
      // What is no such object proves nothing.
      if (error instanceof DerError) return undefined
      throw error
    }
  }
  return all =>
    all.flatMap(der => {
      const found = known.get(der) ?? { value: readOne(der) }
      known.set(der, found)
      return found.value === undefined ? [] : [found.value]
    })
}

const readCertificates = once(readCertificate)
const readLists = once(readRevocationList)
const readResponses = once(readOcspResponse)

function proofOfList(list: RevocationList, certificate: Certificate, issuer: Certificate): RevocationProof[] {
  // At its own time of issue, only its form and its signature can speak against it.
  if (!listCovers(list, certificate) || revocationListError(list, issuer, list.thisUpdate) !== undefined) return []
  const { thisUpdate, nextUpdate } = list
  return [{ thisUpdate, nextUpdate, revokedAt: findRevocation(list, certificate.serial)?.at, responder: undefined }]
}

function proofOfResponse(response: OcspResponse, certificate: Certificate, issuer: Certificate): RevocationProof[] {
  const answer = findOcspStatus(response, certificate, issuer)
  if (answer === undefined || answer.status === 'unknown') return []
  const signer = findResponder(response, issuer)
  if (signer === undefined) return []
  const { thisUpdate, nextUpdate, revokedAt } = answer
  return [{ thisUpdate, nextUpdate, revokedAt, responder: signer === issuer || hasNoCheckExtension(signer) ? undefined : signer }]
}

/** The validation material of a security store. */
export function materialOf(store: StoreContents): Material {
  const certificates = readCertificates(store.certificates)
  const lists = readLists(store.revocationLists)
  const responses = readResponses(store.ocspResponses)
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
