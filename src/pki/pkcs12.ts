/**
 * Reads a key with its certificates from a PKCS#12 file, as other programs and authorities hand them out. RFC 7292.
 * Every refusal says in words what is wrong with the file. Trust in the issuer is not asked: whoever imports a file decides that.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { berToDer } from './ber.ts'
import { DerError, type DerNode, expectTag, readDer, readOid, TAG } from './der.ts'
import type { KeyAndCertificate } from './key.ts'
import { type Budget, fullBudget, macHolds, openEncrypted, readingsOf, type Secret } from './pkcs12-decrypt.ts'
import { readPublicKey } from './public-key.ts'
import { SealKeyError } from './seal-key-error.ts'
import { pathFrom, verifyOrigin } from './trust.ts'
import { type Certificate, nameText, readCertificate } from './x509.ts'

const ID = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  envelopedData: '1.2.840.113549.1.7.3',
  encryptedData: '1.2.840.113549.1.7.6',
  keyBag: '1.2.840.113549.1.12.10.1.1',
  shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
  certBag: '1.2.840.113549.1.12.10.1.3',
  safeContentsBag: '1.2.840.113549.1.12.10.1.6',
  x509Certificate: '1.2.840.113549.1.9.22.1',
} as const

const MAX_FILE_BYTES = 1_000_000
const MAX_BAG_DEPTH = 4
/** What a seal of this service is made with at least, in bits. */
const MIN_RSA_BITS = 3072

export interface ImportedKey {
  leaf: KeyAndCertificate
  /** Certificates of the path above the leaf, DER, the root last; as many of them as the file holds. */
  issuers: Uint8Array[]
}

const WRONG = 'The pass-phrase is wrong, or the file is damaged.'

/** What the file holds, once opened. */
interface Safe {
  /** PKCS#8, DER. */
  keys: Uint8Array[]
  certificates: Uint8Array[]
}

const ber = (bytes: Uint8Array): DerNode => readDer(berToDer(bytes))

/** The OCTET STRING in the [0] of a ContentInfo. */
function contentOf(info: DerNode | undefined): { type: string; content: DerNode | undefined } {
  const [type, content] = expectTag(info, TAG.sequence, 'a ContentInfo').children
  return { type: readOid(type, 'the type of a content'), content: content?.children[0] }
}

async function opened(algorithm: DerNode | undefined, data: Uint8Array, secret: Secret, budget: Budget): Promise<Uint8Array> {
  const plain = await openEncrypted(expectTag(algorithm, TAG.sequence, 'the encryption algorithm'), data, secret, budget)
  if (plain === undefined) throw new SealKeyError(WRONG)
  return plain
}

/** EncryptedData (RFC 5652 §8): the octets may stand in pieces under their [0]. */
async function openEncryptedData(content: DerNode | undefined, secret: Secret, budget: Budget): Promise<Uint8Array> {
  const info = expectTag(content, TAG.sequence, 'the encrypted data').children[1]
  const [, algorithm, data] = expectTag(info, TAG.sequence, 'the encrypted content').children
  if (data === undefined) throw new DerError('the encrypted content is missing')
  const octets = data.tag === 0xa0 ? Buffer.concat(data.children.map(piece => piece.contents)) : data.contents
  return opened(algorithm, octets, secret, budget)
}

async function readBag(bag: DerNode, secret: Secret, budget: Budget, into: Safe, depth: number): Promise<void> {
  const [id, wrapped] = expectTag(bag, TAG.sequence, 'a bag').children
  const value = wrapped?.children[0]
  const type = readOid(id, 'the type of a bag')
  if (type === ID.keyBag) into.keys.push(expectTag(value, TAG.sequence, 'a private key').encoded)
  else if (type === ID.shroudedKeyBag) {
    const [algorithm, data] = expectTag(value, TAG.sequence, 'an encrypted private key').children
    const octets = expectTag(data, TAG.octetString, 'an encrypted private key').contents
    into.keys.push(ber(await opened(algorithm, octets, secret, budget)).encoded)
  } else if (type === ID.certBag) {
    const [certType, cert] = expectTag(value, TAG.sequence, 'a certificate bag').children
    if (readOid(certType, 'the type of a certificate') !== ID.x509Certificate) return
    into.certificates.push(expectTag(cert?.children[0], TAG.octetString, 'a certificate').contents)
  } else if (type === ID.safeContentsBag) {
    if (depth >= MAX_BAG_DEPTH) throw new DerError('bags are nested too deeply')
    const inner = expectTag(value, TAG.sequence, 'a bag of bags').children
    for (const one of inner) await readBag(one, secret, budget, into, depth + 1)
  }
}

