/** Reads a key with its certificates from PKCS#12, RFC 7292. Does not check trust in the issuer. */

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { MAX_KEY_FILE_BYTES } from '../core/service-limits.ts'
import { type Violation, violation } from '../core/violation.ts'
import { equalBytes } from '../lib/bytes.ts'
import type { Timers } from '../lib/machine.ts'
import { englishOfRemark } from '../locales/remarks.ts'
import { berToDer } from './ber.ts'
import { DerError, type DerNode, expectTag, readDer, readOid, TAG } from './der.ts'
import { SealKeyError } from './issue.ts'
import type { KeyWithIssuers } from './key.ts'
import { CMS_OID, PKCS12_OID } from './oid.ts'
import { type Budget, decryptWithPassphrase, encodePassphrase, isMacValid, newBudget, type Secret } from './pkcs12-decrypt.ts'
import { isNistCurve, readPublicKey } from './public-key.ts'
import { allowsSigning, pathFrom, verifyOrigin } from './trust.ts'
import { type Certificate, nameText, readCertificate } from './x509.ts'

const MAX_BAG_DEPTH = 4
/** Minimum for a new seal. The verifier accepts shorter keys. */
const MIN_RSA_BITS = 3072

const wrongPassphrase = () => new SealKeyError(violation('key_file_passphrase'), { part: 'passphrase' })

interface Safe {
  /** PKCS#8, DER. */
  keys: Uint8Array[]
  certificates: Uint8Array[]
}

const readBer = (bytes: Uint8Array): DerNode => readDer(berToDer(bytes))

/** The OCTET STRING in the [0] of a ContentInfo. */
function contentOf(info: DerNode | undefined): { type: string; content: DerNode | undefined } {
  const [type, content] = expectTag(info, TAG.sequence, 'a ContentInfo').children
  return { type: readOid(type, 'the type of a content'), content: content?.children[0] }
}

async function decrypt(algorithm: DerNode | undefined, data: Uint8Array, secret: Secret, budget: Budget): Promise<Uint8Array> {
  const plain = await decryptWithPassphrase(expectTag(algorithm, TAG.sequence, 'the encryption algorithm'), data, secret, budget)
  if (plain === undefined) throw wrongPassphrase()
  return plain
}

/** EncryptedData (RFC 5652 §8). The encrypted octets may be in segments. */
async function decryptData(content: DerNode | undefined, secret: Secret, budget: Budget): Promise<Uint8Array> {
  const info = expectTag(content, TAG.sequence, 'the encrypted data').children[1]
  const [, algorithm, data] = expectTag(info, TAG.sequence, 'the encrypted content').children
  if (data === undefined) throw new DerError('the encrypted content is missing')
  const octets = data.tag === 0xa0 ? Buffer.concat(data.children.map(segment => segment.contents)) : data.contents
  return decrypt(algorithm, octets, secret, budget)
}

async function readBag(bag: DerNode, secret: Secret, budget: Budget, safe: Safe, depth: number): Promise<void> {
  const [id, wrapped] = expectTag(bag, TAG.sequence, 'a bag').children
  const value = wrapped?.children[0]
  const type = readOid(id, 'the type of a bag')
  if (type === PKCS12_OID.keyBag) safe.keys.push(expectTag(value, TAG.sequence, 'a private key').encoded)
  else if (type === PKCS12_OID.shroudedKeyBag) {
    const [algorithm, data] = expectTag(value, TAG.sequence, 'an encrypted private key').children
    const octets = expectTag(data, TAG.octetString, 'an encrypted private key').contents
    safe.keys.push(readBer(await decrypt(algorithm, octets, secret, budget)).encoded)
  } else if (type === PKCS12_OID.certBag) {
    const [certType, cert] = expectTag(value, TAG.sequence, 'a certificate bag').children
    if (readOid(certType, 'the type of a certificate') !== PKCS12_OID.x509Certificate) return
    safe.certificates.push(expectTag(cert?.children[0], TAG.octetString, 'a certificate').contents)
  } else if (type === PKCS12_OID.safeContentsBag) {
    if (depth >= MAX_BAG_DEPTH) throw new DerError('bags are nested too deeply')
    const inner = expectTag(value, TAG.sequence, 'a bag of bags').children
    for (const one of inner) await readBag(one, secret, budget, safe, depth + 1)
  }
}

async function readSafe(content: Uint8Array, secret: Secret, budget: Budget): Promise<Safe> {
  const safe: Safe = { keys: [], certificates: [] }
  for (const info of expectTag(readBer(content), TAG.sequence, 'the authenticated safe').children) {
    const { type, content: inner } = contentOf(info)
    let bags: Uint8Array
    if (type === CMS_OID.data) bags = expectTag(inner, TAG.octetString, 'the contents of a safe').contents
    else if (type === CMS_OID.encryptedData) bags = await decryptData(inner, secret, budget)
    else throw new SealKeyError(violation('key_file_encrypted_to_certificate'))
    const list = expectTag(readBer(bags), TAG.sequence, 'the contents of a safe').children
    for (const bag of list) await readBag(bag, secret, budget, safe, 0)
  }
  return safe
}

/** Without a MAC, the encoding of the pass-phrase that decrypts every part is the right one. */
async function readWithoutMac(content: Uint8Array, secrets: readonly Secret[], budget: Budget): Promise<Safe> {
  let last: Error = wrongPassphrase()
  for (const secret of secrets) {
    try {
      return await readSafe(content, secret, budget)
    } catch (error) {
      // A wrong key can produce valid padding by chance. The result is then not DER.
      if (!(error instanceof SealKeyError || error instanceof DerError)) throw error
      last = error instanceof DerError ? wrongPassphrase() : error
    }
  }
  throw last
}

