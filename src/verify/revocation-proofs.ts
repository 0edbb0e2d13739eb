/** Reads the validation data of a DSS. Does not check its age. RFC 5280 §6.3; RFC 6960 §3.2. */
import { memoizePerObject } from '../lib/lru-cache.ts'
import { findRevocation, listCovers, type RevocationList, readRevocationList, revocationListError } from '../pki/crl.ts'
import { DerError } from '../pki/der.ts'
import { findOcspStatus, findResponder, hasNoCheckExtension, type OcspResponse, readOcspResponse } from '../pki/ocsp.ts'
import { type Certificate, readCertificate } from '../pki/x509.ts'
import type { DssContents } from './changes/dss.ts'
import type { RevisionValidationData } from './levels.ts'

/** The status of one certificate according to one list or response. */
export interface RevocationProof {
  thisUpdate: Date
  nextUpdate: Date | undefined
  /** Undefined if the certificate was good. */
  revokedAt: Date | undefined
  /** CRLReason (RFC 5280 §5.3.1); undefined if none is named. */
  reason: number | undefined
  /** The delegated OCSP responder, to be proven good itself (RFC 6960 §4.2.2.2.1). */
  responder: Certificate | undefined
}

/** Reads each object once: the revisions of a file share them, and a list may be large. */
function newReader<T>(read: (der: Uint8Array) => T): (objects: readonly Uint8Array[]) => T[] {
  const readOnce = memoizePerObject((der: Uint8Array): T[] => {
    try {
      return [read(der)]
    } catch (error) {
      // Another kind of object proves nothing.
      if (error instanceof DerError) return []
      throw error
    }
  })
  return objects => objects.flatMap(readOnce)
}

const readCertificates = newReader(readCertificate)
const readLists = newReader(readRevocationList)
const readResponses = newReader(readOcspResponse)

function readListProof(list: RevocationList, certificate: Certificate, issuer: Certificate): RevocationProof[] {
  // Checked at its own time of issue: its form and its signature, not its age.
  if (!listCovers(list, certificate) || revocationListError(list, issuer, list.thisUpdate) !== undefined) return []
  const { thisUpdate, nextUpdate } = list
  const entry = findRevocation(list, certificate.serial)
  return [{ thisUpdate, nextUpdate, revokedAt: entry?.revokedAt, reason: entry?.reason, responder: undefined }]
}

function readResponseProof(response: OcspResponse, certificate: Certificate, issuer: Certificate): RevocationProof[] {
  const answer = findOcspStatus(response, certificate, issuer)
  if (answer === undefined || answer.status === 'unknown') return []
  const signer = findResponder(response, issuer)
  if (signer === undefined) return []
  const { thisUpdate, nextUpdate, revokedAt, reason } = answer
  return [
    {
      thisUpdate,
      nextUpdate,
      revokedAt,
      reason,
      responder: signer === issuer || hasNoCheckExtension(signer) ? undefined : signer,
    },
  ]
}

export function readMaterial(dss: DssContents): RevisionValidationData {
  const certificates = readCertificates(dss.certificates)
  const lists = readLists(dss.revocationLists)
  const responses = readResponses(dss.ocspResponses)
  const isPresent = dss.certificates.length + dss.ocspResponses.length + dss.revocationLists.length > 0
  return {
    isPresent,
    certificates,
    proofsOf: (certificate, issuer) => [
      ...lists.flatMap(list => readListProof(list, certificate, issuer)),
      ...responses.flatMap(response => readResponseProof(response, certificate, issuer)),
    ],
  }
}