async function readSafe(content: Uint8Array, secret: Secret, budget: Budget): Promise<Safe> {
  const safe: Safe = { keys: [], certificates: [] }
  for (const info of expectTag(ber(content), TAG.sequence, 'the authenticated safe').children) {
    const { type, content: inner } = contentOf(info)
    let bags: Uint8Array
    if (type === ID.data) bags = expectTag(inner, TAG.octetString, 'the contents of a safe').contents
    else if (type === ID.encryptedData) bags = await openEncryptedData(inner, secret, budget)
    else throw new SealKeyError('The file is encrypted for a certificate, not by a pass-phrase: export it with a pass-phrase.')
    const list = expectTag(ber(bags), TAG.sequence, 'the contents of a safe').children
    for (const bag of list) await readBag(bag, secret, budget, safe, 0)
  }
  return safe
}

/** Files without a MAC: the reading that opens every part is the right one. */
async function readUnguarded(content: Uint8Array, readings: readonly Secret[], budget: Budget): Promise<Safe> {
  let last: Error = new SealKeyError(WRONG)
  for (const secret of readings) {
    try {
      return await readSafe(content, secret, budget)
    } catch (error) {
      // Under a wrong key some padding is right by chance, and what follows is no DER.
      if (!(error instanceof SealKeyError || error instanceof DerError)) throw error
      last = error instanceof DerError ? new SealKeyError(WRONG) : error
    }
  }
  throw last
}

async function openFile(file: Uint8Array, passphrase: string): Promise<Safe> {
  const budget = fullBudget()
  const [version, authSafe, macData] = expectTag(ber(file), TAG.sequence, 'the file').children
  if (expectTag(version, TAG.integer, 'the version').contents[0] !== 3) throw new DerError('the version is not 3')
  const { type, content } = contentOf(authSafe)
  if (type === ID.signedData) {
    throw new SealKeyError('The file is signed by a certificate, not protected by a pass-phrase: export it with a pass-phrase.')
  }
  if (type !== ID.data) throw new DerError('the file holds neither data nor signed data')
  const octets = expectTag(content, TAG.octetString, 'the authenticated safe').contents
  const readings = readingsOf(passphrase)
  if (macData === undefined) return readUnguarded(octets, readings, budget)
  const mac = expectTag(macData, TAG.sequence, 'the MAC')
  for (const secret of readings) if (await macHolds(mac, octets, secret, budget)) return readSafe(octets, secret, budget)
  throw new SealKeyError(WRONG)
}

const publicInfo = (key: KeyObject): Buffer => createPublicKey(key).export({ format: 'der', type: 'spki' })

/** A seal is made by RSA or by ECDSA on a NIST curve alone. */
function kindFault(key: KeyObject): string | undefined {
  const { kind, ...rest } = readPublicKey(publicInfo(key))
  const isAccepted = kind === 'rsa' || (kind === 'ec' && 'key' in rest && rest.key !== undefined)
  return isAccepted ? undefined : `a key of type ${key.asymmetricKeyType ?? 'unknown'} is not accepted`
}

interface OpenedKey {
  pkcs8: Uint8Array
  /** SubjectPublicKeyInfo, DER. */
  publicInfo: Buffer
  fault: string | undefined
}

