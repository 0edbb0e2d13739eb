/** Reads the certificates of a file, in PEM (RFC 7468 §5) or DER. */
import { DerError, readDerPrefix } from './der.ts'
import { certificatePem, certificatesOfPem, readCertificate } from './x509.ts'

/** @throws DerError */
function splitDer(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const { node, end } = readDerPrefix(bytes.subarray(at))
    found.push(node.encoded)
    at += end
  }
  return found
}

/** All certificates as one PEM text, or why there is none, as a clause. */
export function readTrustFile(bytes: Uint8Array): { pem: string } | { error: string } {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  let certificates: Uint8Array[] = []
  let count = 0
  try {
    certificates = text.includes('-----BEGIN ') ? certificatesOfPem(text) : splitDer(bytes)
    for (const der of certificates) {
      count++
      readCertificate(der)
    }
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    if (count > 0) return { error: `certificate ${count} in it cannot be read: ${error.message}` }
  }
  if (certificates.length === 0) return { error: 'it holds no certificate in PEM or DER' }
  return { pem: certificates.map(certificatePem).join('') }
}
