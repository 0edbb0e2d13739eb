/**
 * Certificates, CMS and time-stamp tokens for forged files: any part can be invalid. Keys on P-256.
 * RFC 5280 §4, RFC 5652 §5, RFC 3161 §2.4.2.
 */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import {
  bitString,
  der,
  derNull,
  derTrue,
  octetString,
  oid,
  readDer,
  sequence,
  setOf,
  smallInteger,
  TAG,
  tagged,
  time,
  unsignedInteger,
} from '../../../src/pki/der.ts'
import { authorityKeyIdentifier, distinguishedName, extension, signStructure } from '../../../src/pki/issue.ts'
import { certificatePem, readCertificate } from '../../../src/pki/x509.ts'

export const SHA256 = '2.16.840.1.101.3.4.2.1'
export const SHA1 = '1.3.14.3.2.26'
const ECDSA_SHA256 = '1.2.840.10045.4.3.2'
const ID_DATA = '1.2.840.113549.1.7.1'
const TST_INFO = '1.2.840.113549.1.9.16.1.4'
const DAY_MS = 86_400_000
const EKU = { documents: '1.3.6.1.5.5.7.3.36', timestamps: '1.3.6.1.5.5.7.3.8', servers: '1.3.6.1.5.5.7.3.1' } as const

/** A certificate, DER, and its private key. */
export interface Entity {
  certificate: Uint8Array
  key: KeyObject
}

export interface CertificateOptions {
  name: string
  /** Absent: it signs itself. */
  issuer?: Entity
  isAuthority?: boolean
  use?: keyof typeof EKU
  /** Days from now. */
  from?: number
  to?: number
  serial?: number
}

let serials = 0

const fromNow = (days: number): Date => new Date(Math.floor(Date.now() / 1000) * 1000 + days * DAY_MS)

export function issue(order: CertificateOptions): Entity {
  const { name, issuer, isAuthority = issuer === undefined, use, from = -400, to = 2000, serial = ++serials } = order
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const info = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))
  const subject = distinguishedName('Forged files', name)
  const above = issuer === undefined ? undefined : readCertificate(issuer.certificate)
  const extensions = [
    extension('2.5.29.19', true, isAuthority ? sequence(derTrue()) : sequence()),
    extension('2.5.29.15', true, isAuthority ? bitString(Uint8Array.of(0x06), 1) : bitString(Uint8Array.of(0xc0), 6)),
    ...(use === undefined ? [] : [extension('2.5.29.37', use === 'timestamps', sequence(oid(EKU[use])))]),
    authorityKeyIdentifier(above?.publicKeyInfo ?? info),
  ]
  const certificate = signStructure(issuer?.key ?? privateKey, algorithm =>
    sequence(
      tagged(0, smallInteger(2)),
      unsignedInteger(Uint8Array.of(0x40, serial >> 8, serial & 0xff)),
      algorithm,
      above?.subject ?? subject,
      sequence(time(fromNow(from)), time(fromNow(to))),
      subject,
      info,
      tagged(3, sequence(...extensions)),
    ),
  )
  return { certificate, key: privateKey }
}

export const pemOf = ({ certificate }: Entity): string => certificatePem(certificate)

export const hashOf = (bytes: Uint8Array, algorithm = 'sha256'): Uint8Array => createHash(algorithm).update(bytes).digest()

export const attribute = (type: string, ...values: Uint8Array[]): Uint8Array => sequence(oid(type), setOf(...values))

/** The three attributes of a PAdES baseline signature, by type. */
export function attributesFor(digest: Uint8Array, signer: Entity, contentType = ID_DATA): Uint8Array[] {
  return [
    attribute('1.2.840.113549.1.9.3', oid(contentType)),
    attribute('1.2.840.113549.1.9.4', octetString(digest)),
    attribute('1.2.840.113549.1.9.16.2.47', sequence(sequence(sequence(octetString(hashOf(signer.certificate)))))),
  ]
}

export interface CmsOrder {
  signer: Entity
  digest: Uint8Array
  /** In addition to the signer's own. */
  issuers?: readonly Entity[]
  /** DER certificates in place of the signer's and the issuers'. */
  certificates?: readonly Uint8Array[]
  /** Changes the attributes before signing; `undefined`: none; the signature covers `signed`. */
  attributes?: (attributes: Uint8Array[]) => Uint8Array[] | undefined
  /** The signed bytes if there are no attributes. */
  signed?: Uint8Array
  digestAlgorithm?: string
  content?: { type: string; bytes: Uint8Array }
  unsigned?: readonly Uint8Array[]
  /** Changes the signature value. */
  value?: (value: Uint8Array) => Uint8Array
  /** Changes the SignerInfos. */
  signers?: (signers: Uint8Array[]) => Uint8Array[]
}

/** With SHA-256. */
const signatureAlgorithm = ({ asymmetricKeyType }: KeyObject): Uint8Array =>
  asymmetricKeyType === 'rsa' ? sequence(oid('1.2.840.113549.1.1.11'), derNull()) : sequence(oid(ECDSA_SHA256))

/** The one SignerInfo of a CMS. */
function signerInfo(order: CmsOrder): Uint8Array {
  const { signer, digest, attributes = list => list, signed = digest, digestAlgorithm = SHA256, value = bytes => bytes } = order
  const { issuer, serial } = readCertificate(signer.certificate)
  const list = attributes(attributesFor(digest, signer, order.content?.type))
  const attributeSet = list === undefined ? undefined : setOf(...list)
  const signature = sign('sha256', attributeSet ?? signed, { key: signer.key, dsaEncoding: 'der' })
  return sequence(
    smallInteger(1),
    sequence(issuer, der(TAG.integer, Buffer.from(serial, 'hex'))),
    sequence(oid(digestAlgorithm)),
    ...(attributeSet === undefined ? [] : [tagged(0, readDer(attributeSet).contents)]),
    signatureAlgorithm(signer.key),
    octetString(value(signature)),
    ...(order.unsigned === undefined ? [] : [tagged(1, ...order.unsigned)]),
  )
}

/** ContentInfo with SignedData, DER. */
export function cmsOf(order: CmsOrder): Uint8Array {
  const { signer, issuers = [], content, digestAlgorithm = SHA256, signers = list => list } = order
  const certificates = order.certificates ?? [signer, ...issuers].map(({ certificate }) => certificate)
  const info = content === undefined ? [oid(ID_DATA)] : [oid(content.type), tagged(0, octetString(content.bytes))]
  const data = sequence(
    smallInteger(content === undefined || content.type === ID_DATA ? 1 : 3),
    setOf(sequence(oid(digestAlgorithm))),
    sequence(...info),
    tagged(0, ...certificates.toSorted(Buffer.compare)),
    setOf(...signers([signerInfo(order)])),
  )
  return sequence(oid('1.2.840.113549.1.7.2'), tagged(0, data))
}

/** A time-stamp token over `digest`, DER. `nonce`: contents of an INTEGER. */
export function tokenOf(authority: Entity, digest: Uint8Array, at: Date, nonce?: Uint8Array): Uint8Array {
  const moment = Buffer.from(`${at.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`)
  const imprint = sequence(sequence(oid(SHA256)), octetString(digest))
  const parts = [oid('1.3.6.1.4.1.99999.1'), imprint, smallInteger(7), der(TAG.generalizedTime, moment)]
  const bytes = sequence(smallInteger(1), ...parts, ...(nonce === undefined ? [] : [der(TAG.integer, nonce)]))
  return cmsOf({ signer: authority, digest: hashOf(bytes), content: { type: TST_INFO, bytes } })
}
