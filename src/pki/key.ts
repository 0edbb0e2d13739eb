/**
 * The key that seals: an interface that a token (PKCS#11) or a remote signer takes as well as a key held here, and the making of an own
 * authority. Deals in DER bytes; keeping them encrypted at rest is the caller's. Only `localKey` ever turns private bytes into a seal.
 */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { distinguishedName, issueCertificate, shorten } from './issue.ts'
import type { PublicKey } from './public-key.ts'
import { SealKeyError } from './seal-key-error.ts'
import { readCertificate } from './x509.ts'

/**
 * What `SealKey.sign` makes. SHA-256 for every kind of key, P-384 too: a CMS names one digest for the document and for the signed attributes,
 * many readers demand that the two are the same, and SHA-256 with P-384 is within ETSI TS 119 312 and RFC 5754 §3.3.
 */
export type SealAlgorithm = 'rsa-sha256' | 'ecdsa-sha256'

export const KEY_TYPES = ['rsa-3072', 'rsa-4096', 'ec-p256', 'ec-p384'] as const
export type KeyType = (typeof KEY_TYPES)[number]

/**
 * All that sealing knows of a key. The private part may be anywhere: `sign` is handed the octets to be signed (the DER of the signed
 * attributes, some hundred bytes, never the document) and may take its time. It rejects when no signature can be had; whether to wait or to
 * try again is the caller's. `certificate`, `chain` and `algorithm` are known beforehand and do not change, because their size decides how
 * much room the file keeps free.
 */
export interface SealKey {
  /** The sealing certificate, DER. */
  certificate: Uint8Array
  /** DER certificates, the sealing one first, the root last. */
  chain: readonly Uint8Array[]
  algorithm: SealAlgorithm
  /** Signs SHA-256 of `data`: RSASSA-PKCS1-v1_5, or ECDSA as DER Ecdsa-Sig-Value (RFC 3279 §2.2.3). */
  sign(data: Uint8Array): Promise<Uint8Array>
}

/** A certificate with its private key, both DER. */
export interface KeyAndCertificate {
  certificateDer: Uint8Array
  /** PKCS#8 PrivateKeyInfo, not encrypted. */
  privateKeyPkcs8Der: Uint8Array
}

export interface Authority {
  root: KeyAndCertificate
  leaf: KeyAndCertificate
}

const ROOT_YEARS = 10
export const LEAF_YEARS = 5
/** Certificates begin a day early: a reader whose clock is behind, or in another zone, takes them. */
const BACKDATED_MS = 24 * 60 * 60 * 1000

const generate = promisify(generateKeyPair)

async function newKeyPair(keyType: KeyType): Promise<{ publicKey: KeyObject; privateKey: KeyObject }> {
  if (keyType === 'ec-p256') return generate('ec', { namedCurve: 'P-256' })
  if (keyType === 'ec-p384') return generate('ec', { namedCurve: 'P-384' })
  return generate('rsa', { modulusLength: keyType === 'rsa-4096' ? 4096 : 3072, publicExponent: 65537 })
}

export function yearsLater(from: Date, years: number): Date {
  const later = new Date(from)
  later.setUTCFullYear(later.getUTCFullYear() + years)
  return later
}

const pkcs8 = (key: KeyObject): Uint8Array => new Uint8Array(key.export({ format: 'der', type: 'pkcs8' }))

const readPrivateKey = (der: Uint8Array): KeyObject => createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' })

export interface LeafOptions {
  /** The organisation's name, in any script. */
  organisation: string
  /** `production`, or another word: then the certificates' names say TEST. */
  environment: string
  keyType: KeyType
  now: Date
  /** Where others can fetch the root's revocation list; undefined where nobody can. */
  crlUrl?: string | undefined
}

const testMark = (environment: string): string => (environment === 'production' ? '' : ' (TEST)')

/** A new sealing key under a root: at the first start, and for every renewal. It never outlives its root (RFC 5280 §6.1). */
export async function issueLeaf(root: KeyAndCertificate, order: LeafOptions): Promise<KeyAndCertificate> {
  const issuer = readCertificate(root.certificateDer)
  const { publicKey, privateKey } = await newKeyPair(order.keyType)
  const end = yearsLater(order.now, LEAF_YEARS)
  const certificateDer = issueCertificate({
    kind: 'leaf',
    subject: distinguishedName(order.organisation, shorten(order.organisation, ` Seal${testMark(order.environment)}`)),
    issuer: issuer.subject,
    publicKey,
    issuerKey: readPrivateKey(root.privateKeyPkcs8Der),
    notBefore: new Date(order.now.getTime() - BACKDATED_MS),
    notAfter: new Date(Math.min(end.getTime(), issuer.notAfter.getTime())),
    crlUrl: order.crlUrl,
  })
  return { certificateDer, privateKeyPkcs8Der: pkcs8(privateKey) }
}

/** An own authority: a root for ten years, and a leaf for five that seals. Takes up to some seconds for RSA, off the main thread. */
export async function makeAuthority(order: LeafOptions): Promise<Authority> {
  const { publicKey, privateKey } = await newKeyPair(order.keyType)
  const name = distinguishedName(order.organisation, shorten(order.organisation, ` Root${testMark(order.environment)}`))
  const certificateDer = issueCertificate({
    kind: 'root',
    subject: name,
    issuer: name,
    publicKey,
    issuerKey: privateKey,
    notBefore: new Date(order.now.getTime() - BACKDATED_MS),
    notAfter: yearsLater(order.now, ROOT_YEARS),
  })
  const root = { certificateDer, privateKeyPkcs8Der: pkcs8(privateKey) }
  return { root, leaf: await issueLeaf(root, order) }
}

export interface LocalKeyOptions {
  leaf: KeyAndCertificate
  /** Certificates above the leaf, DER, the root last. */
  issuers: readonly Uint8Array[]
}

/** The kind of a key in the words of `KeyType`, which it need not be one of. */
export function keyTypeOf(key: PublicKey): string {
  if (key.kind === 'rsa') return `rsa-${key.modulusBits}`
  if (key.kind === 'ec') return key.curve.startsWith('P-') ? `ec-p${key.curve.slice(2)}` : `ec-${key.curve}`
  return key.kind
}

function algorithmOf(key: KeyObject): SealAlgorithm {
  if (key.asymmetricKeyType === 'rsa') return 'rsa-sha256'
  if (key.asymmetricKeyType === 'ec') return 'ecdsa-sha256'
  throw new SealKeyError('The key is neither RSA nor on an elliptic curve that ECDSA signs with.')
}

/** The arithmetic of RSA takes milliseconds, which the serving thread need not wait for. */
function signOffThread(data: Uint8Array, key: KeyObject): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    sign('sha256', data, { key, dsaEncoding: 'der' }, (error, signature) =>
      error ? reject(error) : resolve(new Uint8Array(signature)),
    )
  })
}

/** A key held in this process. @throws SealKeyError when the private key is not the certificate's; DerError when the certificate is none */
export function localKey({ leaf, issuers }: LocalKeyOptions): SealKey {
  const privateKey = readPrivateKey(leaf.privateKeyPkcs8Der)
  const { publicKeyInfo } = readCertificate(leaf.certificateDer)
  const own = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  if (Buffer.compare(own, publicKeyInfo) !== 0) throw new SealKeyError('The private key does not belong to the certificate.')
  return Object.freeze({
    certificate: leaf.certificateDer,
    chain: Object.freeze([leaf.certificateDer, ...issuers]),
    algorithm: algorithmOf(privateKey),
    sign: (data: Uint8Array) => signOffThread(data, privateKey),
  })
}
