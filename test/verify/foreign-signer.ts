/**
 * Signers and CMS of other programs: keys and signature values by openssl, and hand-made CMS for
 * forms that openssl does not write. Needs openssl.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { der, octetString, oid, readDer, sequence, smallInteger, TAG, tagged } from '../../src/pki/der.ts'
import { CMS_OID } from '../../src/pki/oid.ts'
import { certificatesOfPem, readCertificate } from '../../src/pki/x509.ts'
import { run } from './tools.ts'

export interface ForeignSigner {
  folder: string
  /** Certificate and private key in one PEM file. */
  pem: string
  certificate: Uint8Array
}

const folders: string[] = []

/** Removes the signers' files; call it at the end of a test file. */
export function removeForeignSigners(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signet-foreign-'))
  folders.push(folder)
  return folder
}

function openssl(...words: string[]): Uint8Array {
  const done = run(['openssl', ...words])
  if (done.code !== 0) throw new Error(`openssl ${words.join(' ')}: ${done.text}`)
  return done.bytes
}

const EXTENSIONS = ['-addext', 'keyUsage=critical,digitalSignature,keyCertSign', '-addext', 'subjectKeyIdentifier=hash']

/** A self-signed signer; `key`: options of `openssl genpkey`, `certificate`: of `openssl req`. */
export function foreignSigner(key: readonly string[], certificate: readonly string[] = []): ForeignSigner {
  const folder = newFolder()
  const [keyPath, pem, der] = ['key.pem', 'signer.pem', 'certificate.pem'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  openssl('genpkey', ...key, '-out', keyPath)
  const subject = ['-subj', '/O=Fabrikam/CN=Foreign signer', '-days', '3650']
  openssl('req', '-x509', '-new', '-key', keyPath, ...subject, ...EXTENSIONS, ...certificate, '-out', der)
  writeFileSync(pem, `${readFileSync(der, 'utf8')}${readFileSync(keyPath, 'utf8')}`)
  const [found] = certificatesOfPem(readFileSync(der, 'utf8'))
  if (found === undefined) throw new Error('openssl made no certificate')
  return { folder, pem, certificate: found }
}

/** A signer with a certificate by `root`, which signs with `options`. */
export function issuedBy(root: ForeignSigner, key: readonly string[], options: readonly string[]): ForeignSigner {
  const folder = newFolder()
  const [keyPath, request, pem, issued] = ['key.pem', 'request.pem', 'signer.pem', 'certificate.pem'].map(name =>
    join(folder, name),
  ) as [string, string, string, string]
  openssl('genpkey', ...key, '-out', keyPath)
  openssl('req', '-new', '-key', keyPath, '-subj', '/O=Fabrikam/CN=Issued signer', '-out', request)
  const by = ['-CA', root.pem, '-CAkey', root.pem, '-set_serial', '77', '-days', '3000']
  openssl('x509', '-req', '-in', request, ...by, ...options, '-out', issued)
  writeFileSync(pem, `${readFileSync(issued, 'utf8')}${readFileSync(keyPath, 'utf8')}`)
  const [found] = certificatesOfPem(readFileSync(issued, 'utf8'))
  if (found === undefined) throw new Error('openssl made no certificate')
  return { folder, pem, certificate: found }
}

/** A CMS by openssl over these bytes. */
export function cmsByOpenssl({ folder, pem }: ForeignSigner, signed: Uint8Array, ...options: string[]): Uint8Array {
  const path = join(folder, 'signed.bin')
  writeFileSync(path, signed)
  return openssl('cms', '-sign', '-binary', '-outform', 'DER', '-in', path, '-signer', pem, ...options)
}

/** A signature value by openssl: EdDSA, or another scheme with `-digest`. */
export function signatureByOpenssl({ folder, pem }: ForeignSigner, data: Uint8Array, ...options: string[]): Uint8Array {
  const path = join(folder, 'data.bin')
  writeFileSync(path, data)
  return openssl('pkeyutl', '-sign', '-rawin', '-inkey', pem, '-in', path, ...options)
}

export interface HandmadeCms {
  signed: Uint8Array
  signer: ForeignSigner
  /** Algorithm identifiers, DER. */
  digestAlgorithm?: Uint8Array
  signatureAlgorithm: Uint8Array
  /** A name that `createHash` knows. */
  hash?: string
  sign: (data: Uint8Array) => Uint8Array
  /** Signed attributes in addition to content-type and message-digest, DER. */
  attributes?: readonly Uint8Array[]
  /** Keeps the signed attributes in the given order. */
  isUnsorted?: boolean
  /** The type of encapsulated content, as in a time-stamp token. Default: detached id-data. */
  contentType?: string
  /** Of SignedData. */
  version?: number
  /** digestAlgorithms. Default: the one of the signer. */
  digestAlgorithms?: readonly Uint8Array[]
  /** Elements in addition to the signer's certificate. */
  beside?: readonly Uint8Array[]
  /** Revocation lists. */
  lists?: readonly Uint8Array[]
  unsigned?: readonly Uint8Array[]
}

export const attribute = (type: string, value: Uint8Array): Uint8Array => sequence(oid(type), der(TAG.set, value))

/** A CMS with signed attributes and the given parts. */
export function handmadeCms(order: HandmadeCms): Uint8Array {
  const { signed, signer, signatureAlgorithm, sign, hash = 'sha512', attributes = [], isUnsorted = false, contentType } = order
  const { digestAlgorithm = sequence(oid('2.16.840.1.101.3.4.2.3')), beside = [], lists, unsigned } = order
  const { digestAlgorithms = [digestAlgorithm], version = contentType === undefined ? 1 : 3 } = order
  const { issuer, serial } = readCertificate(signer.certificate)
  const digest = createHash(hash, hash === 'shake256' ? { outputLength: 64 } : {})
    .update(signed)
    .digest()
  const list = [
    attribute(CMS_OID.messageDigest, octetString(digest)),
    attribute(CMS_OID.contentType, oid(contentType ?? CMS_OID.data)),
    ...attributes,
  ]
  const set = der(TAG.set, ...(isUnsorted ? list : list.toSorted(Buffer.compare)))
  const info = sequence(
    smallInteger(1),
    sequence(issuer, der(TAG.integer, Buffer.from(serial, 'hex'))),
    digestAlgorithm,
    tagged(0, readDer(set).contents),
    signatureAlgorithm,
    octetString(sign(set)),
    ...(unsigned === undefined ? [] : [tagged(1, ...unsigned)]),
  )
  const content = sequence(
    smallInteger(version),
    der(TAG.set, ...digestAlgorithms),
    contentType === undefined ? sequence(oid(CMS_OID.data)) : sequence(oid(contentType), tagged(0, octetString(signed))),
    tagged(0, signer.certificate, ...beside),
    ...(lists === undefined ? [] : [tagged(1, ...lists)]),
    der(TAG.set, info),
  )
  return sequence(oid(CMS_OID.signedData), tagged(0, content))
}

/** The same structure in BER: indefinite lengths, every OCTET STRING in two segments. */
export function inBer(bytes: Uint8Array, isInside: (tag: number, depth: number) => boolean = () => true, depth = 0): Uint8Array {
  const { tag, contents, children } = readDer(bytes)
  const END = Uint8Array.of(0, 0)
  if (tag === TAG.octetString) {
    const half = contents.length >> 1
    return Buffer.concat([
      Uint8Array.of(0x24, 0x80),
      octetString(contents.subarray(0, half)),
      octetString(contents.subarray(half)),
      END,
    ])
  }
  if (children.length === 0 || !isInside(tag, depth)) return bytes
  const inside = children.map(child => inBer(child.encoded, isInside, depth + 1))
  return Buffer.concat([Uint8Array.of(tag, 0x80), ...inside, END])
}
