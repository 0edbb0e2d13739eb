/** The interface of a key that seals, and keys and certificates that are made here. */

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { violation } from '../core/violation.ts'
import { equalBytes } from '../lib/bytes.ts'
import { DAY_MS } from '../lib/duration.ts'
import type { KeyForm, Machine, Threads } from '../lib/machine.ts'

import { distinguishedName, issueCertificate, SealKeyError, shortenName } from './issue.ts'
import type { PublicKey } from './public-key.ts'
import { readCertificate } from './x509.ts'

/** P-384 uses SHA-256 too: many readers require one digest in a CMS (RFC 5754 §3.3 allows it). */
export type SealAlgorithm = 'rsa-sha256' | 'ecdsa-sha256'

export const KEY_TYPES = ['rsa-3072', 'rsa-4096', 'ec-p256', 'ec-p384'] as const
export type KeyType = (typeof KEY_TYPES)[number]

/**
 * A key that seals; its private part may be in a token or a remote service. `certificate`, `chain`
 * and `algorithm` do not change, because bytes for them are reserved in the file.
 */
export interface SealKey {
  /** The seal certificate, DER. */
  certificate: Uint8Array
  /** DER certificates, the seal certificate first, the root last. */
  chain: readonly Uint8Array[]
  algorithm: SealAlgorithm
  /**
   * RSASSA-PKCS1-v1_5 or ECDSA (RFC 3279 §2.2.3) with SHA-256. `data`: signed attributes, DER.
   * May take long. Rejects if it cannot sign; the caller decides about a retry.
   */
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
/** Certificates are valid from a day before, for readers whose clock is late. */
const BACKDATED_MS = DAY_MS

const FORMS: Record<KeyType, KeyForm> = {
  'rsa-3072': { rsaBits: 3072 },
  'rsa-4096': { rsaBits: 4096 },
  'ec-p256': { curve: 'P-256' },
  'ec-p384': { curve: 'P-384' },
}

export function yearsLater(from: Date, years: number): Date {
  const later = new Date(from)
  later.setUTCFullYear(later.getUTCFullYear() + years)
  return later
}

const pkcs8 = (key: KeyObject): Uint8Array => new Uint8Array(key.export({ format: 'der', type: 'pkcs8' }))

const readPrivateKey = (der: Uint8Array): KeyObject => createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' })

export interface LeafOptions extends Pick<Machine, 'random' | 'threads'> {
  organisation: string
  /** With any value but `production`, the certificates' names contain TEST. */
  environment: string
  keyType: KeyType
  now: Date
  /** Address of the root's revocation list; undefined if it is not public. */
  crlUrl?: string | undefined
}

function nameFor({ organisation, environment }: LeafOptions, purpose: string): Uint8Array {
  const suffix = environment === 'production' ? '' : ' (TEST)'
  return distinguishedName(organisation, shortenName(organisation, ` ${purpose}${suffix}`))
}

/** It expires with its root at the latest (RFC 5280 §6.1). */
export async function issueLeaf(root: KeyAndCertificate, options: LeafOptions): Promise<KeyAndCertificate> {
  const issuer = readCertificate(root.certificateDer)
  const { publicKey, privateKey } = await options.threads.generateKeyPair(FORMS[options.keyType])
  const end = yearsLater(options.now, LEAF_YEARS)
  const certificateDer = issueCertificate({
    kind: 'leaf',
    subject: nameFor(options, 'Seal'),
    issuer: issuer.subject,
    publicKey,
    issuerKey: readPrivateKey(root.privateKeyPkcs8Der),
    notBefore: new Date(options.now.getTime() - BACKDATED_MS),
    notAfter: new Date(Math.min(end.getTime(), issuer.notAfter.getTime())),
    crlUrl: options.crlUrl,
    random: options.random,
  })
  return { certificateDer, privateKeyPkcs8Der: pkcs8(privateKey) }
}

/** Issues a root and a seal certificate. RSA keys take some seconds, off the main thread. */
export async function makeAuthority(options: LeafOptions): Promise<Authority> {
  const { publicKey, privateKey } = await options.threads.generateKeyPair(FORMS[options.keyType])
  const name = nameFor(options, 'Root')
  const certificateDer = issueCertificate({
    kind: 'root',
    subject: name,
    issuer: name,
    publicKey,
    issuerKey: privateKey,
    notBefore: new Date(options.now.getTime() - BACKDATED_MS),
    notAfter: yearsLater(options.now, ROOT_YEARS),
    random: options.random,
  })
  const root = { certificateDer, privateKeyPkcs8Der: pkcs8(privateKey) }
  return { root, leaf: await issueLeaf(root, options) }
}

export interface KeyWithIssuers {
  leaf: KeyAndCertificate
  /** Certificates above the leaf, DER, the root last, as far as they are known. */
  issuers: readonly Uint8Array[]
}

/** The type of a key in the form of `KeyType`, also for other types. */
export function keyTypeOf(key: PublicKey): string {
  if (key.kind === 'rsa') return `rsa-${key.modulusBits}`
  if (key.kind === 'ec') return key.curve.startsWith('P-') ? `ec-p${key.curve.slice(2)}` : `ec-${key.curve}`
  return key.kind
}

/** For people: `RSA, 3072 bits` or `ECDSA, curve P-256`. */
export function keyTypeText(type: string, words = { bits: 'bits', curve: 'curve' }): string {
  const [, kind, size = ''] = /^(rsa|ec)-(.+)$/.exec(type) ?? []
  if (kind === undefined) return type
  return kind === 'rsa' ? `RSA, ${size} ${words.bits}` : `ECDSA, ${words.curve} ${size.replace(/^p(?=\d)/, 'P-')}`
}

function sealAlgorithmOf(key: KeyObject): SealAlgorithm {
  if (key.asymmetricKeyType === 'rsa') return 'rsa-sha256'
  if (key.asymmetricKeyType === 'ec') return 'ecdsa-sha256'
  throw new SealKeyError(violation('seal_key_kind'))
}

/** @throws SealKeyError if the key does not belong to the certificate, DerError */
export function localKey({ leaf, issuers }: KeyWithIssuers, threads: Pick<Threads, 'sign'>): SealKey {
  const privateKey = readPrivateKey(leaf.privateKeyPkcs8Der)
  const { publicKeyInfo } = readCertificate(leaf.certificateDer)
  const ownInfo = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  if (!equalBytes(ownInfo, publicKeyInfo)) throw new SealKeyError(violation('seal_key_of_other_certificate'))
  return Object.freeze({
    certificate: leaf.certificateDer,
    chain: Object.freeze([leaf.certificateDer, ...issuers]),
    algorithm: sealAlgorithmOf(privateKey),
    sign: (data: Uint8Array) => threads.sign(data, privateKey),
  })
}
