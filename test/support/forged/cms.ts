/** Forgeries of the CMS, of signers and of time-stamps. RFC 5652, RFC 5035, RFC 3161, RFC 5280. */
import { derNull, octetString, oid, readDer, sequence, setOf, smallInteger } from '../../../src/pki/der.ts'
import { readCertificate } from '../../../src/pki/x509.ts'
import {
  catalog,
  document,
  FIELD,
  FORGED_CONTENT,
  FREE,
  type Kit,
  page,
  refused,
  type SignOptions,
  swap,
  unknown,
  update,
} from './document.ts'
import { attribute, attributesFor, type CmsOrder, cmsOf, type Entity, hashOf, issue, pemOf, SHA1, tokenOf } from './pki.ts'

const ID_DATA = '1.2.840.113549.1.7.1'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'

/** A signature whose CMS differs from a correct one. */
const withCms =
  (change: (kit: Kit, digest: Uint8Array, signed: Uint8Array) => Partial<CmsOrder>, options: SignOptions = {}) =>
  (kit: Kit): Uint8Array =>
    kit.sign(undefined, {
      contents: (digest, signed) => cmsOf({ signer: kit.signer, digest, issuers: [kit.root], ...change(kit, digest, signed) }),
      ...options,
    })

/** The hexadecimal digits of /Contents in a signed file. */
const digitsOf = (bytes: Buffer): string => /\/Contents <([0-9a-f]+)>/.exec(bytes.toString('latin1'))?.[1] ?? ''

/** A certificate with the victim's names and serial number and the forger's key. */
const twinOf = (kit: Kit): Entity => {
  const serial = Number.parseInt(readCertificate(kit.signer.certificate).serial.slice(-4), 16)
  return issue({ name: 'Victim', issuer: kit.strangerRoot, use: 'documents', serial })
}

const withoutDigest = (list: Uint8Array[]): Uint8Array[] => list.filter((_, i) => i !== 1)

export const CMS = refused('cryptographic message', {
  'CMS of another file': kit =>
    swap(kit.sign(), /<[0-9a-f]{4990,}>/, `<${digitsOf(kit.sign(undefined, { at: 'D:20200101000000Z' }))}>`),
  'certificate swapped for a twin': withCms(kit => ({ certificates: [twinOf(kit).certificate, kit.root.certificate] })),
  'signed by a twin, certificate of the victim': withCms(kit => ({
    signer: { certificate: kit.signer.certificate, key: twinOf(kit).key },
  })),
  'certificate of the signer missing': {
    verdict: 'not-checked',
    make: withCms(kit => ({ certificates: [kit.root.certificate] })),
  },
  'content of its own': withCms(() => ({
    content: { type: ID_DATA, bytes: Buffer.from('Pay 100 EUR') },
    digest: hashOf(Buffer.from('Pay 100 EUR')),
  })),
  'content of its own, digest of the document': withCms(() => ({
    content: { type: ID_DATA, bytes: Buffer.from('Pay 100 EUR') },
  })),
  'attributes signed as if they were the content': withCms(
    (kit, digest) => ({ attributes: () => undefined, signed: setOf(...attributesFor(digest, kit.signer)) }),
    {
      subFilter: 'adbe.pkcs7.detached',
    },
  ),
  'attributes beside a signature over the content': withCms((kit, digest, signed) => ({
    value: () =>
      readDer(cmsOf({ signer: kit.signer, digest, attributes: () => undefined, signed }))
        .children[1]?.children[0]?.children.at(-1)
        ?.children[0]?.children.at(-1)?.contents ?? new Uint8Array(),
  })),
  'digest of another algorithm than it says': withCms(() => ({ digestAlgorithm: SHA1 })),
  'digest by SHA-1': withCms((_, __, signed) => ({ digestAlgorithm: SHA1, digest: hashOf(signed, 'sha1') })),
  'digest cut short': withCms((_, digest) => ({ digest: digest.subarray(0, 20) })),
  'digest of nothing': withCms(() => ({ digest: hashOf(new Uint8Array()) })),
  'attribute message-digest missing': withCms(() => ({ attributes: withoutDigest })),
  'attribute message-digest twice': withCms((_, digest) => ({
    digest: hashOf(Buffer.from('x')),
    attributes: list => [...list, attribute(MESSAGE_DIGEST, octetString(digest))],
  })),
  'attribute message-digest of two values': withCms((_, digest) => ({
    attributes: list => [
      ...withoutDigest(list),
      attribute(MESSAGE_DIGEST, octetString(hashOf(Buffer.from('x'))), octetString(digest)),
    ],
  })),
  'attribute message-digest not signed': withCms((_, digest) => ({
    attributes: withoutDigest,
    unsigned: [attribute(MESSAGE_DIGEST, octetString(digest))],
  })),
  'attribute content-type of a time-stamp': withCms((kit, digest) => ({
    attributes: () => attributesFor(digest, kit.signer, '1.2.840.113549.1.9.16.1.4'),
  })),
  'attribute signing-certificate of another': {
    verdict: 'not-checked',
    make: withCms((kit, digest) => ({ attributes: () => attributesFor(digest, kit.stranger) })),
  },
  'signature value empty': withCms(() => ({ value: () => new Uint8Array() })),
  'signature value of zeros': withCms(() => ({ value: () => sequence(smallInteger(0), smallInteger(0)) })),
  'no signer': withCms(() => ({ signers: () => [] })),
  'two signers, the second a stranger': withCms((kit, digest) => ({
    signers: list => [
      ...list,
      readDer(cmsOf({ signer: kit.stranger, digest })).children[1]?.children[0]?.children.at(-1)?.children[0]?.encoded ??
        new Uint8Array(),
    ],
  })),
  'token in the place of a signature': kit => kit.sign(undefined, { contents: digest => tokenOf(kit.time, digest, kit.at) }),
  'content type that is no SignedData': kit =>
    kit.sign(undefined, { contents: () => sequence(oid('1.2.840.113549.1.7.3'), derNull()) }),
})

