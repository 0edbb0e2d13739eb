/**
 * Whether everything in the security store behind a seal of our own form was signed by somebody at hand: no signature covers the store until a
 * document time-stamp does, so that an octet in it that nobody checks could be anybody's. EN 319 142-1 §5.4.2.
 */

import { type RevocationList, readRevocationList, revocationListError } from '../pki/crl.ts'
import { DerError } from '../pki/der.ts'
import { findResponder, readOcspResponse } from '../pki/ocsp.ts'
import { isSignedBy } from '../pki/trust.ts'
import { type Certificate, nameText, readCertificate } from '../pki/x509.ts'
import type { StoreContents } from './changes/dss.ts'

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/** Reads an object of the store, or notes why it is none. */
function read<T>(der: Uint8Array, reader: (der: Uint8Array) => T, what: string, errors: string[]): T[] {
  try {
    return [reader(der)]
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    errors.push(`The /DSS holds something that is no ${what}: ${error.message}.`)
    return []
  }
}

/**
 * What speaks against the store, in sentences. `paths` are the certificates that signatures and time-stamps lead to: those count as checked.
 */
export function dssErrors(store: StoreContents, paths: readonly Certificate[]): string[] {
  const errors: string[] = []
  if (store.unreadable > 0) errors.push(`The /DSS leads to ${store.unreadable} objects that cannot be read.`)
  const certificates = store.certificates.flatMap(der => read(der, readCertificate, 'certificate', errors))
  const known = [...paths, ...certificates]
  for (const certificate of certificates) {
    const isSelfIssued = same(certificate.subject, certificate.issuer)
    const isOnPath = !isSelfIssued && paths.some(one => same(one.der, certificate.der))
    if (!isOnPath && !known.some(issuer => same(issuer.subject, certificate.issuer) && isSignedBy(certificate, issuer)))
      errors.push(`The /DSS holds the certificate ${nameText(certificate.subject)}, which nothing at hand has signed.`)
  }
  for (const list of store.revocationLists.flatMap(der => read(der, readRevocationList, 'revocation list', errors))) {
    if (!known.some(issuer => isListBy(list, issuer)))
      errors.push(`The /DSS holds a revocation list by ${nameText(list.issuer)}, which nothing at hand has signed.`)
  }
  for (const response of store.ocspResponses.flatMap(der => read(der, readOcspResponse, 'OCSP response', errors))) {
    if (!known.some(issuer => issuer.isAuthority && findResponder(response, issuer) !== undefined))
      errors.push(`The /DSS holds an OCSP response of ${response.producedAt.toISOString()}, which nobody at hand may give.`)
    for (const certificate of response.certificates) {
      const issuers = [...known, ...response.certificates].filter(one => same(one.subject, certificate.issuer))
      if (!issuers.some(issuer => isSignedBy(certificate, issuer)))
        errors.push(
          `An OCSP response in the /DSS holds the certificate ${nameText(certificate.subject)}, which nothing at hand has signed.`,
        )
    }
  }
  return errors
}

/** At its own time of issue, only its form and its signature can speak against it. */
function isListBy(list: RevocationList, issuer: Certificate): boolean {
  return same(list.issuer, issuer.subject) && revocationListError(list, issuer, list.thisUpdate) === undefined
}
