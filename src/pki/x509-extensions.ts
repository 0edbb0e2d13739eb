/** Extensions of a certificate that only the collecting of proofs needs: where revocation is told, where the issuer is had. RFC 5280 §4.2.1.13, §4.2.2.1. */

import { type DerNode, expectTag, readDer, readOid, TAG } from './der.ts'
import type { Certificate } from './x509.ts'

const AUTHORITY_INFORMATION_ACCESS = '1.3.6.1.5.5.7.1.1'
const CRL_DISTRIBUTION_POINTS = '2.5.29.31'
const OCSP = '1.3.6.1.5.5.7.48.1'
const CA_ISSUERS = '1.3.6.1.5.5.7.48.2'
/** GeneralName, uniformResourceIdentifier [6] IMPLICIT IA5String. */
const URI_TAG = 0x86

/** An extension by its identifier; `undefined` when the certificate has none such. @throws DerError */
export function extensionOf({ tbs }: Certificate, id: string): { critical: boolean; value: Uint8Array } | undefined {
  const list = readDer(tbs).children.find(node => node.tag === 0xa3)?.children[0]
  for (const extension of list?.children ?? []) {
    const [name, second, third] = extension.children
    if (readOid(name, 'the name of an extension') !== id) continue
    const isFlagged = second?.tag === TAG.boolean
    const value = expectTag(isFlagged ? third : second, TAG.octetString, 'the value of an extension').contents
    return { critical: isFlagged && second.contents[0] === 0xff, value }
  }
  return undefined
}

const isHttp = (url: string): boolean => /^https?:\/\//i.test(url)
const urlOf = (node: DerNode | undefined): string[] =>
  node?.tag === URI_TAG ? [new TextDecoder('latin1').decode(node.contents)].filter(isHttp) : []

function accessOf(certificate: Certificate, method: string): string[] {
  const extension = extensionOf(certificate, AUTHORITY_INFORMATION_ACCESS)
  if (extension === undefined) return []
  return expectTag(readDer(extension.value), TAG.sequence, 'authorityInfoAccess').children.flatMap(description =>
    readOid(description.children[0], 'an access method') === method ? urlOf(description.children[1]) : [],
  )
}

/** Addresses of OCSP responders, http and https alone. @throws DerError */
export const ocspUrls = (certificate: Certificate): string[] => accessOf(certificate, OCSP)

/** Addresses of the issuer's certificate. @throws DerError */
export const issuerUrls = (certificate: Certificate): string[] => accessOf(certificate, CA_ISSUERS)

/** Addresses of complete revocation lists by the issuer itself. @throws DerError */
export function revocationListUrls(certificate: Certificate): string[] {
  const extension = extensionOf(certificate, CRL_DISTRIBUTION_POINTS)
  if (extension === undefined) return []
  return expectTag(readDer(extension.value), TAG.sequence, 'cRLDistributionPoints').children.flatMap(point => {
    const name = point.children.find(node => node.tag === 0xa0)?.children.find(node => node.tag === 0xa0)
    // Points for some reasons only, or of other issuers, do not answer for the certificate alone.
    const isWhole = !point.children.some(node => node.tag === 0x81 || node.tag === 0xa2)
    return isWhole ? (name?.children ?? []).flatMap(urlOf) : []
  })
}
