/** Addresses of OCSP responders, CRLs and issuers. RFC 5280 §4.2.1.13, §4.2.2.1. */
import { type DerNode, expectTag, readDer, readOid, TAG } from './der.ts'
import { OID } from './oid.ts'
import type { Certificate, Extension } from './x509.ts'

/** GeneralName, uniformResourceIdentifier [6] IMPLICIT IA5String. */
const URI_TAG = 0x86

export const findExtension = ({ extensions }: Certificate, id: string): Extension | undefined =>
  extensions.find(extension => extension.id === id)

const isHttp = (url: string): boolean => /^https?:\/\//i.test(url)
const urlOf = (node: DerNode | undefined): string[] =>
  node?.tag === URI_TAG ? [new TextDecoder('latin1').decode(node.contents)].filter(isHttp) : []

function accessUrls(certificate: Certificate, method: string): string[] {
  const extension = findExtension(certificate, OID.authorityInfoAccess)
  if (extension === undefined) return []
  return expectTag(readDer(extension.value), TAG.sequence, 'authorityInfoAccess').children.flatMap(description =>
    readOid(description.children[0], 'an access method') === method ? urlOf(description.children[1]) : [],
  )
}

/** HTTP addresses of OCSP responders. @throws DerError */
export const ocspUrls = (certificate: Certificate): string[] => accessUrls(certificate, OID.ocsp)

/** HTTP addresses of the issuer's certificate. @throws DerError */
export const issuerUrls = (certificate: Certificate): string[] => accessUrls(certificate, OID.caIssuers)

/** HTTP addresses of complete revocation lists by the certificate's issuer. @throws DerError */
export function revocationListUrls(certificate: Certificate): string[] {
  const extension = findExtension(certificate, OID.cRLDistributionPoints)
  if (extension === undefined) return []
  return expectTag(readDer(extension.value), TAG.sequence, 'cRLDistributionPoints').children.flatMap(point => {
    const name = point.children.find(node => node.tag === 0xa0)?.children.find(node => node.tag === 0xa0)
    // A point for some reasons only, or of another issuer, is not sufficient for the certificate.
    const isComplete = !point.children.some(node => node.tag === 0x81 || node.tag === 0xa2)
    return isComplete ? (name?.children ?? []).flatMap(urlOf) : []
  })
}
