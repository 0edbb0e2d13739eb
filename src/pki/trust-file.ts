/** Reads the certificates of a file, in PEM (RFC 7468 §5) or DER. */
import { DerError, readDerPrefix } from './der.ts'
import { type Certificate, certificatePem, certificatesOfPem, readCertificate } from './x509.ts'

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

export interface TrustFile {
  /** PEM. All of them, or the end-entity certificates alone if the file has both kinds. */
  pem: string
  /** Authorities in a file with end-entity certificates: they certify strangers too. */
  leftAside: number
}

/** The certificates to trust as signers, or why there is none, as a clause. */
export function readSignerTrustFile(bytes: Uint8Array): TrustFile | { error: string } {
  const found = readCertificates(bytes)
  if ('error' in found) return found
  const own = found.filter(({ isAuthority }) => !isAuthority)
  const trusted = own.length === 0 ? found : own
  return { pem: pemOf(trusted), leftAside: found.length - trusted.length }
}

/** All certificates as one PEM text, or why there is none, as a clause. */
export function readTrustFile(bytes: Uint8Array): { pem: string } | { error: string } {
  const found = readCertificates(bytes)
  return 'error' in found ? found : { pem: pemOf(found) }
}

const pemOf = (certificates: readonly Certificate[]): string => certificates.map(({ der }) => certificatePem(der)).join('')

function readCertificates(bytes: Uint8Array): Certificate[] | { error: string } {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const certificates: Certificate[] = []
  let count = 0
  try {
    for (const der of text.includes('-----BEGIN ') ? certificatesOfPem(text) : splitDer(bytes)) {
      count++
      certificates.push(readCertificate(der))
    }
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    if (count > 0) return { error: `certificate ${count} in it cannot be read: ${error.message}` }
  }
  if (certificates.length === 0) return { error: 'it holds no certificate in PEM or DER' }
  return certificates
}
