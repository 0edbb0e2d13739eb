/** Reads the certificates of a file, in PEM (RFC 7468 §5) or DER. */

import { DerError, readDerPrefix } from './der.ts'
import { certificatePem, certificatesOfPem, readCertificate } from './x509.ts'

/** The file has no certificate, or an unreadable one. The message is a clause. */
export class TrustFileError extends Error {
  override name = 'TrustFileError'
}

/** Splits concatenated DER elements; undefined if the bytes are not DER. */
function splitDer(bytes: Uint8Array): Uint8Array[] | undefined {
  const found: Uint8Array[] = []
  try {
    for (let at = 0; at < bytes.length; ) {
      const { node, end } = readDerPrefix(bytes.subarray(at))
      found.push(node.encoded)
      at += end
    }
    return found
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

export function readTrustFile(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const certificates = text.includes('-----BEGIN ') ? certificatesOfPem(text) : splitDer(bytes)
  if (certificates === undefined || certificates.length === 0) throw new TrustFileError('it holds no certificate in PEM or DER')
  for (const [index, der] of certificates.entries()) {
    try {
      readCertificate(der)
    } catch (error) {
      if (!(error instanceof DerError)) throw error
      throw new TrustFileError(`certificate ${index + 1} in it cannot be read: ${error.message}`)
    }
  }
  return certificates.map(certificatePem).join('')
}
