/** A time-stamp authority in memory, with root, revocation list and tokens. RFC 3161 §2.4.2. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import {
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
  time,
  unsignedInteger,
} from '../../src/pki/der.ts'
import {
  crlDistributionPoint,
  distinguishedName,
  extension,
  issueCertificate,
  issueRevocationList,
  signStructure,
} from '../../src/pki/issue.ts'
import type { KeyAndCertificate } from '../../src/pki/key.ts'
import { readCertificate } from '../../src/pki/x509.ts'
import { tokenOf } from '../support/forged/pki.ts'

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

const generalized = (at: Date): Uint8Array =>
  der(TAG.generalizedTime, Buffer.from(`${at.toISOString().slice(0, 19).replace(/[-T:]/g, '')}Z`))

export interface TestTsa {
  root: Uint8Array
  certificate: Uint8Array
  /** The root with its key. */
  issuer: KeyAndCertificate
  /** A list by the root. `revokedAt`: it revokes the authority, for the CRLReason. */
  list(order: { at: Date; until?: Date; revokedAt?: Date; reason?: number }): Uint8Array
  /** `nonce`: contents of an INTEGER. */
  token(order: { digest: Uint8Array; at: Date; nonce?: Uint8Array }): Uint8Array
}

/** 64 bits, positive and of constant length. */
function serialOf(random: TsaKeys['random']): Uint8Array {
  const serial = random(8)
  serial[0] = 0x51
  return unsignedInteger(serial)
}

function tsaCertificate(
  issuer: Uint8Array,
  issuerKey: KeyObject,
  subject: Uint8Array,
  publicKey: KeyObject,
  [from, to]: [Date, Date],
  { crlUrl, random }: { crlUrl: string | undefined; random: TsaKeys['random'] },
): Uint8Array {
  const extensions = sequence(
    extension('2.5.29.15', true, der(TAG.bitString, Uint8Array.of(7, 0x80))),
    extension('2.5.29.37', true, sequence(oid('1.3.6.1.5.5.7.3.8'))),
    ...(crlUrl === undefined ? [] : [crlDistributionPoint(crlUrl)]),
  )
  const info = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }))
  return signStructure(issuerKey, algorithm =>
    sequence(
      tagged(0, smallInteger(2)),
      serialOf(random),
      algorithm,
      issuer,
      sequence(time(from), time(to)),
      subject,
      info,
      tagged(3, extensions),
    ),
  )
}

/** Random ones, unless every run has to give the same bytes. */
export interface TsaKeys {
  /** RSA or ECDSA P-256. */
  own: KeyObject
  root: KeyObject
  random: (bytes: number) => Uint8Array
}

const newKeys = (): TsaKeys => ({
  own: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  root: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  random: THIS_MACHINE.random,
})

const pairOf = (privateKey: KeyObject) => ({ privateKey, publicKey: createPublicKey(privateKey) })

interface TsaOptions {
  under?: KeyAndCertificate
  crlUrl?: string
  keys?: TsaKeys | undefined
}

/** Valid from an hour before `at`; its root is `under`, or a new one for at least nine years. */
export function testTsa(at: Date, name = 'Time', days = 3 * 365, { under, crlUrl, keys = newKeys() }: TsaOptions = {}): TestTsa {
  const after = (count: number) => new Date(at.getTime() + count * 86_400_000)
  const own = pairOf(keys.own)
  const above = under === undefined ? pairOf(keys.root) : keyPairOf(under)
  const issuer = distinguishedName(name, `${name} Root`)
  const ends = { notBefore: new Date(at.getTime() - 3_600_000), notAfter: after(Math.max(days, 9 * 365)) }
  const root =
    under?.certificateDer ??
    issueCertificate({
      kind: 'root',
      subject: issuer,
      issuer,
      publicKey: above.publicKey,
      issuerKey: above.privateKey,
      random: keys.random,
      ...ends,
    })
  const certificate = tsaCertificate(
    issuer,
    above.privateKey,
    distinguishedName(name, `${name} Signer`),
    own.publicKey,
    [ends.notBefore, after(days)],
    { crlUrl, random: keys.random },
  )
  const { serial } = readCertificate(certificate)
  const pkcs8 = new Uint8Array(above.privateKey.export({ format: 'der', type: 'pkcs8' }))
  expectSameKey(root, above.publicKey)
  const issuerKey = { certificateDer: root, privateKeyPkcs8Der: pkcs8 }
  return {
    root,
    certificate,
    issuer: issuerKey,
    list: ({ at: thisUpdate, until, revokedAt, reason }) =>
      issueRevocationList({
        root: issuerKey,
        thisUpdate,
        nextUpdate: until ?? new Date(thisUpdate.getTime() + 30 * 86_400_000),
        number: 1,
        revoked: revokedAt === undefined ? [] : [{ serial, revokedAt, reason }],
      }),
    token: ({ digest, at: moment, nonce }) => tokenOf({ certificate, key: own.privateKey }, digest, moment, nonce),
  }
}