async function openFile(file: Uint8Array, passphrase: string, timers: Timers): Promise<Safe> {
  const budget = newBudget(timers)
  const [version, authSafe, macData] = expectTag(readBer(file), TAG.sequence, 'the file').children
  if (expectTag(version, TAG.integer, 'the version').contents[0] !== 3) throw new DerError('the version is not 3')
  const { type, content } = contentOf(authSafe)
  if (type === CMS_OID.signedData) {
    throw new SealKeyError(violation('key_file_signed'))
  }
  if (type !== CMS_OID.data) throw new DerError('the file holds neither data nor signed data')
  const octets = expectTag(content, TAG.octetString, 'the authenticated safe').contents
  const secrets = encodePassphrase(passphrase)
  if (macData === undefined) return readWithoutMac(octets, secrets, budget)
  const mac = expectTag(macData, TAG.sequence, 'the MAC')
  for (const secret of secrets) if (await isMacValid(mac, octets, secret, budget)) return readSafe(octets, secret, budget)
  throw wrongPassphrase()
}

const publicInfo = (key: KeyObject): Buffer => createPublicKey(key).export({ format: 'der', type: 'spki' })

/** Only RSA and ECDSA on a NIST curve seal. */
function keyTypeError(key: KeyObject): Violation | undefined {
  const read = readPublicKey(publicInfo(key))
  const isAccepted = read.kind === 'rsa' || (read.kind === 'ec' && isNistCurve(read.curve))
  return isAccepted ? undefined : violation('key_file_type', { type: key.asymmetricKeyType ?? 'unknown' })
}

interface ImportedPrivateKey {
  pkcs8: Uint8Array
  /** SubjectPublicKeyInfo, DER. */
  publicInfo: Buffer
  /** Why it cannot seal. */
  error: Violation | undefined
}

function readKey(pkcs8: Uint8Array): ImportedPrivateKey {
  let key: KeyObject
  try {
    key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })
  } catch (cause) {
    // The library has no error class for an unknown curve or an invalid key.
    throw new SealKeyError(violation('key_file_kind'), { cause })
  }
  const bits = key.asymmetricKeyType === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : undefined
  const short = bits !== undefined && bits < MIN_RSA_BITS
  const error = short ? violation('key_file_short', { bits, min: MIN_RSA_BITS }) : keyTypeError(key)
  return { pkcs8: new Uint8Array(key.export({ format: 'der', type: 'pkcs8' })), publicInfo: publicInfo(key), error }
}

function onlyKey({ keys }: Safe): ImportedPrivateKey {
  const found = keys.map(readKey)
  const [first, ...more] = found
  if (first === undefined) throw new SealKeyError(violation('key_file_without_key'))
  if (more.some(other => !equalBytes(other.publicInfo, first.publicInfo))) {
    throw new SealKeyError(violation('key_file_with_several_keys'))
  }
  return first
}

function readCertificates(safe: Safe): Certificate[] {
  return safe.certificates.map(der => readCertificate(new Uint8Array(der)))
}

const day = (at: Date): string => at.toISOString().slice(0, 10)

/** Why the certificate cannot seal at `at`. */
function leafError(leaf: Certificate, at: Date): Violation | undefined {
  const name = nameText(leaf.subject)
  if (at > leaf.notAfter) return violation('seal_certificate_over', { name, day: day(leaf.notAfter) })
  if (at < leaf.notBefore) return violation('seal_certificate_too_new', { name, day: day(leaf.notBefore) })
  return allowsSigning(leaf) ? undefined : violation('seal_certificate_usage', { name })
}

function chooseKey(safe: Safe, at: Date): KeyWithIssuers {
  const key = onlyKey(safe)
  const certificates = readCertificates(safe)
  const own = certificates.filter(one => equalBytes(one.publicKeyInfo, key.publicInfo))
  const leaf = own.toSorted((a, b) => b.notAfter.getTime() - a.notAfter.getTime())[0]
  if (leaf === undefined) throw new SealKeyError(violation('key_file_without_certificate'))
  if (key.error !== undefined) throw new SealKeyError(key.error)
  const error = leafError(leaf, at)
  if (error !== undefined) throw new SealKeyError(error)
  const path = pathFrom(leaf, certificates)
  const top = path.at(-1) ?? leaf
  const question = { signer: leaf, companions: path, trust: [top], provenAt: undefined, claimedAt: at, now: at }
  const { findings, unverified } = verifyOrigin(question)
  const [reason] = [...findings.map(finding => finding.remark), ...unverified]
  if (reason !== undefined) throw new SealKeyError(violation('seal_key_origin', { reason: englishOfRemark(reason) }))
  return {
    leaf: { certificateDer: leaf.der, privateKeyPkcs8Der: key.pkcs8 },
    issuers: path.slice(1).map(certificate => certificate.der),
  }
}

/** Takes seconds but does not block the event loop. `at`: time of sealing. @throws SealKeyError */
export async function readPkcs12(file: Uint8Array, passphrase: string, at: Date, timers: Timers): Promise<KeyWithIssuers> {
  if (file.length > MAX_KEY_FILE_BYTES) throw new SealKeyError(violation('key_file_too_large'))
  try {
    return chooseKey(await openFile(file, passphrase, timers), at)
  } catch (error) {
    if (error instanceof DerError) throw new SealKeyError(violation('key_file_damaged', { reason: error.message }))
    throw error
  }
}
