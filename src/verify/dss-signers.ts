/** Checks that known certificates signed all of the DSS: no seal covers it. EN 319 142-1 §5.4.2. */
import { type RevocationList, readRevocationList, revocationListError } from '../pki/crl.ts'
import { DerError, equalBytes } from '../pki/der.ts'
import { findResponder, type OcspResponse, readOcspResponse } from '../pki/ocsp.ts'
import { isSignedBy } from '../pki/trust.ts'
import { type Certificate, nameText, readCertificate } from '../pki/x509.ts'
import type { DssContents } from './changes/dss.ts'

/** Reads the objects and notes those of another kind. */
function readAll<T>(objects: readonly Uint8Array[], read: (der: Uint8Array) => T, kind: string, errors: string[]): T[] {
  return objects.flatMap(der => {
    try {
      return [read(der)]
    } catch (error) {
      if (!(error instanceof DerError)) throw error
      errors.push(`The /DSS contains an object that is not a valid ${kind}: ${error.message}.`)
      return []
    }
  })
}

const isSignedByAny = (certificate: Certificate, issuers: readonly Certificate[]): boolean =>
  issuers.some(issuer => equalBytes(issuer.subject, certificate.issuer) && isSignedBy(certificate, issuer))

/** Checked at its own time of issue: its form and its signature, not its age. */
const isListBy = (list: RevocationList, issuer: Certificate): boolean =>
  equalBytes(list.issuer, issuer.subject) && revocationListError(list, issuer, list.thisUpdate) === undefined

function checkResponse(response: OcspResponse, known: readonly Certificate[]): string[] {
  const isAuthorised = known.some(issuer => issuer.isAuthority && findResponder(response, issuer) !== undefined)
  const unsigned = response.certificates.filter(one => !isSignedByAny(one, [...known, ...response.certificates]))
  return [
    ...(isAuthorised
      ? []
      : [`The /DSS contains an OCSP response of ${response.producedAt.toISOString()} by no authorised responder.`]),
    ...unsigned.map(
      ({ subject }) =>
        `An OCSP response in the /DSS contains the certificate ${nameText(subject)}, which no known certificate has signed.`,
    ),
  ]
}

/** `paths` are the certification paths of signatures and time-stamps, already validated. */
export function checkDss(dss: DssContents, paths: readonly Certificate[]): string[] {
  const errors: string[] = []
  if (dss.unreadable > 0) errors.push(`The /DSS refers to ${dss.unreadable} objects that cannot be read.`)
  const certificates = readAll(dss.certificates, readCertificate, 'certificate', errors)
  const known = [...paths, ...certificates]
  for (const certificate of certificates) {
    const isSelfIssued = equalBytes(certificate.subject, certificate.issuer)
    const isOnPath = !isSelfIssued && paths.some(one => equalBytes(one.der, certificate.der))
    if (!isOnPath && !isSignedByAny(certificate, known))
      errors.push(`The /DSS contains the certificate ${nameText(certificate.subject)}, which no known certificate has signed.`)
  }
  for (const list of readAll(dss.revocationLists, readRevocationList, 'revocation list', errors)) {
    if (!known.some(issuer => isListBy(list, issuer)))
      errors.push(`The /DSS contains a revocation list of ${nameText(list.issuer)}, which no known certificate has signed.`)
  }
  const responses = readAll(dss.ocspResponses, readOcspResponse, 'OCSP response', errors)
  return [...errors, ...responses.flatMap(response => checkResponse(response, known))]
}
