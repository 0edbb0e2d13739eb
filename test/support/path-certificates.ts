/** Certificates with any extensions, for tests of certification paths. */
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { bitString, derTrue, oid, sequence, setOf, tagged, time, unsignedInteger, utf8String } from '../../src/pki/der.ts'
import { extension, signStructure } from '../../src/pki/issue.ts'
import { OID } from '../../src/pki/oid.ts'
import { SEAL_TIME } from './test-pki.ts'

const YEAR_MS = 365 * 86_400_000

/** Type and value of each part, in order: `[['O', 'Test'], ['CN', 'Root']]`. */
export type NameParts = readonly (readonly ['C' | 'O' | 'OU' | 'CN' | 'email', string])[]
const TYPES = { C: '2.5.4.6', O: '2.5.4.10', OU: '2.5.4.11', CN: '2.5.4.3', email: '1.2.840.113549.1.9.1' }
export const nameOf = (parts: NameParts): Uint8Array =>
  sequence(...parts.map(([type, text]) => setOf(sequence(oid(TYPES[type]), utf8String(text)))))

export interface PathCertificate {
  der: Uint8Array
  subject: NameParts
  key: KeyObject
}

let serial = 1

/** A certificate by `issuer`, by default by itself. `more`: further extensions. */
export function certificateOf(
  subject: NameParts,
  { issuer, isAuthority = true, more = [] }: { issuer?: PathCertificate; isAuthority?: boolean; more?: Uint8Array[] } = {},
): PathCertificate {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const info = new Uint8Array(createPublicKey(privateKey).export({ format: 'der', type: 'spki' }))
  const usage = bitString(Uint8Array.of(isAuthority ? 0b0000_0110 : 0b1000_0000), isAuthority ? 1 : 7)
  const extensions = sequence(
    extension(OID.basicConstraints, true, isAuthority ? sequence(derTrue()) : sequence()),
    extension(OID.keyUsage, true, usage),
    ...more,
  )
  const ends = [SEAL_TIME.getTime() - YEAR_MS, SEAL_TIME.getTime() + YEAR_MS].map(at => time(new Date(at)))
  const der = signStructure(issuer?.key ?? privateKey, algorithm =>
    sequence(
      tagged(0, unsignedInteger(Uint8Array.of(2))),
      unsignedInteger(Uint8Array.of(++serial)),
      algorithm,
      nameOf(issuer?.subject ?? subject),
      sequence(...ends),
      nameOf(subject),
      info,
      tagged(3, extensions),
    ),
  )
  return { der, subject, key: privateKey }
}