const both = (one: Entity, two: Entity) => ({ signers: pemOf(one), times: pemOf(two) })

/** Signed correctly by a certificate that is not trusted for it. */
const by =
  (choose: (kit: Kit) => [signer: Entity, issuer: Entity], options: SignOptions = {}) =>
  (kit: Kit) =>
    kit.sign(undefined, { contents: kit.by(...choose(kit)), ...options })

export const TRUST = unknown('trust', {
  'nothing but a document time-stamp': { verdict: 'not-signed', make: kit => kit.stamp(document(), { field: FIELD }) },
  'a certificate under the authority of the time-stamps': by(kit => [
    issue({ name: 'Customer', issuer: kit.timeRoot, use: 'documents' }),
    kit.timeRoot,
  ]),
  'the time-stamp authority signs': by(kit => [kit.time, kit.timeRoot]),
  "a time-stamp certificate under the signers' root signs": by(kit => [
    issue({ name: 'Time', issuer: kit.root, use: 'timestamps' }),
    kit.root,
  ]),
  "a server's certificate signs": by(kit => [issue({ name: 'Server', issuer: kit.root, use: 'servers' }), kit.root]),
  'a stranger of the same name': by(kit => [kit.stranger, kit.strangerRoot]),
  "a certificate issued by the victim's": kit =>
    kit.sign(undefined, {
      contents: digest => {
        const below = issue({ name: 'Below', issuer: kit.signer, use: 'documents' })
        return cmsOf({ signer: below, digest, issuers: [kit.signer, kit.root] })
      },
    }),
  'an expired certificate': by(kit => [issue({ name: 'Old', issuer: kit.root, use: 'documents', to: -10 }), kit.root], {
    at: 'D:20260101000000Z',
  }),
  'an expired certificate, time-stamped by a signer': kit =>
    kit.sign(undefined, {
      at: 'D:20260101000000Z',
      contents: digest => expiredAndStamped(kit, digest, issue({ name: 'Time', issuer: kit.root, use: 'timestamps' })),
    }),
  'a certificate not yet valid': by(kit => [issue({ name: 'Young', issuer: kit.root, use: 'documents', from: 10 }), kit.root]),
  'roots exchanged': { make: kit => kit.sign(), trust: kit => both(kit.timeRoot, kit.root) },
  'no trusted certificates': { make: kit => kit.sign(), trust: kit => both(kit.strangerRoot, kit.strangerRoot) },
})

/** By an expired certificate, with a token from its validity period. */
function expiredAndStamped(kit: Kit, digest: Uint8Array, authority: Entity): Uint8Array {
  const signer = issue({ name: 'Old', issuer: kit.root, use: 'documents', to: -10 })
  const order: CmsOrder = { signer, digest, issuers: [kit.root] }
  let value = new Uint8Array()
  cmsOf({ ...order, value: made => (value = new Uint8Array(made)) })
  const token = tokenOf(authority, hashOf(value), new Date(Date.now() - 100 * 86_400_000))
  return cmsOf({ ...order, value: () => value, unsigned: [attribute('1.2.840.113549.1.9.16.2.14', token)] })
}

const FORGED = { 4: FORGED_CONTENT }

export const STAMPS = refused('time-stamps and security store', {
  'time-stamp over a changed file': kit => kit.stamp(update(kit.sign(), FORGED)),
  'time-stamp that changes content': kit =>
    kit.stamp(kit.sign(), {
      changes: FORGED,
    }),
  'change behind a time-stamp': kit => update(kit.stamp(kit.sign()), FORGED),
  'time-stamp of other bytes': kit =>
    kit.stamp(kit.sign(), { contents: () => tokenOf(kit.time, hashOf(Buffer.from('x')), kit.at) }),
  'store with other content': kit => update(kit.sign(), { ...FORGED, 1: withDss(), 30: '<< /Type /DSS /Certs [] >>' }),
  'store that is the page': kit => update(kit.sign(), { 1: withDss(3), 3: page({ content: 11, more: '/Certs []' }) }),
  'signature by a stranger over a changed file': kit =>
    kit.sign(update(kit.sign(), FORGED), { field: FREE, contents: kit.by(kit.stranger, kit.strangerRoot) }),
  'signature by the same signer over a changed file': kit => kit.sign(update(kit.sign(), FORGED), { field: FREE }),
  'time-stamp token of another signature': kit =>
    kit.sign(undefined, {
      contents: digest =>
        cmsOf({
          signer: kit.signer,
          digest,
          issuers: [kit.root],
          unsigned: [attribute('1.2.840.113549.1.9.16.2.14', tokenOf(kit.time, hashOf(Buffer.from('x')), kit.at))],
        }),
    }),
  'time-stamp by an authority that is a signer': kit =>
    kit.stamp(update(kit.sign(), FORGED), {
      contents: digest => tokenOf(issue({ name: 'Time', issuer: kit.root, use: 'timestamps' }), digest, kit.at),
    }),
  "time-stamp field that is the signature's": kit => kit.stamp(kit.sign(), { name: 'Signature14' }),
  'store behind which the form is another one': kit =>
    update(kit.sign(), {
      1: withDss().replace('/Fields [7 0 R 14 0 R]', '/Fields [14 0 R]'),
      30: '<< /Type /DSS /Certs [] >>',
    }),
})

const withDss = (number = 30): string => catalog({ more: `/DSS ${number} 0 R` })
