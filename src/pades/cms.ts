/** Writes the CMS of a PAdES B-B seal. RFC 5652 §5, EN 319 122-1 §6. The time is in /M. */
import { createHash } from 'node:crypto'
import type { FileSystem } from '../lib/machine.ts'
import {
  DerError,
  type DerNode,
  der,
  derNull,
  octetString,
  oid,
  readDer,
  sequence,
  setOf,
  smallInteger,
  TAG,
  tagged,
} from '../pki/der.ts'
import type { SealAlgorithm, SealKey } from '../pki/key.ts'
import { CMS_OID, OID } from '../pki/oid.ts'
import { readCertificate } from '../pki/x509.ts'
import { fillContentsInFile } from './placeholder.ts'
import type { PreparedFile } from './revision-file.ts'

const sha256Algorithm = (): Uint8Array => sequence(oid(CMS_OID.sha256))

/** RFC 3370 §3.2 (rsaEncryption, parameters NULL) and RFC 5754 §3.3 (parameters absent). */
function signatureAlgorithm(algorithm: SealAlgorithm): Uint8Array {
  return algorithm === 'rsa-sha256' ? sequence(oid(OID.rsaEncryption), derNull()) : sequence(oid(OID.ecdsaWithSha256))
}

const attribute = (type: string, value: Uint8Array): Uint8Array => sequence(oid(type), setOf(value))

/** RFC 5035 §3: one ESSCertIDv2. DER omits the hash algorithm SHA-256, which is the default. */
function signingCertificateV2(certificate: Uint8Array): Uint8Array {
  const hash = createHash('sha256').update(certificate).digest()
  return sequence(sequence(sequence(octetString(hash))))
}

/** The signed attributes as SET OF with the tag 0x31, which the key signs (RFC 5652 §5.4). */
function signedAttributes(digest: Uint8Array, certificate: Uint8Array): Uint8Array {
  return setOf(
    attribute(CMS_OID.contentType, oid(CMS_OID.data)),
    attribute(CMS_OID.messageDigest, octetString(digest)),
    attribute(CMS_OID.signingCertificateV2, signingCertificateV2(certificate)),
  )
}

/** DER. @throws RangeError unless the digest has 32 bytes, DerError, any error of the key */
export async function createSignedData({ digest, key }: { digest: Uint8Array; key: SealKey }): Promise<Uint8Array> {
  if (digest.length !== 32) throw new RangeError('a SHA-256 digest has 32 bytes')
  const certificate = readCertificate(key.certificate)
  const attributes = signedAttributes(digest, key.certificate)
  const signature = await key.sign(attributes)
  const serial = der(TAG.integer, Buffer.from(certificate.serial, 'hex'))
  const signerInfo = sequence(
    smallInteger(1),
    sequence(certificate.issuer, serial),
    sha256Algorithm(),
    tagged(0, readDer(attributes).contents),
    signatureAlgorithm(key.algorithm),
    octetString(signature),
  )
  const certificates = key.chain.toSorted(Buffer.compare)
  const content = sequence(
    smallInteger(1),
    setOf(sha256Algorithm()),
    sequence(oid(CMS_OID.data)),
    tagged(0, ...certificates),
    setOf(signerInfo),
  )
  return sequence(oid(CMS_OID.signedData), tagged(0, content))
}

/** The nodes from SignedData to the only SignerInfo of a CMS that was made here. */
function signerInfoOf(cms: Uint8Array): { content: DerNode; signers: DerNode; signer: DerNode } {
  const content = readDer(cms).children[1]?.children[0]
  const signers = content?.children.at(-1)
  const signer = signers?.children[0]
  if (content === undefined || signers === undefined || signer === undefined) throw new DerError('it has no SignerInfo')
  return { content, signers, signer }
}

/** The signature value, which a time-stamp covers (RFC 3161 appendix A). @throws DerError */
export function signatureValueOf(cms: Uint8Array): Uint8Array {
  const { children } = signerInfoOf(cms).signer
  const value = children.findLast(node => node.tag === TAG.octetString)
  if (value === undefined) throw new DerError('the signature value is missing')
  return value.contents
}

/** Adds the only unsigned attribute: level B-T. EN 319 122-1 §5.3. @throws DerError */
export function withTimestamp(cms: Uint8Array, token: Uint8Array): Uint8Array {
  const { content, signer } = signerInfoOf(cms)
  if (signer.children.at(-1)?.tag === 0xa1) throw new DerError('it has unsigned attributes already')
  const timestamped = sequence(
    ...signer.children.map(node => node.encoded),
    tagged(1, attribute(CMS_OID.signatureTimeStamp, token)),
  )
  const rest = content.children.slice(0, -1).map(node => node.encoded)
  return sequence(oid(CMS_OID.signedData), tagged(0, sequence(...rest, setOf(timestamped))))
}

// Signs the digest of a prepared file and fills /Contents. Reads no PDF.

/** The prepared file and its /Contents, which are not written yet. */
interface SignedFile {
  prepared: PreparedFile
  /** A CMS, or the token of a document time-stamp, DER. */
  contents: Uint8Array
}

const RESERVED_BYTES = 16 * 1024
/** Attributes, a signature of up to RSA-8192, and structure. */
const STRUCTURE_BYTES = 4 * 1024
/** A time-stamp token with its authority's chain. */
const TOKEN_BYTES = 8 * 1024

/** Bytes to reserve in /Contents: 16 kB, or more for a long chain. */
export function contentsBytesFor(chain: readonly Uint8Array[], withTimestamp: boolean): number {
  const certificates = chain.reduce((sum, certificate) => sum + certificate.length, 0)
  return Math.max(RESERVED_BYTES, certificates + STRUCTURE_BYTES + (withTimestamp ? TOKEN_BYTES : 0))
}

/** @throws any error of the key */
export async function sign(prepared: PreparedFile, key: SealKey): Promise<SignedFile> {
  const contents = await createSignedData({ digest: new Uint8Array(Buffer.from(prepared.digest, 'hex')), key })
  return Object.freeze({ prepared, contents })
}

/** Fsyncs the file, not its folder. Can be repeated. @throws ByteRangeError if it does not fit */
export function fill(fileSystem: FileSystem, { prepared, contents }: SignedFile): Promise<void> {
  return fillContentsInFile(fileSystem, prepared.path, prepared.byteRange, contents)
}