const keyPairOf = ({ privateKeyPkcs8Der }: KeyAndCertificate) =>
  pairOf(createPrivateKey({ key: Buffer.from(privateKeyPkcs8Der), format: 'der', type: 'pkcs8' }))

function expectSameKey(certificate: Uint8Array, key: KeyObject): void {
  const info = createPublicKey({ key: Buffer.from(readCertificate(certificate).publicKeyInfo), format: 'der', type: 'spki' })
  if (!info.equals(key)) throw new Error('the root of the test has another key')
}

/** An OCSP response on `certificate` by the issuer itself, ECDSA P-256, RFC 6960 §4.2.1. */
export function ocspResponse(order: {
  issuer: KeyAndCertificate
  certificate: Uint8Array
  at: Date
  until: Date
  revokedAt?: Date
  /** CRLReason of `revokedAt`. */
  reason?: number
}): Uint8Array {
  const { subject, publicKeyInfo } = readCertificate(order.issuer.certificateDer)
  const keyBits = readDer(publicKeyInfo).children[1]?.contents.subarray(1) ?? new Uint8Array()
  const sha1 = (bytes: Uint8Array) => octetString(createHash('sha1').update(bytes).digest())
  const serial = der(TAG.integer, Buffer.from(readCertificate(order.certificate).serial, 'hex'))
  const id = sequence(sequence(oid('1.3.14.3.2.26'), derNull()), sha1(subject), sha1(keyBits), serial)
  const reason = order.reason === undefined ? [] : [tagged(0, der(TAG.enumerated, Uint8Array.of(order.reason)))]
  const status = order.revokedAt === undefined ? der(0x80) : tagged(1, generalized(order.revokedAt), ...reason)
  const answer = sequence(id, status, generalized(order.at), tagged(0, generalized(order.until)))
  const tbs = sequence(tagged(1, subject), generalized(order.at), sequence(answer))
  const key = createPrivateKey({ key: Buffer.from(order.issuer.privateKeyPkcs8Der), format: 'der', type: 'pkcs8' })
  const value = der(TAG.bitString, Uint8Array.of(0), sign('sha256', tbs, { key, dsaEncoding: 'der' }))
  const basic = sequence(tbs, sequence(oid('1.2.840.10045.4.3.2')), value)
  return sequence(der(0x0a, Uint8Array.of(0)), tagged(0, sequence(oid('1.3.6.1.5.5.7.48.1.1'), octetString(basic))))
}

/** A CMS with unsigned attributes: a time-stamp has the type 1.2.840.113549.1.9.16.2.14. */
export function withUnsigned(cms: Uint8Array, ...attributes: { type?: string; values: Uint8Array[] }[]): Uint8Array {
  const [type, wrapped] = readDer(cms).children
  const content = wrapped?.children[0]?.children ?? []
  const signer = content.at(-1)?.children[0]
  if (type === undefined || signer === undefined) throw new Error('this is no CMS')
  const list = attributes.map(({ type: name = '1.2.840.113549.1.9.16.2.14', values }) => sequence(oid(name), setOf(...values)))
  const longer = sequence(signer.contents, tagged(1, ...list.toSorted(Buffer.compare)))
  return sequence(type.encoded, tagged(0, sequence(...content.slice(0, -1).map(node => node.encoded), setOf(longer))))
}

/** The signature value of a CMS, which a time-stamp covers. */
export function signatureValue(cms: Uint8Array): Uint8Array {
  const signer = readDer(cms).children[1]?.children[0]?.children.at(-1)?.children[0]
  const value = signer?.children.findLast(node => node.tag === TAG.octetString)
  if (value === undefined) throw new Error('this is no CMS')
  return value.contents
}

export { sha256 }
