/**
 * Writes and signs the revocation list of an own authority: X.509 v2 CertificateList, complete, for its own certificates. RFC 5280 §5.
 * Knows no calendar: when the next one is due and which number it has are the caller's.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { CRL_OID, type RevokedCertificate } from './crl.ts'
import { der, sequence, smallInteger, TAG, tagged, time, unsignedInteger } from './der.ts'
import { authorityKeyIdentifier, extension, signStructure } from './issue.ts'
import type { KeyAndCertificate } from './key.ts'
import { readCertificate } from './x509.ts'

/** CRLReason (RFC 5280 §5.3.1) as far as a seal's certificate can be revoked for it. */
export const REVOCATION_REASONS = { unspecified: 0, keyCompromise: 1, superseded: 4, cessationOfOperation: 5 } as const
export type RevocationReason = keyof typeof REVOCATION_REASONS

const ENUMERATED = 0x0a

export interface RevocationListOptions {
  root: KeyAndCertificate
  thisUpdate: Date
  nextUpdate: Date
  /** cRLNumber: greater with every list of this root. */
  number: number
  revoked: readonly RevokedCertificate[]
}

/** `unspecified` is not written (RFC 5280 §5.3.1). */
function entry({ serial, at, reason }: RevokedCertificate): Uint8Array {
  const parts = [der(TAG.integer, Buffer.from(serial, 'hex')), time(at)]
  if (reason) parts.push(sequence(extension(CRL_OID.reasonCode, false, der(ENUMERATED, Uint8Array.of(reason)))))
  return sequence(...parts)
}

function numberOctets(number: number): Uint8Array {
  const octets = Buffer.alloc(8)
  octets.writeBigUInt64BE(BigInt(number))
  return unsignedInteger(octets)
}

/** A signed list, DER. Without an entry the field is absent, as the standard wants. */
export function issueRevocationList({ root, thisUpdate, nextUpdate, number, revoked }: RevocationListOptions): Uint8Array {
  const key = createPrivateKey({ key: Buffer.from(root.privateKeyPkcs8Der), format: 'der', type: 'pkcs8' })
  const issuerKeyInfo = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const extensions = sequence(authorityKeyIdentifier(issuerKeyInfo), extension(CRL_OID.cRLNumber, false, numberOctets(number)))
  return signStructure(key, algorithm =>
    sequence(
      smallInteger(1),
      algorithm,
      readCertificate(root.certificateDer).subject,
      time(thisUpdate),
      time(nextUpdate),
      ...(revoked.length === 0 ? [] : [sequence(...revoked.map(entry))]),
      tagged(0, extensions),
    ),
  )
}
