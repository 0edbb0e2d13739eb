/** Issues the revocation list of an authority of this instance: complete, X.509 v2. RFC 5280 §5. */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { RevokedCertificate } from './crl.ts'
import { der, sequence, smallInteger, TAG, tagged, time, unsignedInteger } from './der.ts'
import { authorityKeyIdentifier, extension, signStructure } from './issue.ts'
import type { KeyAndCertificate } from './key.ts'
import { OID } from './oid.ts'
import { readCertificate } from './x509.ts'

/** CRLReason (RFC 5280 §5.3.1): the reasons that apply to a seal certificate. */
export const REVOCATION_REASONS = { unspecified: 0, keyCompromise: 1, superseded: 4, cessationOfOperation: 5 } as const
export type RevocationReason = keyof typeof REVOCATION_REASONS

export interface RevocationListOptions {
  root: KeyAndCertificate
  thisUpdate: Date
  nextUpdate: Date
  /** cRLNumber, which increases with each list of the root. */
  number: number
  revoked: readonly RevokedCertificate[]
}

/** The reason `unspecified` is omitted (RFC 5280 §5.3.1). */
function encodeEntry({ serial, revokedAt, reason }: RevokedCertificate): Uint8Array {
  const parts = [der(TAG.integer, Buffer.from(serial, 'hex')), time(revokedAt)]
  if (reason) parts.push(sequence(extension(OID.reasonCode, false, der(TAG.enumerated, Uint8Array.of(reason)))))
  return sequence(...parts)
}

function encodeNumber(number: number): Uint8Array {
  const octets = Buffer.alloc(8)
  octets.writeBigUInt64BE(BigInt(number))
  return unsignedInteger(octets)
}

/** DER. revokedCertificates is omitted if it would be empty (RFC 5280 §5.1.2.6). */
export function issueRevocationList({ root, thisUpdate, nextUpdate, number, revoked }: RevocationListOptions): Uint8Array {
  const key = createPrivateKey({ key: Buffer.from(root.privateKeyPkcs8Der), format: 'der', type: 'pkcs8' })
  const issuerKeyInfo = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const extensions = sequence(authorityKeyIdentifier(issuerKeyInfo), extension(OID.cRLNumber, false, encodeNumber(number)))
  return signStructure(key, algorithm =>
    sequence(
      smallInteger(1),
      algorithm,
      readCertificate(root.certificateDer).subject,
      time(thisUpdate),
      time(nextUpdate),
      ...(revoked.length === 0 ? [] : [sequence(...revoked.map(encodeEntry))]),
      tagged(0, extensions),
    ),
  )
}