function readKey(pkcs8: Uint8Array): OpenedKey {
  let key: KeyObject
  try {
    key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' })
  } catch (cause) {
    // The library names no class for it: a curve it does not know, or bytes that are no key.
    throw new SealKeyError(
      'The private key in the file is of a kind or on a curve that is not accepted: use RSA, P-256 or P-384.',
      {
        cause,
      },
    )
  }
  const bits = key.asymmetricKeyType === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : undefined
  const short = bits !== undefined && bits < MIN_RSA_BITS
  const fault = short ? `RSA of ${bits} bits is too short, ${MIN_RSA_BITS} are needed` : kindFault(key)
  return { pkcs8: new Uint8Array(key.export({ format: 'der', type: 'pkcs8' })), publicInfo: publicInfo(key), fault }
}

function onlyKey({ keys }: Safe): OpenedKey {
  const found = keys.map(readKey)
  const [first, ...more] = found
  if (first === undefined) throw new SealKeyError('The file holds no private key: export it together with the key.')
  if (more.some(other => Buffer.compare(other.publicInfo, first.publicInfo) !== 0)) {
    throw new SealKeyError('The file holds several private keys: export the one that is to seal alone.')
  }
  return first
}

function readCertificates(safe: Safe): Certificate[] {
  return safe.certificates.map(der => readCertificate(new Uint8Array(der)))
}

const day = (at: Date): string => at.toISOString().slice(0, 10)

/** Why a certificate cannot seal at `at`; the whole sentence. */
function leafFault(leaf: Certificate, at: Date): string | undefined {
  const name = nameText(leaf.subject)
  if (at > leaf.notAfter) return `The certificate ${name} has expired on ${day(leaf.notAfter)}.`
  if (at < leaf.notBefore) return `The certificate ${name} is not valid before ${day(leaf.notBefore)}.`
  if (leaf.keyUsage !== undefined && !leaf.keyUsage.includes('digitalSignature') && !leaf.keyUsage.includes('nonRepudiation')) {
    return `The key usage of ${name} does not allow signing (neither digitalSignature nor nonRepudiation).`
  }
  return undefined
}

function choose(safe: Safe, at: Date): ImportedKey {
  const key = onlyKey(safe)
  const certificates = readCertificates(safe)
  const own = certificates.filter(one => Buffer.compare(one.publicKeyInfo, key.publicInfo) === 0)
  const leaf = own.toSorted((a, b) => b.notAfter.getTime() - a.notAfter.getTime())[0]
  if (leaf === undefined) throw new SealKeyError('The file holds no certificate for its private key.')
  if (key.fault !== undefined) throw new SealKeyError(`The private key in the file cannot seal: ${key.fault}.`)
  const fault = leafFault(leaf, at)
  if (fault !== undefined) throw new SealKeyError(fault)
  const path = pathFrom(leaf, certificates)
  const top = path.at(-1) ?? leaf
  const question = { signer: leaf, companions: path, trust: [top], provenAt: undefined, claimedAt: at, now: at }
  const { findings, unverified } = verifyOrigin(question)
  const [reason] = [...findings.map(({ text }) => text), ...unverified]
  if (reason !== undefined) throw new SealKeyError(reason)
  return {
    leaf: { certificateDer: leaf.der, privateKeyPkcs8Der: key.pkcs8 },
    issuers: path.slice(1).map(certificate => certificate.der),
  }
}

/**
 * The key, its certificate and the issuers above it, in order. At most 1 MB and ten million rounds of key derivation, which may take seconds but
 * keep nothing else waiting.
 * `at`: when it is to seal.
 * @throws SealKeyError with the reason in a sentence that may be shown
 */
export async function readPkcs12(file: Uint8Array, passphrase: string, at: Date): Promise<ImportedKey> {
  if (file.length > MAX_FILE_BYTES) throw new SealKeyError('The file is larger than 1 MB: it is no PKCS#12 file with one key.')
  try {
    return choose(await openFile(file, passphrase), at)
  } catch (error) {
    if (error instanceof DerError) throw new SealKeyError(`The file is damaged or no PKCS#12 file: ${error.message}.`)
    throw error
  }
}
